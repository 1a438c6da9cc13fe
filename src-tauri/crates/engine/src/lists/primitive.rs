//! The differences between the lists.

use patchbay_client::{Notices, Status};
use patchbay_contract::{ListKind, ServerId, ViolationItem};
use patchbay_protocol::{Era, Revision, Rule, json, views::ClientCapabilities};
use patchbay_traffic::Seq;

use crate::{convert, dispatch::nudges::Topic};

/// A kind of list.
pub(crate) trait Primitive: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// A row in the contract's form.
    type Item: Clone + std::fmt::Debug + Send + Sync + 'static;

    /// The command of the contract that lists it.
    const COMMAND: &'static str;
    /// The request: `tools/list`.
    const METHOD: &'static str;
    /// The member of the result that holds the rows.
    const MEMBER: &'static str;
    /// The noun for sentences: `tools`.
    const NOUN: &'static str;
    /// The rule for two rows with the same identity.
    const DUPLICATE: Duplicate;
    /// Whether definitions are remembered, to notice that they change.
    const REMEMBERED: bool = false;

    /// Whether it is compared with what an earlier connection listed.
    const COMPARED: Option<ListKind> = None;

    /// Whether the server declared that it can list it.
    fn is_declared(status: &Status) -> bool;

    /// How often the server reported a change of the list.
    fn changes(notices: &Notices) -> u64;

    /// The topic of the nudge for a new list, if there is one.
    fn topic(server: ServerId) -> Option<Topic>;

    /// Parses a row. A malformed row gets violations.
    fn row(raw: &str, index: u32, context: Context) -> Entry<Self::Item>;

    /// The description of a row, from its definition.
    fn description(raw: &str) -> Option<String>;
}

/// A row and its identity.
#[derive(Debug)]
pub(crate) struct Entry<T> {
    pub(crate) item: T,
    /// Its identity, unique in a list; empty if the row is too malformed to have one.
    pub(crate) identity: String,
    pub(crate) violations: fn(&mut T) -> &mut Vec<ViolationItem>,
}

/// The violation of two rows with the same identity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Duplicate {
    /// The rule that it breaks.
    pub(crate) rule: Rule,
    /// The member that is the identity.
    pub(crate) member: &'static str,
    /// The noun for the message: `tool`.
    pub(crate) noun: &'static str,
}

/// The context of a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    /// The record of the page.
    pub(crate) seq: Seq,
    pub(crate) era: Era,
    /// The negotiated revision.
    pub(crate) revision: Option<Revision>,
    /// Whether the server is reached over HTTP, where some parameters are sent in headers.
    pub(crate) over_http: bool,
    /// Whether the server declared that its tools can be called as tasks.
    pub(crate) as_tasks: bool,
}

impl Context {
    /// Whether the negotiated revision has the rule of a violation.
    pub(super) fn applies(self, violation: &ViolationItem) -> bool {
        match (self.revision, Rule::named(&violation.rule)) {
            (Some(revision), Some(rule)) => rule.applies(revision),
            _ => true,
        }
    }

    pub(super) fn of(status: &Status) -> Self {
        Self {
            seq: 0,
            era: status.era.unwrap_or(Era::Legacy),
            revision: status.revision,
            over_http: status.link.as_ref().is_some_and(|link| link.http().is_some()),
            as_tasks: calls_as_tasks(status),
        }
    }
}

/// Whether a server declared a capability.
pub(super) fn declares(status: &Status, capability: &str) -> bool {
    convert::capabilities(status).is_some_and(|declared| declared.has(capability))
}

/// The beginning of a description, for a row. The definition has the whole text.
pub(super) fn row_description(text: Option<&str>) -> Option<String> {
    const LONGEST: usize = 300;
    text.map(|text| text.chars().take(LONGEST).collect())
}

/// The longest icon of a row, in bytes: a list may have thousands of rows.
const MAX_ICON: usize = 8192;

/// The first of `icons` that can be shown without asking anyone for it. SVG is not: a small one can take minutes to draw.
pub(super) fn row_icon(icons: &str) -> Option<String> {
    json::array(icons)?
        .into_iter()
        .filter_map(|icon| Some(json::Object::parse(icon).ok()?.string("src")?.into_owned()))
        .find(|src| src.len() <= MAX_ICON && is_bitmap(src))
}

/// Whether a URI holds an image of one of the formats that are safe to draw.
fn is_bitmap(src: &str) -> bool {
    let Some((kind, _)) = src
        .strip_prefix("data:image/")
        .and_then(|rest| rest.split_once([';', ',']))
    else {
        return false;
    };
    ["png", "jpeg", "gif", "webp"].contains(&kind)
}

/// Whether the tools of a legacy server may be called as tasks. Otherwise a client must not try, whatever the tools declare.
pub(crate) fn calls_as_tasks(status: &Status) -> bool {
    let capabilities = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.capabilities_json.as_deref());
    let declared = ClientCapabilities::parse(capabilities.unwrap_or("{}"));
    declared.has_part("tasks", &["requests", "tools", "call"])
}

#[cfg(test)]
mod tests {
    use super::row_icon;

    #[test]
    fn an_icon_of_a_row_is_small_and_needs_no_request() {
        let icons = |src: &str| {
            row_icon(&format!(
                r#"[7,{{"src":"https://a.example/i.png"}},{{"src":"{src}"}}]"#
            ))
        };
        assert_eq!(
            icons("data:image/png;base64,AA").as_deref(),
            Some("data:image/png;base64,AA")
        );
        assert_eq!(icons("data:text/html,<b>"), None);
        assert_eq!(icons("data:image/svg+xml,<svg/>"), None);
        assert_eq!(icons("data:image/png"), None);
        assert_eq!(icons("javascript:alert(1)"), None);
        assert_eq!(icons(&format!("data:image/png,{}", "A".repeat(9000))), None);
        assert_eq!(row_icon("{}"), None);
    }
}
