//! The fields of an elicitation's form, for a front without one: what may be entered, and the JSON text of what was entered.
//!
//! Covers the restricted schemas of every revision (`PrimitiveSchemaDefinition`). Any other schema is a field for JSON text.

use patchbay_contract::SchemaCheck;
use patchbay_protocol::{
    json::{self, Kind, Object},
    limits::Limits,
    views::{Elicitation, ElicitationMode},
};

use crate::calls::schema_check;

/// What a server asks the user for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElicitationForm {
    /// To fill in fields.
    Fields {
        /// The message of the server.
        message: String,
        /// In the order of the schema.
        fields: Vec<Field>,
    },
    /// To visit an address.
    Url {
        /// The message of the server.
        message: String,
        /// The whole address, as received.
        url: String,
    },
}

/// What is known about a value that may be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checked {
    /// It fits the schema.
    Valid,
    /// It could not be checked; why, as the end of a sentence.
    NotChecked(String),
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The member of the answer.
    pub name: String,
    /// The name for people; the member's name if there is none.
    pub title: String,
    /// Its description; empty if there is none.
    pub description: String,
    /// Whether an answer must have it.
    pub is_required: bool,
    /// The default: JSON text.
    pub default: Option<String>,
    /// What may be entered.
    pub kind: FieldKind,
    /// Its schema: JSON text.
    schema: String,
}

/// What may be entered in a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldKind {
    /// A text; its format, if it has one.
    Text(Option<String>),
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// Yes or no.
    Boolean,
    /// One of these.
    One(Vec<Choice>),
    /// Several of these.
    Many(Vec<Choice>),
    /// Any JSON: the schema is none of the restricted ones.
    Json,
}

/// A choice: its JSON text, and its name for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// JSON text.
    pub value: String,
    /// Its name; the value if it has none.
    pub title: String,
}

impl ElicitationForm {
    /// Reads the params of `elicitation/create`; the error says, in a sentence, why nobody can answer them.
    ///
    /// # Errors
    /// The mode is unknown, or what it needs is missing.
    pub fn parse(params: &str) -> Result<Self, String> {
        let view = Elicitation::parse(Some(params));
        let message = view.message.clone().into_owned();
        match view.mode {
            Some(ElicitationMode::Url) => match view.url {
                Some(url) => Ok(Self::Url {
                    message,
                    url: url.into_owned(),
                }),
                None => Err("The request has no URL.".to_owned()),
            },
            Some(ElicitationMode::Form) => {
                let schema = view.schema.and_then(|schema| Object::parse(schema).ok());
                let schema = schema.ok_or("The request has no schema.")?;
                let fields = fields(&schema);
                Ok(Self::Fields { message, fields })
            }
            None => Err("The mode of the request is unknown.".to_owned()),
        }
    }
}

fn fields(schema: &Object<'_>) -> Vec<Field> {
    let required: Vec<String> = strings(schema.get("required"));
    let properties = schema.get("properties").and_then(|all| Object::parse(all).ok());
    properties
        .iter()
        .flat_map(Object::iter)
        .map(|(name, schema)| {
            let property = Object::parse(schema).ok();
            let text = |member: &str| {
                let text = property.as_ref().and_then(|property| property.string(member));
                text.map(|text| text.into_owned())
            };
            Field {
                title: text("title").unwrap_or_else(|| name.to_string()),
                description: text("description").unwrap_or_default(),
                is_required: required.iter().any(|required| required.as_str() == &**name),
                default: property
                    .as_ref()
                    .and_then(|property| property.get("default"))
                    .map(str::to_owned),
                kind: property.as_ref().map_or(FieldKind::Json, kind_of),
                name: name.to_string(),
                schema: schema.to_owned(),
            }
        })
        .collect()
}

fn kind_of(property: &Object<'_>) -> FieldKind {
    if let Some(choices) = choices(property) {
        return FieldKind::One(choices);
    }
    match property.string("type").as_deref() {
        Some("string") => FieldKind::Text(property.string("format").map(|format| format.into_owned())),
        Some("number") => FieldKind::Number,
        Some("integer") => FieldKind::Integer,
        Some("boolean") => FieldKind::Boolean,
        Some("array") => {
            let items = property.get("items").and_then(|items| Object::parse(items).ok());
            match items.as_ref().and_then(choices) {
                Some(choices) => FieldKind::Many(choices),
                None => FieldKind::Json,
            }
        }
        _ => FieldKind::Json,
    }
}

/// The choices of an enum: `enum` (with `enumNames`), or `const` and `title` in `oneOf` or `anyOf`.
fn choices(property: &Object<'_>) -> Option<Vec<Choice>> {
    let titled = property.get("oneOf").or_else(|| property.get("anyOf"));
    if let Some(all) = titled.and_then(json::array) {
        let choice = |text: &&str| {
            let option = Object::parse(text).ok()?;
            let value = option.get("const")?.to_owned();
            let title = option.string("title").map(|title| title.into_owned());
            Some(Choice {
                title: title.unwrap_or_else(|| plain(&value)),
                value,
            })
        };
        return all.iter().map(choice).collect();
    }
    let names = strings(property.get("enumNames"));
    let values = json::array(property.get("enum")?)?;
    let choice = |(at, value): (usize, &str)| Choice {
        title: names.get(at).cloned().unwrap_or_else(|| plain(value)),
        value: value.to_owned(),
    };
    Some(values.into_iter().enumerate().map(choice).collect())
}

