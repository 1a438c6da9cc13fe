//! Parses a filter.

use std::collections::HashSet;
use std::ops::Range;

use super::{Compare, Filter, Limit, Pattern, Term, Test};
use crate::{Direction, Kind, LogClass, Origin, Status};

/// All keys, as listed in errors.
const KEYS: &str = "server:, connection:, origin:, op:, kind:, dir:, status:, method:, tool:, id:, task:, has:, rule:, otherrule:, level:, logger:, after:, dur>, size>";

/// The maximum number of terms, so that testing a record is cheap.
const TERMS: usize = 64;
/// The maximum size of a term, in bytes.
const LONGEST: usize = 4096;

const KINDS: &[(&str, Kind)] = &[
    ("request", Kind::Request),
    ("notification", Kind::Notification),
    ("response", Kind::Response),
    ("batch", Kind::Batch),
    ("invalid", Kind::Invalid),
    ("stderr", Kind::Stderr),
    ("lifecycle", Kind::Lifecycle),
    ("gap", Kind::Gap),
    ("http", Kind::Http),
];
const STATUSES: &[(&str, Status)] = &[
    ("pending", Status::Pending),
    ("ok", Status::Ok),
    ("error", Status::Error),
    ("toolError", Status::ToolError),
    ("cancelled", Status::Cancelled),
    ("timedOut", Status::TimedOut),
    ("lost", Status::Lost),
];
const LEVELS: &[(&str, LogClass)] = &[
    ("debug", LogClass::Debug),
    ("info", LogClass::Info),
    ("notice", LogClass::Notice),
    ("warning", LogClass::Warning),
    ("error", LogClass::Error),
    ("critical", LogClass::Critical),
    ("alert", LogClass::Alert),
    ("emergency", LogClass::Emergency),
    ("unknown", LogClass::Unknown),
    ("stderr", LogClass::Stderr),
    ("gap", LogClass::Gap),
];
const ORIGINS: &[(&str, Origin)] = &[
    ("client", Origin::Client),
    ("tap", Origin::Tap),
    ("model", Origin::Model),
    ("doctor", Origin::Doctor),
    ("import", Origin::Import),
];
const DIRECTIONS: &[(&str, Direction)] = &[
    ("sent", Direction::ClientToServer),
    ("received", Direction::ServerToClient),
    ("clientToServer", Direction::ClientToServer),
    ("serverToClient", Direction::ServerToClient),
];
const DURATIONS: &[(&str, f64)] = &[
    ("ns", 1.0),
    ("us", 1e3),
    ("µs", 1e3),
    ("ms", 1e6),
    ("s", 1e9),
    ("min", 60e9),
];
const SIZES: &[(&str, f64)] = &[("b", 1.0), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9)];

/// Why a text is not a valid filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("The filter is invalid at character {}: {cause}", .at + 1)]
pub struct FilterError {
    /// The position, in characters.
    pub at: usize,
    /// The number of characters concerned.
    pub len: usize,
    /// The problem, and what is allowed.
    pub cause: String,
}

/// A word of the filter: its text without quotes, and its position.
struct Word {
    at: usize,
    /// Including quotes, in characters.
    len: usize,
    text: String,
    /// The number of characters of `text` before the first quote.
    plain: usize,
    /// Where in `text` characters are that only mean themselves: commas in quotes, and `*` after a backslash.
    literal: HashSet<usize>,
}

impl Word {
    fn wrong(&self, cause: String) -> FilterError {
        FilterError {
            at: self.at,
            len: self.len,
            cause,
        }
    }

    /// The parts of a range of its text, separated by a character.
    fn separated(&self, range: Range<usize>, by: char) -> Vec<Range<usize>> {
        let (mut parts, mut start) = (Vec::new(), range.start);
        for (at, _) in self.text[range.clone()].match_indices(by) {
            let at = range.start + at;
            if !self.literal.contains(&at) {
                parts.push(start..at);
                start = at + by.len_utf8();
            }
        }
        parts.push(start..range.end);
        parts
    }

