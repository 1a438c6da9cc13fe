//! What differs from one list to another.

use patchbay_client::{Notices, Status};
use patchbay_contract::{ServerId, ViolationItem};
use patchbay_protocol::{Era, Rule};
use patchbay_traffic::Seq;

use crate::dispatch::nudges::Topic;

/// A kind of thing that servers list.
pub(crate) trait Primitive: Sized + std::fmt::Debug + Send + Sync + 'static {
    /// A row, as the contract shows it.
    type Item: Clone + std::fmt::Debug + Send + Sync + 'static;

    /// The command of the contract that lists it.
    const COMMAND: &'static str;
    /// The request: `tools/list`.
    const METHOD: &'static str;
    /// The member of its result that holds the rows.
    const MEMBER: &'static str;
    /// For sentences: `tools`.
    const NOUN: &'static str;
    /// The rule that two rows of one identity break.
    const DUPLICATE: Duplicate;

    /// Whether the server declared that it can be asked for the list.
    fn is_declared(status: &Status) -> bool;

    /// How often the server said that the list changed.
    fn changes(notices: &Notices) -> u64;

    /// The nudge that announces a new list, if one does.
    fn topic(server: ServerId) -> Option<Topic>;

    /// Reads a row. A malformed one is a row with violations.
    fn row(raw: &str, index: u32, context: Context) -> Entry<Self::Item>;

    /// The description of a row, from its definition.
    fn description(raw: &str) -> Option<String>;
}

/// A row and what the listing needs of it.
#[derive(Debug)]
pub(crate) struct Entry<T> {
    pub(crate) item: T,
    /// What no two rows may have in common; empty if the row is too broken to have it.
    pub(crate) identity: String,
    pub(crate) violations: fn(&mut T) -> &mut Vec<ViolationItem>,
}

/// What is wrong if two rows have one identity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Duplicate {
    /// The rule that it breaks.
    pub(crate) rule: Rule,
    /// The member that is the identity.
    pub(crate) member: &'static str,
    /// For the message: `tool`.
    pub(crate) noun: &'static str,
}

/// On what kind of connection a list was made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    /// The record of the page.
    pub(crate) seq: Seq,
    pub(crate) era: Era,
    /// Whether the server is reached over HTTP, where some parameters travel in headers.
    pub(crate) over_http: bool,
}

impl Context {
    pub(super) fn of(status: &Status) -> Self {
        Self {
            seq: 0,
            era: status.era.unwrap_or(Era::Legacy),
            over_http: status.link.as_ref().is_some_and(|link| link.http().is_some()),
        }
    }
}

/// Whether a server declared a capability.
pub(super) fn declares(status: &Status, capability: &str) -> bool {
    let capabilities = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.capabilities_json.as_deref());
    capabilities.is_some_and(|raw| patchbay_protocol::views::ServerCapabilities::new(raw).has(capability))
}

/// The first characters of a description, for a row; the whole of it comes with the definition.
pub(super) fn row_description(text: Option<&str>) -> Option<String> {
    const LONGEST: usize = 300;
    text.map(|text| text.chars().take(LONGEST).collect())
}
