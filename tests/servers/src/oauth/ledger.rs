//! The state of the authorization servers, and the rules of codes and tokens: single use, and reuse ends the grant.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest as _, Sha256};

/// A registered client.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) id: String,
    pub(crate) secret: Option<String>,
    pub(crate) redirect_uris: Vec<String>,
}

/// A code and its grant.
#[derive(Clone)]
pub(crate) struct Code {
    pub(crate) client: String,
    pub(crate) redirect_uri: String,
    pub(crate) challenge: String,
    pub(crate) scope: String,
    pub(crate) resource: String,
}

struct Grant {
    client: String,
    scope: String,
    resource: String,
    is_over: bool,
}

struct Issued<T> {
    text: String,
    grant: usize,
    is_spent: bool,
    of: T,
}

/// A grant that tokens can be issued for.
#[derive(Clone, Copy)]
pub(crate) struct GrantId(usize);

/// The whole state.
#[derive(Default)]
pub(crate) struct Ledger {
    clients: Vec<Client>,
    grants: Vec<Grant>,
    codes: Vec<Issued<Code>>,
    access: Vec<Issued<String>>,
    refresh: Vec<Issued<()>>,
    /// The identity provider's assertions.
    assertions: Vec<String>,
    secrets: Vec<String>,
}

impl Ledger {
    /// Records a secret value.
    pub(crate) fn keep(&mut self, what: &str, secret: &str) {
        self.secrets.push(format!("{what} {secret}"));
    }

    /// All secret values: kind and text, one line each.
    pub(crate) fn secrets(&self) -> String {
        self.secrets.join("\n")
    }

    pub(crate) fn add_client(&mut self, client: Client) {
        if let Some(secret) = client.secret.clone() {
            self.keep("client_secret", &secret);
        }
        self.clients.push(client);
    }

    /// The number of registered clients.
    pub(crate) fn clients(&self) -> usize {
        self.clients.len()
    }

    pub(crate) fn client(&self, id: &str) -> Option<Client> {
        self.clients.iter().find(|client| client.id == id).cloned()
    }

    /// A new code; using it creates the grant.
    pub(crate) fn issue_code(&mut self, code: Code) -> String {
        let text = unguessable("code");
        self.keep("code", &text);
        self.grants.push(Grant {
            client: code.client.clone(),
            scope: code.scope.clone(),
            resource: code.resource.clone(),
            is_over: false,
        });
        let grant = self.grants.len() - 1;
        self.codes.push(Issued {
            text: text.clone(),
            grant,
            is_spent: false,
            of: code,
        });
        text
    }

    /// A grant without a user.
    pub(crate) fn grant(&mut self, client: &str, scope: &str, resource: &str) -> GrantId {
        self.grants.push(Grant {
            client: client.to_owned(),
            scope: scope.to_owned(),
            resource: resource.to_owned(),
            is_over: false,
        });
        GrantId(self.grants.len() - 1)
    }

    /// Issues the identity provider's assertion.
    pub(crate) fn vouch(&mut self) -> String {
        let text = unguessable("id-jag");
        self.keep("id-jag", &text);
        self.assertions.push(text.clone());
        text
    }

    /// Whether the identity provider issued this assertion.
    pub(crate) fn is_vouched(&self, text: &str) -> bool {
        self.assertions.iter().any(|known| known == text)
    }

