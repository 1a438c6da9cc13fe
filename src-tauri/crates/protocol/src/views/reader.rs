//! Reads the members of an object leniently: a wrong type is a violation, and the member counts as absent.

use std::borrow::Cow;

use crate::json::{self, Kind, Object};
use crate::limits::{MEMBERS, TEXT_BYTES, VIOLATIONS, shorten};
use crate::{Rule, Violation};

/// The members of an object, with their violations.
pub(super) struct Reader<'a> {
    object: Option<Object<'a>>,
    pointer: String,
    pub(super) violations: Vec<Violation>,
}

impl<'a> Reader<'a> {
    /// Reads a text that should be an object. If it is not, that is a violation and every member is absent.
    pub(super) fn new(text: &'a str) -> Self {
        Self::at(text, String::new())
    }

    /// Reads a part of a message at a JSON pointer.
    pub(super) fn at(text: &'a str, pointer: String) -> Self {
        let (object, count) = match Object::parse_within(text, MEMBERS) {
            Ok((object, count)) => (Some(object), count),
            Err(_) => (None, 0),
        };
        let mut reader = Self {
            object,
            pointer,
            violations: Vec::new(),
        };
        if count > MEMBERS {
            reader.push(
                Rule::LimitExceeded,
                "",
                format!("only the first {MEMBERS} of {count} members are read"),
            );
        }
        if let Some(object) = &reader.object {
            for name in object.duplicates().into_iter().take(VIOLATIONS) {
                let message = format!("`{name}` is given twice; the last one counts");
                reader.violations.push(Violation::at(
                    Rule::DuplicateMember,
                    below(&reader.pointer, name),
                    message,
                ));
            }
        } else {
            let message = format!("{} instead of an object", json::kind(text).name());
            reader
                .violations
                .push(Violation::at(Rule::MemberType, reader.pointer.clone(), message));
        }
        reader
    }

    /// Whether the text is an object.
    pub(super) fn is_object(&self) -> bool {
        self.object.is_some()
    }

    /// The raw value of a member.
    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        self.object.as_ref()?.get(name)
    }

    /// The JSON pointer of a member.
    pub(super) fn pointer(&self, name: &str) -> String {
        below(&self.pointer, name)
    }

    pub(super) fn push(&mut self, rule: Rule, name: &str, message: impl Into<String>) {
        let pointer = if name.is_empty() {
            self.pointer.clone()
        } else {
            self.pointer(name)
        };
        self.violations.push(Violation::at(rule, pointer, message));
    }

    /// Requires a member; a missing one is a violation.
    pub(super) fn require(&mut self, name: &str) {
        if self.is_object() && self.raw(name).is_none() {
            self.push(Rule::MemberMissing, name, format!("`{name}` is missing"));
        }
    }

    fn wrong(&mut self, name: &str, value: &str, wanted: &str) {
        let message = format!("`{name}` is {} instead of {wanted}", json::kind(value).name());
        self.push(Rule::MemberType, name, message);
    }

    fn typed<T>(&mut self, name: &str, wanted: &str, read: impl Fn(&'a str) -> Option<T>) -> Option<T> {
        let value = self.raw(name)?;
        let read = read(value);
        if read.is_none() {
            self.wrong(name, value, wanted);
        }
        read
    }

    pub(super) fn string(&mut self, name: &str) -> Option<Cow<'a, str>> {
        self.typed(name, "a string", json::string)
    }

    pub(super) fn boolean(&mut self, name: &str) -> Option<bool> {
        self.typed(name, "a boolean", json::boolean)
    }

    pub(super) fn number(&mut self, name: &str) -> Option<f64> {
        self.typed(name, "a number", json::number)
    }

    /// The raw text of a member that must be an object.
    pub(super) fn object(&mut self, name: &str) -> Option<&'a str> {
        self.typed(name, "an object", |text| {
            (json::kind(text) == Kind::Object).then_some(text)
        })
    }

    /// The raw elements of a member that must be an array.
    pub(super) fn array(&mut self, name: &str) -> Option<Vec<&'a str>> {
        let elements = self.elements(name)?;
        if elements.is_none()
            && let Some(value) = self.raw(name)
        {
            self.wrong(name, value, "an array");
        }
        elements
    }

    /// The raw elements of a member, as many as are read. `Some(None)`: it is not an array.
    pub(super) fn elements(&mut self, name: &str) -> Option<Option<Vec<&'a str>>> {
        let read = json::array_within(self.raw(name)?, MEMBERS);
        Some(read.map(|(elements, count)| {
            if count > MEMBERS {
                let message = format!("only the first {MEMBERS} of {count} elements of `{name}` are read");
                self.push(Rule::LimitExceeded, name, message);
            }
            elements
        }))
    }
}

/// The JSON pointer of a member, no longer than a description has: a name may be as long as a message, and the place of many
/// violations.
#[must_use]
pub fn below(pointer: &str, name: &str) -> String {
    let start = name.split_at(name.floor_char_boundary(TEXT_BYTES)).0;
    let mut place = format!("{pointer}/{}", escape(start));
    shorten(&mut place);
    place
}

/// A name as a part of a JSON pointer (RFC 6901).
pub(crate) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
