//! Walks through a value along its shape.
//!
//! Cost: each byte is read once, and again for each part above it whose members tell which shape it has (`type`, `mode`): at
//! most eight times, in the field of a form that a result asks for. The number of violations is limited.

mod choice;

use super::handshake::META;
use super::table::{Record, Shape};
use crate::json::{self, Kind, Problem, Scanner};
use crate::views::reader::below;
use crate::{Revision, Rule, Violation, methods};

/// The maximum number of violations per message.
const MOST: usize = 50;
/// The longest part of a value in a violation's message, in characters.
const SHOWN: usize = 40;

/// One step into a value.
#[derive(Clone, Copy)]
enum Step<'a> {
    /// A member that the specification names.
    Member(&'static str),
    /// A member with any name, as written, with quotes.
    Written(&'a str),
    Element(usize),
}

/// Past a value, or at the place where the text is not JSON. Such a text was reported when it was decoded.
type Walked = Result<(), Problem>;

/// A walk through one value.
pub(super) struct Walk<'a> {
    revision: Revision,
    base: &'static str,
    /// Where the walk is.
    at: Scanner<'a>,
    path: Vec<Step<'a>>,
    /// Replaces the rules of members, within a part that has a rule of its own.
    instead: Option<Rule>,
    /// Whether it is inside a `_meta`. One inside another is not read: they could be nested as deeply as a message is long.
    in_meta: bool,
    found: Vec<Found<'a>>,
}