    /// The values at the end of its text, without empty ones.
    fn values(&self, start: usize) -> Vec<Range<usize>> {
        let mut values = self.separated(start..self.text.len(), ',');
        values.retain(|value| !value.is_empty());
        values
    }

    fn pattern(&self, value: Range<usize>) -> Pattern {
        let pieces = self.separated(value, '*').into_iter();
        Pattern::new(pieces.map(|piece| &self.text[piece]))
    }
}

impl Filter {
    /// Parses a filter.
    ///
    /// # Errors
    /// The text is not a valid filter; the error has the position and what is allowed there.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let mut terms = Vec::new();
        for word in split(text)? {
            if terms.len() == TERMS {
                return Err(word.wrong(format!("a filter has at most {TERMS} terms")));
            }
            terms.push(term(&word)?);
        }
        Ok(Self { terms })
    }
}

/// The words, separated by unquoted white space. Inside quotes, a backslash makes a quotation mark, a backslash or a `*` literal;
/// before any other character it is one itself, as in a path.
fn split(text: &str) -> Result<Vec<Word>, FilterError> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<Word> = None;
    let mut quote: Option<usize> = None;
    let mut chars = text.chars().enumerate().peekable();
    while let Some((at, char)) = chars.next() {
        if quote.is_none() && char.is_whitespace() {
            words.extend(open.take());
            continue;
        }
        let word = open.get_or_insert_with(|| Word {
            at,
            len: 0,
            text: String::new(),
            plain: usize::MAX,
            literal: HashSet::new(),
        });
        word.len = at + 1 - word.at;
        match char {
            '"' if quote.is_some() => quote = None,
            '"' => {
                quote = Some(at);
                word.plain = word.plain.min(word.text.len());
            }
            '\\' if quote.is_some() => match chars.next_if(|(_, next)| matches!(next, '"' | '\\' | '*')) {
                Some((at, escaped)) => {
                    word.len = at + 1 - word.at;
                    word.literal.insert(word.text.len());
                    word.text.push(escaped);
                }
                None => word.text.push('\\'),
            },
            other => {
                if quote.is_some() && other == ',' {
                    word.literal.insert(word.text.len());
                }
                word.text.push(other);
            }
        }
    }
    words.extend(open);
    match quote {
        Some(at) => Err(FilterError {
            at,
            len: text.chars().count() - at,
            cause: "the quote is not closed; add a closing \"".to_owned(),
        }),
        None => Ok(words),
    }
}

fn term(word: &Word) -> Result<Term, FilterError> {
    let whole = word.text.as_str();
    let negated = whole.starts_with('-') && word.plain > 0 && word.len > 1;
    let offset = usize::from(negated);
    let text = &whole[offset..];
    let plain = &text[..word.plain.saturating_sub(offset).min(text.len())];
    if text.len() > LONGEST {
        return Err(word.wrong(format!("a term has at most {LONGEST} bytes")));
    }
    let test = match plain.find([':', '<', '>', '=']) {
        Some(end) if end > 0 && plain[..end].bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            let (key, rest) = text.split_at(end);
            match rest.strip_prefix(':') {
                Some(values) => keyed(word, key, values)?,
                None => compared(word, key, rest)?,
            }
        }
        _ => Test::Text(text.to_owned()),
    };
    Ok(Term { negated, test })
}

