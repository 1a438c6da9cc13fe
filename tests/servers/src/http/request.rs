//! A received request.

use std::io::BufRead;

use super::form::Form;
use crate::wire::Incoming;

/// A request: its head and body, and the JSON-RPC message in it.
#[derive(Debug, Clone)]
pub struct Request {
    /// `GET`, `POST` and so on.
    pub method: String,
    /// Path and query.
    pub path: String,
    headers: Vec<(String, String)>,
    /// The body, as text.
    pub body: String,
    /// The message; an empty one if there is none in the body.
    pub(crate) message: Incoming,
}

impl Request {
    /// Reads the next request; none when the connection has ended.
    pub(crate) fn read(incoming: &mut impl BufRead) -> Option<Self> {
        let mut first = String::new();
        incoming.read_line(&mut first).ok().filter(|read| *read > 0)?;
        let mut words = first.split_whitespace();
        let (method, path) = (words.next()?.to_owned(), origin_form(words.next()?).to_owned());
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            incoming.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else {
                break;
            };
            headers.push((name.to_lowercase(), value.trim().to_owned()));
        }
        let mut request = Self {
            method,
            path,
            headers,
            body: String::new(),
            message: Incoming::default(),
        };
        let length = request
            .header("content-length")
            .and_then(|length| length.parse().ok())
            .unwrap_or(0);
        let mut body = vec![0; length];
        incoming.read_exact(&mut body).ok()?;
        request.message = serde_json::from_slice(&body).unwrap_or_default();
        request.body = String::from_utf8_lossy(&body).into_owned();
        Some(request)
    }

    /// A header's value; `name` is in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The fields of the query.
    #[must_use]
    pub fn query(&self) -> Form {
        Form::read(self.target().1)
    }

    /// The fields of a form in the body.
    #[must_use]
    pub fn form(&self) -> Form {
        Form::read(&self.body)
    }

    /// The body as JSON; null if it is not JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// Path and query.
    #[must_use]
    pub fn target(&self) -> (&str, &str) {
        self.path.split_once('?').unwrap_or((&self.path, ""))
    }

    /// Whether the message needs no response.
    pub(crate) fn is_notification(&self) -> bool {
        self.message.id.is_none()
    }

    /// A short form: `POST tools/call`, `GET`, `DELETE session-1`.
    pub(crate) fn in_words(&self) -> String {
        let mut words = format!("{} {}", self.method, self.message.method);
        if let Some(session) = self.header("mcp-session-id") {
            words = format!("{} [{session}]", words.trim_end());
        }
        if let Some(last) = self.header("last-event-id") {
            words = format!("{words} after {last}");
        }
        words
    }
}

/// The path of a target; a proxy receives it with scheme and host (RFC 9112 §3.2.2).
fn origin_form(target: &str) -> &str {
    let behind_scheme = target.strip_prefix("http://");
    let path = behind_scheme.and_then(|rest| rest.find('/').map(|at| &rest[at..]));
    path.unwrap_or(target)
}
