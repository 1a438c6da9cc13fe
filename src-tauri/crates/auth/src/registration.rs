//! Client identity: pre-registered, by metadata document, by dynamic registration, or entered by the user.
//!
//! A client belongs to the issuer it was registered with and is never used with another.

mod dynamic;

use std::time::SystemTime;

use patchbay_http::Url;

use crate::discovery::server::Server;
use crate::grant::listener::Listener;
use crate::run::masked::masked;
use crate::run::net::Net;
use crate::run::reporter::Facts;
use crate::{
    Answer, AuthMethod, ClientChoice, ClientOrigin, Failure, GrantChoice, Question, RegisteredClient,
    Settings, Step, rules,
};

/// A client, and the listener for its redirect URI.
pub(crate) struct Registered {
    pub(crate) client: RegisteredClient,
    /// Bound if the grant uses a browser.
    pub(crate) listener: Option<Listener>,
    /// Whether it was not stored before.
    pub(crate) new: bool,
}

/// The input of the step.
pub(crate) struct RegistrationRequest<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) server: &'a Server,
    /// The stored clients.
    pub(crate) kept: &'a [RegisteredClient],
    /// The user repeats this step: stored clients are ignored.
    pub(crate) again: bool,
    pub(crate) now: SystemTime,
}

/// Runs the step.
pub(crate) async fn register(net: &Net, ask: &RegistrationRequest<'_>) -> Result<Registered, Failure> {
    net.reporter().step(Step::Registration);
    let (registered, how) = find(net, ask).await?;
    let client = &registered.client;
    let facts = Facts::default()
        .with("client_id", &client.id)
        .maybe("client_secret", client.secret.as_ref().map(masked))
        .with("token_endpoint_auth_method", client.auth_method.as_str())
        .maybe(
            "redirect_uri",
            registered.listener.as_ref().map(Listener::redirect_uri),
        )
        .with("issuer", &client.issuer);
    net.reporter().done(how, facts);
    Ok(registered)
}

async fn find(net: &Net, ask: &RegistrationRequest<'_>) -> Result<(Registered, &'static str), Failure> {
    let Settings { client, grant, .. } = ask.settings;
    if let ClientChoice::Manual { .. } = client {
        let registered = ask.with_listener(ask.pre_registered()?).await?;
        return Ok((registered, "Uses the client from the settings."));
    }
    if !matches!(grant, GrantChoice::AuthorizationCode) {
        return ask.without_client();
    }
    if let Some(kept) = ask.kept_as(ClientOrigin::Manual) {
        let registered = match ask.same_port(&kept).await {
            Some(listener) => Registered {
                client: kept,
                listener: Some(listener),
                new: false,
            },
            None => ask.with_listener(kept).await?,
        };
        let how = "Uses the client you entered before. To enter another one, retry from this step.";
        return Ok((registered, how));
    }
    if let Some(document) = &ask.settings.metadata_document
        && ask.server.client_id_metadata_document_supported
    {
        let registered = ask.with_listener(ask.by_document(document)?).await?;
        return Ok((registered, "Identified by our client ID metadata document."));
    }
    if let Some(kept) = ask.kept_as(ClientOrigin::Dynamic)
        && let Some(listener) = ask.same_port(&kept).await
    {
        let registered = Registered {
            client: kept,
            listener: Some(listener),
            new: false,
        };
        return Ok((registered, "Already registered here."));
    }
    let listener = Listener::bind(ask.settings.redirect_port).await?;
    if let Some(endpoint) = &ask.server.registration_endpoint {
        let client = dynamic::register(net, ask.server, endpoint, &listener.redirect_uri()).await?;
        let registered = Registered {
            client,
            listener: Some(listener),
            new: true,
        };
        return Ok((registered, "Registered with the authorization server."));
    }
    let registered = Registered {
        client: ask.entered(net, listener.redirect_uri()).await?,
        listener: Some(listener),
        new: true,
    };
    Ok((registered, "Uses the client you entered."))
}

