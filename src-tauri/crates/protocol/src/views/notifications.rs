//! What notifications say.

use std::borrow::Cow;

use super::reader::Reader;
use crate::{RequestId, Rule, Violation, methods};

/// What a notification says, for the kinds that pairing, summaries and checks all need. Parsed once per message.
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

    /// What is wrong with the notification itself. Pointers are into `params`.
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
    /// The token of the request it belongs to; none if missing.
    pub token: Option<RequestId>,
    /// How far it is; NaN if missing.
    pub progress: f64,
    /// Out of how much.
    pub total: Option<f64>,
    /// In words.
    pub message: Option<Cow<'a, str>>,
    /// What is wrong with it. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Progress<'a> {
    /// Reads `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        let token = reader.raw("progressToken").map(RequestId::parse);
        if token.is_none() {
            reader.push(Rule::ProgressNoToken, "progressToken", "progress without a token");
        }
        reader.demand("progress");
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
    /// The request that is no longer wanted; none if missing.
    pub request_id: Option<RequestId>,
    /// Why.
    pub reason: Option<Cow<'a, str>>,
    /// What is wrong with it. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> Cancelled<'a> {
    /// Reads `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.demand("requestId");
        Self {
            request_id: reader.raw("requestId").map(RequestId::parse),
            reason: reader.string("reason"),
            violations: reader.violations,
        }
    }
}

/// How bad a server finds what it logs: the eight levels of syslog, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LogLevel {
    /// For debugging.
    Debug,
    /// Good to know.
    Info,
    /// Normal but significant.
    Notice,
    /// May become a problem.
    Warning,
    /// Something failed.
    Error,
    /// A part failed.
    Critical,
    /// Act at once.
    Alert,
    /// Unusable.
    Emergency,
}

impl LogLevel {
    /// All, mildest first.
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

    /// As on the wire.
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

    /// From the wire.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

/// `notifications/message`.
#[derive(Debug, Clone, PartialEq)]
pub struct LogMessage<'a> {
    /// How bad; none if missing or none of the eight.
    pub level: Option<LogLevel>,
    /// Who logs.
    pub logger: Option<Cow<'a, str>>,
    /// What, raw; any JSON value.
    pub data: Option<&'a str>,
    /// What is wrong with it. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> LogMessage<'a> {
    /// Reads `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.demand("level");
        reader.demand("data");
        let name = reader.string("level");
        let level = name.as_deref().and_then(LogLevel::parse);
        if let (Some(name), None) = (&name, level) {
            reader.push(
                Rule::LogLevel,
                "level",
                format!("{name:?} is none of the eight levels"),
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
    /// Which one; empty if missing.
    pub uri: Cow<'a, str>,
    /// What is wrong with it. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> ResourceUpdated<'a> {
    /// Reads `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.demand("uri");
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
    /// What was granted, raw.
    pub granted: Option<&'a str>,
    /// What is wrong with it. Pointers are into `params`.
    pub violations: Vec<Violation>,
}

impl<'a> SubscriptionAcknowledged<'a> {
    /// Reads `params`.
    #[must_use]
    pub fn parse(params: Option<&'a str>) -> Self {
        let mut reader = Reader::new(params.unwrap_or("{}"));
        reader.demand("notifications");
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
