//! The variants of the OAuth mode.

macro_rules! variants {
    ($($variant:ident $name:literal $what:literal)+) => {
        /// A variant of a protected server and its authorization servers.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Variant {
            $(#[doc = $what] $variant,)+
        }

        /// All variants, with their names and descriptions.
        pub(crate) const VARIANTS: &[(Variant, &str, &str)] = &[$((Variant::$variant, $name, $what),)+];
    };
}

variants! {
    // Valid variants.
    Fair "fair" "well-behaved: registration, S256, iss, rotation, revocation, scopes, JWTs"
    RootMetadata "root-metadata" "names no metadata in its challenge; it is at the root only"
    OpenId "openid" "OpenID discovery only, for an issuer with a path"
    TwoServers "two-servers" "two authorization servers to choose from"
    Moves "moves" "a call of `move` moves it to its other authorization server"
    Old "2025-03-26" "no resource metadata; it is its own authorization server, with metadata at the root"
    OldDefaults "default-endpoints" "as 2025-03-26, without any metadata"
    SecretBasic "secret-basic" "registration issues a secret, which must be sent in a header"
    SecretPost "secret-post" "registration issues a secret, which must be sent in the form"
    NoRegistration "no-registration" "has one client only: `known-client` with the secret `known-secret-0123456789`"
    NoRefreshToken "no-refresh-token" "issues access tokens only"
    Opaque "opaque" "its access tokens are not JWTs"
    HeldRefresh "held-refresh" "delays a refresh until the test releases it (`/go`)"
    TokenOptional "token-optional" "needs no token, except for `write`, which needs a scope, and `forbidden`, which always fails"
    ScopeWithoutToken "scope-without-token" "403 insufficient_scope without a token"
    Public "public" "at a public address, its authorization server at a private one"
    PublicIssuer "public-issuer" "as public, but only the authorization server's endpoints are at a private address"
    ManyChallenges "many-challenges" "several challenges in one header, Bearer is not the first"
    // Mistakes of the protected server.
    OddChallenge "odd-challenge" "an unparsable challenge"
    AlwaysRefuses "always-401" "rejects valid tokens"
    StepUpForEver "step-up-for-ever" "always requires another scope"
    WrongResource "wrong-resource" "metadata of another resource"
    NoServers "no-servers" "metadata without an authorization server"
    PrivateMetadata "private-metadata" "names metadata at a cloud metadata address"
    HtmlMetadata "html-metadata" "web pages instead of its metadata"
    // Mistakes in an authorization server's metadata.
    WrongIssuer "wrong-issuer" "metadata of another issuer"
    NoPkce "no-pkce" "no code_challenge_methods_supported"
    PlainPkce "plain-pkce" "no S256 among its code_challenge_methods_supported"
    HtmlServerMetadata "html-server-metadata" "web pages instead of metadata"
    CutServerMetadata "cut-server-metadata" "incomplete metadata"
    SlowServerMetadata "slow-server-metadata" "endless metadata"
    ServerMetadataLoop "server-metadata-loop" "metadata that redirects to itself"
    JavascriptUrl "javascript-url" "an authorization endpoint that is a script"
    FileUrl "file-url" "an authorization endpoint that is a file"
    PlainHttp "plain-http" "a token endpoint without TLS, elsewhere"
    PlainAuthorization "plain-authorization" "an authorization endpoint without TLS, elsewhere"
    PlainRegistration "plain-registration" "a registration endpoint without TLS, elsewhere"
    FileToken "file-token" "a token endpoint that is a file"
    // Registration.
    RegistrationRefused "registration-refused" "400 invalid_redirect_uri to every registration"
    HtmlRegistration "html-registration" "a web page instead of a registration"
    EmptyRegistration "empty-registration" "a registration without a client_id"
    // Authorization.
    Denied "denied" "access_denied"
    WrongIss "wrong-iss" "responds with the iss of another server"
    WrongIssError "wrong-iss-error" "responds with an error and the iss of another server"
    UnexpectedIss "unexpected-iss" "as wrong-iss, without advertising iss"
    MissingIss "missing-iss" "responds without the advertised iss"
    MixedState "mixed-state" "responds with another state"
    NoCode "no-code" "responds with neither code nor error"
    Injection "injection" "an error full of markup"
    // Tokens.
    UsedCode "used-code" "invalid_grant: the code was used before"
    ClientRefused "client-refused" "401 invalid_client"
    HtmlToken "html-token" "a web page instead of a token"
    EmptyToken "empty-token" "JSON without a token"
    OddTokenType "odd-token-type" "a token of a type nobody knows"
    SlowToken "slow-token" "an endless token response"
    RedirectToken "redirect-token" "a token endpoint that redirects to another server"
    OddExpiry "odd-expiry" "a token that expires in `soon` seconds"
    ClockSkew "clock-skew" "its clock, in JWTs and Date headers, is a day behind"
    RefreshRefused "refresh-refused" "rejects every refresh"
    // Enterprise-managed authorization: `as2` is the identity provider.
    StrangerToProvider "stranger-to-provider" "the identity provider rejects the user"
    AssertionRefused "assertion-refused" "the authorization server rejects the assertion"
    HtmlRefresh "html-refresh" "a web page instead of a refreshed token"
}

impl Variant {
    /// The variant with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let found = VARIANTS.iter().find(|(_, known, _)| *known == name);
        found.map(|(variant, ..)| *variant)
    }

    /// Whether its address is a public one.
    pub(crate) fn is_public(self) -> bool {
        matches!(self, Self::Public | Self::PublicIssuer)
    }

    /// Whether it predates protected resource metadata.
    pub(crate) fn is_old(self) -> bool {
        matches!(self, Self::Old | Self::OldDefaults)
    }
}
