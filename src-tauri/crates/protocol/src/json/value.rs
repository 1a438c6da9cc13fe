//! Single values: kinds, numbers, booleans, and the location of a value in a text.

use std::ops::Range;

/// The six kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`
    Null,
    /// Not the start of any value.
    Invalid,
}

impl Kind {
    /// With an article: "an object".
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::String => "a string",
            Self::Number => "a number",
            Self::Bool => "a boolean",
            Self::Null => "null",
            Self::Invalid => "not JSON",
        }
    }
}

/// The kind of the value at the start of `text`, based on its first character.
#[must_use]
pub fn kind(text: &str) -> Kind {
    match trim(text).as_bytes().first() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b'"') => Kind::String,
        Some(b't' | b'f') => Kind::Bool,
        Some(b'n') => Kind::Null,
        Some(b'-' | b'0'..=b'9') => Kind::Number,
        _ => Kind::Invalid,
    }
}

/// The range of `inner`, a slice of `outer`. An empty range at 0 if it is not a slice of it.
#[must_use]
pub fn span_of(outer: &str, inner: &str) -> Range<usize> {
    let start = (inner.as_ptr() as usize).wrapping_sub(outer.as_ptr() as usize);
    match start.checked_add(inner.len()) {
        Some(end) if end <= outer.len() => start..end,
        _ => 0..0,
    }
}

/// Parses an integer (`1.0` counts, `"1"` and `1.5` do not).
#[must_use]
pub fn integer(text: &str) -> Option<i64> {
    let text = trim(text);
    if let Ok(number) = text.parse::<i64>()
        && !text.starts_with('+')
        && text != "-0"
    {
        return Some(number);
    }
    let float = number(text)?;
    // From 2^53 on, neighboring integers map to the same float, so the text is not exact.
    let is_exact = float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "checked: integral and below 2^53")]
    is_exact.then_some(float as i64)
}

/// A number as a float.
#[must_use]
pub fn number(text: &str) -> Option<f64> {
    if kind(text) == Kind::Number {
        trim(text).parse().ok()
    } else {
        None
    }
}

/// A boolean.
#[must_use]
pub fn boolean(text: &str) -> Option<bool> {
    match trim(text) {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Without the surrounding JSON white space.
#[inline]
pub(crate) fn trim(text: &str) -> &str {
    // Nearly every value comes without any.
    let bytes = text.as_bytes();
    if let (Some(first), Some(last)) = (bytes.first(), bytes.last())
        && *first > b' '
        && *last > b' '
    {
        return text;
    }
    text.trim_matches([' ', '\t', '\r', '\n'])
}
