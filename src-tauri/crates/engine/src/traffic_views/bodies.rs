//! Bodies: bytes fetched by id. An id describes a view of a record completely, so nothing is stored:
//!
//! | id | what |
//! |---|---|
//! | `f:SEQ` | the record's bytes |
//! | `t:SEQ:A-B` | bytes A to B of it, as they stand |
//! | `s:SEQ:A-B` | the JSON string there, decoded |
//! | `b:SEQ:A-B` | the base64 in the JSON string there, decoded |
//! | `p:SEQ:A-B` | the JSON there, re-indented |
//! | `ps:SEQ:A-B` | the JSON in the JSON string there, re-indented |
//!
//! Masking preserves lengths, so spans of the live frame are valid in the recorded one.

use std::{borrow::Cow, fmt, ops::Range, str::FromStr, time::Duration};

use base64::{
    Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use bytes::Bytes;
use patchbay_contract::{BodyId, CommandError, ErrorCode, TextBody};
use patchbay_protocol::json;
use patchbay_traffic::{Seq, Store, problem_words};

use crate::dispatch::error::{blocking, fail, fail_with};

/// Texts up to this many bytes are sent inline.
pub(crate) const INLINE: usize = 64 * 1024;

/// How long to wait for a record that has a number but is not written yet.
const PATIENCE: Duration = Duration::from_secs(5);

/// Base64 with or without padding.
pub(crate) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// A view of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) seq: Seq,
    /// None: the whole record.
    pub(crate) span: Option<Range<usize>>,
    pub(crate) form: Form,
}

/// How the bytes are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Bytes,
    Text,
    Base64,
    Pretty,
    PrettyText,
}

impl View {
    /// The whole record.
    pub(crate) fn frame(seq: Seq) -> Self {
        Self {
            seq,
            span: None,
            form: Form::Bytes,
        }
    }

    /// A part of the record, converted.
    pub(crate) fn part(seq: Seq, span: Range<usize>, form: Form) -> Self {
        Self {
            seq,
            span: Some(span),
            form,
        }
    }

    pub(crate) fn id(&self) -> BodyId {
        BodyId(self.to_string())
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = match self.form {
            Form::Bytes if self.span.is_none() => "f",
            Form::Bytes => "t",
            Form::Text => "s",
            Form::Base64 => "b",
            Form::Pretty => "p",
            Form::PrettyText => "ps",
        };
        write!(f, "{form}:{}", self.seq)?;
        match &self.span {
            Some(span) => write!(f, ":{}-{}", span.start, span.end),
            None => Ok(()),
        }
    }
}

impl FromStr for View {
    type Err = ();

    fn from_str(id: &str) -> Result<Self, ()> {
        let mut parts = id.split(':');
        let form = parts.next().ok_or(())?;
        let seq = parts.next().and_then(|seq| seq.parse().ok()).ok_or(())?;
        let span = match parts
            .next()
            .map(|span| span.split_once('-').ok_or(()))
            .transpose()?
        {
            Some((start, end)) => {
                Some(start.parse::<usize>().map_err(|_| ())?..end.parse::<usize>().map_err(|_| ())?)
            }
            None => None,
        };
        let form = match (form, span.is_some()) {
            ("f", false) | ("t", true) => Form::Bytes,
            ("s", true) => Form::Text,
            ("b", true) => Form::Base64,
            ("p", _) => Form::Pretty,
            ("ps", true) => Form::PrettyText,
            _ => return Err(()),
        };
        match parts.next() {
            None => Ok(Self { seq, span, form }),
            Some(_) => Err(()),
        }
    }
}

/// Reads the bytes of a view.
pub(crate) async fn pull(store: &Store, id: &BodyId) -> Result<Bytes, CommandError> {
    let unknown = || {
        fail(
            ErrorCode::NotFound,
            format!("There is no body `{id}`; its record may have been cleared."),
        )
    };
    let view: View = id.0.parse().map_err(|()| unknown())?;
    let frame = record_bytes(store, view.seq).await?.ok_or_else(unknown)?;
    part(view, frame).await?.ok_or_else(unknown)
}

