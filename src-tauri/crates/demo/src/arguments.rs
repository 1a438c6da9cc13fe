//! The arguments of a tool, with error messages for the model.

use std::borrow::Cow;

use patchbay_protocol::json::{self, Object};

/// The arguments of a call.
#[derive(Debug)]
pub(crate) struct Arguments<'a> {
    text: &'a str,
    object: Object<'a>,
}

impl<'a> Arguments<'a> {
    /// Parses the text of `arguments`; an empty object if missing.
    pub(crate) fn new(text: Option<&'a str>) -> Result<Self, String> {
        let text = text.unwrap_or("{}");
        let object = Object::parse(text).map_err(|_| "The arguments must be an object".to_owned())?;
        Ok(Self { text, object })
    }

    /// All arguments, exactly as received.
    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    /// One argument, exactly as received. `null` counts as absent.
    pub(crate) fn raw(&self, name: &str) -> Option<&'a str> {
        self.object.get(name).filter(|value| *value != "null")
    }

    pub(crate) fn string(&self, name: &str) -> Result<Cow<'a, str>, String> {
        self.optional_string(name)?
            .ok_or_else(|| format!("`{name}` is missing"))
    }

    pub(crate) fn optional_string(&self, name: &str) -> Result<Option<Cow<'a, str>>, String> {
        let Some(value) = self.raw(name) else {
            return Ok(None);
        };
        json::string(value)
            .map(Some)
            .ok_or_else(|| format!("`{name}` must be a string, not {value}"))
    }

    pub(crate) fn number(&self, name: &str) -> Result<f64, String> {
        let value = self.raw(name).ok_or_else(|| format!("`{name}` is missing"))?;
        json::number(value).ok_or_else(|| format!("`{name}` must be a number, not {value}"))
    }

    /// An integer within bounds, or `default`.
    pub(crate) fn integer(&self, name: &str, default: u64, most: u64) -> Result<u64, String> {
        let Some(value) = self.raw(name) else {
            return Ok(default);
        };
        let number = json::integer(value).and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| *number <= most);
        number.ok_or_else(|| format!("`{name}` must be an integer from 0 to {most}, not {value}"))
    }

    pub(crate) fn boolean(&self, name: &str) -> Result<bool, String> {
        let Some(value) = self.raw(name) else {
            return Ok(false);
        };
        json::boolean(value).ok_or_else(|| format!("`{name}` must be true or false, not {value}"))
    }

    /// The raw elements of an array; none if absent.
    pub(crate) fn array(&self, name: &str) -> Result<Vec<&'a str>, String> {
        let Some(value) = self.raw(name) else {
            return Ok(Vec::new());
        };
        json::array(value).ok_or_else(|| format!("`{name}` must be an array, not {value}"))
    }
}
