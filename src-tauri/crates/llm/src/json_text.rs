//! Writes JSON text from parts that are JSON text already.

use patchbay_protocol::json;

/// An object that is being written.
pub(crate) struct ObjectText(String);

impl ObjectText {
    pub(crate) fn new() -> Self {
        Self("{".to_owned())
    }

    /// Adds a member whose value is JSON text.
    pub(crate) fn raw(mut self, name: &str, value: &str) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        json::push_quoted(name, &mut self.0);
        self.0.push(':');
        self.0.push_str(value);
        self
    }

    /// Adds a member whose value is a string.
    pub(crate) fn string(self, name: &str, value: &str) -> Self {
        self.raw(name, &json::quote(value))
    }

    /// Adds a member if there is a value.
    pub(crate) fn optional(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.raw(name, value),
            None => self,
        }
    }

    pub(crate) fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

/// An array of JSON texts.
pub(crate) fn array(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}
