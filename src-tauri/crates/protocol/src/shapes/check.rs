//! Walks through a value along its shape.
//!
//! Cost: each byte is read once for each level of the shape above it (at most ten), and the number of violations is limited.

use super::content::{BLOB_CONTENTS, TEXT_CONTENTS};
use super::handshake::META;
use super::inputs::{
    BOOLEAN_FIELD, CHOICE_FIELD, CHOICES_FIELD, ELICITED, FORM, NUMBER_FIELD, ROOTS, SAMPLED_RESULT,
    SAMPLING, TEXT_FIELD, TITLED_CHOICE_FIELD, URL,
};
use super::table::{Record, Shape, Tag};
use crate::json::{self, Kind, Object};
use crate::views::reader::escape;
use crate::{Revision, Rule, Violation, methods};

/// The maximum number of violations per message.
const MOST: usize = 50;
/// The longest part of a value in a violation's message, in characters.
const SHOWN: usize = 40;

/// One step into a value.
enum Step<'a> {
    Member(&'a str),
    Element(usize),
}

/// A walk through one value.
pub(super) struct Walk<'a> {
    revision: Revision,
    base: &'static str,
    path: Vec<Step<'a>>,
    /// Replaces the rules of members, within a part that has a rule of its own.
    instead: Option<Rule>,
    found: Vec<Violation>,
}

impl<'a> Walk<'a> {
    /// The violations of a value at a place in its message.
    pub(super) fn of(
        revision: Revision,
        base: &'static str,
        value: &'a str,
        shape: &Shape,
    ) -> Vec<Violation> {
        let mut walk = Walk {
            revision,
            base,
            path: Vec::new(),
            instead: None,
            found: Vec::new(),
        };
        walk.value(value, shape);
        walk.found
    }

