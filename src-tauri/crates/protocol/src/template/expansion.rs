//! Expansion (RFC 6570 §3) of valid templates.
//!
//! Implemented here because iri-string 0.7.14 panics when it expands `{+v}` or `{#v}` with a value that starts with a
//! non-ASCII character, and loses characters after an incomplete percent triplet.

use std::collections::HashMap;

use super::Value;

/// The syntax of an operator's expressions (RFC 6570, appendix A).
struct Operator {
    /// Written before the first value.
    first: &'static str,
    between: &'static str,
    /// Whether names precede values, and what follows a name whose value is empty.
    named: Option<&'static str>,
    /// Whether reserved characters and percent triplets are kept.
    reserved: bool,
}

impl Operator {
    const fn new(first: &'static str, between: &'static str) -> Self {
        Self {
            first,
            between,
            named: None,
            reserved: false,
        }
    }

    const fn named(first: &'static str, between: &'static str, empty: &'static str) -> Self {
        Self {
            named: Some(empty),
            ..Self::new(first, between)
        }
    }

    const fn reserved(first: &'static str) -> Self {
        Self {
            reserved: true,
            ..Self::new(first, ",")
        }
    }

    /// The operator of an expression, and the variables.
    fn of(expression: &str) -> (Self, &str) {
        let operator = match expression.as_bytes().first() {
            Some(b'+') => Self::reserved(""),
            Some(b'#') => Self::reserved("#"),
            Some(b'.') => Self::new(".", "."),
            Some(b'/') => Self::new("/", "/"),
            Some(b';') => Self::named(";", ";", ""),
            Some(b'?') => Self::named("?", "&", "="),
            Some(b'&') => Self::named("&", "&", "="),
            _ => return (Self::new("", ","), expression),
        };
        (operator, expression.get(1..).unwrap_or_default())
    }
}

/// The URI of a valid template.
pub(super) fn expand(template: &str, values: &HashMap<String, Value>) -> String {
    let mut uri = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((literal, behind)) = rest.split_once('{') {
        push(&mut uri, literal, true, usize::MAX);
        let (expression, behind) = behind.split_once('}').unwrap_or((behind, ""));
        expand_expression(&mut uri, expression, values);
        rest = behind;
    }
    push(&mut uri, rest, true, usize::MAX);
    uri
}

fn expand_expression(uri: &mut String, expression: &str, values: &HashMap<String, Value>) {
    let (operator, variables) = Operator::of(expression);
    let mut before = operator.first;
    for variable in variables.split(',') {
        let exploded = variable.ends_with('*');
        let variable = variable.trim_end_matches('*');
        let (name, most) = match variable.split_once(':') {
            Some((name, most)) => (name, most.parse().unwrap_or(usize::MAX)),
            None => (variable, usize::MAX),
        };
        let Some(value) = values.get(name) else { continue };
        for piece in operator.pieces(name, value, exploded, most) {
            uri.push_str(before);
            before = operator.between;
            uri.push_str(&piece);
        }
    }
}

impl Operator {
    /// What a variable contributes, without separators: nothing, one piece, or one per member if exploded.
    fn pieces(&self, name: &str, value: &Value, exploded: bool, most: usize) -> Vec<String> {
        let encoded = |text: &str| {
            let mut piece = String::new();
            push(&mut piece, text, self.reserved, usize::MAX);
            piece
        };
        match value {
            Value::Text(text) => {
                let mut piece = String::new();
                push(&mut piece, text, self.reserved, most);
                vec![self.with_name(name, piece)]
            }
            Value::List(items) if exploded => {
                let items = items.iter().map(|item| self.with_name(name, encoded(item)));
                items.collect()
            }
            Value::Pairs(pairs) if exploded => {
                let pairs = pairs.iter().map(|(key, value)| match self.named {
                    Some(empty) if value.is_empty() => format!("{}{empty}", encoded(key)),
                    _ => format!("{}={}", encoded(key), encoded(value)),
                });
                pairs.collect()
            }
            // Length modifiers do not apply to composite values (RFC 6570 §2.4.1).
            Value::List(items) => self.joined(name, items.iter().map(|item| encoded(item)).collect()),
            Value::Pairs(pairs) => {
                let members = pairs
                    .iter()
                    .flat_map(|(key, value)| [encoded(key), encoded(value)]);
                self.joined(name, members.collect())
            }
        }
    }

    fn joined(&self, name: &str, members: Vec<String>) -> Vec<String> {
        if members.is_empty() {
            return Vec::new();
        }
        vec![self.with_name(name, members.join(","))]
    }

    fn with_name(&self, name: &str, piece: String) -> String {
        match self.named {
            None => piece,
            Some(empty) if piece.is_empty() => format!("{name}{empty}"),
            Some(_) => format!("{name}={piece}"),
        }
    }
}

/// The first `most` characters of a text, percent-encoded. A kept percent triplet counts as one character.
fn push(uri: &mut String, text: &str, reserved: bool, most: usize) {
    let mut rest = text;
    for _ in 0..most {
        let Some(first) = rest.chars().next() else { return };
        let triplet = rest.get(..3).filter(|three| reserved && is_triplet(three));
        let (piece, behind) = rest.split_at(triplet.map_or(first.len_utf8(), str::len));
        rest = behind;
        if triplet.is_some() || is_unreserved(first) || reserved && is_reserved(first) {
            uri.push_str(piece);
        } else {
            uri.extend(piece.bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
}

fn is_triplet(three: &str) -> bool {
    let mut bytes = three.bytes();
    bytes.next() == Some(b'%') && bytes.all(|byte| byte.is_ascii_hexdigit())
}

fn is_unreserved(char: char) -> bool {
    char.is_ascii_alphanumeric() || "-._~".contains(char)
}

fn is_reserved(char: char) -> bool {
    ":/?#[]@!$&'()*+,;=".contains(char)
}
