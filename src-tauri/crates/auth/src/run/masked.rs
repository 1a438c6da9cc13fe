//! Masks secrets for display.

use patchbay_secret::Secret;

/// The value with all but its end masked: the length is kept, and values of at least 16 characters show their last 4, as in
/// the log.
pub(crate) fn masked(secret: &Secret) -> String {
    let characters: Vec<char> = secret.expose().chars().collect();
    let kept = if characters.len() >= 16 { 4 } else { 0 };
    let hidden = characters.len() - kept;
    let mut text = "*".repeat(hidden);
    text.extend(&characters[hidden..]);
    text
}
