//! Converts between the types of `patchbay-auth` and of the contract.

use patchbay_auth as auth;
use patchbay_contract::*;
use patchbay_secret::Secret;
use url::Url;

use crate::convert;

/// Parameters of an authorization request that are valid for one run only.
const ONE_TIME: &[&str] = &["state", "code_challenge", "nonce", "login_hint", "id_token_hint"];

pub(super) fn step(step: auth::Step) -> AuthorizationStep {
    match step {
        auth::Step::Challenge => AuthorizationStep::Challenge,
        auth::Step::ResourceMetadata => AuthorizationStep::ResourceMetadata,
        auth::Step::ServerMetadata => AuthorizationStep::ServerMetadata,
        auth::Step::Registration => AuthorizationStep::Registration,
        auth::Step::Authorization => AuthorizationStep::Authorization,
        auth::Step::Token => AuthorizationStep::Token,
        auth::Step::Refresh => AuthorizationStep::Refresh,
        auth::Step::StepUp => AuthorizationStep::StepUp,
        auth::Step::Revocation => AuthorizationStep::Revocation,
    }
}

pub(super) fn inner_step(step: AuthorizationStep) -> auth::Step {
    match step {
        AuthorizationStep::Challenge => auth::Step::Challenge,
        AuthorizationStep::ResourceMetadata => auth::Step::ResourceMetadata,
        AuthorizationStep::ServerMetadata => auth::Step::ServerMetadata,
        AuthorizationStep::Registration => auth::Step::Registration,
        AuthorizationStep::Authorization => auth::Step::Authorization,
        AuthorizationStep::Token => auth::Step::Token,
        AuthorizationStep::Refresh => auth::Step::Refresh,
        AuthorizationStep::StepUp => auth::Step::StepUp,
        AuthorizationStep::Revocation => auth::Step::Revocation,
    }
}

pub(super) fn cause(cause: auth::Cause) -> RunCause {
    match cause {
        auth::Cause::Challenge => RunCause::Challenge,
        auth::Cause::StepUp => RunCause::StepUp,
        auth::Cause::User => RunCause::User,
        auth::Cause::Refresh => RunCause::Refresh,
        auth::Cause::Forget => RunCause::Forget,
    }
}

pub(super) fn ending(ending: auth::Ending) -> RunState {
    match ending {
        auth::Ending::Done => RunState::Done,
        auth::Ending::Failed => RunState::Failed,
        auth::Ending::Cancelled => RunState::Cancelled,
    }
}

pub(super) fn attempt(attempt: auth::Attempt, at_ms: f64, masked: &dyn Fn(String) -> String) -> AttemptItem {
    AttemptItem {
        method: attempt.method.to_owned(),
        url: masked(attempt.url),
        seq: attempt.exchange.map(convert::seq),
        status: attempt.status.map(u32::from),
        verdict: match attempt.verdict {
            auth::AttemptVerdict::Ok => AttemptVerdict::Ok,
            auth::AttemptVerdict::Absent => AttemptVerdict::Absent,
            auth::AttemptVerdict::Refused => AttemptVerdict::Refused,
            auth::AttemptVerdict::Failed => AttemptVerdict::Failed,
        },
        words: masked(attempt.words),
        at_ms,
    }
}

pub(super) fn fact(fact: auth::Fact, masked: &dyn Fn(String) -> String) -> FactItem {
    FactItem {
        name: fact.name.to_owned(),
        value: masked(fact.value),
    }
}

pub(super) fn failure(failure: auth::Failure, masked: &dyn Fn(String) -> String) -> AuthorizationFailureItem {
    AuthorizationFailureItem {
        cause: masked(failure.cause),
        rule: failure.rule.map(|rule| RuleItem {
            name: rule.name.to_owned(),
            url: rule.url.to_owned(),
        }),
        next: failure.next,
        seq: failure.exchange.map(convert::seq),
    }
}

pub(super) fn question(question: auth::Question) -> QuestionItem {
    match question {
        auth::Question::ChooseServer(issuers) => QuestionItem::ChooseServer { issuers },
        auth::Question::Client { issuer, redirect_uri } => QuestionItem::Client {
            issuer,
            redirect_uri: Some(redirect_uri),
        },
        auth::Question::PrivateAddress { url, why } => QuestionItem::PrivateAddress { url: url.into(), why },
    }
}

/// Converts the answer to a question; the error names what was asked for.
pub(super) fn answer(
    question: &auth::Question,
    answer: AuthorizationAnswer,
) -> Result<auth::Answer, &'static str> {
    match (question, answer) {
        (auth::Question::ChooseServer(issuers), AuthorizationAnswer::ChooseServer { issuer }) => issuers
            .contains(&issuer)
            .then_some(auth::Answer::Server(issuer))
            .ok_or("the resource does not name this authorization server"),
        (auth::Question::Client { .. }, AuthorizationAnswer::Client { id, secret }) => {
            let id = id.trim().to_owned();
            if id.is_empty() {
                return Err("enter a client ID");
            }
            let secret = secret.filter(|secret| !secret.is_empty()).map(Secret::new);
            Ok(auth::Answer::Client { id, secret })
        }
        (
            auth::Question::PrivateAddress { url: asked, .. },
            AuthorizationAnswer::PrivateAddress { url, allow },
        ) => (asked.as_str() == url)
            .then_some(auth::Answer::PrivateAddress { allow })
            .ok_or("Patchbay now asks about another address"),
        (auth::Question::ChooseServer(_), _) => Err("choose an authorization server"),
        (auth::Question::Client { .. }, _) => Err("enter a client ID"),
        (auth::Question::PrivateAddress { .. }, _) => Err("allow or deny the private address"),
    }
}

pub(super) fn token(view: auth::TokenView, issued_to: String) -> TokenItem {
    TokenItem {
        issuer: view.issuer,
        resource: view.resource,
        scopes: view.scopes,
        expires_at_ms: view.expires_at.map(convert::at_ms),
        obtained_at_ms: convert::at_ms(view.obtained_at),
        has_refresh: view.has_refresh,
        dpop_thumbprint: view.dpop_thumbprint,
        masked: view.masked,
        jwt: view.jwt.map(|jwt| JwtItem {
            header: jwt.header,
            claims: jwt.claims,
        }),
        issued_to,
    }
}

pub(super) fn client(view: auth::ClientView) -> ClientItem {
    ClientItem {
        issuer: view.issuer,
        client_id: view.id,
        origin: match view.origin {
            auth::ClientOrigin::PreRegistered => ClientOrigin::PreRegistered,
            auth::ClientOrigin::MetadataDocument => ClientOrigin::MetadataDocument,
            auth::ClientOrigin::Dynamic => ClientOrigin::Dynamic,
            auth::ClientOrigin::Manual => ClientOrigin::Manual,
        },
        is_confidential: view.is_confidential,
        redirect_uri: view.redirect_uri,
    }
}

/// The authorization URL of an ended run, with its one-time values masked.
pub(super) fn used(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else {
        return String::new();
    };
    let pairs: Vec<(String, String)> = url
        .query_pairs()
        .map(|(name, value)| {
            let is_one_time = ONE_TIME.contains(&name.as_ref());
            let value = if is_one_time {
                "*".repeat(value.chars().count())
            } else {
                value.into_owned()
            };
            (name.into_owned(), value)
        })
        .collect();
    if !pairs.is_empty() {
        url.query_pairs_mut().clear().extend_pairs(pairs);
    }
    url.into()
}