    /// Uses a code (RFC 6749 §4.1.2: on reuse, its tokens are revoked).
    pub(crate) fn spend_code(&mut self, text: &str) -> Result<(GrantId, Code), &'static str> {
        let Self { codes, grants, .. } = self;
        let code = codes.iter_mut().find(|code| code.text == text);
        let code = code.ok_or("this code was never issued")?;
        if code.is_spent {
            grants[code.grant].is_over = true;
            return Err("this code was used before");
        }
        code.is_spent = true;
        Ok((GrantId(code.grant), code.of.clone()))
    }

    /// Uses a refresh token (RFC 9700 §4.14.2: on reuse, the whole family is revoked).
    pub(crate) fn spend_refresh(&mut self, text: &str, client: &str) -> Result<GrantId, &'static str> {
        let Self { refresh, grants, .. } = self;
        let token = refresh.iter_mut().find(|token| token.text == text);
        let token = token.ok_or("this refresh token was never issued")?;
        let grant = &mut grants[token.grant];
        if grant.client != client {
            return Err("this refresh token belongs to another client");
        }
        if token.is_spent {
            grant.is_over = true;
            return Err("this refresh token was used before; all tokens of its family are revoked");
        }
        if grant.is_over {
            return Err("this grant is over");
        }
        token.is_spent = true;
        Ok(GrantId(token.grant))
    }

    /// The scope and the resource of a grant.
    pub(crate) fn terms(&self, GrantId(grant): GrantId) -> (String, String) {
        let grant = &self.grants[grant];
        (grant.scope.clone(), grant.resource.clone())
    }

    pub(crate) fn issue_access(&mut self, GrantId(grant): GrantId, text: String) {
        self.keep("access_token", &text);
        if let [_, _, signature] = *text.split('.').collect::<Vec<_>>() {
            self.keep("signature", signature);
        }
        let of = self.grants[grant].scope.clone();
        self.access.push(Issued {
            text,
            grant,
            is_spent: false,
            of,
        });
    }

    pub(crate) fn issue_refresh(&mut self, GrantId(grant): GrantId) -> String {
        let text = unguessable("refresh");
        self.keep("refresh_token", &text);
        self.refresh.push(Issued {
            text: text.clone(),
            grant,
            is_spent: false,
            of: (),
        });
        text
    }

    /// The access tokens, oldest first.
    pub(crate) fn access_tokens(&self) -> Vec<String> {
        self.access.iter().map(|token| token.text.clone()).collect()
    }

    /// The refresh tokens, oldest first.
    pub(crate) fn refresh_tokens(&self) -> Vec<String> {
        self.refresh.iter().map(|token| token.text.clone()).collect()
    }

    /// The number of this access token, starting at 1, even if it is invalid.
    pub(crate) fn number(&self, text: &str) -> Option<usize> {
        let found = self.access.iter().position(|token| token.text == text);
        found.map(|at| at + 1)
    }

    /// The scopes of a valid access token.
    pub(crate) fn scope(&self, text: &str) -> Option<&str> {
        let token = self.access.iter().find(|token| token.text == text)?;
        (!token.is_spent && !self.grants[token.grant].is_over).then_some(token.of.as_str())
    }

    /// Invalidates an access token; its grant remains.
    pub(crate) fn lose_access(&mut self, text: &str) {
        for token in self.access.iter_mut().filter(|token| token.text == text) {
            token.is_spent = true;
        }
    }

    /// Invalidates all tokens.
    pub(crate) fn end_all(&mut self) {
        for grant in &mut self.grants {
            grant.is_over = true;
        }
    }

    /// RFC 7009: revokes a token of either kind with its grant. Returns whether it was known.
    pub(crate) fn revoke(&mut self, text: &str) -> bool {
        let access = self.access.iter().filter(|token| token.text == text);
        let refresh = self.refresh.iter().filter(|token| token.text == text);
        let grants: Vec<usize> = access
            .map(|token| token.grant)
            .chain(refresh.map(|token| token.grant))
            .collect();
        for grant in &grants {
            self.grants[*grant].is_over = true;
        }
        !grants.is_empty()
    }
}

/// `name-` and a random part.
pub(crate) fn unguessable(name: &str) -> String {
    format!("{name}-{}", URL_SAFE_NO_PAD.encode(random()))
}

/// 24 random bytes. Exits if the system has none.
pub(crate) fn random() -> [u8; 24] {
    let mut bytes = [0; 24];
    if let Err(error) = getrandom::fill(&mut bytes) {
        eprintln!("no randomness: {error}");
        std::process::exit(1);
    }
    bytes
}

/// The S256 challenge of a verifier (RFC 7636 §4.2).
pub(crate) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}
