//! Lines in, bytes out.

use std::io::{BufRead as _, Write as _};

use serde::Deserialize;
use serde_json::value::RawValue;

/// A line from the client, as far as this server cares.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Incoming {
    /// Its id, as text: echoed as it stands.
    #[serde(default)]
    pub(crate) id: Option<Box<RawValue>>,
    #[serde(default)]
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) params: serde_json::Value,
}

impl Incoming {
    /// The id's text; `null` without one.
    pub(crate) fn id(&self) -> String {
        self.id
            .as_ref()
            .map_or_else(|| "null".to_owned(), |id| id.get().to_owned())
    }

    /// Whether a request is one of the modern era.
    pub(crate) fn is_modern(&self) -> bool {
        !self.params["_meta"]["io.modelcontextprotocol/protocolVersion"].is_null()
    }

    /// A number among a tool's arguments.
    pub(crate) fn number(&self, default: usize) -> usize {
        self.params["arguments"]["n"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(default)
    }

    /// The progress token's text, if the client gave one.
    pub(crate) fn token(&self) -> Option<String> {
        let token = &self.params["_meta"]["progressToken"];
        (!token.is_null()).then(|| token.to_string())
    }
}

/// Stdin and stdout. A client that is gone is the end of this process.
pub(crate) struct Wire {
    asked: usize,
}

impl Wire {
    pub(crate) fn new() -> Self {
        Self { asked: 0 }
    }

    /// The next message; none when stdin has ended. What is not a message is skipped.
    pub(crate) fn next(&mut self) -> Option<Incoming> {
        loop {
            let mut line = String::new();
            if std::io::stdin().lock().read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            if let Ok(incoming) = serde_json::from_str(&line) {
                return Some(incoming);
            }
        }
    }

    /// Bytes as they are, at once.
    pub(crate) fn raw(&mut self, bytes: impl AsRef<[u8]>) {
        let mut out = std::io::stdout().lock();
        if out.write_all(bytes.as_ref()).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    }

    /// A line.
    pub(crate) fn line(&mut self, text: &str) {
        self.raw(format!("{text}\n"));
    }

    /// A result.
    pub(crate) fn result(&mut self, id: &str, result: &str) {
        self.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#));
    }

    /// An error.
    pub(crate) fn error(&mut self, id: &str, code: i64, message: &str, data: Option<&str>) {
        let data = data.map(|data| format!(r#","data":{data}"#)).unwrap_or_default();
        self.line(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}"{data}}}}}"#
        ));
    }

    /// A notification.
    pub(crate) fn notify(&mut self, method: &str, params: &str) {
        self.line(&format!(
            r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#
        ));
    }

    /// A request, and the client's answer to it (what comes in between is dropped).
    pub(crate) fn ask(&mut self, method: &str, params: &str) -> String {
        self.asked += 1;
        let id = format!(r#""id":"ask-{}""#, self.asked);
        self.line(&format!(
            r#"{{"jsonrpc":"2.0",{id},"method":"{method}","params":{params}}}"#
        ));
        loop {
            let mut line = String::new();
            if std::io::stdin().lock().read_line(&mut line).unwrap_or(0) == 0 {
                std::process::exit(0);
            }
            if line.contains(&id) {
                return line.trim_end().to_owned();
            }
        }
    }
}
