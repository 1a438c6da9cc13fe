//! The response to a request: the members of a result, or a JSON-RPC error. Written as JSON text, so that order and numbers
//! are preserved.

use patchbay_protocol::{Era, RequestId, Revision, error_codes, json, message, meta};

/// A result under construction.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    members: Vec<(&'static str, String)>,
    cacheable: bool,
    /// Whether it requests input instead of being complete (modern).
    asks: bool,
}

impl Answer {
    /// An empty result.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a member; `value` is JSON text.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.members.push((name, value.into()));
        self
    }

    /// Makes it request input.
    pub(crate) fn asking(mut self) -> Self {
        self.asks = true;
        self
    }

    /// Adds the caching hints that the modern era requires for lists and reads.
    pub(crate) fn cacheable(mut self) -> Self {
        self.cacheable = true;
        self
    }

    /// The result's JSON text in a revision.
    pub(crate) fn to_json(&self, revision: Revision) -> String {
        let modern = revision.era() == Era::Modern;
        let mut members: Vec<(&str, String)> = Vec::with_capacity(self.members.len() + 4);
        if modern {
            let kind = if self.asks { "input_required" } else { "complete" };
            members.push(("resultType", json::quote(kind)));
        }
        members.extend(self.members.iter().map(|(name, value)| (*name, value.clone())));
        if modern {
            if self.cacheable {
                // Nothing here is constant for long: tools are added and removed.
                members.push(("ttlMs", "0".to_owned()));
                members.push(("cacheScope", "\"public\"".to_owned()));
            }
            members.push(("_meta", object(&[(meta::SERVER_INFO, server_info())])));
        }
        object(&members)
    }
}

/// A JSON-RPC error.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: i64,
    pub(crate) message: String,
    /// JSON text.
    pub(crate) data: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    pub(crate) fn params(message: impl Into<String>) -> Self {
        Self::new(error_codes::INVALID_PARAMS, message)
    }

    pub(crate) fn with_data(mut self, data: impl Into<String>) -> Self {
        self.data = Some(data.into());
        self
    }
}

/// Our `Implementation`.
pub(crate) fn server_info() -> String {
    object(&[
        ("name", json::quote("patchbay-demo")),
        ("title", json::quote("Patchbay demo server")),
        ("version", json::quote(env!("CARGO_PKG_VERSION"))),
    ])
}

/// The line that answers a request.
pub(crate) fn response(id: &RequestId, revision: Revision, answer: Result<Answer, Failure>) -> String {
    match answer {
        Ok(answer) => message::response_result(id, &answer.to_json(revision)),
        Err(failure) => {
            message::response_error(Some(id), failure.code, &failure.message, failure.data.as_deref())
        }
    }
}

/// A JSON object of JSON texts.
pub(crate) fn object<S: AsRef<str>>(members: &[(&str, S)]) -> String {
    let room: usize = members
        .iter()
        .map(|(name, value)| name.len() + value.as_ref().len() + 4)
        .sum();
    let mut out = String::with_capacity(room + 2);
    out.push('{');
    for (index, (name, value)) in members.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        json::push_quoted(name, &mut out);
        out.push(':');
        out.push_str(value.as_ref());
    }
    out.push('}');
    out
}

/// A JSON array of JSON texts.
pub(crate) fn array<S: AsRef<str>>(elements: &[S]) -> String {
    let texts: Vec<&str> = elements.iter().map(AsRef::as_ref).collect();
    format!("[{}]", texts.join(","))
}

/// A JSON array of strings.
pub(crate) fn strings<S: AsRef<str>>(texts: &[S]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| json::quote(text.as_ref())).collect();
    array(&quoted)
}
