//! What an option asks its user for: the inputs of its arguments, variables, headers and its address, as fields of one form.

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::form_schema::object_schema;

/// The maximum number of fields of one form.
const MOST_FIELDS: usize = 200;

/// What an element becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// An argument, after its flag if it has one.
    Argument(Option<String>),
    /// An environment variable.
    Variable,
    /// A header.
    Header,
}

/// An argument, a variable or a header.
#[derive(Debug, Clone)]
pub struct Element {
    pub(super) place: Place,
    /// The name of the variable or header.
    pub(super) name: String,
    pub(super) value: Template,
    /// Whether it may be given several times: its field is a list.
    pub(super) is_repeated: bool,
    /// Whether it is a flag without a value, which its field switches on.
    pub(super) is_switch: bool,
}

/// A text with fields in it.
#[derive(Debug, Clone, Default)]
pub struct Template(pub(super) Vec<Piece>);

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    /// The name of a field.
    Field(String),
}

impl Template {
    /// A text without fields.
    pub(super) fn fixed(text: impl Into<String>) -> Self {
        Self(vec![Piece::Text(text.into())])
    }

    /// The text with `{NAME}` for its fields: for a review.
    #[must_use]
    pub fn shown(&self) -> String {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Field(name) => format!("{{{name}}}"),
        });
        pieces.collect()
    }
}

impl Element {
    /// An argument that is always the same.
    pub(super) fn fixed(text: impl Into<String>) -> Self {
        Self {
            place: Place::Argument(None),
            name: String::new(),
            value: Template::fixed(text),
            is_repeated: false,
            is_switch: false,
        }
    }

    /// The name of a variable or header, and its value: for a review.
    #[must_use]
    pub fn shown(&self) -> (String, String) {
        (self.name.clone(), self.value.shown())
    }

    /// The words of an argument: for a review.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let flag = match &self.place {
            Place::Argument(flag) => flag.clone(),
            _ => None,
        };
        let value = Some(self.value.shown()).filter(|_| !self.is_switch && !self.value.0.is_empty());
        flag.into_iter().chain(value).collect()
    }
}

/// A field of the form.
#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) title: String,
    description: String,
    pub(super) format: Format,
    pub(super) is_required: bool,
    pub(super) is_secret: bool,
    pub(super) is_list: bool,
    default: Option<String>,
    choices: Vec<String>,
    placeholder: Option<String>,
}

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Number,
    Boolean,
    File,
}

/// The fields of an option by name, in order.
#[derive(Debug, Default)]
pub(super) struct Fields(pub(super) IndexMap<String, Field>);

impl Fields {
    /// A variable or a header. `None` if it has no name.
    pub(super) fn keyed(&mut self, input: &Value, place: Place) -> Option<Element> {
        let name = string(input, "name").filter(|name| !name.is_empty())?;
        let value = self.value(input, &name, false);
        Some(Element {
            place,
            value,
            name,
            is_repeated: false,
            is_switch: false,
        })
    }

    /// An argument of a package or of its runtime.
    pub(super) fn argument(&mut self, input: &Value) -> Element {
        let name = string(input, "name").filter(|_| string(input, "type").as_deref() != Some("positional"));
        let is_repeated = flag(input, "isRepeated");
        let label = name
            .clone()
            .or_else(|| string(input, "valueHint"))
            .unwrap_or_else(|| format!("argument {}", self.0.len() + 1));
        let is_plain = [
            "value",
            "default",
            "format",
            "choices",
            "placeholder",
            "valueHint",
            "description",
            "isRequired",
        ]
        .iter()
        .all(|member| input.get(member).is_none());
        let is_boolean =
            string(input, "format").as_deref() == Some("boolean") && input.get("value").is_none();
        let value = match (&name, is_plain) {
            // `-i`: a flag alone.
            (Some(_), true) => Template::default(),
            _ => self.value(input, &label, is_repeated),
        };
        Element {
            is_switch: name.is_some() && is_boolean,
            place: Place::Argument(name),
            name: String::new(),
            value,
            is_repeated,
        }
    }

    /// The value of an input: fixed, with variables in it, or a field of its own.
    fn value(&mut self, input: &Value, label: &str, is_list: bool) -> Template {
        if let Some(text) = string(input, "value") {
            return self.template(&text, input.get("variables"), label);
        }
        let name = self.add(label, input, is_list);
        Template(vec![Piece::Field(name)])
    }

    /// A text whose `{name}` are variables; a name that is not declared stays as it is.
    pub(super) fn template(&mut self, text: &str, variables: Option<&Value>, owner: &str) -> Template {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find('{') {
            // Only up to the next brace, so that a text of nothing but braces is read once.
            let declared = rest[at + 1..].find(['{', '}']).and_then(|length| {
                let end = at + 1 + length;
                let name = &rest[at + 1..end];
                let input = variables?.get(name)?;
                rest[end..].starts_with('}').then_some((end, name, input))
            });
            let Some((end, name, input)) = declared else {
                plain.push_str(&rest[..=at]);
                rest = &rest[at + 1..];
                continue;
            };
            plain.push_str(&rest[..at]);
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(match string(input, "value") {
                Some(fixed) => Piece::Text(fixed),
                None => Piece::Field(self.variable(name, input, owner)),
            });
            rest = &rest[end + 1..];
        }
        plain.push_str(rest);
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Template(pieces)
    }

