//! The authorization of servers at an address: one desk per server, with its keeper and its runs, and the commands that
//! show and steer them. The same keeper is what lets the server's requests in: nothing is done here that connecting
//! does not do too.

mod convert;
mod history;
mod host;
mod keep;
mod runs;
mod settings;

use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
    time::{SystemTime, UNIX_EPOCH},
};

use patchbay_auth::{Keeper, Url};
use patchbay_contract::*;
use patchbay_http::Authorizer;
use patchbay_vault::{SecretId, VaultError};

use crate::{
    connections::http_settings,
    engine::{Engine, Inner},
    error::{fail, fail_with},
    stored, vault,
};
use history::{History, HistoryFile};
use host::{ServerHost, run_id};
use keep::VaultKeep;
use patchbay_config::Server;
use runs::{Runs, Unasked};

pub(crate) use keep::secrets_in;

/// All servers' authorizations.
pub(crate) struct Authorizations {
    engine: OnceLock<Weak<Inner>>,
    file: HistoryFile,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    runs: HashMap<ServerId, Arc<Runs>>,
    desks: HashMap<ServerId, Arc<Desk>>,
    /// From the last time; of servers that nobody looked at yet.
    known: History,
    /// Servers that are not saved: their tokens are kept by their address.
    by_address: HashSet<ServerId>,
}

impl State {
    /// Under which name the token of a server lies in the vault. At another address it is another server's.
    fn kept_as(&self, server: &ServerId, url: &Url) -> SecretId {
        let address = format!("{}{}", url.origin().ascii_serialization(), url.path());
        SecretId(match self.by_address.contains(server) {
            true => format!("address/{address}"),
            false => format!("server/{server}/authorization/{address}"),
        })
    }
}

/// Where one server's authorization is handled.
struct Desk {
    keeper: Keeper,
    keep: Arc<VaultKeep>,
    runs: Arc<Runs>,
    series: String,
    /// What it was made for: with other settings there is another keeper.
    settings: Made,
}

impl Desk {
    /// Gives the vault the token that it did not take before.
    async fn settle(&self) {
        if let Err(error) = self.keep.settle().await {
            tracing::error!(%error, "a token is still in memory only");
        }
    }
}

/// All of a server's settings that its keeper knows.
#[derive(PartialEq)]
struct Made {
    name: String,
    transport: TransportDraft,
    era: EraChoice,
    authorization: AuthorizationDraft,
}

impl Made {
    fn of(draft: &ServerDraft) -> Self {
        Self {
            name: draft.name.clone(),
            transport: draft.transport.clone(),
            era: draft.era,
            authorization: draft.authorization.clone().unwrap_or_default(),
        }
    }
}

