//! Authorization in the browser: PKCE, state, resource, and the redirect back (OAuth 2.1 section 4.1).

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oauth2::basic::BasicClient;
use oauth2::{AuthUrl, ClientId, CsrfToken, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope};
use patchbay_http::Url;
use patchbay_secret::Secret;
use tokio::sync::mpsc;

use crate::DpopKey;
use crate::discovery::server::Server;
use crate::grant::callback::{CallbackParams, Checked, Expected};
use crate::grant::listener::Listener;
use crate::run::net::Net;
use crate::run::reporter::Facts;
use crate::scopes::OFFLINE;
use crate::{Attempt, AttemptVerdict, Failure, Host, Opened, RegisteredClient, Step};

const STEP: Step = Step::Authorization;
/// The method of an attempt that is not a request: the user pasted a text.
const PASTED: &str = "paste";
/// Likewise: the browser was to open an address.
const OPENED: &str = "open";

/// The authorization request that the user approves.
pub(crate) struct AuthorizationRequest<'a> {
    pub(crate) server: &'a Server,
    pub(crate) client: &'a RegisteredClient,
    pub(crate) listener: &'a Listener,
    /// `None`: the parameter is omitted.
    pub(crate) resource: Option<&'a str>,
    /// `None`: the parameter is omitted.
    pub(crate) scopes: Option<&'a [String]>,
    /// The source of the scopes, for the user.
    pub(crate) scopes_from: &'static str,
    /// The key that the token is to be bound to.
    pub(crate) key: Option<&'a DpopKey>,
    pub(crate) browser_timeout: Duration,
}

/// The user's consent.
pub(crate) struct Granted {
    pub(crate) code: Secret,
    pub(crate) verifier: Secret,
    pub(crate) redirect_uri: String,
}

/// Why the user did not consent.
pub(crate) struct NotGranted {
    pub(crate) failure: Failure,
    /// The browser did not return. It may show an error of the authorization server, which only the user sees.
    pub(crate) timed_out: bool,
}

impl From<Failure> for NotGranted {
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            timed_out: false,
        }
    }
}

/// Runs the step. `pasted` receives what the user pastes.
pub(crate) async fn authorize(
    net: &Net,
    host: &dyn Host,
    wanted: &AuthorizationRequest<'_>,
    pasted: &mut mpsc::Receiver<String>,
) -> Result<Granted, NotGranted> {
    net.reporter().step(STEP);
    let endpoint = wanted.server.authorization_endpoint(STEP)?;
    net.guard().browser(endpoint, net.reporter()).await?;
    let (verifier, state) = (random(host)?, random(host)?);
    net.redact(vec![verifier.clone()]);
    let redirect_uri = wanted.listener.redirect_uri();
    let url = url(wanted, endpoint, &redirect_uri, &verifier, &state)?;
    let expected = Expected {
        state,
        issuer: wanted.server.issuer.clone(),
        promises_iss: wanted.server.authorization_response_iss_parameter_supported,
    };
    net.reporter().browser(&url, &redirect_uri);
    let waiting = tokio::time::timeout(
        wanted.browser_timeout,
        wait(net, host, wanted, &expected, &url, pasted),
    );
    let code = waiting.await.map_err(|_| NotGranted {
        failure: timed_out(wanted.browser_timeout),
        timed_out: true,
    })??;
    net.redact(vec![code.clone()]);
    net.reporter().resumed();
    let facts = Facts::default()
        .with("redirect_uri", &redirect_uri)
        .maybe("resource", wanted.resource)
        .list("scope", wanted.scopes)
        .with("scope_chosen", wanted.scopes_from)
        .with("code_challenge_method", "S256")
        .maybe("dpop_jkt", wanted.key.map(DpopKey::thumbprint))
        .with("code", crate::run::masked::masked(&code));
    net.reporter()
        .done("You agreed, and the browser returned with a code.", facts);
    Ok(Granted {
        code,
        verifier,
        redirect_uri,
    })
}

/// Generates 256 random bits as 43 characters (RFC 7636 section 4.1).
fn random(host: &dyn Host) -> Result<Secret, Failure> {
    let mut bytes = [0; 32];
    host.random(&mut bytes).map_err(|cause| {
        Failure::new(
            STEP,
            format!("the system's random number generator failed: {cause}"),
            "Restart the computer.",
        )
    })?;
    Ok(Secret::new(URL_SAFE_NO_PAD.encode(bytes)))
}

