//! The effects of a run, supplied from outside.

use std::time::SystemTime;

use futures_util::future::BoxFuture;
use patchbay_http::{Client, Url};
use patchbay_secret::Secret;
use patchbay_traffic::{ConnectionRef, Recorder};

use crate::RunEvent;

/// How requests are sent. Every exchange is recorded.
#[derive(Clone)]
pub struct Wire {
    /// The HTTP client, with the proxy and certificates of the server itself.
    pub http: Client,
    /// The connection that the exchanges belong to.
    pub connection: ConnectionRef,
    /// The recorder. It is given every secret before the secret is recorded.
    pub recorder: Recorder,
}

/// Effects: the clock, randomness, the network, the browser, the user.
pub trait Host: Send + Sync {
    /// The current time.
    fn now(&self) -> SystemTime;

    /// Fills the buffer with cryptographically secure random bytes.
    ///
    /// # Errors
    /// The system has none; the error is the cause.
    fn random(&self, buffer: &mut [u8]) -> Result<(), String>;

    /// How to send the requests of a run. Called once when it begins.
    ///
    /// # Errors
    /// A setting cannot be used; the error is the cause.
    fn wire(&self) -> Result<Wire, String>;

    /// Masks these values in everything recorded from now on. Called whenever stored tokens are loaded, also outside a run.
    fn redact(&self, secrets: Vec<Secret>);

    /// Reports an event of a run. Must not block.
    fn report(&self, event: RunEvent);

    /// Opens this address in the browser.
    fn open_browser<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Opened>;

    /// Asks the user. `None`: the user cancelled, or nobody is present. The question can be answered when this returns,
    /// before the future is polled; it is reported after that.
    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>>;
}

/// The result of opening an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// The browser was asked to open it.
    Opened,
    /// The user opens it, as the run shows it. The run keeps waiting.
    Shown,
    /// The browser could not be started, and why. The user may open the address; the run keeps waiting.
    Failed(String),
    /// Nobody can open it. The run fails.
    Nobody {
        /// The reason, as the end of a sentence that says what a browser is needed for.
        why: &'static str,
        /// What to do, in a sentence.
        next: &'static str,
    },
}

/// A question to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// The server trusts several authorization servers. Their issuers, as the server wrote them.
    ChooseServer(Vec<String>),
    /// The authorization server accepts registered clients only; the user enters one.
    Client {
        /// The authorization server.
        issuer: String,
        /// The redirect URI to register the client with.
        redirect_uri: String,
    },
    /// A public server refers to a private network, and the user must allow it.
    PrivateAddress {
        /// The address.
        url: Url,
        /// The reason for the question, in a sentence.
        why: String,
    },
}

/// The user's answer.
#[derive(Clone)]
pub enum Answer {
    /// The chosen authorization server: one of the issuers in the question.
    Server(String),
    /// The client.
    Client {
        /// The client id.
        id: String,
        /// The client secret, if there is one.
        secret: Option<Secret>,
    },
    /// Whether the private address may be requested.
    PrivateAddress {
        /// Whether it is allowed.
        allow: bool,
    },
}
