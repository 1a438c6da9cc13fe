//! What a bundle or a package asks its user for: from `--set`, or at the terminal.

use std::io::IsTerminal as _;

use serde_json::{Map, Value};

use super::terminal::{add_how_many, is_confirmed};
use crate::{
    args::AddArgs,
    exit::Problem,
    oneshot::{keyboard::Keyboard, passphrase},
    output::{self, visible},
};

/// A form, as the engine describes it.
pub(super) struct Form {
    schema: Value,
    initial: Map<String, Value>,
}

impl Form {
    /// Reads a schema (none: nothing is asked for) and the values to begin with.
    pub(super) fn new(schema_json: Option<&str>, values_json: &str) -> Result<Self, Problem> {
        let unreadable = |error: serde_json::Error| {
            Problem::internal("The settings of the server cannot be read.", &error)
        };
        Ok(Self {
            schema: schema_json
                .map_or(Ok(Value::Null), serde_json::from_str)
                .map_err(unreadable)?,
            initial: serde_json::from_str(values_json).map_err(unreadable)?,
        })
    }

    /// The defaults, with the values of `--set` in their place.
    pub(super) fn values(&self, set: &[(String, String)]) -> Result<Value, Problem> {
        let mut values = self.initial.clone();
        let mut lists: Vec<&str> = Vec::new();
        for (name, text) in set {
            let properties = self.schema["properties"].as_object();
            let Some(schema) = properties.and_then(|properties| properties.get(name)) else {
                let known: Vec<&str> = properties
                    .into_iter()
                    .flat_map(|properties| properties.keys().map(String::as_str))
                    .collect();
                return Err(Problem::usage(match known.is_empty() {
                    true => format!("There is no setting `{name}`: the server asks for nothing."),
                    false => format!(
                        "There is no setting `{name}`. There are: {}.",
                        visible(&known.join(", "))
                    ),
                }));
            };
            if schema["type"] != "array" {
                values.insert(name.clone(), typed(schema, text));
                continue;
            }
            // The first replaces the default.
            let is_first = !lists.contains(&name.as_str());
            lists.push(name);
            let list = values
                .entry(name.clone())
                .or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(all) = list {
                if is_first {
                    all.clear();
                }
                all.push(Value::from(text.as_str()));
            }
        }
        Ok(Value::Object(values))
    }

    /// Asks at the terminal for what is required and was not given; secrets are not shown while they are typed.
    /// `keyboard`: none if nobody is asked.
    pub(super) async fn fill_in(
        &self,
        values: &mut Value,
        keyboard: Option<&Keyboard>,
    ) -> Result<(), Problem> {
        let required = self.schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if !values[name].is_null() {
                continue;
            }
            let property = &self.schema["properties"][name];
            let title = property["title"].as_str().unwrap_or(name);
            let Some(keyboard) = keyboard.filter(|_| std::io::stdin().is_terminal()) else {
                return Err(Problem::usage(format!(
                    "\"{}\" is required. Give it with `--set {}=…`.",
                    visible(title),
                    visible(name)
                )));
            };
            let question = format!("{}: ", visible(title));
            let text = match property["format"] == "password" {
                true => passphrase::hidden(&question).await,
                false => keyboard.line(&question).await,
            };
            let text = text.unwrap_or_default();
            values[name] = match property["type"] == "array" {
                true => Value::Array(vec![Value::from(text)]),
                false => typed(property, &text),
            };
        }
        Ok(())
    }
}

/// The values of a form, from `--set` and the terminal, once the user wants the server added; none if not.
pub(super) async fn agreed(
    args: &AddArgs,
    schema_json: Option<&str>,
    values_json: &str,
) -> Result<Option<Value>, Problem> {
    let form = Form::new(schema_json, values_json)?;
    let mut values = form.values(&args.set)?;
    let keyboard = (!args.yes).then(Keyboard::default);
    if let Some(keyboard) = &keyboard
        && !is_confirmed(keyboard, &add_how_many(1)).await
    {
        output::words("Nothing was added.");
        return Ok(None);
    }
    form.fill_in(&mut values, keyboard.as_ref()).await?;
    Ok(Some(values))
}

/// A text as the type of its setting; what is not of it stays a text, which the engine refuses by name.
fn typed(schema: &Value, text: &str) -> Value {
    match schema["type"].as_str() {
        Some("number" | "boolean") => serde_json::from_str(text).unwrap_or_else(|_| Value::from(text)),
        _ => Value::from(text),
    }
}
