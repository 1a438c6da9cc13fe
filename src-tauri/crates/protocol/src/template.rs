//! URI templates (RFC 6570) of `resources/templates/list`.
//!
//! The crate `iri-string` parses templates. Deliberately not here: where the values come from, and reading the resulting
//! URI.

mod expansion;

/// The value of a variable (RFC 6570 §2.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A list; an empty one counts as undefined.
    List(Vec<String>),
    /// An associative array, in order; an empty one counts as undefined.
    Pairs(Vec<(String, String)>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

use std::collections::{HashMap, HashSet};

use iri_string::template::{Error, UriTemplateStr};

/// The most variables of a template.
const MOST_VARIABLES: usize = 1000;

/// Why a template cannot be used, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid URI template: {0}")]
pub struct TemplateError(String);

impl From<Error> for TemplateError {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// The names of a template's variables, without duplicates, in order of first occurrence.
///
/// # Errors
/// It is not a template of RFC 6570, or has very many variables.
pub fn variables(template: &str) -> Result<Vec<String>, TemplateError> {
    let template = parse(template)?;
    let mut seen = HashSet::new();
    let mut names: Vec<String> = Vec::new();
    for name in template.variables() {
        if seen.insert(name.as_str()) {
            if names.len() == MOST_VARIABLES {
                return Err(TemplateError(format!("more than {MOST_VARIABLES} variables")));
            }
            names.push(name.as_str().to_owned());
        }
    }
    Ok(names)
}

/// Expands a template with the values of its variables. A variable without a value counts as undefined.
///
/// # Errors
/// It is not a template of RFC 6570.
pub fn expand(template: &str, values: &HashMap<String, Value>) -> Result<String, TemplateError> {
    parse(template).map(|_| expansion::expand(template, values))
}

fn parse(template: &str) -> Result<&UriTemplateStr, TemplateError> {
    // iri-string 0.7.14 panics on a `%` before a multi-byte character; only `%` and two digits are valid.
    let mut rest = template.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().is_some_and(|byte| byte.is_ascii_hexdigit());
        if byte == b'%' && !(digit() && digit()) {
            return Err(TemplateError("a `%` without two hexadecimal digits".to_owned()));
        }
    }
    // It also panics on a prefix of more than 65,535 characters; one to four digits are valid, the first not 0.
    let expressions = template
        .split('{')
        .skip(1)
        .filter_map(|behind| behind.split('}').next());
    for variable in expressions.flat_map(|expression| expression.split(',')) {
        let most = variable.split_once(':').map(|(_, most)| most);
        if most.is_some_and(|most| most.len() > 4 || most.starts_with('0')) {
            return Err(TemplateError(
                "a prefix that is not a number from 1 to 9999".to_owned(),
            ));
        }
    }
    Ok(UriTemplateStr::new(template)?)
}

#[cfg(test)]
mod tests;
