//! Characters that are invisible or change the direction of text. A definition may use them to show a person something else
//! than a model reads.

use std::fmt::Write as _;

/// The text with every hidden character as `⟨U+XXXX⟩`, so that it is seen, and is harmless in a terminal. Line breaks and
/// tabs are kept.
#[must_use]
pub fn with_hidden_marked(text: &str) -> String {
    marked(text, is_hidden)
}

/// The text with every character that controls a terminal as `⟨U+XXXX⟩`. Other hidden characters stay, for a text that may be
/// copied from there. Line breaks and tabs are kept.
#[must_use]
pub fn with_controls_marked(text: &str) -> String {
    marked(text, is_control)
}

fn marked(text: &str, is_marked: fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_marked(character) {
            // Writing to a string cannot fail.
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(character));
        } else {
            out.push(character);
        }
    }
    out
}

/// Whether a character has no visible form of its own: controls, zero-width and direction characters, fillers, variation
/// selectors and tag characters.
fn is_hidden(character: char) -> bool {
    match character {
        _ if is_control(character) => true,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => true,
        '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}' => true,
        _ => false,
    }
}

fn is_control(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}
