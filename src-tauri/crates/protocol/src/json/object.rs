//! Objects and arrays as lists of slices.

use std::borrow::Cow;

use super::scan::Problem;
use super::{JsonError, Scanner, text};

/// One member of an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its name, unescaped.
    pub name: Cow<'a, str>,
    /// Its name as written, with quotes.
    pub name_text: &'a str,
    /// Its value, raw.
    pub value: &'a str,
}

/// An object: its members in order, including duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object<'a> {
    text: &'a str,
    members: Vec<Member<'a>>,
}

impl<'a> Object<'a> {
    /// Parses an object and validates all of it.
    ///
    /// # Errors
    /// `text` is not exactly one JSON object.
    pub fn parse(text: &'a str) -> Result<Self, JsonError> {
        Self::parse_within(text, usize::MAX).map(|(object, _)| object)
    }

    /// As [`Object::parse`], but at most this many members, and how many there are.
    ///
    /// # Errors
    /// `text` is not exactly one JSON object.
    pub fn parse_within(text: &'a str, most: usize) -> Result<(Self, usize), JsonError> {
        let mut scanner = Scanner::new(text);
        scanner.skip_space();
        let members = members(&mut scanner, most);
        members
            .and_then(|(members, count)| scanner.expect_end().map(|()| (Self { text, members }, count)))
            .map_err(|problem| problem.locate(text))
    }

    /// The source text.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The raw value of a member. Of duplicates, the last one counts, as in other parsers.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.members
            .iter()
            .rev()
            .find(|member| member.name == name)
            .map(|member| member.value)
    }

    /// A string member, unescaped. None if it is missing or has another type.
    #[must_use]
    pub fn string(&self, name: &str) -> Option<Cow<'a, str>> {
        self.get(name).and_then(text::string)
    }

    /// The members in order: name and raw value.
    pub fn iter(&self) -> impl Iterator<Item = (&Cow<'a, str>, &'a str)> {
        self.members.iter().map(|member| (&member.name, member.value))
    }

    /// The members in order, with their raw names.
    #[must_use]
    pub fn members(&self) -> &[Member<'a>] {
        &self.members
    }

    /// The number of members, including duplicates.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Duplicate names, each listed once, in order of their second occurrence.
    #[must_use]
    pub fn duplicates(&self) -> Vec<&str> {
        duplicates(&self.members)
    }
}

/// Duplicate names, each listed once.
pub(crate) fn duplicates<'m>(members: &'m [Member<'_>]) -> Vec<&'m str> {
    let mut found: Vec<&str> = Vec::new();
    if members.len() <= 16 {
        for (index, member) in members.iter().enumerate() {
            let name: &str = &member.name;
            if members.iter().take(index).any(|earlier| earlier.name == name) && !found.contains(&name) {
                found.push(name);
            }
        }
    } else {
        let mut seen = std::collections::HashMap::with_capacity(members.len());
        for member in members {
            let count = seen.entry(&*member.name).or_insert(0_u32);
            *count += 1;
            if *count == 2 {
                found.push(&member.name);
            }
        }
    }
    found
}

/// At most this many members of the object at the scanner's position, and how many there are. Advances the scanner past it.
pub(crate) fn members<'a>(
    scanner: &mut Scanner<'a>,
    most: usize,
) -> Result<(Vec<Member<'a>>, usize), Problem> {
    let mut members = Vec::new();
    let mut count = 0;
    let mut more = scanner.enter(b'}')?;
    if more {
        members.reserve(8);
    }
    while more {
        let (name, name_text) = member_name(scanner)?;
        let value = scanner.value()?;
        if count < most {
            members.push(Member {
                name,
                name_text,
                value,
            });
        }
        count += 1;
        more = scanner.follow(b'}')?;
    }
    Ok((members, count))
}

/// The raw value of one member of an object, as [`Object::get`] finds it, without keeping the others. None if `text` is not
/// exactly one JSON object, or has no such member.
#[must_use]
pub fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    let mut found = None;
    let mut more = scanner.enter(b'}').ok()?;
    while more {
        let (this, _) = member_name(&mut scanner).ok()?;
        let value = scanner.value().ok()?;
        if this == name {
            found = Some(value);
        }
        more = scanner.follow(b'}').ok()?;
    }
    scanner.expect_end().ok()?;
    found
}

/// The name of the member at the scanner's position, unescaped and as written. Advances the scanner to the value.
#[inline]
pub(crate) fn member_name<'a>(scanner: &mut Scanner<'a>) -> Result<(Cow<'a, str>, &'a str), Problem> {
    let (name_text, escapes) = scanner.name()?;
    let name = match escapes {
        true => text::unescape(name_text),
        false => Cow::Borrowed(text::unquoted(name_text)),
    };
    Ok((name, name_text))
}

/// The raw elements of an array. None if `text` is not exactly one JSON array.
#[must_use]
pub fn array(text: &str) -> Option<Vec<&str>> {
    array_within(text, usize::MAX).map(|(elements, _)| elements)
}

/// As [`array`], but at most this many elements, and how many there are.
#[must_use]
pub fn array_within(text: &str, most: usize) -> Option<(Vec<&str>, usize)> {
    let mut scanner = Scanner::new(text);
    scanner.skip_space();
    let mut elements = Vec::new();
    let mut count = 0;
    let mut more = scanner.enter(b']').ok()?;
    while more {
        let element = scanner.value().ok()?;
        if count < most {
            elements.push(element);
        }
        count += 1;
        more = scanner.follow(b']').ok()?;
    }
    scanner.expect_end().ok()?;
    Some((elements, count))
}
