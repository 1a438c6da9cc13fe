//! One request: its era, and the notifications that precede its response.

use std::collections::BTreeMap;
use std::sync::Arc;

use patchbay_protocol::json::{self, Object};
use patchbay_protocol::views::LogLevel;
use patchbay_protocol::{Era, RequestId, Revision, error_codes, message, meta, methods};

use crate::answer::{Failure, object, strings};
use crate::asking;
use crate::shared::Shared;

/// One request in progress.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) shared: Arc<Shared>,
    pub(crate) id: RequestId,
    pub(crate) revision: Revision,
    /// The minimum log level of this request (modern). None means no logs.
    level: Option<LogLevel>,
    token: Option<RequestId>,
    /// The client's declared capabilities: JSON text.
    pub(crate) capabilities: String,
    /// The client's earlier answers (modern): key and JSON text.
    pub(crate) answers: BTreeMap<String, String>,
}

impl Call {
    /// Determines the era of a request: a request with modern `_meta` is modern, any other one needs an `initialize` before
    /// it.
    pub(crate) fn new(
        shared: Arc<Shared>,
        id: RequestId,
        method: &str,
        params: Option<&str>,
    ) -> Result<Self, Failure> {
        let version = meta::member(params, meta::PROTOCOL_VERSION);
        let capabilities = meta::member(params, meta::CLIENT_CAPABILITIES);
        if version.is_none() && capabilities.is_none() && method != methods::SERVER_DISCOVER {
            return Self::legacy(shared, id, method, params);
        }
        let revision = modern_revision(version)?;
        let Some(capabilities) = capabilities.filter(|text| Object::parse(text).is_ok()) else {
            return Err(Failure::params(format!(
                "`_meta` has no object `{}`",
                meta::CLIENT_CAPABILITIES
            )));
        };
        let level = match meta::member(params, meta::LOG_LEVEL) {
            None => None,
            Some(text) => match json::string(text).as_deref().and_then(LogLevel::parse) {
                Some(level) => Some(level),
                None => return Err(Failure::params(format!("{text} is not a log level"))),
            },
        };
        Ok(Self {
            answers: asking::answers(&shared, params)?,
            capabilities: capabilities.to_owned(),
            shared,
            id,
            revision,
            level,
            token: meta::progress_token(params),
        })
    }

    fn legacy(
        shared: Arc<Shared>,
        id: RequestId,
        method: &str,
        params: Option<&str>,
    ) -> Result<Self, Failure> {
        let agreed = shared.state().legacy;
        let revision = match agreed {
            Some(revision) => revision,
            None if matches!(method, methods::INITIALIZE | methods::PING) => Revision::LATEST_LEGACY,
            None => {
                let message = "Send `initialize` first, or a 2026-07-28 request with its `_meta`";
                return Err(Failure::new(error_codes::INVALID_REQUEST, message));
            }
        };
        let capabilities = shared.state().client_capabilities.clone();
        Ok(Self {
            shared,
            id,
            revision,
            level: None,
            token: meta::progress_token(params),
            capabilities,
            answers: BTreeMap::new(),
        })
    }

    /// Whether it is modern.
    pub(crate) fn is_modern(&self) -> bool {
        self.revision.era() == Era::Modern
    }

    /// Sends a log message if the client wants this level. `data` is JSON text.
    pub(crate) async fn log(&self, level: LogLevel, logger: &str, data: &str) {
        let wanted = if self.is_modern() {
            self.level
        } else {
            Some(self.shared.state().level)
        };
        if wanted.is_some_and(|wanted| level >= wanted) {
            let params = object(&[
                ("level", json::quote(level.as_str())),
                ("logger", json::quote(logger)),
                ("data", data.to_owned()),
            ]);
            self.shared
                .send(message::notification(methods::MESSAGE, Some(&params)))
                .await;
        }
    }

    /// Sends a progress notification if the client set a token.
    pub(crate) async fn progress(&self, progress: u64, total: u64, text: &str) {
        let Some(token) = &self.token else { return };
        let mut members = vec![
            ("progressToken", token.to_json()),
            ("progress", progress.to_string()),
            ("total", total.to_string()),
        ];
        // `message` exists since 2025-03-26.
        if self.revision > Revision::V2024_11_05 {
            members.push(("message", json::quote(text)));
        }
        self.shared
            .send(message::notification(methods::PROGRESS, Some(&object(&members))))
            .await;
    }
}

/// The revision that a modern request names.
fn modern_revision(version: Option<&str>) -> Result<Revision, Failure> {
    let Some(version) = version.and_then(json::string) else {
        return Err(Failure::params(format!(
            "`_meta` has no `{}`",
            meta::PROTOCOL_VERSION
        )));
    };
    if let Some(revision) = Revision::parse(&version).filter(|revision| revision.era() == Era::Modern) {
        return Ok(revision);
    }
    let newest_first: Vec<&str> = Revision::ALL
        .iter()
        .rev()
        .map(|revision| revision.as_str())
        .collect();
    let data = object(&[
        ("supported", strings(&newest_first)),
        ("requested", json::quote(&version)),
    ]);
    let message = "Unsupported protocol version";
    Err(Failure::new(error_codes::UNSUPPORTED_PROTOCOL_VERSION, message).with_data(data))
}