impl Authorizations {
    /// With the history in this file; without one it is not kept.
    pub(crate) fn open(history: Option<PathBuf>) -> Self {
        let file = HistoryFile::new(history);
        let state = State {
            known: file.read(),
            ..State::default()
        };
        Self {
            engine: OnceLock::new(),
            file,
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Called once, when the engine is there.
    pub(crate) fn belong_to(&self, engine: Weak<Inner>) {
        let _ = self.engine.set(engine);
    }

    /// This server is not saved: its tokens are kept by its address.
    pub(crate) fn keep_by_address(&self, server: ServerId) {
        self.lock().by_address.insert(server);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the history, soon.
    fn save(&self) {
        let state = self.state.clone();
        self.file.write(move || {
            let state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let mut history = state.known.clone();
            history.extend(state.runs.iter().map(|(id, runs)| (id.clone(), runs.ended())));
            history
        });
    }

    /// The vault can be opened now: what it did not take before is not to be lost with the program.
    pub(crate) async fn settle(&self) {
        let desks: Vec<Arc<Desk>> = self.lock().desks.values().cloned().collect();
        for desk in desks {
            desk.settle().await;
        }
    }

    /// Ends every run: nobody waits any more.
    pub(crate) fn cancel_all(&self) {
        let desks: Vec<Arc<Desk>> = self.lock().desks.values().cloned().collect();
        for desk in desks {
            desk.keeper.cancel();
        }
    }

    /// Ends the run of a server that is disconnected, unless the user had begun it.
    pub(crate) fn disconnected(&self, server: &ServerId) {
        let desk = self.lock().desks.get(server).cloned();
        let begun_by_user = |run: RunItem| run.cause == RunCause::User;
        if let Some(desk) = desk
            && !desk.runs.get(None).is_some_and(begun_by_user)
        {
            desk.keeper.cancel();
        }
    }

    /// Forgets all about a server that was removed; what the vault holds of it goes with its other secrets, and nothing is
    /// sent.
    pub(crate) fn removed(&self, server: &ServerId) {
        let desk = {
            let mut state = self.lock();
            state.runs.remove(server);
            state.known.remove(server);
            state.desks.remove(server)
        };
        if let Some(desk) = desk {
            desk.keeper.cancel();
        }
        self.save();
    }
}

impl Inner {
    /// What lets a server's requests in; none for a program, where it is switched off, and for settings that are not saved.
    /// Secrets of `server` are values, not references.
    pub(crate) fn authorizer(&self, server: &Server) -> Option<Arc<dyn Authorizer>> {
        let saved = self.servers.get(&server.id).ok()?;
        let desk = self.desk(server, &saved)?;
        Some(Arc::new(desk.keeper.clone()))
    }

    /// The desk of a server; a new one if its settings are not what they were.
    fn desk(&self, server: &Server, saved: &Server) -> Option<Arc<Desk>> {
        let settings = Made::of(&saved.draft);
        if settings.authorization.mode == AuthorizationMode::Off {
            return None;
        }
        let TransportDraft::Http { url, .. } = &server.draft.transport else {
            return None;
        };
        let url = Url::parse(url).ok()?;
        let http = http_settings(&server.draft.transport)?;
        let engine = self.authorizations.engine.get()?.clone();
        let mut state = self.authorizations.lock();
        if let Some(desk) = state.desks.get(&server.id)
            && desk.settings == settings
        {
            return Some(desk.clone());
        }
        let given = server.draft.authorization.clone().unwrap_or_default();
        let mut of_keeper = match settings::of(&given, server.draft.era) {
            Ok(of_keeper) => of_keeper,
            Err(error) => {
                tracing::error!(%error, "the settings of an authorization cannot be used");
                return None;
            }
        };
        let limit = crate::convert::timeouts(server.draft.timeouts).request;
        of_keeper.request_limit = of_keeper.request_limit.min(limit);
        let kept_as = state.kept_as(&server.id, &url);
        let keep = Arc::new(VaultKeep::new(self.vault.clone(), kept_as, self.recorder.clone()));
        let runs = self.runs(&mut state, &server.id);
        let series = series();
        let host = ServerHost {
            engine,
            server: server.id.clone(),
            server_name: server.draft.name.clone(),
            settings: http,
            recorder: self.recorder.clone(),
            runs: runs.clone(),
            series: series.clone(),
            browser: self.browser(),
            attended: self.inputs.is_attended(),
        };
        let desk = Arc::new(Desk {
            keeper: Keeper::new(url, of_keeper, Arc::new(host), keep.clone()),
            keep,
            runs,
            series,
            settings,
        });
        // The keeper before it ends with the last connection that has it.
        state.desks.insert(server.id.clone(), desk.clone());
        Some(desk)
    }

    /// Opens the vault if a token of this server lies in it: without it the user would be asked for what they gave already.
    ///
    /// # Errors
    /// `VaultNeeded` if the user has to do something for that first.
    pub(crate) async fn reach_token(&self, server: &Server) -> Result<(), CommandError> {
        let TransportDraft::Http { url, .. } = &server.draft.transport else {
            return Ok(());
        };
        let Ok(url) = Url::parse(url) else { return Ok(()) };
        let id = self.authorizations.lock().kept_as(&server.id, &url);
        // What cannot be read for another reason is got anew.
        let is_kept = self.vault.ids().await.is_ok_and(|ids| ids.contains(&id));
        match is_kept {
            true => match self.vault.get(&id).await {
                Err(error @ VaultError::Needed(_)) => Err(vault::failed(error)),
                _ => Ok(()),
            },
            false => Ok(()),
        }
    }

    fn runs(&self, state: &mut State, server: &ServerId) -> Arc<Runs> {
        let State { runs, known, .. } = state;
        let new = || {
            let known = known.remove(server).unwrap_or_default();
            let runs = Runs::new(server.clone(), self.nudges.clone(), self.recorder.clone(), known);
            Arc::new(runs)
        };
        runs.entry(server.clone()).or_insert_with(new).clone()
    }
}

/// Unlike that of any other keeper, before or after.
fn series() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}", since.as_micros())
}

// ---- the commands

/// The desk of a server, for a command that needs one.
async fn desk(engine: &Engine, id: &ServerId) -> Result<Arc<Desk>, CommandError> {
    let inner = &engine.inner;
    let saved = inner.servers.get(id)?;
    let name = &saved.draft.name;
    let off = saved
        .draft
        .authorization
        .as_ref()
        .is_some_and(|draft| draft.mode == AuthorizationMode::Off);
    let own_header = match &saved.draft.transport {
        TransportDraft::Stdio { .. } => {
            return Err(fail(
                ErrorCode::InvalidParams,
                format!("\"{name}\" is a program: only servers at an address are authorized like this."),
            ));
        }
        TransportDraft::Http { headers, .. } => headers
            .iter()
            .any(|header| header.name.eq_ignore_ascii_case("authorization")),
    };
    if off || own_header {
        let why = match off {
            true => "Authorization is switched off in its settings",
            false => "Its settings have a header `Authorization` of their own, which goes before any token",
        };
        return Err(fail(ErrorCode::InvalidParams, format!("\"{name}\": {why}.")));
    }
    let server = stored::resolved(inner, &saved).await?;
    inner.desk(&server, &saved).ok_or_else(|| {
        fail(
            ErrorCode::InvalidParams,
            format!("The authorization settings of \"{name}\" cannot be used. Edit them."),
        )
    })
}

/// `authorization_get`.
pub(crate) async fn get(
    engine: &Engine,
    params: &AuthorizationGetParams,
) -> Result<AuthorizationGetResponse, CommandError> {
    let inner = &engine.inner;
    inner.servers.get(&params.server_id)?;
    let runs = inner.runs(&mut inner.authorizations.lock(), &params.server_id);
    let mut response = AuthorizationGetResponse {
        run: runs.get(params.run_id.as_ref()),
        history: runs.history(),
        ..AuthorizationGetResponse::default()
    };
    // Of a server that cannot be authorized, or whose secrets cannot be read now, there is no token to show.
    let Ok(desk) = desk(engine, &params.server_id).await else {
        return Ok(response);
    };
    desk.settle().await;
    let view = desk.keeper.view().await;
    let server = desk.keeper.server();
    let issued_to = format!("{}{}", server.origin().ascii_serialization(), server.path());
    response.token = view.token.map(|token| convert::token(token, issued_to));
    response.client = view.client.map(convert::client);
    response.problem = desk.keep.unkept().or(view.problem);
    Ok(response)
}

/// `authorization_start`.
pub(crate) async fn start(
    engine: &Engine,
    params: AuthorizationStartParams,
) -> Result<AuthorizationStartResponse, CommandError> {
    let desk = desk(engine, &params.server_id).await?;
    let run = desk
        .keeper
        .start(params.from.map(convert::inner_step), params.scopes);
    Ok(AuthorizationStartResponse {
        run_id: run_id(&desk.series, run),
    })
}

/// `authorization_answer`.
pub(crate) async fn answer(engine: &Engine, params: AuthorizationAnswerParams) -> Result<Done, CommandError> {
    let gone = || {
        fail(
            ErrorCode::NotFound,
            "This authorization run asks for nothing (any more).",
        )
    };
    let desk = desk(engine, &params.server_id).await?;
    match params.answer {
        AuthorizationAnswer::Callback { text } => {
            let is_it = |run: RunItem| run.id == params.run_id;
            if !desk.runs.get(None).is_some_and(is_it) {
                return Err(gone());
            }
            desk.keeper.paste(text.trim()).map_err(|_| gone())?;
        }
        answer => desk
            .runs
            .answer(&params.run_id, answer)
            .map_err(|why| match why {
                Unasked::Gone => gone(),
                Unasked::Unfit(why) => fail(
                    ErrorCode::InvalidParams,
                    format!("That does not answer the question: {why}."),
                ),
            })?,
    }
    Ok(Done {})
}

/// `authorization_cancel`.
pub(crate) async fn cancel(engine: &Engine, server: &ServerId) -> Result<Done, CommandError> {
    desk(engine, server).await?.keeper.cancel();
    Ok(Done {})
}

/// `authorization_refresh`.
pub(crate) async fn refresh(engine: &Engine, server: &ServerId) -> Result<Done, CommandError> {
    let refreshed = desk(engine, server).await?.keeper.refresh().await;
    told(engine, server);
    refreshed.map(|()| Done {}).map_err(failed)
}

/// `authorization_expire`.
pub(crate) async fn expire(engine: &Engine, server: &ServerId) -> Result<Done, CommandError> {
    let expired = desk(engine, server).await?.keeper.expire().await;
    told(engine, server);
    expired.map(|()| Done {}).map_err(|error| {
        fail_with(
            ErrorCode::Storage,
            "The token could not be made to expire.",
            format!("{} {}", error.cause, error.next),
        )
    })
}

/// `authorization_forget`.
pub(crate) async fn forget(engine: &Engine, server: &ServerId) -> Result<Done, CommandError> {
    let forgotten = desk(engine, server).await?.keeper.forget(true).await;
    told(engine, server);
    forgotten.map(|()| Done {}).map_err(failed)
}

fn told(engine: &Engine, server: &ServerId) {
    let topic = crate::nudges::Topic::Authorization(server.clone());
    engine.inner.nudges.changed(topic);
}

fn failed(failure: patchbay_auth::Failure) -> CommandError {
    fail_with(
        ErrorCode::ServerError,
        format!("{}: {}", failure.step.title(), failure.cause),
        failure.next,
    )
}

#[cfg(test)]
mod tests;
