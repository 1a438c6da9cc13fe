//! What a bundle asks its user for (`user_config`): as a JSON Schema for a form, and the values that were entered.

use std::collections::HashMap;

use indexmap::IndexMap;
use patchbay_secret::Secret;
use serde_json::{Map, Value, json};

use super::{
    error::BundleError,
    manifest::{Manifest, UserOption, UserType, plain},
    places::{Places, variables},
};
use crate::{files::expand_home, form_schema::object_schema};

/// The maximum size of the values of a bundle's settings, in bytes of JSON.
const MAX_VALUES_BYTES: usize = 1 << 20;

/// A value that was entered, or the default.
#[derive(Debug)]
pub(super) enum Entered {
    Text(String),
    /// Several files or folders.
    List(Vec<String>),
    /// One secret, or several.
    Secrets(Vec<Secret>),
}

impl Manifest {
    /// Whether the bundle asks its user for anything.
    #[must_use]
    pub fn has_settings(&self) -> bool {
        !self.user_config.is_empty()
    }

    /// The settings as a JSON Schema. `format` of a string is `password`, `directory` or `file`.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn schema(&self, places: &Places) -> serde_json::Result<String> {
        let options = || self.user_config.iter();
        object_schema(
            options().map(|(name, option)| (name.as_str(), property(name, option, places))),
            options()
                .filter(|(_, option)| option.required)
                .map(|(name, _)| name.as_str()),
        )
    }

    /// The values to begin with, as a JSON object: the defaults.
    ///
    /// # Errors
    /// They cannot be written as JSON.
    pub fn defaults(&self, places: &Places) -> serde_json::Result<String> {
        let values: IndexMap<&str, Value> = self
            .user_config
            .iter()
            .filter_map(|(name, option)| Some((name.as_str(), default(option, places)?)))
            .collect();
        serde_json::to_string(&values)
    }

    /// The values of a form, checked. One that is optional and not entered is not in the result.
    pub(super) fn entered(&self, values_json: &str) -> Result<HashMap<String, Entered>, BundleError> {
        let mut values = object(values_json)?;
        let mut entered = HashMap::new();
        for (name, option) in &self.user_config {
            match values.remove(name).filter(|value| !is_empty(value)) {
                Some(value) => {
                    entered.insert(name.clone(), one(name, option, value)?);
                }
                None if option.required => {
                    return Err(wrong(format!(
                        "`{}` is required.",
                        plain(title(name, option), 120)
                    )));
                }
                None => {}
            }
        }
        match values.keys().next() {
            Some(name) => Err(wrong(format!("The bundle does not ask for `{name}`."))),
            None => Ok(entered),
        }
    }
}

fn object(values_json: &str) -> Result<Map<String, Value>, BundleError> {
    if values_json.len() > MAX_VALUES_BYTES {
        return Err(wrong("They have more than 1 MiB.".to_owned()));
    }
    serde_json::from_str(values_json).map_err(|error| wrong(format!("They are not a JSON object: {error}.")))
}

fn title<'a>(name: &'a str, option: &'a UserOption) -> &'a str {
    match option.title.trim().is_empty() {
        true => name,
        false => &option.title,
    }
}

fn property(name: &str, option: &UserOption, places: &Places) -> Value {
    let mut property = match option.kind {
        UserType::String => json!({ "type": "string" }),
        UserType::Number => json!({ "type": "number" }),
        UserType::Boolean => json!({ "type": "boolean" }),
        UserType::Directory => json!({ "type": "string", "format": "directory" }),
        UserType::File => json!({ "type": "string", "format": "file" }),
    };
    if option.sensitive {
        property["format"] = json!("password");
    }
    for (keyword, bound) in [("minimum", &option.min), ("maximum", &option.max)] {
        if let (UserType::Number, Some(bound)) = (option.kind, bound) {
            property[keyword] = json!(bound);
        }
    }
    let is_text = !matches!(option.kind, UserType::Number | UserType::Boolean);
    if option.multiple {
        property = json!({ "type": "array", "items": property });
        if option.required {
            property["minItems"] = json!(1);
        }
    } else if option.required && is_text {
        property["minLength"] = json!(1);
    }
    property["title"] = json!(title(name, option));
    if !option.description.is_empty() {
        property["description"] = json!(option.description);
    }
    if let Some(default) = default(option, places) {
        property["default"] = default;
    }
    property
}

/// The default with its variables filled in; none if it is of another type.
fn default(option: &UserOption, places: &Places) -> Option<Value> {
    let filled = |value: &Value| value.as_str().map(|text| Value::from(variables(text, places)));
    let default = option.default.as_ref()?;
    match (option.multiple, option.kind, default) {
        (true, _, Value::Array(all)) => all.iter().map(filled).collect::<Option<_>>().map(Value::Array),
        (true, _, one) => Some(Value::Array(vec![filled(one)?])),
        (false, UserType::Number, Value::Number(_)) | (false, UserType::Boolean, Value::Bool(_)) => {
            Some(default.clone())
        }
        (false, UserType::Number | UserType::Boolean, _) => None,
        (false, _, text) => filled(text),
    }
}

/// Whether nothing was entered.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(all) => all.iter().all(is_empty),
        _ => false,
    }
}

fn one(name: &str, option: &UserOption, value: Value) -> Result<Entered, BundleError> {
    let expected = |what: &str| wrong(format!("`{}` is not {what}.", plain(title(name, option), 120)));
    if option.multiple {
        let Value::Array(all) = value else {
            return Err(expected("a list"));
        };
        let texts = all.into_iter().filter(|value| !is_empty(value));
        let texts: Option<Vec<String>> = texts.map(|value| text(option.kind, &value)).collect();
        let texts = texts.ok_or_else(|| expected("a list of texts"))?;
        return Ok(match option.sensitive {
            true => Entered::Secrets(texts.iter().map(Secret::new).collect()),
            false => Entered::List(texts),
        });
    }
    if let Value::Number(number) = &value {
        let number = number.as_f64().unwrap_or_default();
        let bound = |bound: &Option<serde_json::Number>| bound.as_ref().and_then(serde_json::Number::as_f64);
        if bound(&option.min).is_some_and(|min| number < min)
            || bound(&option.max).is_some_and(|max| number > max)
        {
            return Err(expected("within its bounds"));
        }
    }
    let text = text(option.kind, &value).ok_or_else(|| {
        expected(match option.kind {
            UserType::Number => "a number",
            UserType::Boolean => "true or false",
            _ => "a text",
        })
    })?;
    Ok(match option.sensitive {
        true => Entered::Secrets(vec![Secret::new(&text)]),
        false => Entered::Text(text),
    })
}

/// A value as the server gets it; none if it is of another type.
fn text(kind: UserType, value: &Value) -> Option<String> {
    match (kind, value) {
        (UserType::Number, Value::Number(number)) => Some(number.to_string()),
        (UserType::Boolean, Value::Bool(value)) => Some(value.to_string()),
        (UserType::String, Value::String(text)) => Some(text.clone()),
        // No shell reads them.
        (UserType::Directory | UserType::File, Value::String(text)) => Some(expand_home(text)),
        _ => None,
    }
}

fn wrong(cause: String) -> BundleError {
    BundleError::new(
        "Reading the settings of the bundle",
        cause,
        "Correct it, then add the bundle again.",
    )
}
