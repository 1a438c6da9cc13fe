//! `x-mcp-header` in a tool's input schema: which parameters are repeated in headers, and which annotations are invalid, so
//! that the tool must not be called over HTTP.

use std::collections::HashSet;

use crate::json::{self, Kind, Object};
use crate::limits::VIOLATIONS;
use crate::views::reader::below as place_below;
use crate::views::schema::{Place, Places};
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

/// A schema or a part of one.
struct Part<'a> {
    text: &'a str,
    place: Place,
    /// Whether it is reachable through `properties` only.
    is_reachable: bool,
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
    let mut places = Places::new(pointer);
    let mut budget = MOST_BYTES;
    // An explicit stack, so that nesting is not limited by recursion.
    let mut rest = vec![Part {
        text: schema,
        place: Places::ROOT,
        is_reachable: true,
    }];
    while let Some(part) = rest.pop() {
        let Some(left) = budget.checked_sub(part.text.len() + std::mem::take(&mut found.copied)) else {
            let pointer = places.pointer(part.place);
            found.wrong(&pointer, "the schema is too large to be searched for it");
            break;
        };
        budget = left;
        if found.violations.len() >= VIOLATIONS {
            break;
        }
        if let Ok(object) = Object::parse(part.text) {
            found.look(&part, &object, &places);
            below(&part, &object, &mut places, &mut rest);
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
    /// The bytes that were copied for the latest header. A name may be as long as a message and be above many headers.
    copied: usize,
    violations: Vec<Violation>,
}

impl Found {
    /// Checks the annotation of one schema.
    fn look(&mut self, part: &Part<'_>, schema: &Object<'_>, places: &Places<'_>) {
        let Some(value) = schema.get(ANNOTATION) else {
            return;
        };
        match self.named(part, schema, value, places) {
            Ok(header) => self.headers.push(header),
            Err(message) => {
                let pointer = place_below(&places.pointer(part.place), ANNOTATION);
                self.wrong(&pointer, &message);
            }
        }
    }

    /// The parameter with this annotation; the error says what is wrong with it.
    fn named(
        &mut self,
        part: &Part<'_>,
        schema: &Object<'_>,
        value: &str,
        places: &Places<'_>,
    ) -> Result<ParamHeader, String> {
        let Some(name) = json::string(value) else {
            return Err(format!("it is {} instead of a string", json::kind(value).name()));
        };
        if name.is_empty() {
            return Err("it is empty".to_owned());
        }
        if !name.bytes().all(is_token) {
            return Err(format!("{name:?} is not a valid HTTP header name"));
        }
        // The names alternate: `properties`, and a property.
        let path = places.names(part.place).into_iter().skip(1).step_by(2);
        let path: Vec<String> = path.filter(|_| part.is_reachable).map(str::to_owned).collect();
        if path.is_empty() {
            return Err("it is not reachable through a chain of `properties`".to_owned());
        }
        self.copied = path.iter().map(String::len).sum();
        primitive(schema.get("type"))
            .map_err(|found| format!("the parameter is {found}, not of type string, integer or boolean"))?;
        if !self.names.insert(name.to_ascii_lowercase()) {
            return Err(format!("another parameter has {name:?} too"));
        }
        Ok(ParamHeader {
            name: name.into_owned(),
            path,
        })
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
fn below<'a>(part: &Part<'a>, schema: &Object<'a>, places: &mut Places<'a>, rest: &mut Vec<Part<'a>>) {
    let mut push = |text, place, is_reachable| {
        rest.push(Part {
            text,
            place,
            is_reachable,
        });
    };
    for (name, value) in schema.iter() {
        match &**name {
            "const" | "enum" | "default" | "examples" | "example" => {}
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                let Ok(members) = Object::parse(value) else {
                    continue;
                };
                let is_reachable = part.is_reachable && name == "properties";
                let place = places.member(part.place, name.clone());
                for (property, text) in members.iter() {
                    push(text, places.member(place, property.clone()), is_reachable);
                }
            }
            _ => match json::kind(value) {
                Kind::Object => push(value, places.member(part.place, name.clone()), false),
                Kind::Array => {
                    let place = places.member(part.place, name.clone());
                    for (index, text) in json::array(value).unwrap_or_default().into_iter().enumerate() {
                        push(text, places.element(place, index), false);
                    }
                }
                _ => {}
            },
        }
    }
}
