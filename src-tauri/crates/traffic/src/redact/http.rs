//! Masks credentials by their position in HTTP: in header fields, URLs and forms, even if the value is unknown.
//!
//! Lengths are kept, and values of at least 16 characters keep their last 4.

use std::borrow::Cow;
use std::ops::Range;

use super::names::{is_credential_field, is_secret_parameter};
use super::{Redactor, mask};
use crate::{HttpFields, HttpHead, HttpStage};

/// The part of a secret value that is masked.
fn hidden(value: Range<usize>, text: &str) -> Range<usize> {
    let shown = &text[value.clone()];
    let kept: usize = if shown.chars().count() >= 16 {
        shown.chars().rev().take(4).map(char::len_utf8).sum()
    } else {
        0
    };
    value.start..value.end - kept
}

/// The secrets in `a=b&c=d` between `from` and `to`.
fn parameters(text: &str, from: usize, to: usize, found: &mut Vec<Range<usize>>) {
    let mut at = from;
    for pair in text[from..to].split('&') {
        if let Some(equals) = pair.find('=')
            && is_secret_parameter(&pair[..equals])
        {
            found.push(hidden(at + equals + 1..at + pair.len(), text));
        }
        at += pair.len() + 1;
    }
}

/// The secrets of the URL at `range`: a password, and parameters of the query and the fragment.
fn url(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let whole = &text[range.clone()];
    let authority = whole.find("://").map(|at| range.start + at + 3);
    if let Some(begin) = authority {
        let end = text[begin..range.end]
            .find(['/', '?', '#'])
            .map_or(range.end, |at| begin + at);
        if let Some(at) = text[begin..end].rfind('@')
            && let Some(colon) = text[begin..begin + at].find(':')
        {
            found.push(hidden(begin + colon + 1..begin + at, text));
        }
    }
    let fragment = whole.find('#').map_or(range.end, |at| range.start + at);
    if let Some(at) = text[range.start..fragment].find('?') {
        parameters(text, range.start + at + 1, fragment, found);
    }
    if fragment < range.end {
        parameters(text, fragment + 1, range.end, found);
    }
}

/// The secrets of a cookie list, or of the first part of a `Set-Cookie`.
fn cookies(text: &str, range: Range<usize>, only_first: bool, found: &mut Vec<Range<usize>>) {
    let mut at = range.start;
    for part in text[range]
        .split(';')
        .take(if only_first { 1 } else { usize::MAX })
    {
        if let Some(equals) = part.find('=') {
            found.push(hidden(at + equals + 1..at + part.len(), text));
        }
        at += part.len() + 1;
    }
}

/// The secrets in the value of a field.
fn field(name: &str, text: &str, value: Range<usize>, found: &mut Vec<Range<usize>>) {
    if name.eq_ignore_ascii_case("location") || name.eq_ignore_ascii_case("referer") {
        url(text, value, found);
    } else if name.eq_ignore_ascii_case("cookie") {
        cookies(text, value, false, found);
    } else if name.eq_ignore_ascii_case("set-cookie") {
        cookies(text, value, true, found);
    } else if is_credential_field(name) {
        // The scheme (`Bearer`) is not secret.
        let scheme = name
            .to_ascii_lowercase()
            .ends_with("authorization")
            .then(|| text[value.clone()].find(' '));
        let begin = scheme
            .flatten()
            .map_or(value.start, |space| value.start + space + 1);
        found.push(hidden(begin..value.end, text));
    }
}

/// Masks the ranges, and returns their number.
fn cover(text: &mut String, found: Vec<Range<usize>>) -> u32 {
    if found.is_empty() {
        return 0;
    }
    let mut bytes = std::mem::take(text).into_bytes();
    let count = mask(&mut bytes, found);
    *text = String::from_utf8_lossy(&bytes).into_owned();
    count
}

/// A URL with its secrets masked.
fn cover_url(text: &mut String) -> u32 {
    let mut found = Vec::new();
    url(text, 0..text.len(), &mut found);
    cover(text, found)
}

impl HttpFields {
    fn mask(&mut self, redactor: &Redactor) -> u32 {
        let mut found = Vec::new();
        let mut at = 0;
        for line in self.0.split_inclusive('\n') {
            if let Some(colon) = line.find(": ") {
                let end = at + line.trim_end_matches('\n').len();
                field(&line[..colon], &self.0, at + colon + 2..end, &mut found);
            }
            at += line.len();
        }
        cover(&mut self.0, found) + redactor.text(&mut self.0)
    }
}

impl HttpHead {
    /// Masks all its secrets, and returns their number.
    pub(crate) fn mask(&mut self, redactor: &Redactor) -> u32 {
        let mut count = cover_url(&mut self.url) + redactor.text(&mut self.url);
        count += self.fields.mask(redactor);
        if let Some(body) = &mut self.body {
            let form = self
                .fields
                .get("content-type")
                .is_some_and(|kind| kind.starts_with("application/x-www-form-urlencoded"));
            if form {
                let mut found = Vec::new();
                parameters(body, 0, body.len(), &mut found);
                count += cover(body, found);
            }
            count += redactor.text(body);
        }
        count
    }
}

impl HttpStage {
    /// Masks all its secrets, and returns their number.
    pub(crate) fn mask(&mut self, redactor: &Redactor) -> u32 {
        match self {
            Self::Sent(head) => head.mask(redactor),
            Self::Head { reason, fields, .. } => {
                let in_reason = match reason {
                    Cow::Owned(reason) => redactor.text(reason),
                    Cow::Borrowed(_) => 0,
                };
                in_reason + fields.mask(redactor)
            }
            Self::SseId { id: text, .. } | Self::SseComment { text } | Self::Failed { cause: text, .. } => {
                redactor.text(text)
            }
            Self::Redirect { to, why, .. } => cover_url(to) + redactor.text(to) + redactor.text(why),
            Self::Timing(timing) => timing.tls.as_mut().map_or(0, |tls| {
                redactor.text(&mut tls.subject) + redactor.text(&mut tls.issuer)
            }),
            Self::SseRetry { .. } | Self::End { .. } | Self::Aborted { .. } => 0,
        }
    }

    /// Its approximate size in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Sent(head) => head.fields.0.len() + head.url.len(),
            Self::Head { fields, .. } => fields.0.len(),
            Self::SseId { id: text, .. } | Self::SseComment { text } => text.len(),
            _ => 0,
        }
    }
}
