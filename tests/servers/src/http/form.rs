//! Fields of queries and forms.

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Names and values, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Whether there is a value with this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Parses `a=b&c=d`.
    pub(crate) fn read(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        Self(
            pairs
                .map(|pair| {
                    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                    (decoded(name), decoded(value))
                })
                .collect(),
        )
    }

    /// The value of a name; empty if missing.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Decodes a value.
pub(crate) fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

/// `a=b&c=d`.
pub(crate) fn written(pairs: &[(&str, &str)]) -> String {
    let pairs = pairs.iter().map(|(name, value)| {
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
        format!("{name}={value}")
    });
    pairs.collect::<Vec<_>>().join("&")
}