    fn variable(&mut self, name: &str, input: &Value, owner: &str) -> String {
        match self.0.contains_key(name) && !owner.is_empty() {
            true => self.add(&format!("{owner} {name}"), input, false),
            false => self.add(name, input, false),
        }
    }

    /// Adds a field under a name that is free.
    fn add(&mut self, label: &str, input: &Value, is_list: bool) -> String {
        let mut name = label.to_owned();
        let mut number = 1;
        while self.0.contains_key(&name) {
            number += 1;
            name = format!("{label} {number}");
        }
        // One more than it may have, which is then said.
        if self.0.len() <= MOST_FIELDS {
            self.0.insert(name.clone(), Field::read(&name, input, is_list));
        }
        name
    }

    /// Why the form cannot be shown; none if it can.
    pub(super) fn too_large(&self) -> Option<String> {
        (self.0.len() > MOST_FIELDS).then(|| {
            format!(
                "It asks for more than {MOST_FIELDS} values. Ask its author for a server.json with fewer, or add its command or URL \
                 yourself."
            )
        })
    }

    /// The form as a JSON Schema; none if nothing is asked for.
    pub(super) fn schema(&self) -> serde_json::Result<Option<String>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let fields = || self.0.iter();
        object_schema(
            fields().map(|(name, field)| (name.as_str(), field.property())),
            fields()
                .filter(|(_, field)| field.is_required)
                .map(|(name, _)| name.as_str()),
        )
        .map(Some)
    }

    /// The values to begin with, as a JSON object.
    pub(super) fn defaults(&self) -> serde_json::Result<String> {
        let values: IndexMap<&str, Value> = self
            .0
            .iter()
            .filter_map(|(name, field)| Some((name.as_str(), field.initial()?)))
            .collect();
        serde_json::to_string(&values)
    }
}

impl Field {
    fn read(name: &str, input: &Value, is_list: bool) -> Self {
        let choices = input.get("choices").and_then(Value::as_array);
        Self {
            title: name.to_owned(),
            description: string(input, "description").unwrap_or_default(),
            format: match string(input, "format").as_deref() {
                Some("number") => Format::Number,
                Some("boolean") => Format::Boolean,
                Some("filepath") => Format::File,
                _ => Format::Text,
            },
            is_required: flag(input, "isRequired"),
            is_secret: flag(input, "isSecret"),
            is_list,
            default: string(input, "default"),
            choices: choices
                .into_iter()
                .flatten()
                .filter_map(|choice| choice.as_str().map(str::to_owned))
                .collect(),
            placeholder: string(input, "placeholder"),
        }
    }

    fn property(&self) -> Value {
        let mut property = match self.format {
            Format::Text => json!({ "type": "string" }),
            Format::Number => json!({ "type": "number" }),
            Format::Boolean => json!({ "type": "boolean" }),
            Format::File => json!({ "type": "string", "format": "file" }),
        };
        if self.is_secret {
            property = json!({ "type": "string", "format": "password" });
        } else if !self.choices.is_empty() && self.format == Format::Text {
            property["enum"] = json!(self.choices);
        }
        if self.is_list {
            property = json!({ "type": "array", "items": property });
        } else if self.is_required && property["type"] == "string" {
            property["minLength"] = json!(1);
        }
        property["title"] = json!(self.title);
        if !self.description.is_empty() {
            property["description"] = json!(self.description);
        }
        if let Some(default) = self.initial() {
            property["default"] = default;
        }
        if let Some(example) = &self.placeholder {
            property["examples"] = json!([example]);
        }
        property
    }

    /// The default as its type; none if it is of another.
    fn initial(&self) -> Option<Value> {
        let text = self.default.as_deref()?;
        let value = match self.format {
            Format::Text | Format::File => Value::from(text),
            Format::Number | Format::Boolean if self.is_secret => Value::from(text),
            Format::Number => serde_json::from_str(text).ok().filter(Value::is_number)?,
            Format::Boolean => serde_json::from_str(text).ok().filter(Value::is_boolean)?,
        };
        Some(match self.is_list {
            true => Value::Array(vec![value]),
            false => value,
        })
    }
}

/// A text, under its name since 2025-09-16 or its name before; a number or a truth value as text.
fn string(of: &Value, name: &str) -> Option<String> {
    match member(of, name)? {
        Value::String(text) => Some(text.clone()),
        value @ (Value::Number(_) | Value::Bool(_)) => Some(value.to_string()),
        _ => None,
    }
}

fn flag(of: &Value, name: &str) -> bool {
    member(of, name).and_then(Value::as_bool).unwrap_or_default()
}

/// A member under its name, or as it was written before 2025-09-16: `isRequired`, `is_required`.
pub(super) fn member<'a>(of: &'a Value, name: &str) -> Option<&'a Value> {
    let earlier = || {
        let mut snake = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
        }
        of.get(&snake)
    };
    of.get(name).or_else(earlier)
}
