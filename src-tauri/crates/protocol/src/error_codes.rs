//! JSON-RPC and MCP error codes.

/// The text is not JSON.
pub const PARSE_ERROR: i64 = -32700;
/// Not a valid request.
pub const INVALID_REQUEST: i64 = -32600;
/// The method does not exist or is not offered.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are wrong; in MCP also an unknown tool or prompt.
pub const INVALID_PARAMS: i64 = -32602;
/// Internal error.
pub const INTERNAL_ERROR: i64 = -32603;
/// The resource does not exist (legacy era; modern servers use [`INVALID_PARAMS`]).
pub const RESOURCE_NOT_FOUND: i64 = -32002;
/// The user rejected a sampling request. Defined for responses to `sampling/createMessage` only.
pub const USER_REJECTED: i64 = -1;
/// The request cannot continue before the user has visited a URL (2025-11-25).
pub const URL_ELICITATION_REQUIRED: i64 = -32042;
/// An HTTP header disagrees with the body (2026-07-28).
pub const HEADER_MISMATCH: i64 = -32020;
/// The request needs a capability the client did not declare (2026-07-28).
pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
/// The server does not speak the request's revision (2026-07-28).
pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;

/// Whether revision 2026-07-28 forbids a code: it is of an earlier revision, or in the range that is left to the specification and
/// not defined.
#[must_use]
pub fn is_reserved(code: i64) -> bool {
    let is_defined = matches!(
        code,
        HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY | UNSUPPORTED_PROTOCOL_VERSION
    );
    code == RESOURCE_NOT_FOUND || (-32099..=-32020).contains(&code) && !is_defined
}

/// The meaning of a code, in a few words. None for codes that JSON-RPC and MCP leave to applications.
#[must_use]
pub fn meaning(code: i64) -> Option<&'static str> {
    Some(match code {
        PARSE_ERROR => "Parse error",
        INVALID_REQUEST => "Invalid request",
        METHOD_NOT_FOUND => "Method not found",
        INVALID_PARAMS => "Invalid params",
        INTERNAL_ERROR => "Internal error",
        RESOURCE_NOT_FOUND => "Resource not found",
        URL_ELICITATION_REQUIRED => "URL elicitation required",
        HEADER_MISMATCH => "Header mismatch",
        MISSING_CLIENT_CAPABILITY => "Missing required client capability",
        UNSUPPORTED_PROTOCOL_VERSION => "Unsupported protocol version",
        -32099..=-32020 => "Reserved by MCP, undefined",
        -32019..=-32000 => "Server error",
        _ => return None,
    })
}
