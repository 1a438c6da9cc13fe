//! Effects, which come from outside.

use std::time::SystemTime;

use futures_util::future::BoxFuture;
use patchbay_http::{Client, Url};
use patchbay_secret::Secret;
use patchbay_traffic::{ConnectionRef, Recorder};

use crate::RunEvent;

/// How requests go out. Every exchange is recorded.
#[derive(Clone)]
pub struct Wire {
    /// The client: proxy and certificates as for the server itself.
    pub http: Client,
    /// The connection in whose name it is recorded.
    pub connection: ConnectionRef,
    /// Is told every secret before it is recorded.
    pub recorder: Recorder,
}

/// Effects: the clock, randomness, the network, the browser, the user.
pub trait Host: Send + Sync {
    /// The time.
    fn now(&self) -> SystemTime;

    /// Fills the buffer with random bytes that nobody can guess.
    ///
    /// # Errors
    /// The system has none: the cause.
    fn random(&self, buffer: &mut [u8]) -> Result<(), String>;

    /// How the requests of a run go out; asked at its beginning.
    ///
    /// # Errors
    /// A setting cannot be used: the cause.
    fn wire(&self) -> Result<Wire, String>;

    /// From now on these are masked in all that is recorded: told whenever kept tokens are read, outside of a run too.
    fn redact(&self, secrets: Vec<Secret>);

    /// Something happened in a run. Must not wait.
    fn report(&self, event: RunEvent);

    /// Shows the user this address in the browser.
    fn open_browser<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Opened>;

    /// Asks the user. `None`: the user cancelled, or nobody is there.
    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>>;
}

/// What became of an address to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened {
    /// A browser was asked to open it.
    Opened,
    /// It could not be opened, and why; the user may open it. The run keeps waiting.
    Shown(String),
    /// Nobody is there to open it, and why. The run fails.
    Nobody(String),
}

/// A question to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// The server trusts several authorization servers: which one? Their issuers, as the server wrote them.
    ChooseServer(Vec<String>),
    /// The authorization server takes only clients it knows: as whom?
    Client {
        /// The authorization server.
        issuer: String,
        /// What the client is to be registered with there: where the browser comes back to.
        redirect_uri: String,
    },
    /// A public server points into a private network: really?
    PrivateAddress {
        /// Whereto.
        url: Url,
        /// Why this is asked, in a sentence.
        why: String,
    },
}

/// The user's answer.
#[derive(Clone)]
pub enum Answer {
    /// This authorization server: one of the issuers in the question.
    Server(String),
    /// This client.
    Client {
        /// The client id.
        id: String,
        /// The client secret, if there is one.
        secret: Option<Secret>,
    },
    /// Go there, or do not.
    PrivateAddress {
        /// Whether to go there.
        allow: bool,
    },
}
