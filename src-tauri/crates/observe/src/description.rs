//! The types that describe a record: its kind, its status, its description, the answer that completes it.

use std::borrow::Cow;

use patchbay_protocol::{Violation, limits, message::Message, views::LogLevel};

/// A record's number: strictly increasing in the order in which records were queued, over all runs.
pub type Seq = u64;

/// The number of an operation: everything that one action of a user or of a model caused. Unique in a store, over all runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperationId(pub u64);

/// Declares an enum whose variants have a number that never changes its meaning: it is what a store keeps.
#[macro_export]
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $code:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant = $code,)+ }

        impl $name {
            /// All of them, in the order of their codes.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The code in a store. Never changes its meaning.
            #[must_use]
            pub fn code(self) -> i64 {
                self as i64
            }

            /// The variant with this code in a store, if there is one.
            #[must_use]
            pub fn from_code(code: i64) -> Option<Self> {
                match code { $($code => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

codes! {
    /// The kind of a record.
    Kind {
        /// A JSON-RPC request.
        Request = 0,
        /// A JSON-RPC notification.
        Notification = 1,
        /// A JSON-RPC response.
        Response = 2,
        /// A frame of several messages. Each of its members has a record too.
        Batch = 3,
        /// A frame that is not a JSON-RPC message, or that has not been described yet.
        Invalid = 4,
        /// A line of the server's stderr.
        Stderr = 5,
        /// A change in the state of the connection.
        Lifecycle = 6,
        /// A count of stderr lines that were skipped.
        Gap = 7,
        /// An HTTP exchange. Each message it carried has a record too.
        Http = 8,
    }
}

impl Kind {
    /// The kind of a message.
    #[must_use]
    pub fn of(message: &Message<'_>) -> Self {
        match message {
            Message::Request { .. } => Self::Request,
            Message::Notification { .. } => Self::Notification,
            Message::Response { .. } => Self::Response,
            Message::Invalid { .. } => Self::Invalid,
        }
    }
}

codes! {
    /// The outcome of a request or of a response.
    Status {
        /// The request is pending.
        Pending = 0,
        /// A result.
        Ok = 1,
        /// A JSON-RPC error.
        Error = 2,
        /// A tool result with `isError`.
        ToolError = 3,
        /// Cancelled before a response.
        Cancelled = 4,
        /// Timed out.
        TimedOut = 5,
        /// The connection ended before a response.
        Lost = 6,
    }
}

codes! {
    /// What a record says as a line of the server's log: the severity of a log message (RFC 5424), or where else it is from.
    LogClass {
        /// `debug`.
        Debug = 0,
        /// `info`.
        Info = 1,
        /// `notice`.
        Notice = 2,
        /// `warning`.
        Warning = 3,
        /// `error`.
        Error = 4,
        /// `critical`.
        Critical = 5,
        /// `alert`.
        Alert = 6,
        /// `emergency`.
        Emergency = 7,
        /// A log message whose level is missing or is none of the eight.
        Unknown = 8,
        /// A line of stderr.
        Stderr = 9,
        /// A count of stderr lines that were skipped.
        Gap = 10,
    }
}

impl LogClass {
    /// The class of a log message with this level.
    #[must_use]
    pub fn of(level: Option<LogLevel>) -> Self {
        match level {
            Some(LogLevel::Debug) => Self::Debug,
            Some(LogLevel::Info) => Self::Info,
            Some(LogLevel::Notice) => Self::Notice,
            Some(LogLevel::Warning) => Self::Warning,
            Some(LogLevel::Error) => Self::Error,
            Some(LogLevel::Critical) => Self::Critical,
            Some(LogLevel::Alert) => Self::Alert,
            Some(LogLevel::Emergency) => Self::Emergency,
            None => Self::Unknown,
        }
    }

    /// The class of records of a kind that are log lines without a description.
    #[must_use]
    pub fn of_kind(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Stderr => Some(Self::Stderr),
            Kind::Gap => Some(Self::Gap),
            _ => None,
        }
    }
}

/// The decoder's results for a record. A second description of the same record replaces the values it has, and adds its
/// violations.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// The kind.
    pub kind: Kind,
    /// The method; for a response, the method of its request.
    pub method: Option<Cow<'static, str>>,
    /// The JSON-RPC id as JSON text.
    pub rpc_id: Option<String>,
    /// A one-line summary, at most 300 characters.
    pub summary: Option<String>,
    /// The outcome. `Pending` never replaces an earlier answer.
    pub status: Option<Status>,
    /// The record of the request or response it is paired with.
    pub pair: Option<Seq>,
    /// From request to response, in nanoseconds.
    pub latency_ns: Option<u64>,
    /// The violations.
    pub violations: Vec<Violation>,
    /// The request it belongs to (for progress, a cancellation, a log message of a call).
    pub related_to: Option<Seq>,
    /// The called tool, also for the response.
    pub tool: Option<String>,
    /// The severity of a log message.
    pub log: Option<LogClass>,
    /// The logger of a log message, at most 300 characters on one line.
    pub logger: Option<String>,
    /// The operation it belongs to. For a message it follows from the request, if only pairing can determine it.
    pub operation: Option<OperationId>,
}

impl Description {
    /// A description with only a kind.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            method: None,
            rpc_id: None,
            summary: None,
            status: None,
            pair: None,
            latency_ns: None,
            violations: Vec::new(),
            related_to: None,
            tool: None,
            log: None,
            logger: None,
            operation: None,
        }
    }
}

impl Description {
    /// Shortens the texts of a peer: each of them is in the record itself.
    pub(crate) fn shortened(&mut self) -> &mut Self {
        if let Some(Cow::Owned(method)) = &mut self.method {
            limits::shorten(method);
        }
        if let Some(id) = &mut self.rpc_id {
            limits::shorten(id);
        }
        for violation in &mut self.violations {
            limits::shorten(&mut violation.message);
            if let Some(pointer) = &mut violation.pointer {
                limits::shorten(pointer);
            }
        }
        self
    }
}

/// The completion of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The response, if there is one.
    pub response: Option<Seq>,
    /// The outcome.
    pub status: Status,
    /// From the request to its end, in nanoseconds.
    pub latency_ns: Option<u64>,
}
