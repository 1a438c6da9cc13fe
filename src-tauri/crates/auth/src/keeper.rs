//! The keeper of a server's credential: one for each server, for as long as the program runs.

use std::sync::Arc;

use patchbay_http::Url;

use crate::{Credential, Failure, Host, Keep, KeepError, Refusal, RunId, Settings, Step, Verdict, View};

/// Keeps a server's credential: renews it, and gets a new one when the server wants it. At most one run goes on at a time;
/// who needs its outcome meanwhile waits for it. Cheap to clone; the last one dropped ends the run. Lives in a tokio runtime.
#[derive(Clone)]
pub struct Keeper {
    inner: Arc<Inner>,
}

struct Inner {
    server: Url,
    _settings: Settings,
    _host: Arc<dyn Host>,
    _keep: Arc<dyn Keep>,
}

/// No run waits for what the user brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no authorization waits for the browser's answer")]
pub struct NothingWaits;

impl Keeper {
    /// For the server at this address.
    #[must_use]
    pub fn new(server: Url, settings: Settings, host: Arc<dyn Host>, keep: Arc<dyn Keep>) -> Self {
        Self {
            inner: Arc::new(Inner {
                server,
                _settings: settings,
                _host: host,
                _keep: keep,
            }),
        }
    }

    /// The server's address: the credential goes to its origin and nowhere else.
    #[must_use]
    pub fn server(&self) -> &Url {
        &self.inner.server
    }

    /// What the next request is to carry. A token that is about to expire is renewed first, if it can be without the user.
    /// `None`: the request goes without, and the server says what it wants.
    pub async fn credential(&self) -> Option<Credential> {
        std::future::ready(None).await
    }

    /// A request was refused. Gets a credential that may help, with the user if need be, and says whether there is one.
    /// Cancel-safe: a run goes on for others who wait for it.
    pub async fn refused(&self, refusal: Refusal) -> Verdict {
        let cause = format!("the server answered {}", refusal.status);
        std::future::ready(Verdict::GiveUp(Failure {
            step: Step::Challenge,
            cause,
            rule: None,
            exchange: refusal.exchange,
            next: String::new(),
            cancelled: false,
        }))
        .await
    }

    /// Begins a run because the user wants it, at a step (none: at the first), with these scopes (none: as the settings and
    /// the server say). One that goes on is cancelled. A step before which something is missing is taken from its beginning.
    pub fn start(&self, from: Option<Step>, scopes: Option<Vec<String>>) -> RunId {
        let _ = (from, scopes);
        RunId(0)
    }

    /// Brings the browser's answer where it could not reach this machine: the whole redirected address, `code#state`, or the
    /// code.
    ///
    /// # Errors
    /// No run waits for it.
    pub fn paste(&self, text: &str) -> Result<(), NothingWaits> {
        let _ = text;
        Err(NothingWaits)
    }

    /// Cancels the run that goes on, if one does.
    pub fn cancel(&self) {}

    /// Renews the token now: a run of its own.
    ///
    /// # Errors
    /// It cannot be renewed.
    pub async fn refresh(&self) -> Result<(), Failure> {
        std::future::ready(Ok(())).await
    }

    /// Makes the token expire now, here: to see what happens then.
    ///
    /// # Errors
    /// It cannot be kept.
    pub async fn expire(&self) -> Result<(), KeepError> {
        std::future::ready(Ok(())).await
    }

    /// Forgets the tokens and the registered client; with `revoke`, tells the authorization server first (a run of its own).
    /// They are forgotten here even if that fails.
    ///
    /// # Errors
    /// They could not be given back, or not be forgotten.
    pub async fn forget(&self, revoke: bool) -> Result<(), Failure> {
        let _ = revoke;
        std::future::ready(Ok(())).await
    }

    /// What may be seen.
    pub async fn view(&self) -> View {
        std::future::ready(View::default()).await
    }
}