fn keyed(word: &Word, key: &str, values: &str) -> Result<Test, FilterError> {
    let separate = word.values(word.text.len() - values.len());
    let all = || -> Vec<&str> { separate.iter().map(|value| &word.text[value.clone()]).collect() };
    let lower = key.to_ascii_lowercase();
    if values.is_empty() && lower != "server" {
        return Err(word.wrong(match lower.as_str() {
            "kind" => format!("`{key}:` needs a value: {}", names(KINDS)),
            "status" => format!("`{key}:` needs a value: {}", names(STATUSES)),
            "level" => format!("`{key}:` needs a value: {}", names(LEVELS)),
            "origin" => format!("`{key}:` needs a value: {}", names(ORIGINS)),
            "dir" => format!("`{key}:` needs a value: sent, received"),
            _ => format!("`{key}:` needs a value; put text that contains a colon in quotes"),
        }));
    }
    let owned = |values: Vec<&str>| values.into_iter().map(str::to_owned).collect();
    let patterns = || separate.iter().map(|value| word.pattern(value.clone())).collect();
    Ok(match lower.as_str() {
        // An empty id means connections to servers that are not configured.
        "server" if values.is_empty() => Test::Server(vec![String::new()]),
        "server" => Test::Server(owned(all())),
        "connection" => Test::Connection(number(word, key, values)? as i64),
        "origin" => Test::Origin(words(word, ORIGINS, &all())?),
        "kind" => Test::Kind(words(word, KINDS, &all())?),
        "dir" => Test::Direction(words(word, DIRECTIONS, &all())?),
        "status" => Test::Status(words(word, STATUSES, &all())?),
        "method" => Test::Method(patterns()),
        "tool" => Test::Tool(patterns()),
        "rule" => Test::Rule(patterns()),
        "otherrule" => Test::OtherRule(patterns()),
        "level" => Test::Log(words(word, LEVELS, &all())?),
        "logger" => Test::Logger(patterns()),
        "after" => Test::After(number(word, key, values)?),
        "op" => Test::Operation(
            all()
                .into_iter()
                .map(|value| number(word, key, value))
                .collect::<Result<_, _>>()?,
        ),
        "id" => Test::Id(owned(all())),
        "task" => Test::Task(owned(all())),
        "has" if values.eq_ignore_ascii_case("violation") => Test::Violation,
        "has" => return Err(word.wrong(format!("\"{values}\" is unknown; `has:` takes: violation"))),
        "dur" | "size" => return compared(word, key, values),
        _ => {
            return Err(word.wrong(format!(
                "`{key}:` is unknown. Use one of {KEYS}, or put text that contains a colon in quotes"
            )));
        }
    })
}

fn number(word: &Word, key: &str, value: &str) -> Result<u64, FilterError> {
    value
        .parse()
        .map_err(|_| word.wrong(format!("\"{value}\" is not a number; `{key}:` takes numbers")))
}

fn compared(word: &Word, key: &str, rest: &str) -> Result<Test, FilterError> {
    let (compare, value) = [
        (">=", Compare::AtLeast),
        ("<=", Compare::AtMost),
        (">", Compare::More),
        ("<", Compare::Less),
        ("=", Compare::Equal),
    ]
    .into_iter()
    .find_map(|(sign, compare)| Some((compare, rest.strip_prefix(sign)?)))
    .unwrap_or((Compare::Equal, rest));
    let measured = |units, default, example| {
        let value = measure(value, units, default);
        value.map(|value| Limit { compare, value }).ok_or_else(|| {
            let units = names(units);
            word.wrong(format!(
                "`{key}` takes a number and a unit ({units}), such as {example}"
            ))
        })
    };
    match key.to_ascii_lowercase().as_str() {
        "dur" => Ok(Test::Duration(measured(DURATIONS, 1e6, "dur>500ms")?)),
        "size" => Ok(Test::Size(measured(SIZES, 1.0, "size>10kb")?)),
        _ => Ok(Test::Text(format!("{key}{rest}"))),
    }
}

/// A number with a unit, in the smallest unit.
fn measure(text: &str, units: &[(&str, f64)], default: f64) -> Option<u64> {
    let end = text
        .find(|char: char| !char.is_ascii_digit() && char != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit {
        "" => default,
        unit => {
            units
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(unit))?
                .1
        }
    };
    let value = number.parse::<f64>().ok()? * factor;
    (value.is_finite() && value >= 0.0).then_some(value.round() as u64)
}

fn names<T>(table: &[(&str, T)]) -> String {
    let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

fn words<T: Copy>(word: &Word, table: &[(&str, T)], values: &[&str]) -> Result<Vec<T>, FilterError> {
    let one = |value: &&str| {
        let known = table.iter().find(|(name, _)| name.eq_ignore_ascii_case(value));
        known
            .map(|(_, meaning)| *meaning)
            .ok_or_else(|| word.wrong(format!("\"{value}\" is unknown; allowed: {}", names(table))))
    };
    values.iter().map(one).collect()
}
