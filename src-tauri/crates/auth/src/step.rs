//! The steps of a run.

/// A step of a run, in their order. The last three are runs of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// What the server asked for with 401 or 403 (RFC 6750, RFC 9728 section 5.1).
    Challenge,
    /// Which authorization servers it trusts (RFC 9728).
    ResourceMetadata,
    /// What the chosen authorization server can do (RFC 8414, OpenID Connect Discovery).
    ServerMetadata,
    /// Who we are to it (RFC 7591, client id metadata documents).
    Registration,
    /// The user agrees in the browser (OAuth 2.1, RFC 7636, RFC 9207). Skipped by grants without a user.
    Authorization,
    /// The code, or another grant, becomes a token (OAuth 2.1, RFC 8707).
    Token,
    /// The refresh token becomes a new token.
    Refresh,
    /// More scopes are wanted (403 `insufficient_scope`): what of, before the steps from Authorization on.
    StepUp,
    /// The tokens are given back (RFC 7009).
    Revocation,
}

impl Step {
    /// The steps of a run that begins at the beginning.
    pub const RUN: [Self; 6] = [
        Self::Challenge,
        Self::ResourceMetadata,
        Self::ServerMetadata,
        Self::Registration,
        Self::Authorization,
        Self::Token,
    ];

    /// The steps of a run that asks for more scopes.
    pub const MORE: [Self; 6] = [
        Self::StepUp,
        Self::ResourceMetadata,
        Self::ServerMetadata,
        Self::Registration,
        Self::Authorization,
        Self::Token,
    ];

    /// As a heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Challenge => "The server's challenge",
            Self::ResourceMetadata => "Protected resource metadata",
            Self::ServerMetadata => "Authorization server metadata",
            Self::Registration => "Client registration",
            Self::Authorization => "Authorization in the browser",
            Self::Token => "Token request",
            Self::Refresh => "Refresh",
            Self::StepUp => "More scopes",
            Self::Revocation => "Revocation",
        }
    }

    /// What it is for, in plain language.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Challenge => {
                "The server answered that it wants a token. Its WWW-Authenticate field may say where its metadata lies and \
                 which scopes the request needs."
            }
            Self::ResourceMetadata => {
                "The server publishes which authorization servers it trusts, and as what resource tokens for it are to be \
                 asked for. The address comes from the challenge; otherwise two well-known addresses are tried."
            }
            Self::ServerMetadata => {
                "The authorization server publishes its endpoints and abilities. There are several well-known addresses for \
                 that; they are tried in the order of the specification, and the issuer within must be the one we asked for."
            }
            Self::Registration => {
                "The authorization server must know Patchbay as a client. A client id you entered comes first, then a \
                 metadata document, then dynamic registration; if none is possible you are asked."
            }
            Self::Authorization => {
                "You agree in your browser, and the authorization server sends the browser back to this machine with a code. \
                 PKCE, state and iss make sure that the code is for this run and from this server."
            }
            Self::Token => {
                "The code (or another grant) is exchanged for an access token, bound to this server by the resource parameter."
            }
            Self::Refresh => {
                "The access token is renewed with the refresh token, without you. Only one refresh happens at a time, as the \
                 refresh token may change with each."
            }
            Self::StepUp => {
                "The token is good, but not for this request: the server named the scopes it needs. They are asked for \
                 together with those you agreed to before."
            }
            Self::Revocation => "The authorization server is told that the tokens are not used any more.",
        }
    }
}
