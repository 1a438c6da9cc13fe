//! The variants of the OAuth mode.

macro_rules! variants {
    ($($variant:ident $name:literal $what:literal)+) => {
        /// A way to be a protected server and its authorization servers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Variant {
            $(#[doc = $what] $variant,)+
        }

        /// All of them, with their names and what they do.
        pub(crate) const VARIANTS: &[(Variant, &str, &str)] = &[$((Variant::$variant, $name, $what),)+];
    };
}

variants! {
    // What a good server may be like.
    Fair "fair" "everything as it should be: registration, S256, iss, rotation, revocation, scopes, JWTs"
    RootMetadata "root-metadata" "names no metadata in its challenge; they are at the root only"
    OpenId "openid" "OpenID discovery only, for an issuer with a path"
    TwoServers "two-servers" "two authorization servers to choose from"
    Moves "moves" "a call of `move` moves it to its other authorization server"
    Old "2025-03-26" "no resource metadata; it is its own authorization server, with metadata at the root"
    OldDefaults "default-endpoints" "the same without any metadata"
    SecretBasic "secret-basic" "registration gives a secret, which must come in a header"
    SecretPost "secret-post" "registration gives a secret, which must come in the form"
    NoRegistration "no-registration" "knows one client only: `known-client` with the secret `known-secret-0123456789`"
    NoRefreshToken "no-refresh-token" "gives access tokens only"
    Opaque "opaque" "its access tokens are no JWTs"
    HeldRefresh "held-refresh" "answers a refresh once the test lets it (`/go`)"
    OpenDoor "open-door" "lets everybody in, but for `write`, which needs a scope, and `forbidden`, which nobody may call"
    ScopeAtTheDoor "scope-at-the-door" "403 insufficient_scope to anyone who has no token"
    Public "public" "at a public address, its authorization server at a private one"
    PublicIssuer "public-issuer" "the same, but only the authorization server's endpoints are at a private one"
    ManyChallenges "many-challenges" "several challenges in one header, the bearer's not the first"
    // What the protected server can do wrong.
    OddChallenge "odd-challenge" "a challenge that nobody can parse"
    AlwaysRefuses "always-401" "refuses its own server's tokens"
    StepUpForEver "step-up-for-ever" "wants another scope, whatever it gets"
    WrongResource "wrong-resource" "metadata of another resource"
    NoServers "no-servers" "metadata without an authorization server"
    PrivateMetadata "private-metadata" "names metadata at the address where clouds keep their secrets"
    HtmlMetadata "html-metadata" "web pages in place of its metadata"
    // What an authorization server's metadata can have wrong.
    WrongIssuer "wrong-issuer" "metadata of another issuer"
    NoPkce "no-pkce" "no code_challenge_methods_supported"
    PlainPkce "plain-pkce" "no S256 among its code_challenge_methods_supported"
    HtmlServerMetadata "html-server-metadata" "web pages in place of metadata"
    CutServerMetadata "cut-server-metadata" "half of its metadata"
    SlowServerMetadata "slow-server-metadata" "metadata that never come to an end"
    ServerMetadataLoop "server-metadata-loop" "metadata that redirect to themselves"
    JavascriptUrl "javascript-url" "an authorization endpoint that is a script"
    FileUrl "file-url" "an authorization endpoint that is a file"
    PlainHttp "plain-http" "a token endpoint without TLS, elsewhere"
    PlainAuthorization "plain-authorization" "an authorization endpoint without TLS, elsewhere"
    PlainRegistration "plain-registration" "a registration endpoint without TLS, elsewhere"
    FileToken "file-token" "a token endpoint that is a file"
    // Registration.
    RegistrationRefused "registration-refused" "400 invalid_redirect_uri to every registration"
    HtmlRegistration "html-registration" "a web page in place of a registration"
    EmptyRegistration "empty-registration" "a registration without a client_id"
    // Authorization.
    Denied "denied" "access_denied"
    WrongIss "wrong-iss" "comes back with the iss of another server"
    WrongIssError "wrong-iss-error" "comes back with an error and the iss of another server"
    UnexpectedIss "unexpected-iss" "the same without having said that there would be one"
    MissingIss "missing-iss" "comes back without the iss it advertised"
    MixedState "mixed-state" "comes back with another state"
    NoCode "no-code" "comes back with neither code nor error"
    Injection "injection" "an error full of markup"
    // Tokens.
    UsedCode "used-code" "invalid_grant: the code was used before"
    ClientRefused "client-refused" "401 invalid_client"
    HtmlToken "html-token" "a web page in place of a token"
    EmptyToken "empty-token" "JSON without a token"
    OddTokenType "odd-token-type" "a token of a type nobody knows"
    SlowToken "slow-token" "a token that never comes to an end"
    RedirectToken "redirect-token" "a token endpoint that redirects to another server"
    OddExpiry "odd-expiry" "a token that expires in `soon` seconds"
    ClockSkew "clock-skew" "its clock, in JWTs and Date headers, is a day behind"
    RefreshRefused "refresh-refused" "refuses every refresh"
    // Enterprise-managed authorization: `as2` is the identity provider.
    StrangerToProvider "stranger-to-provider" "the identity provider does not vouch for the user"
    AssertionRefused "assertion-refused" "the authorization server does not take the identity provider's word"
    HtmlRefresh "html-refresh" "a web page in place of a refreshed token"
}

impl Variant {
    /// The one of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = VARIANTS.iter().find(|(_, known, _)| *known == name);
        found.map(|(variant, ..)| *variant)
    }

    /// Its address is one of the public internet.
    pub(crate) fn is_public(self) -> bool {
        matches!(self, Self::Public | Self::PublicIssuer)
    }

    /// It is from before there were metadata of resources.
    pub(crate) fn is_old(self) -> bool {
        matches!(self, Self::Old | Self::OldDefaults)
    }
}
