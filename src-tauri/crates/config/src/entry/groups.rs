//! Whether a server is disabled, and its groups.

use crate::group_names::groups_of;

pub(super) const DISABLED: &str = "disabled";
pub(super) const GROUPS: &str = "groups";

/// Whether it cannot be connected. Other hosts have the same member.
pub(super) fn disabled(text: Option<&str>, notes: &mut Vec<String>) -> bool {
    let Some(text) = text else {
        return false;
    };
    serde_json::from_str(text).unwrap_or_else(|_| {
        notes.push("`disabled` is not true or false; the server is enabled".to_owned());
        false
    })
}

/// The groups it is in. Names that no group can have are left out.
pub(super) fn read(text: Option<&str>, notes: &mut Vec<String>) -> Vec<String> {
    let Some(text) = text else {
        return Vec::new();
    };
    let Ok(names) = serde_json::from_str::<Vec<String>>(text) else {
        notes.push("`groups` is not a list of names; the server is in no group".to_owned());
        return Vec::new();
    };
    groups_of(names).unwrap_or_else(|why| {
        notes.push(format!("`groups` is not used: {}", why.trim_end_matches('.')));
        Vec::new()
    })
}
