//! Request ids and progress tokens, which have the same type: a string or an integer.

use std::fmt;

use crate::{json, limits::ID_BYTES};

/// A JSON-RPC id (or a progress token) with its JSON type: `1` is not `"1"`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RequestId {
    /// An integer that fits 64 bits. `1.0` and `1e0` are the same number.
    Int(i64),
    /// A string.
    Text(String),
    /// The JSON text of anything else: `1.5`, a number beyond 64 bits, `null`, an object. Of a text beyond
    /// [`ID_BYTES`] the beginning and what tells it from others.
    Other(Box<str>),
}

impl RequestId {
    /// Parses an id from its JSON text. Never fails: anything but a string or an integer is kept as text.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let text = json::trim(text);
        if text.len() > ID_BYTES {
            return Self::Other(shortened(text).into());
        }
        if let Some(number) = json::integer(text) {
            return Self::Int(number);
        }
        match json::string(text) {
            Some(string) => Self::Text(string.into_owned()),
            None => Self::Other(text.into()),
        }
    }

    /// Its JSON text.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Int(number) => number.to_string(),
            Self::Text(text) => json::quote(text),
            Self::Other(text) => text.to_string(),
        }
    }

    /// Whether the specification allows it as an id: a string or an integer.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        match self {
            Self::Int(_) | Self::Text(_) => true,
            Self::Other(text) => text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'),
        }
    }
}

impl RequestId {
    /// Whether it is longer than [`ID_BYTES`], so that only its beginning was kept.
    #[must_use]
    pub fn is_long(&self) -> bool {
        // A string that is kept whole is a `Text`.
        matches!(self, Self::Other(text) if text.starts_with('"'))
    }
}

/// What a long id is written as: JSON text, the same for the same id.
fn shortened(text: &str) -> String {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let start: String = text.chars().take(32).collect();
    json::quote(&format!(
        "{start}… ({} bytes, {:016x})",
        text.len(),
        hasher.finish()
    ))
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.to_json())
    }
}

impl From<i64> for RequestId {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<&str> for RequestId {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

#[cfg(test)]
mod tests;
