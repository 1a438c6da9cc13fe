//! Input lines and output bytes.

use std::io::{BufRead as _, Write as _};

use serde::Deserialize;
use serde_json::value::RawValue;

/// A line from the client, as far as this server needs it.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Incoming {
    /// Its id as text, echoed verbatim.
    #[serde(default)]
    pub(crate) id: Option<Box<RawValue>>,
    #[serde(default)]
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) params: serde_json::Value,
}

impl Incoming {
    /// The text of the id; `null` without one.
    pub(crate) fn id(&self) -> String {
        self.id
            .as_ref()
            .map_or_else(|| "null".to_owned(), |id| id.get().to_owned())
    }

    /// Whether a request is modern.
    pub(crate) fn is_modern(&self) -> bool {
        !self.params["_meta"]["io.modelcontextprotocol/protocolVersion"].is_null()
    }

    /// A numeric argument of a tool.
    pub(crate) fn number(&self, default: usize) -> usize {
        self.params["arguments"]["n"]
            .as_u64()
            .and_then(|n| usize::try_from(n).ok())
            .unwrap_or(default)
    }

    /// The text of the progress token, if there is one.
    pub(crate) fn token(&self) -> Option<String> {
        let token = &self.params["_meta"]["progressToken"];
        (!token.is_null()).then(|| token.to_string())
    }
}

/// Stdin and stdout. The process exits when the client is gone.
pub(crate) struct Wire {
    asked: usize,
}

impl Wire {
    pub(crate) fn new() -> Self {
        Self { asked: 0 }
    }

    /// The next message; none when stdin has ended. Other lines are skipped.
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

    /// Answers the next ping of the client; returns the ids of the messages before it.
    pub(crate) fn until_pinged(&mut self) -> Vec<String> {
        let mut ids = Vec::new();
        while let Some(next) = self.next() {
            if next.method == "ping" {
                self.result(&next.id(), "{}");
                return ids;
            }
            ids.push(next.id());
        }
        std::process::exit(0);
    }

    /// Raw bytes, written at once.
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

    /// The next so many responses of the client, and those that come before its response to a ping.
    pub(crate) fn answers(&mut self, count: usize) -> Vec<String> {
        let mut answers = Vec::new();
        let mut line = String::new();
        while answers.len() < count {
            line.clear();
            if std::io::stdin().lock().read_line(&mut line).unwrap_or(0) == 0 {
                std::process::exit(0);
            }
            if line.contains("\"result\"") || line.contains("\"error\"") {
                answers.push(line.trim_end().to_owned());
            }
        }
        self.line(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
        loop {
            line.clear();
            if std::io::stdin().lock().read_line(&mut line).unwrap_or(0) == 0 {
                std::process::exit(0);
            }
            if line.contains(r#""id":"last""#) {
                return answers;
            }
            answers.push(line.trim_end().to_owned());
        }
    }

    /// Sends a request and returns the client's response (messages in between are dropped).
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
