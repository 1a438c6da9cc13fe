//! What a peer may cost. The bounds that the settings of a server can change are those of [`Limits`]; the others are constants
//! beside the code that needs them. `docs/src/reference/limits.md` lists all of them, and a test compares it with the code.
//!
//! What exceeds a bound is recorded as received, with a violation that says so, and is not taken apart further.

mod settings;

pub use settings::{Limit, LimitError, Limits, Unit};

/// The most members of an object, and elements of an array, that a view reads.
pub const MEMBERS: usize = 200_000;
/// The most tools of one page that are checked.
pub const TOOLS_PER_PAGE: usize = 20_000;
/// The most bytes of a string that is an id or a progress token.
pub const ID_BYTES: usize = 4096;
/// The most violations that a view finds in one object.
pub const VIOLATIONS: usize = 1000;
/// The most bytes of a text in a description: a method, an id, the place of a violation. The record has all of it.
pub const TEXT_BYTES: usize = 4096;

/// Shortens a text to [`TEXT_BYTES`], with an ellipsis.
pub fn shorten(text: &mut String) {
    if text.len() > TEXT_BYTES {
        text.truncate(text.floor_char_boundary(TEXT_BYTES));
        text.push('…');
    }
}

#[cfg(test)]
mod tests;
