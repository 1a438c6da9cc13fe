//! A run from its first step to a token. Each step uses the results of the previous ones, so a run can start at any step.

mod clients;
pub(crate) mod conceal;
pub(crate) mod event;
pub(crate) mod guard;
pub(crate) mod masked;
pub(crate) mod net;
pub(crate) mod reporter;

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use patchbay_http::Url;
use patchbay_protocol::Revision;
use patchbay_traffic::Seq;
use tokio::sync::mpsc;

use crate::challenge::Challenge;
use crate::discovery::resource::{self, Resource};
use crate::discovery::server::{self, Server};
use crate::grant::assertion;
use crate::grant::authorization::{self, AuthorizationRequest, Granted};
use crate::grant::enterprise;
use crate::grant::workload;
use crate::grant::{self, Grant};
use crate::registration::{self, Registered, RegistrationRequest};
use crate::run::masked::masked;
use crate::run::net::Net;
use crate::run::reporter::Facts;
use crate::scopes::{self, Sources};
use crate::token::dpop::{self, DpopKey, Nonces, Prover, Wanted};
use crate::token::endpoint::{Denied, Endpoint, Issued};
use crate::token::refresh::Renewed;
use crate::{
    Attempt, AttemptVerdict, AuthMethod, ClientChoice, Failure, GrantChoice, Host, RegisteredClient,
    Settings, Step, StoredTokens, TokenSet, TokenStore, TokenStoreError,
};

/// The parameters of a run.
pub(crate) struct Plan {
    /// The refusal that started it.
    pub(crate) challenge: Option<Challenged>,
    /// Whether to request more scopes in addition to the granted ones.
    pub(crate) more: bool,
    /// The first step to run, if the results of the earlier steps are known.
    pub(crate) from: Step,
    /// The user's scopes for this run.
    pub(crate) scopes: Option<Vec<String>>,
}

/// A refused request.
#[derive(Clone)]
pub(crate) struct Challenged {
    pub(crate) status: u16,
    /// The purpose of the request.
    pub(crate) purpose: String,
    /// Its Bearer challenge, if there is one.
    pub(crate) challenge: Option<Challenge>,
    pub(crate) exchange: Seq,
}

impl Challenged {
    /// The refused request as an attempt.
    fn attempt(&self, server: &Url) -> Attempt {
        let method = ["GET", "DELETE"]
            .into_iter()
            .find(|method| *method == self.purpose)
            .unwrap_or("POST");
        let (verdict, words) = match &self.challenge {
            Some(_) => (AttemptVerdict::Ok, "Its challenge says what it requires."),
            None => (AttemptVerdict::Absent, "It sent no Bearer or DPoP challenge."),
        };
        Attempt {
            method,
            url: server.to_string(),
            exchange: Some(self.exchange),
            status: Some(self.status),
            verdict,
            words: format!("The server refused {}. {words}", self.purpose),
        }
    }
}

/// The results of the steps, kept for the next run.
#[derive(Clone, Default)]
pub(crate) struct Found {
    pub(crate) challenge: Option<Challenge>,
    pub(crate) resource: Option<(Resource, String)>,
    pub(crate) server: Option<Server>,
}

/// A run.
pub(crate) struct Run<'a> {
    pub(crate) net: &'a Net,
    pub(crate) host: &'a Arc<dyn Host>,
    pub(crate) store: &'a Arc<dyn TokenStore>,
    pub(crate) settings: &'a Settings,
    pub(crate) server: &'a Url,
    pub(crate) nonces: &'a Nonces,
    pub(crate) plan: Plan,
    pub(crate) pasted: mpsc::Receiver<String>,
}