    fn wrong(&mut self, rule: Rule, message: String) {
        if self.found.len() >= MOST {
            return;
        }
        let mut pointer = self.base.to_owned();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Member(name) => pointer.push_str(&escape(name)),
                Step::Element(index) => pointer.push_str(&index.to_string()),
            }
        }
        let is_of_member = matches!(rule, Rule::MemberMissing | Rule::MemberType | Rule::MemberValue);
        let rule = self.instead.filter(|_| is_of_member).unwrap_or(rule);
        self.found.push(Violation::at(rule, pointer, message));
    }

    /// The name of the value at this place, for a sentence.
    fn name(&self) -> String {
        match self.path.last() {
            Some(Step::Member(name)) => format!("`{}`", methods::clip(name)),
            Some(Step::Element(index)) => format!("element {index}"),
            None => format!("`{}`", self.base.trim_start_matches('/')),
        }
    }

    fn expect(&mut self, is: bool, value: &str, wanted: &str) {
        if !is {
            let found = match json::kind(value) {
                Kind::Number => shorten(value),
                kind => kind.name().to_owned(),
            };
            let message = format!("{} is {found} instead of {wanted}", self.name());
            self.wrong(Rule::MemberType, message);
        }
    }

    fn within(&mut self, step: Step<'a>, inside: impl FnOnce(&mut Self)) {
        if self.found.len() < MOST {
            self.path.push(step);
            inside(self);
            self.path.pop();
        }
    }

    fn value(&mut self, value: &'a str, shape: &Shape) {
        let kind = json::kind(value);
        match shape {
            Shape::Any => {}
            Shape::Text => self.expect(kind == Kind::String, value, "a string"),
            Shape::Base64 => self.base64(value),
            Shape::Word(words) => self.word(value, words),
            Shape::Number => self.expect(kind == Kind::Number, value, "a number"),
            Shape::Fraction => match json::number(value) {
                Some(number) if !(0.0..=1.0).contains(&number) => {
                    let message = format!("{} is {}, not from 0 to 1", self.name(), shorten(value));
                    self.wrong(Rule::MemberValue, message);
                }
                number => self.expect(number.is_some(), value, "a number"),
            },
            Shape::Integer => self.expect(is_integer(value), value, "an integer"),
            Shape::IntegerOrNull => {
                self.expect(
                    kind == Kind::Null || is_integer(value),
                    value,
                    "an integer or null",
                );
            }
            Shape::Boolean => self.expect(kind == Kind::Bool, value, "a boolean"),
            Shape::Id => {
                let is = kind == Kind::String || is_integer(value);
                self.expect(is, value, "a string or an integer");
            }
            Shape::Object => self.expect(kind == Kind::Object, value, "an object"),
            Shape::Record(record) => self.record(value, record),
            Shape::List(of) => self.list(value, usize::MAX, of),
            Shape::Most(most, of) => self.list(value, *most, of),
            Shape::Map(of) => self.map(value, of),
            Shape::OneOrList(since, of) if kind == Kind::Array && self.revision >= *since => {
                self.list(value, usize::MAX, of);
            }
            Shape::OneOrList(_, of) => self.value(value, of),
            Shape::Tagged(tags) => self.tagged(value, tags),
            Shape::Contents => self.contents(value),
            Shape::Elicitation => self.elicitation(value),
            Shape::RequestedSchema => self.requested_schema(value),
            Shape::FormValue => self.form_value(value),
            Shape::InputRequest => self.input_request(value),
            Shape::InputResponse => self.input_response(value),
            Shape::IconSource => self.address(value, &["https:", "http:", "data:"], Rule::IconSource),
            Shape::FileUri => self.address(value, &["file://"], Rule::MemberValue),
        }
    }

    fn object(&mut self, value: &'a str) -> Option<Object<'a>> {
        let object = Object::parse(value).ok();
        self.expect(object.is_some(), value, "an object");
        object
    }

    fn record(&mut self, value: &'a str, record: &'static Record) {
        let Some(object) = self.object(value) else { return };
        for field in record.fields {
            if field.is_required(self.revision) && object.get(field.name).is_none() {
                self.within(Step::Member(field.name), |walk| {
                    walk.wrong(Rule::MemberMissing, format!("`{}` is missing", field.name));
                });
            }
        }
        // Of duplicates, the last one counts.
        let revision = self.revision;
        for field in record.fields.iter().filter(|field| field.exists(revision)) {
            if let Some(value) = object.get(field.name) {
                self.within(Step::Member(field.name), |walk| walk.value(value, &field.shape));
            }
        }
        let of_its_own = record.fields.iter().any(|field| field.name == "_meta");
        if let (Some(meta), false) = (object.get("_meta"), of_its_own)
            && (self.path.is_empty() || self.revision >= Revision::V2025_06_18)
        {
            self.within(Step::Member("_meta"), |walk| walk.meta(meta));
        }
    }

    /// `_meta`: the values that the specification defines, and the names of all members.
    fn meta(&mut self, value: &'a str) {
        let Some(object) = self.object(value) else { return };
        for member in object.members() {
            // Unescaped names are slices of the message; others are looked up by what they are in the table.
            let field = META.iter().find(|field| field.name == member.name);
            let name = match (field, member.name_text.get(1..member.name_text.len() - 1)) {
                (Some(field), _) => field.name,
                (None, text) => text.unwrap_or_default(),
            };
            self.within(Step::Member(name), |walk| match field {
                Some(field) if field.exists(walk.revision) => walk.value(member.value, &field.shape),
                Some(_) => {}
                None => {
                    if let Some(why) = meta_key_problem(&member.name) {
                        let message = format!(
                            "`{}` cannot be a name in `_meta`: {why}",
                            methods::clip(&member.name)
                        );
                        walk.wrong(Rule::MetaKeyName, message);
                    }
                }
            });
        }
    }

    fn list(&mut self, value: &'a str, most: usize, of: &Shape) {
        let elements = json::array(value);
        self.expect(elements.is_some(), value, "an array");
        let elements = elements.unwrap_or_default();
        if elements.len() > most {
            let message = format!(
                "{} has {} elements, more than {most}",
                self.name(),
                elements.len()
            );
            self.wrong(Rule::MemberValue, message);
        }
        for (index, element) in elements.into_iter().enumerate() {
            self.within(Step::Element(index), |walk| walk.value(element, of));
        }
    }

    fn map(&mut self, value: &'a str, of: &Shape) {
        let Some(object) = self.object(value) else { return };
        for member in object.members() {
            let name = member
                .name_text
                .get(1..member.name_text.len() - 1)
                .unwrap_or_default();
            self.within(Step::Member(name), |walk| walk.value(member.value, of));
        }
    }

    fn word(&mut self, value: &str, words: &[&str]) {
        match json::string(value) {
            Some(word) if !words.contains(&&*word) => {
                let message = format!(
                    "{} is {}, not one of {}",
                    self.name(),
                    shorten(value),
                    words.join(", ")
                );
                self.wrong(Rule::MemberValue, message);
            }
            word => self.expect(word.is_some(), value, "a string"),
        }
    }

    fn base64(&mut self, value: &str) {
        self.expect(json::kind(value) == Kind::String, value, "a string");
        if json::kind(value) == Kind::String
            && let Some(problem) = crate::views::base64_problem(value)
        {
            let message = format!("{} is not base64: {problem}", self.name());
            self.wrong(Rule::ContentBase64, message);
        }
    }

    fn address(&mut self, value: &str, schemes: &[&str], rule: Rule) {
        let Some(address) = json::string(value) else {
            return self.expect(false, value, "a string");
        };
        let starts = |scheme: &&str| {
            let start = address.get(..scheme.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        };
        if !schemes.iter().any(starts) {
            let message = format!(
                "{} is {}, which does not begin with {}",
                self.name(),
                shorten(value),
                schemes.join(" or ")
            );
            self.wrong(rule, message);
        }
    }

    fn tagged(&mut self, value: &'a str, tags: &'static [Tag]) {
        let Some(object) = self.object(value) else { return };
        let Some(tag) = object.get("type") else {
            return self.within(Step::Member("type"), |walk| {
                walk.wrong(Rule::MemberMissing, "`type` is missing".to_owned());
            });
        };
        let name = json::string(tag);
        let known = tags.iter().find(|(known, ..)| name.as_deref() == Some(*known));
        match known {
            Some((_, within, record)) if within.has(self.revision) => {
                self.record(value, record);
            }
            Some((known, ..)) => {
                let message = format!(
                    "`type` is \"{known}\", which revision {} does not have",
                    self.revision
                );
                self.within(Step::Member("type"), |walk| {
                    walk.wrong(Rule::FeatureNotInRevision, message)
                });
            }
            None => {
                let message = format!("`type` is {}, which is not allowed here", shorten(tag));
                self.within(Step::Member("type"), |walk| {
                    walk.wrong(Rule::ContentTypeUnknown, message)
                });
            }
        }
    }

    fn contents(&mut self, value: &'a str) {
        let is_blob = Object::parse(value)
            .is_ok_and(|object| object.get("blob").is_some() && object.get("text").is_none());
        self.record(value, if is_blob { &BLOB_CONTENTS } else { &TEXT_CONTENTS });
    }

    fn elicitation(&mut self, value: &'a str) {
        let mode = Object::parse(value).ok().and_then(|object| object.string("mode"));
        match mode.as_deref() {
            Some("url") if self.revision >= Revision::V2025_11_25 => self.record(value, &URL),
            Some("url") => {
                let message = format!(
                    "`mode` is \"url\", which revision {} does not have",
                    self.revision
                );
                self.within(Step::Member("mode"), |walk| {
                    walk.wrong(Rule::FeatureNotInRevision, message)
                });
            }
            _ => self.record(value, &FORM),
        }
    }

    /// A flat object whose properties are of primitive types (`client/elicitation`, "Requested Schema").
    fn requested_schema(&mut self, value: &'a str) {
        let outer = self.instead.replace(Rule::ElicitationSchema);
        if let Some(object) = self.object(value) {
            let kind = object.get("type").and_then(json::string);
            if kind.as_deref() != Some("object") {
                let found = object.get("type").map_or("missing".to_owned(), shorten);
                self.within(Step::Member("type"), |walk| {
                    walk.wrong(
                        Rule::MemberValue,
                        format!("`type` is {found} instead of \"object\""),
                    );
                });
            }
            match object.get("properties") {
                None => self.within(Step::Member("properties"), |walk| {
                    walk.wrong(Rule::MemberMissing, "`properties` is missing".to_owned());
                }),
                Some(properties) => {
                    self.within(Step::Member("properties"), |walk| walk.form_fields(properties))
                }
            }
            if let Some(required) = object.get("required") {
                self.within(Step::Member("required"), |walk| {
                    walk.list(required, usize::MAX, &Shape::Text)
                });
            }
        }
        self.instead = outer;
    }

    fn form_fields(&mut self, value: &'a str) {
        let Some(object) = self.object(value) else { return };
        for member in object.members() {
            let name = member
                .name_text
                .get(1..member.name_text.len() - 1)
                .unwrap_or_default();
            self.within(Step::Member(name), |walk| walk.form_field(member.value));
        }
    }

    fn form_field(&mut self, value: &'a str) {
        let Some(object) = self.object(value) else { return };
        let kind = object.get("type").and_then(json::string);
        let with_choices = self.revision >= Revision::V2025_11_25;
        let record = match kind.as_deref() {
            Some("string") if object.get("enum").is_some() => &CHOICE_FIELD,
            Some("string") if object.get("oneOf").is_some() && with_choices => &TITLED_CHOICE_FIELD,
            Some("string") => &TEXT_FIELD,
            Some("number" | "integer") => &NUMBER_FIELD,
            Some("boolean") => &BOOLEAN_FIELD,
            Some("array") if with_choices => &CHOICES_FIELD,
            _ => {
                let found = object.get("type").map_or("missing".to_owned(), shorten);
                let message = format!("{} has the `type` {found}, which a form cannot have", self.name());
                return self.within(Step::Member("type"), |walk| {
                    walk.wrong(Rule::MemberValue, message)
                });
            }
        };
        self.record(value, record);
    }

    fn form_value(&mut self, value: &'a str) {
        match json::kind(value) {
            Kind::String | Kind::Number | Kind::Bool => {}
            Kind::Array if self.revision >= Revision::V2025_11_25 => {
                self.list(value, usize::MAX, &Shape::Text)
            }
            _ => self.expect(
                false,
                value,
                "a string, a number, a boolean or an array of strings",
            ),
        }
    }

    /// The method was checked by the view ([`crate::views::InputRequired`]).
    fn input_request(&mut self, value: &'a str) {
        let Some(object) = self.object(value) else { return };
        let method = object.string("method");
        let params = object.get("params");
        let shape = match method.as_deref() {
            Some(methods::ELICITATION_CREATE) => Shape::Elicitation,
            Some(methods::SAMPLING_CREATE_MESSAGE) => Shape::Record(&SAMPLING),
            Some(methods::ROOTS_LIST) if params.is_some() => Shape::Object,
            _ => return,
        };
        self.within(Step::Member("params"), |walk| match params {
            Some(params) => walk.value(params, &shape),
            None => walk.wrong(Rule::MemberMissing, "`params` is missing".to_owned()),
        });
    }

    /// Which of the three it is depends on the request; its members tell.
    fn input_response(&mut self, value: &'a str) {
        let Some(object) = self.object(value) else { return };
        let record = match object {
            _ if object.get("action").is_some() => &ELICITED,
            _ if object.get("roots").is_some() => &ROOTS,
            _ => &SAMPLED_RESULT,
        };
        self.record(value, record);
    }
}

/// What is wrong with a name in `_meta` (`basic`, "`_meta`").
fn meta_key_problem(key: &str) -> Option<&'static str> {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let label = |label: &str| {
        let bytes = label.as_bytes();
        bytes.first().is_some_and(u8::is_ascii_alphabetic)
            && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
            && bytes
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
    };
    if prefix.is_some_and(|prefix| !prefix.split('.').all(label)) {
        return Some("its prefix is not a series of labels separated by dots");
    }
    let bytes = name.as_bytes();
    let ends = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_alphanumeric);
    if !(ends(bytes.first()) && ends(bytes.last())) {
        return Some("it must begin and end with a letter or a digit");
    }
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!bytes.iter().all(inside)).then_some("it may have only letters, digits, hyphens, underscores and dots")
}

/// Whether a value is an integer, of any size.
fn is_integer(value: &str) -> bool {
    let value = json::trim(value);
    json::integer(value).is_some()
        || (json::kind(value) == Kind::Number
            && json::number(value).is_some_and(|number| number.fract() == 0.0))
}

/// A value, truncated for a sentence.
fn shorten(value: &str) -> String {
    let value = json::trim(value);
    match value.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", value.get(..at).unwrap_or_default()),
        None => value.to_owned(),
    }
}
