//! The content of notifications.

use std::borrow::Cow;

use super::reader::Reader;
use crate::{RequestId, Rule, Violation, methods};

/// The content of a notification, for the kinds that pairing, summaries and checks all need. Parsed once per message.
#[derive(Debug, Clone, PartialEq)]
pub enum NotificationView<'a> {
    /// `notifications/progress`.
    Progress(Progress<'a>),
    /// `notifications/cancelled`.
    Cancelled(Cancelled<'a>),
    /// `notifications/message`.
    Log(LogMessage<'a>),
    /// Any other notification.
    Other,
}

impl<'a> NotificationView<'a> {
    /// Parses the `params` of a notification.
    #[must_use]
    pub fn parse(method: &str, params: Option<&'a str>) -> Self {
        match method {
            methods::PROGRESS => Self::Progress(Progress::parse(params)),
            methods::CANCELLED => Self::Cancelled(Cancelled::parse(params)),
            methods::MESSAGE => Self::Log(LogMessage::parse(params)),
            _ => Self::Other,
        }
    }

    /// Its violations. Pointers are into `params`.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        match self {
            Self::Progress(view) => &view.violations,
            Self::Cancelled(view) => &view.violations,
            Self::Log(view) => &view.violations,
            Self::Other => &[],
        }
    }
}

/// `notifications/progress`.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress<'a> {
    /// The token of its request; none if missing.
    pub token: Option<RequestId>,
    /// The progress; NaN if missing.
    pub progress: f64,
    /// The total.
    pub total: Option<f64>,
    /// The message.
    pub message: Option<Cow<'a, str>>,
    /// Its violations. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Progress<'a> {
    /// Parses `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        let token = reader.raw("progressToken").map(RequestId::parse);
        if token.is_none() {
            reader.push(Rule::ProgressNoToken, "progressToken", "progress without a token");
        }
        reader.require("progress");
        Self {
            token,
            progress: reader.number("progress").unwrap_or(f64::NAN),
            total: reader.number("total"),
            message: reader.string("message"),
            violations: reader.violations,
        }
    }
}

/// `notifications/cancelled`.
#[derive(Debug, Clone, PartialEq)]
pub struct Cancelled<'a> {
    /// The cancelled request; none if missing.
    pub request_id: Option<RequestId>,
    /// The reason.
    pub reason: Option<Cow<'a, str>>,
    /// Its violations. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Cancelled<'a> {
    /// Parses `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.require("requestId");
        Self {
            request_id: reader.raw("requestId").map(RequestId::parse),
            reason: reader.string("reason"),
            violations: reader.violations,
        }
    }
}

/// The severity of a log message: the eight levels of syslog, lowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogLevel {
    /// Debugging information.
    Debug,
    /// Informational.
    Info,
    /// Normal but significant.
    Notice,
    /// Warning conditions.
    Warning,
    /// Error conditions.
    Error,
    /// Critical conditions.
    Critical,
    /// Action must be taken immediately.
    Alert,
    /// The system is unusable.
    Emergency,
}

impl LogLevel {
    /// All levels, lowest first.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The name on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// Parses the name on the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

/// `notifications/message`.
#[derive(Debug, Clone, PartialEq)]
pub struct LogMessage<'a> {
    /// The level; none if missing or unknown.
    pub level: Option<LogLevel>,
    /// The logger.
    pub logger: Option<Cow<'a, str>>,
    /// The data, raw; any JSON value.
    pub data: Option<&'a str>,
    /// Its violations. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> LogMessage<'a> {
    /// Parses `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.require("level");
        reader.require("data");
        let name = reader.string("level");
        let level = name.as_deref().and_then(LogLevel::parse);
        if let (Some(name), None) = (&name, level) {
            reader.push(
                Rule::LogLevel,
                "level",
                format!("{name:?} is not one of the eight levels"),
            );
        }
        Self {
            level,
            logger: reader.string("logger"),
            data: reader.raw("data"),
            violations: reader.violations,
        }
    }
}

/// `notifications/resources/updated`.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceUpdated<'a> {
    /// The resource; empty if missing.
    pub uri: Cow<'a, str>,
    /// Its violations. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> ResourceUpdated<'a> {
    /// Parses `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.require("uri");
        Self {
            uri: reader.string("uri").unwrap_or_default(),
            violations: reader.violations,
        }
    }
}

/// `notifications/subscriptions/acknowledged`.
#[derive(Debug, Clone, PartialEq)]
pub struct SubscriptionAcknowledged<'a> {
    /// The `subscriptions/listen` request it belongs to.
    pub subscription: Option<RequestId>,
    /// The granted filter, raw.
    pub granted: Option<&'a str>,
    /// Its violations. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> SubscriptionAcknowledged<'a> {
    /// Parses `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.require("notifications");
        let granted = reader.object("notifications");
        Self {
            subscription: crate::meta::subscription_id(params),
            granted,
            violations: reader.violations,
        }
    }
}

#[cfg(test)]
mod tests;