impl Run<'_> {
    /// Runs all steps from the challenge to a stored token.
    pub(crate) async fn full(mut self, found: &mut Found) -> Result<Renewed, Failure> {
        let kept = self.load().await?;
        self.challenge(found);
        self.discover(found, &kept).await?;
        let (Some((resource, _)), Some(server)) = (&found.resource, &found.server) else {
            return Err(Failure::cancelled(Step::ServerMetadata));
        };
        let registered = self.register(server, &kept).await;
        let registered = registered.map_err(|failure| resource.or_api_key(failure))?;
        let (scopes, scopes_from) = self.scopes(found, resource, server, &kept)?;
        // A server of 2025-03-26 does not know the resource parameter.
        let known_old = self
            .settings
            .revision
            .is_some_and(|revision| revision <= Revision::V2025_03_26);
        let resource_id = Some(resource.id.as_str()).filter(|_| !(resource.legacy && known_old));
        let binding = self.binding(found, resource, server, &kept)?;
        let granted = match &registered.listener {
            None => {
                let why = "This grant needs no browser.";
                self.net.reporter().skipped(Step::Authorization, why);
                None
            }
            Some(listener) => {
                let wanted = AuthorizationRequest {
                    server,
                    client: &registered.client,
                    listener,
                    resource: resource_id,
                    scopes: scopes.as_deref(),
                    scopes_from,
                    key: binding.as_ref().map(|(key, _)| key),
                    browser_timeout: self.settings.browser_timeout,
                };
                let agreed =
                    authorization::authorize(self.net, self.host.as_ref(), &wanted, &mut self.pasted);
                match Box::pin(agreed).await {
                    Ok(granted) => Some(granted),
                    Err(denied) => return Err(self.not_granted(denied, &registered).await),
                }
            }
        };
        let asked = TokenRequest {
            server,
            client: &registered.client,
            resource: resource_id,
            scopes,
            prover: binding.as_ref().map(|(key, required)| Prover {
                key,
                nonces: self.nonces,
                host: self.host.as_ref(),
                required: *required,
            }),
        };
        drop(registered.listener);
        Box::pin(self.token(&asked, granted.as_ref(), kept)).await
    }

    async fn load(&self) -> Result<StoredTokens, Failure> {
        let loaded = self.store.load().await;
        loaded.map_err(|error| error.at(self.net.reporter().at()))
    }

    /// The first step: reads the challenge.
    fn challenge(&self, found: &mut Found) {
        let reporter = self.net.reporter();
        let step = if self.plan.more {
            Step::StepUp
        } else {
            Step::Challenge
        };
        let Some(challenged) = &self.plan.challenge else {
            reporter.skipped(step, "You started this run; there was no challenge.");
            return;
        };
        reporter.step(step);
        found.challenge = match self.plan.more {
            true => Challenge::of_step_up(found.challenge.take(), challenged.challenge.clone()),
            false => challenged.challenge.clone(),
        };
        reporter.attempt(challenged.attempt(self.server));
        let facts = Facts::default().with("status", challenged.status.to_string());
        let Some(challenge) = &challenged.challenge else {
            let summary = format!(
                "The server responded with {} without a Bearer or DPoP challenge.",
                challenged.status
            );
            reporter.done(summary, facts);
            return;
        };
        let facts = facts
            .maybe("error", challenge.error.clone())
            .maybe("error_description", challenge.error_description.clone())
            .maybe("resource_metadata", challenge.resource_metadata.clone())
            .list("scope", challenge.scope.as_deref());
        let summary = match (&challenge.scope, self.plan.more) {
            (Some(scopes), true) => {
                format!("Insufficient scope: the request needs {}.", scopes.join(" "))
            }
            (None, true) => "Insufficient scope; the server does not say which scopes are needed.".to_owned(),
            (_, false) => format!(
                "The server responded with {} and requires a {} token.",
                challenged.status,
                if challenge.is_dpop { "DPoP" } else { "Bearer" }
            ),
        };
        reporter.done(summary, facts);
    }

    /// Discovers both kinds of metadata. Results of an earlier run are reused by a later first step and by a step-up.
    async fn discover(&self, found: &mut Found, kept: &StoredTokens) -> Result<(), Failure> {
        let revision = self.settings.revision;
        let known = "Known from the previous run.";
        let reused = |step: Step| self.plan.more || self.plan.from > step;
        if found.resource.is_none() || !reused(Step::ResourceMetadata) {
            let issuers = self.known_issuers(kept);
            let challenge = found.challenge.as_ref();
            let extended = kept.tokens.as_ref().filter(|_| self.plan.more);
            let extended = extended.map(|tokens| tokens.issuer.as_str());
            let discovery =
                resource::discover(self.net, self.server, challenge, revision, &issuers, extended);
            found.resource = Some(Box::pin(discovery).await?);
            found.server = None;
        } else {
            self.net.reporter().skipped(Step::ResourceMetadata, known);
        }
        let Some((resource, issuer)) = &found.resource else {
            return Ok(());
        };
        if found.server.is_none() || !reused(Step::ServerMetadata) {
            let discovery = server::discover(self.net, issuer, resource, self.settings);
            found.server = Some(Box::pin(discovery).await?);
        } else {
            self.net.reporter().skipped(Step::ServerMetadata, known);
        }
        Ok(())
    }

    /// The authorization servers that are already in use.
    fn known_issuers(&self, kept: &StoredTokens) -> Vec<String> {
        let manual = match &self.settings.client {
            ClientChoice::Manual { issuer, .. } => issuer.clone(),
            ClientChoice::Auto => None,
        };
        let tokens = kept.tokens.as_ref().map(|tokens| tokens.issuer.clone());
        let clients = kept.clients.iter().rev().map(|client| client.issuer.clone());
        // A user who starts from the first step may choose another authorization server.
        let from_start = self.plan.challenge.is_none() && self.plan.from <= Step::ResourceMetadata;
        manual
            .into_iter()
            .chain(tokens.into_iter().chain(clients).filter(|_| !from_start))
            .collect()
    }

    async fn register(&self, server: &Server, kept: &StoredTokens) -> Result<Registered, Failure> {
        let ask = RegistrationRequest {
            settings: self.settings,
            server,
            kept: &kept.clients,
            again: self.plan.challenge.is_none() && self.plan.from == Step::Registration,
            now: self.host.now(),
        };
        let registered = Box::pin(registration::register(self.net, &ask)).await?;
        if registered.new || ask.again {
            let client = registered.client.clone();
            self.change(Step::Registration, move |kept| kept.remember(client))
                .await?;
        }
        Ok(registered)
    }

    fn scopes(
        &self,
        found: &Found,
        resource: &Resource,
        server: &Server,
        kept: &StoredTokens,
    ) -> Result<(Option<Vec<String>>, &'static str), Failure> {
        // The user's scopes are requested alone until the server requires more.
        let unset = self.plan.challenge.is_some() || self.settings.scopes.is_none();
        let before = kept
            .obtained_as(self.settings)
            .filter(|tokens| tokens.issuer == server.issuer && unset)
            .map(|tokens| tokens.requested.clone())
            .unwrap_or_default();
        let (chosen, from) = scopes::choose(&Sources {
            run: self.plan.scopes.as_deref(),
            settings: self.settings.scopes.as_deref(),
            challenge: found
                .challenge
                .as_ref()
                .and_then(|challenge| challenge.scope.as_deref()),
            resource: resource.scopes.as_deref(),
            before: &before,
            server: server.scopes_supported.as_deref(),
            refreshes: server.grants("refresh_token")
                && matches!(self.settings.grant, GrantChoice::AuthorizationCode),
        });
        if let Some(excess) = chosen.as_deref().and_then(scopes::excess) {
            let cause = format!("the scopes to request ({from}) are too much: {excess}");
            let next = "Enter the scopes to request in the settings of the server.";
            return Err(Failure::new(self.net.reporter().at(), cause, next));
        }
        Ok((chosen, from))
    }

    /// The key to bind the token to (DPoP), and whether a token that is not bound is refused. None: a bearer token is
    /// requested.
    fn binding(
        &self,
        found: &Found,
        resource: &Resource,
        server: &Server,
        kept: &StoredTokens,
    ) -> Result<Option<(DpopKey, bool)>, Failure> {
        let wanted = dpop::wanted(self.settings.dpop, found.challenge.as_ref(), resource, server)?;
        if wanted == Wanted::No {
            return Ok(None);
        }
        let of_issuer = kept
            .tokens
            .as_ref()
            .filter(|tokens| tokens.issuer == server.issuer);
        let key = match of_issuer.and_then(|tokens| tokens.dpop.clone()) {
            Some(key) => key,
            None => DpopKey::generate()?,
        };
        self.net.redact(vec![key.stored().clone()]);
        Ok(Some((key, wanted == Wanted::Required)))
    }

    /// Runs the last step. `kept` is what was stored before. A token that cannot be stored is kept in memory.
    async fn token(
        &self,
        asked: &TokenRequest<'_>,
        granted: Option<&Granted>,
        mut kept: StoredTokens,
    ) -> Result<Renewed, Failure> {
        self.net.reporter().step(Step::Token);
        let before = self.host.now();
        let issued = match self.issue(asked, granted).await {
            Ok(issued) => issued,
            Err(denied) => return Err(self.denied(denied, asked.client).await),
        };
        let scopes = issued.scopes.clone().or_else(|| asked.scopes.clone());
        let tokens = TokenSet {
            expires_at: issued.expires_in.and_then(|life| before.checked_add(life)),
            access: issued.access,
            refresh: issued.refresh,
            scopes,
            requested: asked.scopes.clone().unwrap_or_default(),
            issuer: asked.server.issuer.clone(),
            resource: asked.resource.map(str::to_owned),
            client_id: asked.client.id.clone(),
            grant: Some(self.settings.grant.kind()),
            token_endpoint: asked.server.token_endpoint(Step::Token)?.to_string(),
            revocation_endpoint: asked.server.revocation_endpoint.as_ref().map(Url::to_string),
            dpop: asked
                .prover
                .filter(|_| issued.bound)
                .map(|prover| prover.key.clone()),
            obtained_at: before,
        };
        let mut text = summary(&tokens, issued.expires_in);
        if let Some(note) = issued.note {
            text = format!("{text} {note}");
        }
        self.net.reporter().done(text, facts(&tokens));
        let renew = |kept: &mut StoredTokens| {
            kept.tokens = Some(tokens.clone());
            kept.remember(asked.client.clone());
        };
        Ok(match self.try_change(renew).await {
            Ok(kept) => Renewed { kept, unsaved: None },
            Err(error) => {
                renew(&mut kept);
                let unsaved = Some(error);
                Renewed { kept, unsaved }
            }
        })
    }

    /// Requests the token.
    async fn issue(&self, asked: &TokenRequest<'_>, granted: Option<&Granted>) -> Result<Issued, Denied> {
        let url = asked.server.token_endpoint(Step::Token)?.clone();
        let endpoint = Endpoint::new(self.net, "token endpoint", url).proving(asked.prover);
        let (assertion, grant) = match (&self.settings.grant, granted) {
            (_, Some(granted)) => (None, Some(Grant::Code(granted))),
            (GrantChoice::ClientCredentials { key: Some(key) }, _)
                if asked.client.auth_method == AuthMethod::PrivateKeyJwt =>
            {
                let id = self.id()?;
                let signed = assertion::sign(key, &asked.client.id, asked.server, &id, self.host.now())?;
                (Some(signed), None)
            }
            (GrantChoice::Workload(workload), _) => {
                let (resource, scopes) = (asked.resource, asked.scopes.as_deref());
                let at = (self.net, self.host.now());
                let asking = workload::ask(at, &endpoint, workload, asked.client, resource, scopes);
                return Box::pin(asking).await;
            }
            (GrantChoice::Enterprise(enterprise), _) => {
                let resource = asked.resource.unwrap_or_default();
                let scopes = asked.scopes.as_deref();
                let revision = self.settings.revision;
                let vouched =
                    enterprise::assertion(self.net, enterprise, asked.server, resource, scopes, revision);
                (Some(Box::pin(vouched).await?), None)
            }
            _ => (None, None),
        };
        self.net.redact(assertion.iter().cloned().collect());
        let grant = match (grant, &assertion, &self.settings.grant) {
            (Some(grant), ..) => grant,
            (None, Some(assertion), GrantChoice::Enterprise(_)) => Grant::Assertion(assertion),
            (None, assertion, _) => Grant::Client {
                assertion: assertion.as_ref(),
            },
        };
        let scopes = asked.scopes.as_deref();
        grant::ask(&endpoint, asked.client, grant, asked.resource, scopes).await
    }

    /// Changes the stored tokens while holding the lock.
    async fn change(&self, step: Step, change: impl FnOnce(&mut StoredTokens)) -> Result<(), Failure> {
        let changed = self.try_change(change).await;
        changed.map(drop).map_err(|error| error.at(step))
    }

    async fn try_change(
        &self,
        change: impl FnOnce(&mut StoredTokens),
    ) -> Result<StoredTokens, TokenStoreError> {
        let _alone = self.store.lock().await?;
        let mut kept = self.store.load().await?;
        change(&mut kept);
        self.store.save(kept.clone()).await?;
        Ok(kept)
    }

    /// Generates a unique id.
    fn id(&self) -> Result<String, Failure> {
        let mut bytes = [0; 16];
        self.host.random(&mut bytes).map_err(|cause| {
            let cause = format!("the system's random number generator failed: {cause}");
            Failure::new(Step::Token, cause, "Restart the computer.")
        })?;
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }
}

