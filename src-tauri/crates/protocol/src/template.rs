//! URI templates (RFC 6570), as `resources/templates/list` gives them.
//!
//! Expansion is left to the crate `iri-string`; what the values are, where they come from and whether the result is
//! read, is deliberately not here.

use std::collections::HashMap;

use iri_string::spec::UriSpec;
use iri_string::template::context::{Context, VarName, Visitor};
use iri_string::template::{Error, UriTemplateStr};

/// Why a template cannot be used, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid URI template: {0}")]
pub struct TemplateError(String);

impl From<Error> for TemplateError {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// The names of a template's variables, each once, in the order in which they first stand there.
///
/// # Errors
/// It is no template of RFC 6570.
pub fn variables(template: &str) -> Result<Vec<String>, TemplateError> {
    let template = parse(template)?;
    let mut names: Vec<String> = Vec::new();
    for name in template.variables() {
        if !names.iter().any(|known| known == name.as_str()) {
            names.push(name.as_str().to_owned());
        }
    }
    Ok(names)
}

/// The URI that a template and the values of its variables make. A variable without a value counts as undefined.
///
/// # Errors
/// It is no template of RFC 6570.
pub fn expand(template: &str, values: &HashMap<String, String>) -> Result<String, TemplateError> {
    let template = parse(template)?;
    let values = Values(values);
    let expanded = template.expand::<UriSpec, _>(&values)?;
    Ok(expanded.to_string())
}

fn parse(template: &str) -> Result<&UriTemplateStr, TemplateError> {
    // iri-string 0.7.14 panics on a `%` before a character of several bytes; valid is only `%` and two digits.
    let mut rest = template.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || rest.next().is_some_and(|byte| byte.is_ascii_hexdigit());
        if byte == b'%' && !(digit() && digit()) {
            return Err(TemplateError("a `%` without two hexadecimal digits".to_owned()));
        }
    }
    Ok(UriTemplateStr::new(template)?)
}

struct Values<'a>(&'a HashMap<String, String>);

impl Context for Values<'_> {
    fn visit<V: Visitor>(&self, visitor: V) -> V::Result {
        let name: VarName<'_> = visitor.var_name();
        match self.0.get(name.as_str()) {
            Some(value) => visitor.visit_string(value),
            None => visitor.visit_undefined(),
        }
    }
}

#[cfg(test)]
mod tests;
