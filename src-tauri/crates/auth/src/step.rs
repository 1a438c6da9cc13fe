//! The steps of a run.

/// A step of a run, in order. The last three are separate runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The challenge of a 401 or 403 response (RFC 6750, RFC 9728 section 5.1).
    Challenge,
    /// The authorization servers that the server trusts (RFC 9728).
    ResourceMetadata,
    /// The capabilities of the chosen authorization server (RFC 8414, OpenID Connect Discovery).
    ServerMetadata,
    /// The client registration (RFC 7591, client id metadata documents).
    Registration,
    /// The user agrees in the browser (OAuth 2.1, RFC 7636, RFC 9207). Skipped by grants without a user.
    Authorization,
    /// The exchange of the code, or of another grant, for a token (OAuth 2.1, RFC 8707).
    Token,
    /// The exchange of the refresh token for a new token.
    Refresh,
    /// More scopes are required (403 `insufficient_scope`). Precedes the steps from Authorization on.
    StepUp,
    /// The revocation of the tokens (RFC 7009).
    Revocation,
}

impl Step {
    /// The steps of a run that starts at the first step.
    pub const RUN: [Self; 6] = [
        Self::Challenge,
        Self::ResourceMetadata,
        Self::ServerMetadata,
        Self::Registration,
        Self::Authorization,
        Self::Token,
    ];

    /// The steps of a run that requests more scopes.
    pub const MORE: [Self; 6] = [
        Self::StepUp,
        Self::ResourceMetadata,
        Self::ServerMetadata,
        Self::Registration,
        Self::Authorization,
        Self::Token,
    ];

    /// The heading.
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

    /// What the step is for, in plain language.
    #[must_use]
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Challenge => {
                "The server requires a token. Its WWW-Authenticate field may say where its metadata is and \
                 which scopes the request needs."
            }
            Self::ResourceMetadata => {
                "The server publishes which authorization servers it trusts and which resource identifier tokens must \
                 name. The address comes from the challenge; otherwise two well-known addresses are tried."
            }
            Self::ServerMetadata => {
                "The authorization server publishes its endpoints and capabilities. Its well-known addresses are tried in \
                 the order of the specification, and the issuer in the document must match."
            }
            Self::Registration => {
                "The authorization server must know Patchbay as a client. A configured client ID comes first, then a \
                 metadata document, then dynamic registration. If none is possible, you are asked."
            }
            Self::Authorization => {
                "You agree in your browser, and the authorization server redirects it back to this machine with a code. \
                 PKCE, state and iss ensure that the code belongs to this run and comes from this server."
            }
            Self::Token => {
                "The code (or another grant) is exchanged for an access token, bound to this server by the resource parameter."
            }
            Self::Refresh => {
                "The access token is renewed with the refresh token, without user interaction. Only one refresh happens at a \
                 time, because each may rotate the refresh token."
            }
            Self::StepUp => {
                "The token is valid but lacks scopes for this request. The missing scopes are requested together with those \
                 you agreed to before."
            }
            Self::Revocation => "The authorization server is asked to revoke the tokens.",
        }
    }
}
