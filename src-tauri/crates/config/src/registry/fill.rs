//! An option with the values that the user entered: a server that can be added.

use std::collections::HashMap;

use patchbay_contract::{EnvVar, HttpHeader, ProxyDraft, TransportDraft};
use patchbay_secret::Secret;
use serde_json::{Map, Value};

use super::{
    document::{InstallKind, InstallOption},
    form::{Element, Field, Format, Piece, Place, Template},
};
use crate::secrets::reference;

/// A server that can be added.
#[derive(Debug)]
pub struct Filled {
    /// How it is reached. Secrets are references to the vault.
    pub transport: TransportDraft,
    /// The names of these references, and the values.
    pub secrets: Vec<(String, Secret)>,
}

/// Why an option could not be filled in.
#[derive(Debug)]
pub enum FillError<E> {
    /// A value is missing or of another type, in a sentence.
    Value(String),
    /// No name for a secret could be made.
    Name(E),
}

impl InstallOption {
    /// What is asked for, as a JSON Schema; none if nothing is. Secrets have the format `password`.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub fn schema(&self) -> serde_json::Result<Option<String>> {
        self.fields.schema()
    }

    /// The values to begin with, as a JSON object.
    ///
    /// # Errors
    /// They cannot be written as JSON.
    pub fn defaults(&self) -> serde_json::Result<String> {
        self.fields.defaults()
    }

    /// The server with these values (a JSON object), and its secrets by the names of their references. `new_name` makes the names.
    ///
    /// # Errors
    /// A value is missing or of another type, or there is no name for a secret.
    pub fn fill<E>(
        &self,
        values_json: &str,
        new_name: impl Fn() -> Result<String, E>,
    ) -> Result<Filled, FillError<E>> {
        let mut secrets = Vec::new();
        let values = self.entered(values_json, &mut secrets, new_name)?;
        let transport = match &self.kind {
            InstallKind::Program { command, args, env } => TransportDraft::Stdio {
                command: command.clone(),
                args: args.iter().flat_map(|element| words(element, &values)).collect(),
                env: env
                    .iter()
                    .filter_map(|element| {
                        Some(EnvVar {
                            name: element.name.clone(),
                            value: filled(&element.value, &values)?,
                        })
                    })
                    .collect(),
                cwd: None,
            },
            InstallKind::Remote { kind, url, headers } => TransportDraft::Http {
                url: filled(url, &values)
                    .ok_or_else(|| FillError::Value("Its URL needs every value that is in it.".to_owned()))?,
                kind: *kind,
                headers: headers
                    .iter()
                    .filter_map(|element| {
                        Some(HttpHeader {
                            name: element.name.clone(),
                            value: filled(&element.value, &values)?,
                            is_secret: self.is_secret(&element.value),
                        })
                    })
                    .collect(),
                proxy: ProxyDraft::default(),
                ca_file: None,
                client_certificate: None,
                accepted_fingerprint: None,
            },
        };
        Ok(Filled { transport, secrets })
    }

    fn is_secret(&self, template: &Template) -> bool {
        template.0.iter().any(|piece| match piece {
            Piece::Field(name) => self.fields.0.get(name).is_some_and(|field| field.is_secret),
            Piece::Text(_) => false,
        })
    }

    /// The values as texts, by field. One that was not entered is not in the result; a secret is a reference.
    fn entered<E>(
        &self,
        values_json: &str,
        secrets: &mut Vec<(String, Secret)>,
        new_name: impl Fn() -> Result<String, E>,
    ) -> Result<HashMap<String, Vec<String>>, FillError<E>> {
        let mut given: Map<String, Value> = serde_json::from_str(values_json)
            .map_err(|error| FillError::Value(format!("The values are not a JSON object: {error}.")))?;
        let mut entered = HashMap::new();
        for (name, field) in &self.fields.0 {
            let mut texts = texts(field, given.remove(name)).map_err(FillError::Value)?;
            if texts.is_empty() {
                match field.is_required {
                    true => return Err(FillError::Value(format!("`{}` is required.", field.title))),
                    false => continue,
                }
            }
            if field.is_secret {
                for text in &mut texts {
                    let name = new_name().map_err(FillError::Name)?;
                    secrets.push((name.clone(), Secret::new(std::mem::take(text))));
                    *text = reference(&name);
                }
            }
            entered.insert(name.clone(), texts);
        }
        match given.keys().next() {
            Some(name) => Err(FillError::Value(format!("The server does not ask for `{name}`."))),
            None => Ok(entered),
        }
    }
}

/// The texts of a value; none if nothing was entered.
fn texts(field: &Field, value: Option<Value>) -> Result<Vec<String>, String> {
    let all = match value {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(all)) if field.is_list => all,
        Some(value) => vec![value],
    };
    let all = all.into_iter().filter(|value| value.as_str() != Some(""));
    all.map(|value| match (field.format, value) {
        (_, Value::String(text))
            if field.is_secret || matches!(field.format, Format::Text | Format::File) =>
        {
            Ok(text)
        }
        (Format::Number, Value::Number(number)) => Ok(number.to_string()),
        (Format::Boolean, Value::Bool(value)) => Ok(value.to_string()),
        _ => Err(format!("`{}` is of another type.", field.title)),
    })
    .collect()
}

/// A text with its fields; none if one of them was not entered.
fn filled(template: &Template, values: &HashMap<String, Vec<String>>) -> Option<String> {
    let pieces = template.0.iter().map(|piece| match piece {
        Piece::Text(text) => Some(text.clone()),
        Piece::Field(name) => values.get(name)?.first().cloned(),
    });
    pieces.collect()
}

/// The words of an argument; none if its field was not entered.
fn words(element: &Element, values: &HashMap<String, Vec<String>>) -> Vec<String> {
    let Place::Argument(flag) = &element.place else {
        return Vec::new();
    };
    if element.value.0.is_empty() {
        return flag.iter().cloned().collect();
    }
    if element.is_switch {
        let is_on = filled(&element.value, values).as_deref() == Some("true");
        return flag.iter().filter(|_| is_on).cloned().collect();
    }
    let with_flag = |value: String| flag.iter().cloned().chain([value]);
    match element.value.0.as_slice() {
        [Piece::Field(name)] if element.is_repeated => {
            let all = values.get(name).into_iter().flatten().cloned();
            all.flat_map(with_flag).collect()
        }
        _ => filled(&element.value, values)
            .into_iter()
            .flat_map(with_flag)
            .collect(),
    }
}
