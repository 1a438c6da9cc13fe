//! The authorization of HTTP servers: one credential provider per server with its runs, and the commands that show and
//! control them. The same provider authorizes the server's own requests, so the debugger is the connect path.

mod assertion;
mod connected;
mod convert;
pub(crate) mod handlers;
mod history;
mod host;
mod runs;
mod settings;
mod table;
mod token_store;

use std::{
    sync::{Arc, Weak},
    time::{SystemTime, UNIX_EPOCH},
};

use patchbay_auth::{CredentialProvider, Url};
use patchbay_contract::*;
use patchbay_http::Authorizer;
use patchbay_traffic::OperationId;
use patchbay_vault::{SecretId, VaultError};

use crate::{
    connections::http_settings,
    dispatch::error::{fail, fail_with, vault_failed},
    servers::stored,
    state::{Engine, EngineState},
};
use connected::Connected;
use host::{ServerHost, run_id};
use patchbay_config::Server;
use runs::{AnswerError, Runs};
pub(crate) use table::Authorizations;
use table::{ProviderSettings, ServerAuthorization, State};
use token_store::VaultTokenStore;

pub(crate) use token_store::secrets_in;

impl EngineState {
    /// The authorizer of a server's requests. None for a program, if authorization is switched off, and if the settings are
    /// not saved. Secrets in `server` are values, not references.
    pub(crate) fn authorizer(&self, server: &Server) -> Option<Arc<dyn Authorizer>> {
        let saved = self.servers.get(&server.id).ok()?;
        if is_off(&saved) {
            return None;
        }
        let opened_with = self.authorization(server, &saved)?;
        let engine = self.itself.get()?.clone();
        Some(Arc::new(Connected::new(opened_with, server.id.clone(), engine)))
    }

    /// The authorization of a server, also if it is switched off: a token from before may still be stored. A new one is
    /// created if the settings have changed.
    fn authorization(&self, server: &Server, saved: &Server) -> Option<Arc<ServerAuthorization>> {
        let settings = ProviderSettings::of(&saved.draft, self.proxy.changes());
        let TransportDraft::Http { url, .. } = &server.draft.transport else {
            return None;
        };
        let url = Url::parse(url).ok()?;
        let http = for_authorization(
            http_settings(&server.draft.transport, &self.proxy.choice())?,
            &url,
        );
        let engine = self.itself.get()?.clone();
        let mut state = self.authorizations.lock();
        // Who removes a server deletes its state after that: nothing is made of it again.
        self.servers.get(&server.id).ok()?;
        if let Some(authorization) = state.servers.get(&server.id)
            && authorization.settings == settings
        {
            return Some(authorization.clone());
        }
        let provider_settings = provider_settings(server, &engine)?;
        let vault_name = state.vault_name(&server.id, &url);
        // What is in memory only stays with its store, also when the settings change.
        let previous = state.servers.get(&server.id).map(|previous| &previous.store);
        let store = match previous.filter(|store| store.is_named(&vault_name)) {
            Some(store) => store.clone(),
            None => self.token_store(&server.id, vault_name),
        };
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
        let previous = state.servers.get(&server.id);
        let authorization = Arc::new(ServerAuthorization {
            provider: CredentialProvider::new(url, provider_settings, Arc::new(host), store.clone()),
            store,
            runs,
            series,
            settings,
            replaced: previous.map(ServerAuthorization::alive).unwrap_or_default(),
        });
        let replaced = state.servers.insert(server.id.clone(), authorization.clone());
        drop(state);
        // Open connections to this address use the new provider from now on: what the user does goes to it.
        if let Some(replaced) = replaced {
            replaced.provider.cancel();
        }
        Some(authorization)
    }

    /// Reads the password of the proxy of Patchbay, if this server is reached through it.
    ///
    /// # Errors
    /// `VaultNeeded` if the user has to open the vault first.
    pub(crate) async fn open_vault_for_proxy(&self, server: &Server) -> Result<(), CommandError> {
        match &server.draft.transport {
            TransportDraft::Http {
                url,
                proxy: ProxyDraft::App,
                ..
            } => self.proxy.ready(url).await,
            _ => Ok(()),
        }
    }

    /// Opens the vault if it holds a token of this server. Without it, the user would have to authorize again.
    ///
    /// # Errors
    /// `VaultNeeded` if the user has to open the vault first.
    pub(crate) async fn open_vault_for_token(&self, server: &Server) -> Result<(), CommandError> {
        let TransportDraft::Http { url, .. } = &server.draft.transport else {
            return Ok(());
        };
        let Ok(url) = Url::parse(url) else { return Ok(()) };
        let id = self.authorizations.lock().vault_name(&server.id, &url);
        // A token that cannot be read for another reason is obtained again.
        let is_kept = self.vault.ids().await.is_ok_and(|ids| ids.contains(&id));
        match is_kept {
            true => match self.vault.get(&id).await {
                Err(error @ VaultError::Needed(_)) => Err(vault_failed(error)),
                _ => Ok(()),
            },
            false => Ok(()),
        }
    }

