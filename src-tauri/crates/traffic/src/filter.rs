//! Which records to show.

use crate::Kind;

/// Which records to show. Empty means all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Filter {
    /// Only of this server.
    pub server_id: Option<String>,
    /// Only of these kinds; empty means all.
    pub kinds: Vec<Kind>,
    /// Only those that hold this text in method, summary, id or body; case-insensitive for ASCII.
    pub text: Option<String>,
}
