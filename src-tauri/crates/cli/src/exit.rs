//! Exit codes, and Patchbay's own errors as text or JSON.

use std::{fmt::Display, process::ExitCode};

use patchbay_contract::{CommandError, ErrorCode, FailureItem};
use patchbay_engine::EngineError;
use serde::Serialize;

use crate::output;

/// Every exit code and its meaning, for help, manual and documentation. Of the signals, only 130 is in it.
pub const EXIT_CODES: &[(u8, &str)] = &[
    (0, "success"),
    (
        1,
        "invalid usage, or a file, stdout or the vault that Patchbay cannot use",
    ),
    (2, "could not connect"),
    (3, "JSON-RPC error; the error object is on stdout"),
    (4, "the tool reported an error (isError); its result is on stdout"),
    (5, "timeout"),
    (
        6,
        "the server ended the request without a valid result, the model of a chat did not answer, or a checked recording contains errors",
    ),
    (7, "authorization required"),
    (
        8,
        "a changed tool definition was not accepted, so nothing was sent; or a chat reached its limit",
    ),
    (130, "interrupted"),
];

/// How a run ended. The numbers are a stable interface for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done.
    Ok,
    /// 1: invalid usage, or nothing could be started.
    Usage,
    /// 2: could not connect.
    NotConnected,
    /// 3: the server responded with a JSON-RPC error.
    RpcError,
    /// 4: the tool reported an error.
    ToolError,
    /// 5: timeout.
    TimedOut,
    /// 6: the server ended the request without a valid result.
    Invalid,
    /// 7: the server requires authorization.
    Unauthorized,
    /// 8: the definition of a tool changed and is not accepted; nothing was sent.
    DefinitionChanged,
    /// 8: a chat reached its limit of answers or tokens.
    Limit,
    /// 128 plus the signal's number.
    Signal(u8),
}

impl Exit {
    /// The exit code.
    fn number(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::Usage => 1,
            Self::NotConnected => 2,
            Self::RpcError => 3,
            Self::ToolError => 4,
            Self::TimedOut => 5,
            Self::Invalid => 6,
            Self::Unauthorized => 7,
            Self::DefinitionChanged | Self::Limit => 8,
            Self::Signal(number) => 128 + number,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}

/// An error of Patchbay itself, as `--json` writes it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Problem {
    code: &'static str,
    message: String,
    detail: Option<String>,
}

impl Problem {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            detail: None,
        }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new("usage", message)
    }

    pub(crate) fn internal(message: &str, cause: &dyn Display) -> Self {
        Self {
            detail: Some(cause.to_string()),
            ..Self::new("internal", message)
        }
    }

    /// What is said beside a result, but is not an error.
    pub(crate) fn notice(message: impl Into<String>) -> Self {
        Self::new("notice", message)
    }

    /// A connection that failed or was lost, and the exit code.
    pub(crate) fn failure(failure: FailureItem, unauthorized: bool) -> (Exit, Self) {
        let message = format!("{}: {} {}", failure.step, failure.cause, failure.next);
        let (exit, problem) = Self::unanswered(message, unauthorized);
        let detail = failure.detail;
        (exit, Self { detail, ..problem })
    }

    /// A request without a response, or one refused for lack of authorization, and the exit code.
    pub(crate) fn unanswered(message: String, unauthorized: bool) -> (Exit, Self) {
        match unauthorized {
            true => (
                Exit::Unauthorized,
                Self::new("authorizationRequired", message.trim_end()),
            ),
            false => (
                Exit::NotConnected,
                Self::new("connectionFailed", message.trim_end()),
            ),
        }
    }

    /// Whether this is its message.
    pub(crate) fn says(&self, message: &str) -> bool {
        self.message == message
    }

    /// Puts the server that it is about before the message.
    pub(crate) fn of(mut self, name: &str) -> Self {
        self.message = format!("{}: {}", output::visible(name), self.message);
        self
    }

    /// Appends a sentence to the message.
    pub(crate) fn and(mut self, words: &str) -> Self {
        self.message = format!("{} {words}", self.message);
        self
    }

    /// Sets the detail.
    pub(crate) fn with_detail(mut self, detail: &str) -> Self {
        self.detail = Some(detail.to_owned());
        self
    }

    /// Writes it to stderr and returns the exit code.
    pub(crate) fn tell(&self, exit: Exit, json: bool) -> ExitCode {
        self.say(json);
        exit.into()
    }

    /// Writes it to stderr.
    pub(crate) fn say(&self, json: bool) {
        match (json.then(|| serde_json::to_string(self)), &self.detail) {
            (Some(Ok(text)), _) => output::words(&text),
            (_, Some(detail)) => output::words(&format!("{}\n{detail}", self.message)),
            (_, None) => output::words(&self.message),
        }
    }
}

impl From<CommandError> for Problem {
    fn from(error: CommandError) -> Self {
        let code = match error.code {
            ErrorCode::InvalidParams => "invalidParams",
            ErrorCode::NotFound => "notFound",
            ErrorCode::NotConnected => "notConnected",
            ErrorCode::ConnectionFailed => "connectionFailed",
            ErrorCode::TimedOut => "timedOut",
            ErrorCode::Cancelled => "cancelled",
            ErrorCode::ServerError => "serverError",
            ErrorCode::Storage => "storage",
            ErrorCode::Locked => "locked",
            ErrorCode::VaultNeeded => "vaultNeeded",
            ErrorCode::DefinitionChanged => "definitionChanged",
            ErrorCode::Internal => "internal",
        };
        Self {
            code,
            message: error.message,
            detail: error.detail,
        }
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        CommandError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::{EXIT_CODES, Exit};

    #[test]
    fn every_way_to_end_is_in_the_table() {
        let numbers: Vec<u8> = [
            Exit::Ok,
            Exit::Usage,
            Exit::NotConnected,
            Exit::RpcError,
            Exit::ToolError,
            Exit::TimedOut,
            Exit::Invalid,
            Exit::Unauthorized,
            Exit::DefinitionChanged,
            // SIGINT.
            Exit::Signal(2),
        ]
        .map(Exit::number)
        .to_vec();
        let table: Vec<u8> = EXIT_CODES.iter().map(|(code, _)| *code).collect();
        assert_eq!(numbers, table);
    }
}
