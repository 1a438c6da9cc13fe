//! Secrets as they may be seen.

use patchbay_secret::Secret;

/// The value with all but its end masked: the length stays, and from 16 characters on the last 4, as in the log.
pub(crate) fn masked(secret: &Secret) -> String {
    let characters: Vec<char> = secret.expose().chars().collect();
    let kept = if characters.len() >= 16 { 4 } else { 0 };
    let hidden = characters.len() - kept;
    let mut text = "*".repeat(hidden);
    text.extend(&characters[hidden..]);
    text
}
