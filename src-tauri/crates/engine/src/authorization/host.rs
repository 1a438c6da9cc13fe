//! The effects of a server's authorization: clock, randomness, network, browser, user.

use std::{
    sync::{Arc, Weak},
    time::SystemTime,
};

use patchbay_auth::{Answer, Host, Opened, Question, RunEvent, Url, Wire};
use patchbay_contract::{RunCause, RunId, RunState, ServerId};
use patchbay_http::{Client, Settings};
use patchbay_secret::Secret;
use patchbay_traffic::{NewConnection, Recorder};
use patchbay_transport::BoxFuture;

use super::runs::{EndedRun, Runs};
use crate::{
    dispatch::app::links,
    engine::options::BrowserChoice,
    state::{Engine, EngineState},
};

/// The host that a server's provider acts through.
pub(super) struct ServerHost {
    pub(super) engine: Weak<EngineState>,
    pub(super) server: ServerId,
    pub(super) server_name: String,
    /// How to reach the server, and also its authorization server.
    pub(super) settings: Settings,
    pub(super) recorder: Recorder,
    pub(super) runs: Arc<Runs>,
    /// Distinguishes the runs of this provider from those of others.
    pub(super) series: String,
    pub(super) browser: BrowserChoice,
    /// Whether a user can see questions.
    pub(super) attended: bool,
}

impl ServerHost {
    /// Whether a run is under way because Patchbay connects by itself: nobody asked for it, so nobody is asked, and no browser
    /// opens. The user may begin another one meanwhile.
    fn is_automatic(&self) -> bool {
        let engine = self.engine.upgrade();
        engine.is_some_and(|state| state.automatic.is_connecting(&self.server))
            && !self.runs.is_of_user(&self.series)
    }

    /// The open connection, or a new one.
    fn connection(&self) -> patchbay_traffic::ConnectionRef {
        let live = self.engine.upgrade().and_then(|state| state.live(&self.server));
        let open = live.filter(|live| live.is_open());
        open.and_then(|live| live.status().connection).unwrap_or_else(|| {
            self.recorder.connection(NewConnection {
                server_id: self.server.0.clone(),
                server_name: self.server_name.clone(),
                origin: patchbay_traffic::Origin::Client,
            })
        })
    }

    fn ended(&self, run: EndedRun) {
        let Some(state) = self.engine.upgrade() else {
            return;
        };
        state.authorizations.save();
        if run.cause == RunCause::User && run.state == RunState::Done {
            let engine = Engine { state: state.clone() };
            state.tasks.spawn(reconnect(engine, self.server.clone()));
        }
    }
}

/// Reopens a connection that failed for lack of a token.
async fn reconnect(engine: Engine, server: ServerId) {
    let live = engine.state.live(&server);
    let wanted_one = live.is_some_and(|live| !live.is_open() && live.status().challenge.is_some());
    if wanted_one && let Err(error) = engine.open_connection(&server).await {
        tracing::info!(%error.message, "not connected after an authorization");
    }
}

impl Host for ServerHost {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), String> {
        getrandom::fill(buffer).map_err(|error| error.to_string())
    }

    fn wire(&self) -> Result<Wire, String> {
        let http = Client::new(self.settings.clone(), self.recorder.clone());
        Ok(Wire {
            http: http.map_err(|error| error.to_string())?,
            connection: self.connection(),
            recorder: self.recorder.clone(),
        })
    }

    fn redact(&self, secrets: Vec<Secret>) {
        self.recorder.redact(secrets);
    }

    fn report(&self, event: RunEvent) {
        let id = run_id(&self.series, event.run);
        if let Some(run) = self.runs.record(id, event) {
            self.ended(run);
        }
    }

    fn open_browser<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Opened> {
        Box::pin(async move {
            if self.is_automatic() {
                return Opened::Nobody {
                    why: "Patchbay connects by itself, which opens none",
                    next: "Connect, or authorize here.",
                };
            }
            match self.browser {
                BrowserChoice::System if self.attended && !self.runs.succeeded_at(url) => {
                    self.runs.await_open();
                    Opened::Shown
                }
                BrowserChoice::System => match links::open_page(url.to_string()).await {
                    Ok(()) => Opened::Opened,
                    Err(error) => Opened::Failed(error.detail.unwrap_or(error.message)),
                },
                BrowserChoice::Shown => Opened::Shown,
                BrowserChoice::Nobody => Opened::Nobody {
                    why: "none is available: opening a browser is disabled",
                    next: "Authorize once on a machine with a browser, or use client credentials.",
                },
            }
        })
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        if self.attended && !self.is_automatic() {
            return Box::pin(self.runs.ask(&self.series, question));
        }
        let answer = match question {
            // A user who wants another authorization server chooses it in the window.
            Question::ChooseServer(issuers) => issuers.into_iter().next().map(Answer::Server),
            Question::PrivateAddress { .. } => Some(Answer::PrivateAddress { allow: false }),
            Question::Client { .. } => None,
        };
        Box::pin(std::future::ready(answer))
    }
}

/// The id of a run, unique across providers and restarts.
pub(super) fn run_id(series: &str, run: patchbay_auth::RunId) -> RunId {
    RunId(format!("{series}-{}", run.0))
}
