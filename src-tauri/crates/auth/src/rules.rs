//! The clauses that failures refer to.

use crate::Clause;

macro_rules! clauses {
    ($($name:ident = $title:literal, $url:literal;)*) => {
        $(pub(crate) const $name: Clause = Clause { name: $title, url: $url };)*
    };
}

clauses! {
    TOKEN_RESPONSE = "RFC 6749 section 5.1", "https://www.rfc-editor.org/rfc/rfc6749#section-5.1";
    TOKEN_ERROR = "RFC 6749 section 5.2", "https://www.rfc-editor.org/rfc/rfc6749#section-5.2";
    AUTHORIZATION_ERROR = "RFC 6749 section 4.1.2.1", "https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1";
    AUTHORIZATION_RESPONSE = "RFC 6749 section 4.1.2", "https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2";
    PARAMETERS_ONCE = "RFC 6749 section 3.1", "https://www.rfc-editor.org/rfc/rfc6749#section-3.1";
    REDIRECTS = "RFC 9700 section 4.12", "https://www.rfc-editor.org/rfc/rfc9700#section-4.12";
    REVOCATION = "RFC 7009 section 2.2", "https://www.rfc-editor.org/rfc/rfc7009#section-2.2";
    JWT_CLIENT = "RFC 7523 section 2.2", "https://www.rfc-editor.org/rfc/rfc7523#section-2.2";
    JWT_GRANT_CHECKS = "RFC 7523 section 3", "https://www.rfc-editor.org/rfc/rfc7523#section-3";
    DPOP_TOKEN_REQUEST = "RFC 9449 section 5", "https://www.rfc-editor.org/rfc/rfc9449#section-5";
    DPOP_METADATA = "RFC 9449 section 5.1", "https://www.rfc-editor.org/rfc/rfc9449#section-5.1";
    DPOP_NONCE = "RFC 9449 section 8", "https://www.rfc-editor.org/rfc/rfc9449#section-8";
    REGISTRATION_ERROR = "RFC 7591 section 3.2.2", "https://www.rfc-editor.org/rfc/rfc7591#section-3.2.2";
    REGISTRATION_RESPONSE = "RFC 7591 section 3.2.1", "https://www.rfc-editor.org/rfc/rfc7591#section-3.2.1";
    SERVER_METADATA = "RFC 8414 section 3.2", "https://www.rfc-editor.org/rfc/rfc8414#section-3.2";
    SERVER_METADATA_ISSUER = "RFC 8414 section 3.3", "https://www.rfc-editor.org/rfc/rfc8414#section-3.3";
    TOKEN_EXCHANGE = "RFC 8693 section 2.2", "https://www.rfc-editor.org/rfc/rfc8693#section-2.2";
    ISSUER_IN_RESPONSE = "RFC 9207 section 2.4", "https://www.rfc-editor.org/rfc/rfc9207#section-2.4";
    RESOURCE_METADATA = "RFC 9728 section 3.2", "https://www.rfc-editor.org/rfc/rfc9728#section-3.2";
    RESOURCE_METADATA_RESOURCE = "RFC 9728 section 3.3", "https://www.rfc-editor.org/rfc/rfc9728#section-3.3";
    RESOURCE_METADATA_URL = "RFC 9728 section 5.1", "https://www.rfc-editor.org/rfc/rfc9728#section-5.1";
    RESOURCE_METADATA_SSRF = "RFC 9728 section 7.7", "https://www.rfc-editor.org/rfc/rfc9728#section-7.7";
    MCP_SERVER_LOCATION = "MCP authorization: Authorization Server Location",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery#authorization-server-location";
    MCP_SERVER_METADATA = "MCP authorization: Authorization Server Metadata Discovery",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery";
    MCP_BINDING = "MCP authorization: Authorization Server Binding",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#authorization-server-binding";
    MCP_REGISTRATION = "MCP authorization: Client Registration",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration";
    MCP_METADATA_DOCUMENT = "MCP authorization: Client ID Metadata Documents",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#client-id-metadata-documents";
    MCP_SECURE = "MCP authorization: Communication Security",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#communication-security";
    MCP_PKCE = "MCP authorization: Authorization Code Protection",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#authorization-code-protection";
    MCP_STEP_UP = "MCP authorization: Step-Up Authorization Flow",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#step-up-authorization-flow";
    MCP_TOKEN_HANDLING = "MCP authorization: Token Handling",
        "https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#token-handling";
    MCP_CLIENT_CREDENTIALS = "MCP extension: OAuth Client Credentials",
        "https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/oauth-client-credentials.mdx";
    MCP_ENTERPRISE = "MCP extension: Enterprise-Managed Authorization",
        "https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx";
}
