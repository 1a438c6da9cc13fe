//! What one message of a peer may cost. Every bound of what a peer sends is listed in `docs/limits.md`, which a test compares
//! with the code.
//!
//! What exceeds a bound is recorded as received, with a violation that says so, and is not taken apart further.

/// The most messages of one frame that are taken apart: of a batch, or of a line with several messages.
pub const MESSAGES_PER_FRAME: usize = 10_000;
/// The most members of an object, and elements of an array, that a view reads.
pub const MEMBERS: usize = 200_000;
/// The most tools of one page that are checked.
pub const TOOLS_PER_PAGE: usize = 20_000;
/// The most bytes of a string that is an id or a progress token.
pub const ID_BYTES: usize = 4096;
/// The most unanswered requests of a server that are remembered. Answers to others are not recognized.
pub const OPEN_REQUESTS: usize = 4096;
/// The most violations of one message that are kept.
pub const VIOLATIONS: usize = 1000;
/// The most bytes of a text in a description: a method, an id, the place of a violation. The record has all of it.
pub const TEXT_BYTES: usize = 4096;

/// Shortens a text to [`TEXT_BYTES`], with an ellipsis.
pub fn shorten(text: &mut String) {
    if text.len() > TEXT_BYTES {
        let end = (0..=TEXT_BYTES).rev().find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
}

#[cfg(test)]
mod tests;