/// The parameters of a token request.
struct TokenRequest<'a> {
    server: &'a Server,
    client: &'a RegisteredClient,
    resource: Option<&'a str>,
    scopes: Option<Vec<String>>,
    /// Binds the token to a key.
    prover: Option<Prover<'a>>,
}

/// Describes a token in a sentence.
pub(crate) fn summary(tokens: &TokenSet, life: Option<std::time::Duration>) -> String {
    let life = life.map_or_else(
        || "lifetime not stated".to_owned(),
        |life| format!("valid for {} s", life.as_secs()),
    );
    let refresh = if tokens.refresh.is_some() {
        "a refresh token"
    } else {
        "no refresh token"
    };
    let bound = if tokens.dpop.is_some() {
        ", bound to a key of ours (DPoP),"
    } else {
        ""
    };
    format!("Access token ({life}){bound} and {refresh}.")
}

/// The facts of a token that may be shown.
pub(crate) fn facts(tokens: &TokenSet) -> Facts {
    Facts::default()
        .with("access_token", masked(&tokens.access))
        .maybe("refresh_token", tokens.refresh.as_ref().map(masked))
        .list("scope", tokens.scopes.as_deref())
        .maybe("resource", tokens.resource.clone())
        .maybe("dpop_jkt", tokens.dpop.as_ref().map(DpopKey::thumbprint))
        .with("issuer", &tokens.issuer)
}
