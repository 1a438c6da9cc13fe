//! `x-mcp-header` in a tool's input schema: which parameters are repeated in headers, and which annotations are invalid, so
//! that the tool must not be called over HTTP.

use std::collections::HashSet;

use crate::json::{self, Kind, Object};
use crate::views::reader::escape;
use crate::{Rule, Violation};

const ANNOTATION: &str = "x-mcp-header";
/// The maximum number of bytes read per schema, each counted once for every level above it.
const MOST_BYTES: usize = 8 << 20;

/// A parameter that is repeated in a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamHeader {
    /// The part after `Mcp-Param-`.
    pub name: String,
    /// The property names on the path to it.
    pub path: Vec<String>,
}

/// The location of a schema.
struct Place<'a> {
    text: &'a str,
    pointer: String,
    /// The property names on the path to it, if it is reachable through `properties` only.
    path: Option<Vec<String>>,
}

/// The annotated parameters of an input schema. Pointers of violations are into the schema, prefixed with `pointer`.
///
/// # Errors
/// An annotation is invalid, so the tool must be excluded over HTTP; the error has all violations.
pub fn param_headers(schema: &str, pointer: &str) -> Result<Vec<ParamHeader>, Vec<Violation>> {
    // Most schemas have no annotation.
    if memchr::memmem::find(schema.as_bytes(), ANNOTATION.as_bytes()).is_none() {
        return Ok(Vec::new());
    }
    let mut found = Found::default();
    let mut budget = MOST_BYTES;
    // An explicit stack, so that nesting is not limited by recursion.
    let mut rest = vec![Place {
        text: schema,
        pointer: pointer.to_owned(),
        path: Some(Vec::new()),
    }];
    while let Some(place) = rest.pop() {
        let Some(left) = budget.checked_sub(place.text.len()) else {
            found.wrong(&place.pointer, "the schema is too large to be searched for it");
            break;
        };
        budget = left;
        if let Ok(object) = Object::parse(place.text) {
            found.look(&place, &object);
            below(&place, &object, &mut rest);
        }
    }
    found.headers.sort_by(|one, other| one.path.cmp(&other.path));
    found
        .violations
        .sort_by(|one, other| one.pointer.cmp(&other.pointer));
    if found.violations.is_empty() {
        Ok(found.headers)
    } else {
        Err(found.violations)
    }
}

#[derive(Default)]
struct Found {
    headers: Vec<ParamHeader>,
    names: HashSet<String>,
    violations: Vec<Violation>,
}

impl Found {
    /// Checks the annotation of one schema.
    fn look(&mut self, place: &Place<'_>, schema: &Object<'_>) {
        let Some(value) = schema.get(ANNOTATION) else {
            return;
        };
        let pointer = format!("{}/{ANNOTATION}", place.pointer);
        let Some(name) = json::string(value) else {
            let message = format!("it is {} instead of a string", json::kind(value).name());
            return self.wrong(&pointer, &message);
        };
        if name.is_empty() {
            return self.wrong(&pointer, "it is empty");
        }
        if !name.bytes().all(is_token) {
            return self.wrong(&pointer, &format!("{name:?} is not a valid HTTP header name"));
        }
        let Some(path) = place.path.as_ref().filter(|path| !path.is_empty()) else {
            let message = "it is not reachable through a chain of `properties`";
            return self.wrong(&pointer, message);
        };
        if let Err(found) = primitive(schema.get("type")) {
            let message = format!("the parameter is {found}, not of type string, integer or boolean");
            return self.wrong(&pointer, &message);
        }
        if !self.names.insert(name.to_ascii_lowercase()) {
            return self.wrong(&pointer, &format!("another parameter has {name:?} too"));
        }
        self.headers.push(ParamHeader {
            name: name.into_owned(),
            path: path.clone(),
        });
    }

    fn wrong(&mut self, pointer: &str, message: &str) {
        let message = format!("`{ANNOTATION}` is invalid: {message}; the tool must not be called over HTTP");
        self.violations
            .push(Violation::at(Rule::ToolHeaderInvalid, pointer, message));
    }
}

/// A character of a header name (RFC 9110, `tchar`).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Whether a type may be in a header (or is `null`, which is omitted); the error names the type.
fn primitive(kind: Option<&str>) -> Result<(), String> {
    let allowed = |text: &str| {
        matches!(
            json::string(text).as_deref(),
            Some("string" | "integer" | "boolean")
        )
    };
    let null = |text: &str| json::string(text).as_deref() == Some("null");
    let Some(kind) = kind else {
        return Err("of no declared type".to_owned());
    };
    let fine = match json::array(kind) {
        Some(kinds) => {
            kinds.iter().any(|text| allowed(text)) && kinds.iter().all(|text| allowed(text) || null(text))
        }
        None => allowed(kind),
    };
    if fine {
        Ok(())
    } else {
        Err(format!("of type {kind}"))
    }
}

/// The subschemas of a schema. Data (`const`, `default`, …) is not a schema.
fn below<'a>(place: &Place<'a>, schema: &Object<'a>, rest: &mut Vec<Place<'a>>) {
    for (name, value) in schema.iter() {
        let pointer = format!("{}/{}", place.pointer, escape(name));
        match &**name {
            "const" | "enum" | "default" | "examples" | "example" => {}
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                let Ok(members) = Object::parse(value) else {
                    continue;
                };
                for (property, text) in members.iter() {
                    let path = place.path.as_ref().filter(|_| name == "properties").map(|path| {
                        let mut path = path.clone();
                        path.push(property.to_string());
                        path
                    });
                    let pointer = format!("{pointer}/{}", escape(property));
                    rest.push(Place { text, pointer, path });
                }
            }
            _ => match json::kind(value) {
                Kind::Object => rest.push(Place {
                    text: value,
                    pointer,
                    path: None,
                }),
                Kind::Array => {
                    let elements = json::array(value).unwrap_or_default().into_iter().enumerate();
                    rest.extend(elements.map(|(index, text)| Place {
                        text,
                        pointer: format!("{pointer}/{index}"),
                        path: None,
                    }));
                }
                _ => {}
            },
        }
    }
}
