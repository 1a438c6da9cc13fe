//! The `_meta` members of every modern request, and the interpretation of a probe's response.

use crate::limits::MEMBERS;
use crate::message::{Outcome, RpcError};
use crate::{RequestId, error_codes, json};

/// The revision of a request.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The client's capabilities, in a request.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The client's identity, in a request.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// The minimum log level that a request asks for; without it there are no log messages.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// The server's identity, in a result.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The `subscriptions/listen` request that a notification belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The token for progress notifications.
pub const PROGRESS_TOKEN: &str = "progressToken";

/// The members of a modern request, as JSON texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestMeta {
    /// The revision, which need not be one that is known.
    pub revision: String,
    /// JSON text of the client's capabilities.
    pub client_capabilities: String,
    /// JSON text of the client's `Implementation`.
    pub client_info: Option<String>,
    /// One of the eight levels; none for no log messages.
    pub log_level: Option<String>,
}

impl RequestMeta {
    /// The members in the form of [`json::with_meta`] (values are JSON texts).
    #[must_use]
    pub fn members(&self) -> Vec<(&'static str, String)> {
        let mut members = vec![(PROTOCOL_VERSION, json::quote(&self.revision))];
        if let Some(info) = &self.client_info {
            members.push((CLIENT_INFO, info.clone()));
        }
        members.push((CLIENT_CAPABILITIES, self.client_capabilities.clone()));
        if let Some(level) = &self.log_level {
            members.push((LOG_LEVEL, json::quote(level)));
        }
        members
    }
}

/// What the response to a `server/discover` probe says about the server's era (wire.md, "Era detection").
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProbeVerdict {
    /// A discover result: modern, these versions.
    Modern {
        /// `supportedVersions`.
        versions: Vec<String>,
    },
    /// A modern server that rejects this revision: retry with one of these.
    ModernOther {
        /// `data.supported` of error -32022.
        versions: Vec<String>,
    },
    /// Modern, but it rejected the request for another reason (-32020, -32021).
    ModernRefused {
        /// Its error code.
        code: i64,
    },
    /// Anything else: legacy, start with `initialize`.
    Legacy {
        /// The reason, in a sentence.
        reason: String,
    },
}

/// Interprets the response to a probe. An error code alone is not enough: -32022 counts only with the versions it must
/// carry.
#[must_use]
pub fn probe_verdict(outcome: &Outcome<'_>) -> ProbeVerdict {
    match outcome {
        Outcome::Result(result) => {
            let versions = json::Object::parse(result)
                .ok()
                .and_then(|object| object.get("supportedVersions"))
                .and_then(strings);
            match versions {
                Some(versions) => ProbeVerdict::Modern { versions },
                None => ProbeVerdict::Legacy {
                    reason: "its result is not a discover result".to_owned(),
                },
            }
        }
        Outcome::Error(error) => error_verdict(error),
    }
}

fn error_verdict(error: &RpcError<'_>) -> ProbeVerdict {
    let data = error.data.and_then(|data| json::Object::parse(data).ok());
    match (error.code, data) {
        (Some(error_codes::UNSUPPORTED_PROTOCOL_VERSION), Some(data)) => {
            match data.get("supported").and_then(strings) {
                Some(versions) => ProbeVerdict::ModernOther { versions },
                None => legacy(error),
            }
        }
        (Some(code @ error_codes::MISSING_CLIENT_CAPABILITY), Some(data))
            if data.get("requiredCapabilities").is_some() =>
        {
            ProbeVerdict::ModernRefused { code }
        }
        (Some(code @ error_codes::HEADER_MISMATCH), _) => ProbeVerdict::ModernRefused { code },
        _ => legacy(error),
    }
}

fn legacy(error: &RpcError<'_>) -> ProbeVerdict {
    let code = if error.code_text.is_empty() {
        "no code"
    } else {
        &*error.code_text
    };
    ProbeVerdict::Legacy {
        reason: format!("it answered server/discover with error {code}: {}", error.message),
    }
}

/// An array of strings; other elements are skipped.
fn strings(text: &str) -> Option<Vec<String>> {
    let (elements, _) = json::array_within(text, MEMBERS)?;
    Some(
        elements
            .into_iter()
            .filter_map(|text| json::string(text).map(std::borrow::Cow::into_owned))
            .collect(),
    )
}

/// A member of `params._meta`, raw.
#[must_use]
pub fn member<'a>(params: Option<&'a str>, name: &str) -> Option<&'a str> {
    let params = params?;
    // Most messages have none: avoid parsing all of them.
    memchr::memmem::find(params.as_bytes(), b"\"_meta\"")?;
    json::member(json::member(params, "_meta")?, name)
}

/// The params of a request without the members of `_meta` that a client adds to every request: what is left is what
/// somebody wrote, byte for byte. None if nothing is left of them.
#[must_use]
pub fn without_client_members(params: &str) -> Option<String> {
    let added = |name: &str| {
        matches!(
            name,
            PROGRESS_TOKEN | PROTOCOL_VERSION | CLIENT_CAPABILITIES | CLIENT_INFO | LOG_LEVEL
        )
    };
    let Ok(object) = json::Object::parse(params) else {
        return Some(params.to_owned());
    };
    let Some(Ok(meta)) = object.get("_meta").map(json::Object::parse) else {
        return Some(params.to_owned());
    };
    if !meta.iter().any(|(name, _)| added(name)) {
        return Some(params.to_owned());
    }
    let kept: Vec<String> = meta
        .members()
        .iter()
        .filter(|member| !added(&member.name))
        .map(|member| format!("{}:{}", member.name_text, member.value))
        .collect();
    let members: Vec<String> = object
        .members()
        .iter()
        .filter_map(|member| match member.name.as_ref() {
            "_meta" if kept.is_empty() => None,
            "_meta" => Some(format!("\"_meta\":{{{}}}", kept.join(","))),
            _ => Some(format!("{}:{}", member.name_text, member.value)),
        })
        .collect();
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
}

/// The progress token of a request.
#[must_use]
pub fn progress_token(params: Option<&str>) -> Option<RequestId> {
    member(params, PROGRESS_TOKEN).map(RequestId::parse)
}

/// The subscription of a notification.
#[must_use]
pub fn subscription_id(params: Option<&str>) -> Option<RequestId> {
    member(params, SUBSCRIPTION_ID).map(RequestId::parse)
}

#[cfg(test)]
mod tests;