/// A violation without its pointer, which may be as long as the message and is needed at the end only.
struct Found<'a> {
    rule: Rule,
    message: String,
    path: Vec<Step<'a>>,
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
            at: Scanner::new(value),
            path: Vec::new(),
            instead: None,
            in_meta: false,
            found: Vec::new(),
        };
        walk.at.skip_space();
        let _ = walk.value(shape);
        let found = walk.found.into_iter();
        found.map(|found| found.located(base)).collect()
    }

    fn wrong(&mut self, rule: Rule, message: String) {
        if self.found.len() >= MOST {
            return;
        }
        let is_of_member = matches!(rule, Rule::MemberMissing | Rule::MemberType | Rule::MemberValue);
        let rule = self.instead.filter(|_| is_of_member).unwrap_or(rule);
        let path = self.path.clone();
        self.found.push(Found { rule, message, path });
    }

    /// The name of the value at this place, for a sentence.
    fn name(&self) -> String {
        match self.path.last() {
            Some(Step::Member(name)) => format!("`{name}`"),
            Some(Step::Written(name)) => {
                format!("`{}`", methods::clip(&json::string(name).unwrap_or_default()))
            }
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

    fn missing(&mut self, name: &'static str) {
        self.path.push(Step::Member(name));
        self.wrong(Rule::MemberMissing, format!("`{name}` is missing"));
        self.path.pop();
    }

    /// Walks on, one step further inside.
    fn within(&mut self, step: Step<'a>, inside: impl FnOnce(&mut Self) -> Walked) -> Walked {
        self.path.push(step);
        let walked = inside(self);
        self.path.pop();
        walked
    }

    /// Walks through a value that was read already.
    fn again(
        &mut self,
        name: &'static str,
        value: &'a str,
        inside: impl FnOnce(&mut Self) -> Walked,
    ) -> Walked {
        let at = std::mem::replace(&mut self.at, Scanner::new(value));
        let walked = self.within(Step::Member(name), inside);
        self.at = at;
        walked
    }

    /// Walks through the value that starts here.
    fn value(&mut self, shape: &Shape) -> Walked {
        if self.found.len() >= MOST {
            return self.at.skip_value();
        }
        match shape {
            Shape::Any => self.at.skip_value(),
            Shape::Record(record) => self.record(record),
            Shape::List(of) => self.list(usize::MAX, of),
            Shape::Most(most, of) => self.list(*most, of),
            Shape::Map(of) => self.map(of),
            Shape::OneOrList(since, of) if self.at.peek() == Some(b'[') && self.revision >= *since => {
                self.list(usize::MAX, of)
            }
            Shape::OneOrList(_, of) => self.value(of),
            Shape::Tagged(tags) => self.tagged(tags),
            Shape::Contents => self.contents(),
            Shape::Elicitation => self.elicitation(),
            Shape::RequestedSchema => self.requested_schema(),
            Shape::FormValue => self.form_value(),
            Shape::InputRequest => self.input_request(),
            Shape::InputResponse => self.input_response(),
            _ => {
                let value = self.at.value()?;
                self.single(value, shape);
                Ok(())
            }
        }
    }

    /// A value whose shape says nothing about what is in it.
    fn single(&mut self, value: &str, shape: &Shape) {
        let kind = json::kind(value);
        match shape {
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
            Shape::IconSource => self.address(value, &["https:", "http:", "data:"], Rule::IconSource),
            Shape::FileUri => self.address(value, &["file://"], Rule::MemberValue),
            _ => {}
        }
    }

    /// Enters the object that must be here. Returns whether anything is in it; any other value is skipped.
    fn enter(&mut self, close: u8) -> Result<bool, Problem> {
        let (open, wanted) = match close {
            b'}' => (b'{', "an object"),
            _ => (b'[', "an array"),
        };
        if self.at.peek() == Some(open) {
            return self.at.enter(close);
        }
        let value = self.at.value()?;
        self.expect(false, value, wanted);
        Ok(false)
    }

    fn record(&mut self, record: &'static Record) -> Walked {
        let is_object = self.at.peek() == Some(b'{');
        let revision = self.revision;
        let first = self.found.len();
        let mut seen = 0_u32;
        let mut more = self.enter(b'}')?;
        while more {
            let (name, _) = json::member_name(&mut self.at)?;
            match record
                .fields
                .iter()
                .enumerate()
                .find(|(_, field)| name == field.name)
            {
                Some((index, field)) => {
                    let step = Step::Member(field.name);
                    if seen & (1 << index) != 0 {
                        self.forget(first, field.name);
                    }
                    seen |= 1 << index;
                    match field.exists(revision) {
                        true => self.within(step, |walk| walk.value(&field.shape))?,
                        false => self.at.skip_value()?,
                    }
                }
                None if name == "_meta"
                    && !self.in_meta
                    && (self.path.is_empty() || revision >= Revision::V2025_06_18) =>
                {
                    self.within(Step::Member("_meta"), Self::meta)?;
                }
                None => self.at.skip_value()?,
            }
            more = self.at.follow(b'}')?;
        }
        for (index, field) in record.fields.iter().enumerate() {
            if is_object && field.is_required(revision) && seen & (1 << index) == 0 {
                self.missing(field.name);
            }
        }
        Ok(())
    }

    /// Of duplicates the last one counts, so what was found in an earlier one does not. `first` is the first violation that was
    /// found in this object.
    fn forget(&mut self, first: usize, name: &'static str) {
        let depth = self.path.len();
        let mut index = 0;
        self.found.retain(|found| {
            index += 1;
            index <= first || !matches!(found.path.get(depth), Some(Step::Member(other)) if *other == name)
        });
    }

    /// `_meta`: the values that the specification defines, and the names of all members.
    fn meta(&mut self) -> Walked {
        let outer = std::mem::replace(&mut self.in_meta, true);
        let mut more = self.enter(b'}')?;
        while more {
            let (name, name_text) = json::member_name(&mut self.at)?;
            match META.iter().find(|field| name == field.name) {
                Some(field) if field.exists(self.revision) => {
                    self.within(Step::Member(field.name), |walk| walk.value(&field.shape))?;
                }
                Some(_) => self.at.skip_value()?,
                None => {
                    if let Some(why) = meta_key_problem(&name) {
                        let message =
                            format!("`{}` cannot be a name in `_meta`: {why}", methods::clip(&name));
                        self.path.push(Step::Written(name_text));
                        self.wrong(Rule::MetaKeyName, message);
                        self.path.pop();
                    }
                    self.at.skip_value()?;
                }
            }
            more = self.at.follow(b'}')?;
        }
        self.in_meta = outer;
        Ok(())
    }

    fn list(&mut self, most: usize, of: &Shape) -> Walked {
        let mut count = 0;
        let mut more = self.enter(b']')?;
        while more {
            self.within(Step::Element(count), |walk| walk.value(of))?;
            count += 1;
            more = self.at.follow(b']')?;
        }
        if count > most {
            let message = format!("{} has {count} elements, more than {most}", self.name());
            self.wrong(Rule::MemberValue, message);
        }
        Ok(())
    }

    fn map(&mut self, of: &Shape) -> Walked {
        let mut more = self.enter(b'}')?;
        while more {
            let (name, _) = self.at.name()?;
            self.within(Step::Written(name), |walk| walk.value(of))?;
            more = self.at.follow(b'}')?;
        }
        Ok(())
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
}

impl Found<'_> {
    /// The violation in its message.
    fn located(self, base: &str) -> Violation {
        let pointer = self
            .path
            .iter()
            .fold(base.to_owned(), |pointer, step| match step {
                Step::Member(name) => below(&pointer, name),
                Step::Written(name) => below(&pointer, &json::string(name).unwrap_or_default()),
                Step::Element(index) => format!("{pointer}/{index}"),
            });
        Violation::at(self.rule, pointer, self.message)
    }
}

/// Whether a JSON string, as written, is this name.
fn is_name(text: &str, name: &str) -> bool {
    let inside = inside(text);
    if inside.contains('\\') {
        return json::string(text).is_some_and(|text| text == name);
    }
    inside == name && text.starts_with('"')
}

/// A name as written, without its quotes.
fn inside(text: &str) -> &str {
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default()
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
