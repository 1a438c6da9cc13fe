//! What a bundle or a package asks its user for, as a JSON Schema for a form.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct FormSchema<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    properties: IndexMap<&'a str, Value>,
    required: Vec<&'a str>,
    #[serde(rename = "additionalProperties")]
    additional_properties: bool,
}

/// The schema of an object that has these properties, in order, and no others.
pub(crate) fn object_schema<'a>(
    properties: impl Iterator<Item = (&'a str, Value)>,
    required: impl Iterator<Item = &'a str>,
) -> serde_json::Result<String> {
    serde_json::to_string(&FormSchema {
        kind: "object",
        properties: properties.collect(),
        required: required.collect(),
        additional_properties: false,
    })
}