    fn token_store(&self, server: &ServerId, name: SecretId) -> Arc<VaultTokenStore> {
        let configured = self.stores_servers();
        let configured = configured.then(|| (self.servers.clone(), server.clone()));
        let (vault, recorder) = (self.vault.clone(), self.recorder.clone());
        Arc::new(VaultTokenStore::new(vault, name, recorder, configured))
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

/// The settings of a server's provider; none if they cannot be used.
fn provider_settings(server: &Server, engine: &Weak<EngineState>) -> Option<patchbay_auth::Settings> {
    let given = server.draft.authorization.clone().unwrap_or_default();
    let mut settings = settings::of(&given, server.draft.era, engine)
        .inspect_err(|error| tracing::error!(%error, "the settings of an authorization cannot be used"))
        .ok()?;
    let limit = crate::convert::timeouts(server.draft.timeouts).request;
    settings.request_limit = settings.request_limit.min(limit);
    Some(settings)
}

/// A unique prefix for the run ids of one provider.
fn series() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{:x}", since.as_micros())
}

// ---- the commands

/// The authorization of a server with settings that pass this check, for a command that needs one.
async fn authorization(
    engine: &Engine,
    id: &ServerId,
    check: fn(&Server) -> Result<(), CommandError>,
) -> Result<Arc<ServerAuthorization>, CommandError> {
    let state = &engine.state;
    let (saved, server) = loop {
        let saved = state.servers.get(id)?;
        check(&saved)?;
        let server = stored::resolved(state, &saved).await?;
        // The user may have changed or removed the server meanwhile, for example while the keychain asked.
        if state.servers.get(id)? == saved {
            break (saved, server);
        }
    };
    state.authorization(&server, &saved).ok_or_else(|| {
        fail(
            ErrorCode::InvalidParams,
            format!(
                "The authorization settings of \"{}\" cannot be used. Edit them.",
                saved.draft.name
            ),
        )
    })
}

/// Checks whether a server can have an authorization.
fn check_http(saved: &Server) -> Result<(), CommandError> {
    match &saved.draft.transport {
        TransportDraft::Http { .. } => Ok(()),
        TransportDraft::Stdio { .. } => Err(fail(
            ErrorCode::InvalidParams,
            format!(
                "\"{}\" is a program; OAuth applies to HTTP servers only.",
                saved.draft.name
            ),
        )),
    }
}

/// Checks whether Patchbay authorizes the requests to a server.
fn check_authorizable(saved: &Server) -> Result<(), CommandError> {
    check_http(saved)?;
    let has_own_header = match &saved.draft.transport {
        TransportDraft::Stdio { .. } => false,
        TransportDraft::Http { headers, .. } => headers
            .iter()
            .any(|header| header.name.eq_ignore_ascii_case("authorization")),
    };
    let why = match (is_off(saved), has_own_header) {
        (false, false) => return Ok(()),
        (true, _) => "Authorization is switched off in its settings",
        (false, true) => "Its settings contain an `Authorization` header, which overrides any token",
    };
    Err(fail(
        ErrorCode::InvalidParams,
        format!("\"{}\": {why}.", saved.draft.name),
    ))
}

fn is_off(saved: &Server) -> bool {
    let draft = saved.draft.authorization.as_ref();
    draft.is_some_and(|draft| draft.mode == AuthorizationMode::Off)
}

/// `authorization_get`.
pub(crate) async fn get(
    engine: &Engine,
    params: AuthorizationGetParams,
) -> Result<AuthorizationGetResponse, CommandError> {
    let state = &engine.state;
    state.servers.get(&params.server_id)?;
    let runs = state.runs(&mut state.authorizations.lock(), &params.server_id);
    let mut response = AuthorizationGetResponse {
        run: runs.get(params.run_id.as_ref()),
        history: runs.history(),
        ..AuthorizationGetResponse::default()
    };
    // There is no token to show if the server is a program or its secrets cannot be read.
    let authorization = match authorization(engine, &params.server_id, check_http).await {
        Ok(authorization) => authorization,
        Err(error) => {
            let is_locked = error.code == ErrorCode::VaultNeeded;
            response.problem = Some(error.message).filter(|_| is_locked);
            return Ok(response);
        }
    };
    authorization.save_pending().await;
    let view = authorization.provider.view().await;
    let issued_to = authorization.provider.server().origin().ascii_serialization();
    response.token = view.token.map(|token| convert::token(token, issued_to));
    response.client = view.client.map(convert::client);
    response.problem = authorization.store.unsaved().or(view.problem);
    Ok(response)
}

/// `authorization_start`.
pub(crate) async fn start(
    engine: &Engine,
    params: AuthorizationStartParams,
) -> Result<AuthorizationStartResponse, CommandError> {
    let server = engine.state.enabled(&params.server_id)?;
    let authorization = authorization(engine, &params.server_id, check_authorizable).await?;
    engine.state.open_vault_for_token(&server).await?;
    let operation = begin(engine, "authorization_start", &params.server_id)?;
    let run = authorization
        .provider
        .start(params.from.map(convert::inner_step), params.scopes, operation);
    Ok(AuthorizationStartResponse {
        run_id: run_id(&authorization.series, run),
    })
}

/// `authorization_answer`.
pub(crate) async fn answer(engine: &Engine, params: AuthorizationAnswerParams) -> Result<Done, CommandError> {
    let gone = || {
        fail(
            ErrorCode::NotFound,
            "This authorization run is not waiting for an answer.",
        )
    };
    let authorization = authorization(engine, &params.server_id, check_http).await?;
    match params.answer {
        AuthorizationAnswer::Callback { text } => {
            let is_it = |run: RunItem| run.id == params.run_id;
            if !authorization.runs.get(None).is_some_and(is_it) {
                return Err(gone());
            }
            let asking = authorization.of_run(&params.run_id).ok_or_else(gone)?;
            asking.provider.paste(text.trim()).map_err(|_| gone())?;
        }
        answer => authorization
            .runs
            .answer(&params.run_id, answer)
            .map_err(|why| match why {
                AnswerError::Gone => gone(),
                AnswerError::WrongKind(why) => fail(
                    ErrorCode::InvalidParams,
                    format!("The answer does not match the question: {why}."),
                ),
            })?,
    }
    Ok(Done {})
}

/// `authorization_cancel`.
pub(crate) async fn cancel(engine: &Engine, server: &ServerId) -> Result<Done, CommandError> {
    authorization(engine, server, check_http).await?.cancel();
    Ok(Done {})
}

/// `authorization_refresh`.
pub(crate) async fn refresh(engine: &Engine, server: &ServerId) -> Result<Done, CommandError> {
    let authorization = authorization(engine, server, check_authorizable).await?;
    let operation = begin(engine, "authorization_refresh", server)?;
    let refreshed = authorization.provider.refresh(operation).await;
    notify(engine, server);
    refreshed.map(|()| Done {}).map_err(failed)
}

/// `authorization_expire`.
pub(crate) async fn expire(engine: &Engine, server: &ServerId) -> Result<Done, CommandError> {
    let expired = authorization(engine, server, check_authorizable)
        .await?
        .provider
        .expire()
        .await;
    notify(engine, server);
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
    let authorization = authorization(engine, server, check_http).await?;
    // A token that cannot be read cannot be revoked.
    let saved = engine.state.servers.get(server)?;
    engine.state.open_vault_for_token(&saved).await?;
    let operation = begin(engine, "authorization_forget", server)?;
    let forgotten = authorization.provider.forget(true, operation).await;
    notify(engine, server);
    forgotten.map(|()| Done {}).map_err(failed)
}

/// The operation of a run that the user starts.
///
/// # Errors
/// There is no such server.
fn begin(
    engine: &Engine,
    command: &'static str,
    server: &ServerId,
) -> Result<Option<OperationId>, CommandError> {
    let name = engine.state.servers.get(server)?.draft.name;
    Ok(Some(engine.state.begin(command, name)))
}

fn notify(engine: &Engine, server: &ServerId) {
    let topic = crate::dispatch::nudges::Topic::Authorization(server.clone());
    engine.state.nudges.changed(topic);
}

fn failed(failure: patchbay_auth::Failure) -> CommandError {
    fail_with(
        ErrorCode::ServerError,
        format!("{}: {}", failure.step.title(), failure.cause),
        failure.next,
    )
}

/// The HTTP settings of a server for its authorization server, another party: it must not learn who the user is from the
/// client certificate, and it must not pass itself off with the certificate that the user accepted.
fn for_authorization(http: patchbay_http::Settings, server: &Url) -> patchbay_http::Settings {
    patchbay_http::Settings {
        server_host: server.host_str().map(str::to_owned),
        ..http
    }
}

#[cfg(test)]
mod tests;