/// The authorization URL for the browser.
fn url(
    wanted: &AuthorizationRequest<'_>,
    endpoint: &Url,
    redirect_uri: &str,
    verifier: &Secret,
    state: &Secret,
) -> Result<Url, Failure> {
    let redirect = RedirectUrl::new(redirect_uri.to_owned())
        .map_err(|error| Failure::new(STEP, error.to_string(), "Choose another redirect port."))?;
    let client = BasicClient::new(ClientId::new(wanted.client.id.clone()))
        .set_auth_uri(AuthUrl::from_url(endpoint.clone()))
        .set_redirect_uri(redirect);
    let verifier = PkceCodeVerifier::new(verifier.expose().to_owned());
    let mut request = client
        .authorize_url(|| CsrfToken::new(state.expose().to_owned()))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier))
        .add_scopes(wanted.scopes.into_iter().flatten().cloned().map(Scope::new));
    if let Some(resource) = wanted.resource {
        request = request.add_extra_param("resource", resource);
    }
    // Binds the code too (RFC 9449 section 10).
    if let Some(key) = wanted.key {
        request = request.add_extra_param("dpop_jkt", key.thumbprint());
    }
    // Without it, offline_access is ignored (OpenID Connect Core section 11).
    if wanted
        .scopes
        .is_some_and(|scopes| scopes.iter().any(|scope| scope == OFFLINE))
    {
        request = request.add_extra_param("prompt", "consent");
    }
    Ok(request.url().0)
}

/// Waits for the browser's redirect or for pasted text.
async fn wait(
    net: &Net,
    host: &dyn Host,
    wanted: &AuthorizationRequest<'_>,
    expected: &Expected,
    url: &Url,
    pasted: &mut mpsc::Receiver<String>,
) -> Result<Secret, Failure> {
    let (found, mut brought) = mpsc::channel(1);
    let serve = wanted.listener.serve(expected, &found);
    let open = host.open_browser(url);
    tokio::pin!(serve, open);
    let mut opening = true;
    loop {
        let judged = tokio::select! {
            biased;
            Some(judged) = brought.recv() => judged,
            Some(text) = pasted.recv() => CallbackParams::pasted(&text).judge(expected),
            opened = &mut open, if opening => {
                opening = false;
                match opened {
                    Opened::Opened | Opened::Shown => {}
                    Opened::Failed(why) => net.reporter().attempt(unopened(url, &why)),
                    Opened::Nobody { why, next } => return Err(no_browser(wanted, why, next)),
                }
                continue;
            }
            () = &mut serve => continue,
        };
        match judged {
            Checked::Code(code) => return Ok(code),
            Checked::Refused(refused) => {
                return Err(Failure::new(STEP, refused.cause, refused.next).against(refused.rule));
            }
            // Only for pasted text: the listener has already shown the reason in the browser.
            Checked::Foreign(why) => net.reporter().attempt(Attempt {
                method: PASTED,
                url: wanted.listener.redirect_uri(),
                exchange: None,
                status: None,
                verdict: AttemptVerdict::Refused,
                words: format!("The pasted text does not belong to this authorization. {why}"),
            }),
        }
    }
}

/// The browser that could not be started, as an attempt. It names the address without the one-time values.
fn unopened(url: &Url, why: &str) -> Attempt {
    let mut url = url.clone();
    url.set_query(None);
    Attempt {
        method: OPENED,
        url: url.to_string(),
        exchange: None,
        status: None,
        verdict: AttemptVerdict::Failed,
        words: format!("The browser could not be started: {}.", why.trim_end_matches('.')),
    }
}

fn no_browser(wanted: &AuthorizationRequest<'_>, why: &str, next: &str) -> Failure {
    let scopes = match wanted.scopes {
        Some(scopes) if !scopes.is_empty() => format!(" to {}", scopes.join(" ")),
        _ => String::new(),
    };
    Failure::new(
        STEP,
        format!("a user has to agree{scopes} in a browser, but {why}"),
        next,
    )
}

fn timed_out(browser_timeout: Duration) -> Failure {
    Failure::new(
        STEP,
        format!(
            "the browser did not return within {} s",
            browser_timeout.as_secs()
        ),
        "Authorize again; if the browser is on another machine, paste the address of its last page.",
    )
}