/// The bytes of a view of `frame`; none if it has no such part.
pub(crate) async fn part(view: View, frame: Bytes) -> Result<Option<Bytes>, CommandError> {
    let bytes = match &view.span {
        None => frame,
        Some(span) if span.start <= span.end && span.end <= frame.len() => frame.slice(span.clone()),
        Some(_) => return Ok(None),
    };
    if view.form == Form::Bytes {
        return Ok(Some(bytes));
    }
    let shaped = blocking("A body could not be made ready.", move || {
        shape(&bytes, view.form)
    });
    shaped.await?.map(Some)
}

/// A record's bytes. Waits for a record that has a number but is not written yet.
pub(crate) async fn record_bytes(store: &Store, seq: Seq) -> Result<Option<Bytes>, CommandError> {
    if let Some(bytes) = store.body(seq).await.map_err(unreadable)? {
        return Ok(Some(bytes));
    }
    written(store, seq).await?;
    store.body(seq).await.map_err(unreadable)
}

/// Waits for a record that has a number but is not written yet. `Storage` if it cannot be written at present.
pub(crate) async fn written(store: &Store, seq: Seq) -> Result<(), CommandError> {
    let waited = tokio::time::timeout(PATIENCE, store.flushed(seq)).await;
    match store.problem().borrow().as_deref() {
        Some(cause) if waited.is_err() => Err(fail(
            ErrorCode::Storage,
            format!("Record {seq} is not written yet. {}", problem_words(cause)),
        )),
        _ => Ok(()),
    }
}

pub(crate) fn unreadable(error: patchbay_traffic::StoreError) -> CommandError {
    fail_with(ErrorCode::Storage, "The traffic log could not be read.", error)
}

fn shape(bytes: &Bytes, form: Form) -> Result<Bytes, CommandError> {
    let text = String::from_utf8_lossy(bytes);
    let no_string = || {
        fail(
            ErrorCode::InvalidParams,
            "There is no JSON string at this place of the record.",
        )
    };
    Ok(match form {
        Form::Bytes => bytes.clone(),
        Form::Text => json::string(&text).ok_or_else(no_string)?.into_owned().into(),
        Form::Base64 => decode_base64(&json::string(&text).ok_or_else(no_string)?)?.into(),
        Form::Pretty => pretty(&text).into(),
        Form::PrettyText => pretty(&json::string(&text).ok_or_else(no_string)?).into(),
    })
}

pub(crate) fn pretty(text: &str) -> String {
    let mut out = String::new();
    json::pretty(text, &mut out);
    out
}

fn decode_base64(text: &str) -> Result<Vec<u8>, CommandError> {
    // Some servers wrap the lines.
    let text: Cow<'_, str> = match text.contains(char::is_whitespace) {
        true => text
            .chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
            .into(),
        false => text.into(),
    };
    BASE64.decode(text.as_bytes()).map_err(|error| {
        fail_with(
            ErrorCode::InvalidParams,
            "The data is not base64, so it cannot be shown.",
            error,
        )
    })
}

/// The decoded size of the base64 in a JSON string, without decoding it.
pub(crate) fn base64_size(quoted: &str) -> f64 {
    let digits = quoted
        .bytes()
        .filter(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_'))
        .count();
    (digits * 3 / 4) as f64
}

/// A part of a record that is JSON text.
pub(crate) fn json_body(seq: Seq, span: Range<usize>, text: &str) -> TextBody {
    TextBody {
        inline: (text.len() <= INLINE).then(|| text.to_owned()),
        body: View::part(seq, span.clone(), Form::Bytes).id(),
        size: text.len() as f64,
        pretty: Some(View::part(seq, span, Form::Pretty).id()),
    }
}

/// The text in a JSON string at a part of a record.
pub(crate) fn string_body(seq: Seq, span: Range<usize>, quoted: &str) -> TextBody {
    let text = json::string(quoted).unwrap_or_default();
    let is_json = matches!(json::kind(&text), json::Kind::Object | json::Kind::Array)
        && json::well_formed(&text).is_ok();
    TextBody {
        size: text.len() as f64,
        inline: (text.len() <= INLINE).then(|| text.into_owned()),
        body: View::part(seq, span.clone(), Form::Text).id(),
        pretty: is_json.then(|| View::part(seq, span, Form::PrettyText).id()),
    }
}

#[cfg(test)]
mod tests;