impl RegistrationRequest<'_> {
    /// For a grant without a browser, and without a client in the settings.
    fn without_client(&self) -> Result<(Registered, &'static str), Failure> {
        if !matches!(self.settings.grant, GrantChoice::Workload(_)) {
            return Err(Failure::new(
                Step::Registration,
                "this grant needs a client that is already registered",
                "Enter its client ID and its secret or key in the settings.",
            )
            .against(rules::MCP_CLIENT_CREDENTIALS));
        }
        let registered = Registered {
            client: self.client(String::new(), ClientOrigin::PreRegistered),
            listener: None,
            new: false,
        };
        Ok((
            registered,
            "No client is needed: the assertion identifies the workload.",
        ))
    }

    /// The client from the settings. It is used only with its own authorization server.
    fn pre_registered(&self) -> Result<RegisteredClient, Failure> {
        let ClientChoice::Manual {
            id, secret, issuer, ..
        } = &self.settings.client
        else {
            return Err(Failure::new(
                Step::Registration,
                "no client is configured",
                "Enter a client id.",
            ));
        };
        // If the settings name no issuer, the client belongs to the first one it was used with, until the user registers
        // again.
        let used = self
            .kept
            .iter()
            .rev()
            .find(|kept| kept.origin == ClientOrigin::PreRegistered && kept.id == *id)
            .map(|kept| &kept.issuer)
            .filter(|_| !self.again);
        if let Some(belongs) = issuer.as_ref().or(used)
            && *belongs != self.server.issuer
        {
            return Err(Failure::new(
                Step::Registration,
                format!(
                    "the configured client {id} belongs to {belongs}, but the server now names {}",
                    self.server.issuer
                ),
                "If the new authorization server is correct, register a client there and enter it. Otherwise, stop.",
            )
            .against(rules::MCP_BINDING));
        }
        let method = self.settings.auth_method();
        Ok(RegisteredClient {
            auth_method: method.unwrap_or_else(|| auth_method_for(self.server, secret.is_some(), None)),
            secret: secret.clone(),
            ..self.client(id.clone(), ClientOrigin::PreRegistered)
        })
    }

    /// The client whose id is the URL of a metadata document.
    fn by_document(&self, document: &Url) -> Result<RegisteredClient, Failure> {
        if document.scheme() != "https" || document.path() == "/" || document.fragment().is_some() {
            return Err(Failure::new(
                Step::Registration,
                format!(
                    "{document} cannot be a client ID: it must be an https URL with a path and no fragment"
                ),
                "Correct the address of the metadata document in the settings.",
            )
            .against(rules::MCP_METADATA_DOCUMENT));
        }
        Ok(self.client(document.to_string(), ClientOrigin::MetadataDocument))
    }

    /// Asks the user for a client.
    async fn entered(&self, net: &Net, redirect_uri: String) -> Result<RegisteredClient, Failure> {
        let question = Question::Client {
            issuer: self.server.issuer.clone(),
            redirect_uri: redirect_uri.clone(),
        };
        let Some(Answer::Client { id, secret }) = net.reporter().ask(question).await else {
            return Err(Failure::new(
                Step::Registration,
                format!(
                    "the authorization server {} does not support dynamic registration, and no client ID was entered",
                    self.server.issuer
                ),
                "Register Patchbay with the authorization server and enter the client ID.",
            )
            .against(rules::MCP_REGISTRATION));
        };
        net.redact(secret.iter().cloned().collect());
        Ok(RegisteredClient {
            auth_method: auth_method_for(self.server, secret.is_some(), None),
            secret,
            redirect_uri: Some(redirect_uri),
            ..self.client(id, ClientOrigin::Manual)
        })
    }

    /// A public client of this authorization server.
    fn client(&self, id: String, origin: ClientOrigin) -> RegisteredClient {
        RegisteredClient {
            issuer: self.server.issuer.clone(),
            id,
            secret: None,
            secret_expires_at: None,
            auth_method: AuthMethod::None,
            origin,
            redirect_uri: None,
        }
    }

    /// The latest stored client of this authorization server, unless its secret has expired.
    fn kept_as(&self, origin: ClientOrigin) -> Option<RegisteredClient> {
        let good = |client: &&RegisteredClient| {
            client.issuer == self.server.issuer
                && client.origin == origin
                && client.secret_expires_at.is_none_or(|until| until > self.now)
        };
        let mut latest_first = self.kept.iter().rev().filter(|_| !self.again);
        latest_first.find(good).cloned()
    }

    async fn with_listener(&self, client: RegisteredClient) -> Result<Registered, Failure> {
        let listener = match self.settings.grant {
            GrantChoice::AuthorizationCode => Some(Listener::bind(self.settings.redirect_port).await?),
            GrantChoice::ClientCredentials { .. } | GrantChoice::Enterprise(_) | GrantChoice::Workload(_) => {
                None
            }
        };
        let new = !self
            .kept
            .iter()
            .any(|kept| kept.issuer == client.issuer && kept.id == client.id && kept.origin == client.origin);
        Ok(Registered {
            client,
            listener,
            new,
        })
    }

    /// Binds the port that a client was registered with: some authorization servers require the same port.
    async fn same_port(&self, client: &RegisteredClient) -> Option<Listener> {
        let port = Url::parse(client.redirect_uri.as_ref()?)
            .ok()?
            .port_or_known_default()?;
        if self.settings.redirect_port.is_some_and(|wanted| wanted != port) {
            return None;
        }
        Listener::bind(Some(port)).await.ok()
    }
}

/// Whether an error of the token endpoint says that the client has to be registered, or entered, once more. Some authorization
/// servers answer `unauthorized_client` for one that they have deleted.
pub(crate) fn is_gone(client: &RegisteredClient, code: &str) -> bool {
    match client.origin {
        ClientOrigin::Dynamic => matches!(code, "invalid_client" | "unauthorized_client"),
        ClientOrigin::Manual => code == "invalid_client",
        ClientOrigin::PreRegistered | ClientOrigin::MetadataDocument => false,
    }
}

/// The authentication method at the token endpoint: as registered, otherwise the strongest that both sides support.
pub(crate) fn auth_method_for(
    server: &Server,
    has_secret: bool,
    registered: Option<AuthMethod>,
) -> AuthMethod {
    let fits = |method: &AuthMethod| match method {
        AuthMethod::None => !has_secret,
        AuthMethod::Basic | AuthMethod::Post => has_secret,
        AuthMethod::PrivateKeyJwt => false,
    };
    if let Some(method) = registered.filter(fits) {
        return method;
    }
    let Some(supported) = &server.token_endpoint_auth_methods_supported else {
        // The default if the metadata lists none (RFC 8414 section 2).
        return if has_secret {
            AuthMethod::Basic
        } else {
            AuthMethod::None
        };
    };
    let supports = |method: &AuthMethod| supported.iter().any(|known| known == method.as_str());
    if !has_secret {
        return AuthMethod::None;
    }
    [AuthMethod::Basic, AuthMethod::Post, AuthMethod::None]
        .into_iter()
        .find(supports)
        .unwrap_or(AuthMethod::Basic)
}

#[cfg(test)]
mod tests;