fn strings(array: Option<&str>) -> Vec<String> {
    let elements = array.and_then(json::array).unwrap_or_default();
    let text = |element: &str| json::string(element).map(|text| text.into_owned());
    elements.into_iter().filter_map(text).collect()
}

/// A value without the quotes of a string.
fn plain(value: &str) -> String {
    json::string(value).map_or_else(|| value.to_owned(), |text| text.into_owned())
}

impl Field {
    /// What the default means in words, if there is one.
    #[must_use]
    pub fn default_in_words(&self) -> Option<String> {
        self.default.as_deref().map(plain)
    }

    /// What may be entered, in words.
    #[must_use]
    pub fn kind_in_words(&self) -> &str {
        match &self.kind {
            FieldKind::Text(None) => "text",
            FieldKind::Text(Some(format)) => format,
            FieldKind::Number => "number",
            FieldKind::Integer => "whole number",
            FieldKind::Boolean => "yes or no",
            FieldKind::One(_) => "one of these",
            FieldKind::Many(_) => "any of these, separated by commas",
            FieldKind::Json => "JSON",
        }
    }

    /// The JSON text of what was typed. An empty line means the default, or none if the field may be left out.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn read(&self, typed: &str) -> Result<Option<String>, String> {
        if typed.trim().is_empty() {
            return match (&self.default, self.is_required) {
                (Some(default), _) => Ok(Some(default.clone())),
                (None, false) => Ok(None),
                (None, true) => Err("A value is required.".to_owned()),
            };
        }
        self.value(typed).map(Some)
    }

    /// Checks a value, which [`Self::read`] returned, against the schema of the field.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub async fn check(&self, value: &str) -> Result<Checked, String> {
        if let FieldKind::Text(Some(format)) = &self.kind
            && !has_format(format, &plain(value))
        {
            return Err(format!("This is not of the format {format}."));
        }
        match schema_check::check(self.schema.clone(), value.to_owned(), &Limits::default()).await {
            SchemaCheck::Invalid { problems } => Err(problems
                .into_iter()
                .next()
                .map_or_else(String::new, |problem| format!("{}.", problem.message))),
            SchemaCheck::Valid {} => Ok(Checked::Valid),
            SchemaCheck::NotChecked { reason } => Ok(Checked::NotChecked(reason)),
        }
    }

    fn value(&self, typed: &str) -> Result<String, String> {
        let word = typed.trim();
        match &self.kind {
            FieldKind::Text(_) => Ok(json::quote(typed)),
            FieldKind::Boolean => match word.to_lowercase().as_str() {
                "yes" | "y" | "true" => Ok("true".to_owned()),
                "no" | "n" | "false" => Ok("false".to_owned()),
                _ => Err("Enter yes or no.".to_owned()),
            },
            FieldKind::Number => number(word).ok_or_else(|| "Enter a number.".to_owned()),
            FieldKind::Integer => number(word)
                .filter(|text| !text.contains(['.', 'e', 'E']))
                .ok_or_else(|| "Enter a whole number.".to_owned()),
            FieldKind::One(choices) => chosen(choices, word).map(str::to_owned),
            FieldKind::Many(choices) => {
                let mut values: Vec<&str> = Vec::new();
                for part in word.split(',').filter(|part| !part.trim().is_empty()) {
                    let value = chosen(choices, part.trim())?;
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                Ok(format!("[{}]", values.join(",")))
            }
            FieldKind::Json => match json::well_formed(word) {
                Ok(()) => Ok(word.to_owned()),
                Err(why) => Err(format!("Enter JSON: {why}.")),
            },
        }
    }
}

/// Whether a text has one of the formats of elicitation. Others are not checked.
fn has_format(format: &str, text: &str) -> bool {
    let digits =
        |text: &str, length: usize| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_date = |text: &str| {
        let parts: Vec<&str> = text.split('-').collect();
        let in_range = |part: &str, most: u8| {
            part.parse::<u8>()
                .is_ok_and(|number| (1..=most).contains(&number))
        };
        matches!(parts[..], [year, month, day] if digits(year, 4)
            && digits(month, 2) && in_range(month, 12) && digits(day, 2) && in_range(day, 31))
    };
    match format {
        "email" => matches!(text.rsplit_once('@'), Some((name, host))
            if !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)),
        "uri" => matches!(text.split_once(':'), Some((scheme, rest))
            if !rest.is_empty() && !text.contains(char::is_whitespace)
                && scheme.starts_with(|first: char| first.is_ascii_alphabetic())),
        "date" => is_date(text),
        "date-time" => matches!(text.split_once(['T', 't']), Some((date, time))
            if is_date(date) && time.contains(':') && time.ends_with(|last: char| last.is_ascii_digit() || matches!(last, 'Z' | 'z'))
                && time.contains(['Z', 'z', '+', '-'])),
        _ => true,
    }
}

fn number(word: &str) -> Option<String> {
    (json::kind(word) == Kind::Number && json::well_formed(word).is_ok()).then(|| word.to_owned())
}

/// The choice that was typed: its value, its title, or its number in the list from 1.
fn chosen<'a>(choices: &'a [Choice], typed: &str) -> Result<&'a str, String> {
    let is_it = |choice: &&Choice| plain(&choice.value) == typed || choice.title == typed;
    let numbered = || {
        let number: usize = typed.parse().ok()?;
        choices.get(number.checked_sub(1)?)
    };
    choices
        .iter()
        .find(is_it)
        .or_else(numbered)
        .map(|choice| choice.value.as_str())
        .ok_or_else(|| {
            format!(
                "Enter one of the values, or its number from 1 to {}.",
                choices.len()
            )
        })
}

#[cfg(test)]
mod tests;
