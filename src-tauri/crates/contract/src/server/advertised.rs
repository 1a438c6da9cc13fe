//! What Patchbay declares to a server in the handshake.

use serde::{Deserialize, Serialize};

/// The capabilities and the revision that are advertised to a server. A capability that is on is declared only if something
/// answers its requests: the user, or a rule. Takes effect at the next connect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct AdvertisedDraft {
    /// `sampling`.
    pub sampling: bool,
    /// `sampling.tools`: a request may contain tools.
    pub sampling_tools: bool,
    /// `sampling.context`: a request may ask for the context of servers, which the user has to add. Off by default.
    pub sampling_context: bool,
    /// `elicitation.form`.
    pub elicitation_form: bool,
    /// `elicitation.url`.
    pub elicitation_url: bool,
    /// `roots`.
    pub roots: bool,
    /// `roots.listChanged` (legacy revisions).
    pub roots_list_changed: bool,
    /// `tasks`: sampling and elicitation as tasks (2025-11-25).
    pub tasks: bool,
    /// `experimental`: JSON text of an object of objects; none declares nothing.
    pub experimental_json: Option<String>,
    /// `extensions`: JSON text of an object of objects, declared instead of the extensions that Patchbay supports.
    pub extensions_json: Option<String>,
    /// The revision to offer, sent as it is; the newest of the era if none. With the era `auto`, a known revision decides
    /// the era.
    pub revision: Option<String>,
    /// Go on if the server answers with an unknown revision. It is handled as the newest known one of the era.
    pub any_revision: bool,
}

impl Default for AdvertisedDraft {
    fn default() -> Self {
        Self {
            sampling: true,
            sampling_tools: true,
            sampling_context: false,
            elicitation_form: true,
            elicitation_url: true,
            roots: true,
            roots_list_changed: true,
            tasks: true,
            experimental_json: None,
            extensions_json: None,
            revision: None,
            any_revision: false,
        }
    }
}
