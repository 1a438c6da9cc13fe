//! Every mistake of a protected server and its authorization server: the run ends at the right step, before any further
//! request, with the cause, the broken rule and the next action.

use serde_json::Value;

use super::ProtectedServer;
use crate::client::run_test;

/// The expected end of a failed run.
pub(super) struct Rejected {
    pub(super) part: &'static str,
    /// The step at which it ends.
    pub(super) step: &'static str,
    /// A part of its cause.
    pub(super) cause: &'static str,
    /// The broken clause; empty if none.
    pub(super) rule: &'static str,
    /// The last request to any of the servers.
    pub(super) last: &'static str,
}

async fn check(expected: Rejected) {
    let protected = ProtectedServer::with(expected.part, |draft| {
        // Those that are ended by it.
        if expected.part.starts_with("slow-") {
            draft.timeouts.request_ms = 1_000;
        }
    })
    .await;
    ends(&protected, expected).await;
    protected.harness.engine.shutdown().await;
}

/// Connects, and expects this end. Returns the next action.
pub(super) async fn ends(protected: &ProtectedServer, expected: Rejected) -> String {
    let Rejected {
        part,
        step,
        cause,
        rule,
        last,
    } = expected;
    let (connected, pages) = protected.consenting(protected.harness.connect()).await;
    let view = protected.view().await;
    let run = &view["run"];
    let shown = format!("{part}: {connected:?}\n{run:#}");
    let failure = connected.expect_err(&shown);
    assert_eq!(run["state"], "failed", "{shown}");
    let steps = run["steps"].as_array().unwrap();
    let failed: Vec<&Value> = steps.iter().filter(|step| step["state"] == "failed").collect();
    let [failed] = failed.as_slice() else {
        panic!("{shown}");
    };
    assert_eq!(failed["step"], step, "{shown}");
    let why = &failed["failure"];
    let words = |name: &str| why[name].as_str().unwrap_or_default();
    assert!(words("cause").contains(cause), "no `{cause}`: {shown}");
    assert!(words("next").len() > 10, "{shown}");
    let same = |text: &str| text.trim_end_matches('.').to_lowercase();
    assert_eq!(same(&failure.cause), same(words("cause")), "{shown}");
    let named = why["rule"]["name"].as_str().unwrap_or_default();
    assert_eq!(named.is_empty(), rule.is_empty(), "{named}: {shown}");
    assert!(named.contains(rule), "no `{rule}`: {shown}");
    let url = why["rule"]["url"].as_str().unwrap_or("https://");
    assert!(url.starts_with("https://"), "{shown}");

    // The failing exchange is in the log.
    let seq = &why["seq"];
    if seq.is_string() {
        let record = protected.harness.record(seq).await;
        assert_eq!(record["row"]["kind"], "http", "{shown}\n{record}");
    }
    let seen = protected.server.seen();
    let ended = seen.last().unwrap();
    assert!(ended.contains(last), "the last was `{ended}`: {seen:#?}\n{shown}");
    assert_eq!(view["token"], Value::Null, "{shown}");
    assert!(!seen.iter().any(|line| line.contains("[token")), "{seen:#?}");
    for page in &pages {
        assert!(
            !page.body.contains("<script") && !page.body.contains("<img"),
            "{page:?}"
        );
    }
    words("next").to_owned()
}

macro_rules! rejections {
    ($($name:ident: $part:literal ends at $step:literal, $cause:literal, $rule:literal, after $last:literal;)+) => {
        $(#[test] fn $name() {
            run_test(check(Rejected { part: $part, step: $step, cause: $cause, rule: $rule, last: $last }));
        })+
    };
}

rejections! {
    metadata_of_another_resource: "wrong-resource" ends at "resourceMetadata", "is for the resource", "RFC 9728 section 3.3", after "mcp GET /.well-known/oauth-protected-resource";
    metadata_without_an_authorization_server: "no-servers" ends at "resourceMetadata", "names no authorization server", "MCP authorization", after "mcp GET /.well-known/oauth-protected-resource";
    an_unparsable_challenge: "odd-challenge" ends at "resourceMetadata", "is not a URL", "RFC 9728 section 5.1", after "mcp POST /mcp";
    metadata_at_a_private_address: "private-metadata" ends at "resourceMetadata", "169.254.169.254", "MCP authorization", after "mcp POST /mcp";
    web_pages_in_place_of_resource_metadata: "html-metadata" ends at "resourceMetadata", "not JSON", "RFC 9728 section 3.2", after "mcp GET /.well-known/oauth-protected-resource";
    metadata_of_another_issuer: "wrong-issuer" ends at "serverMetadata", "issuer", "RFC 8414 section 3.3", after "as GET /.well-known/";
    web_pages_in_place_of_server_metadata: "html-server-metadata" ends at "serverMetadata", "not JSON", "RFC 8414 section 3.2", after "as GET /.well-known/";
    half_of_server_metadata: "cut-server-metadata" ends at "serverMetadata", "not JSON", "RFC 8414 section 3.2", after "as GET /.well-known/";
    endless_server_metadata: "slow-server-metadata" ends at "serverMetadata", "within", "", after "as GET /.well-known/";
    a_redirect_loop_of_server_metadata: "server-metadata-loop" ends at "serverMetadata", "redirects", "", after "as GET /.well-known/";
    no_mention_of_pkce: "no-pkce" ends at "serverMetadata", "code_challenge_methods_supported", "Authorization Code Protection", after "as GET /.well-known/";
    only_plain_pkce: "plain-pkce" ends at "serverMetadata", "S256", "Authorization Code Protection", after "as GET /.well-known/";
    an_authorization_endpoint_that_is_a_script: "javascript-url" ends at "serverMetadata", "javascript:", "Communication Security", after "as GET /.well-known/";
    an_authorization_endpoint_that_is_a_file: "file-url" ends at "serverMetadata", "file:", "Communication Security", after "as GET /.well-known/";
    an_authorization_endpoint_without_tls: "plain-authorization" ends at "serverMetadata", "http://auth.example.com", "Communication Security", after "as GET /.well-known/";
    a_token_endpoint_without_tls: "plain-http" ends at "serverMetadata", "http://auth.example.com", "Communication Security", after "as GET /.well-known/";
    a_token_endpoint_that_is_a_file: "file-token" ends at "serverMetadata", "file:", "Communication Security", after "as GET /.well-known/";
    a_registration_endpoint_without_tls: "plain-registration" ends at "registration", "http://auth.example.com", "Communication Security", after "as GET /.well-known/";
    a_registration_refused: "registration-refused" ends at "registration", "invalid_redirect_uri", "RFC 7591 section 3.2.2", after "as POST /register";
    a_web_page_in_place_of_a_registration: "html-registration" ends at "registration", "not JSON", "RFC 7591 section 3.2.1", after "as POST /register";
    a_registration_without_a_client: "empty-registration" ends at "registration", "client_id", "RFC 7591 section 3.2.1", after "as POST /register";
    consent_denied: "denied" ends at "authorization", "access_denied", "RFC 6749 section 4.1.2.1", after "as GET /authorize";
    the_iss_of_another_server: "wrong-iss" ends at "authorization", "not the expected", "RFC 9207 section 2.4", after "as GET /authorize";
    an_unexpected_iss_of_another_server: "unexpected-iss" ends at "authorization", "not the expected", "RFC 9207 section 2.4", after "as GET /authorize";
    no_iss_though_advertised: "missing-iss" ends at "authorization", "does not name its issuer", "RFC 9207 section 2.4", after "as GET /authorize";
    neither_code_nor_error: "no-code" ends at "authorization", "neither a code nor an error", "RFC 6749 section 4.1.2", after "as GET /authorize";
    an_error_full_of_markup: "injection" ends at "authorization", "server_error", "RFC 6749 section 4.1.2.1", after "as GET /authorize";
    a_code_that_was_used: "used-code" ends at "token", "invalid_grant", "RFC 6749 section 5.2", after "as POST /token";
    a_client_that_was_deleted: "client-refused" ends at "token", "invalid_client", "RFC 6749 section 5.2", after "as POST /token";
    a_web_page_in_place_of_a_token: "html-token" ends at "token", "text/html", "RFC 6749 section 5.1", after "as POST /token";
    json_without_a_token: "empty-token" ends at "token", "neither a token nor an error", "RFC 6749 section 5.1", after "as POST /token";
    a_token_of_no_known_type: "odd-token-type" ends at "token", "mac", "RFC 6749 section 5.1", after "as POST /token";
    an_endless_token: "slow-token" ends at "token", "within", "", after "as POST /token";
    a_token_endpoint_that_redirects: "redirect-token" ends at "token", "redirects", "RFC 9700 section 4.12", after "as POST /token";
}

/// The text comes from another party, who wants it to be read (RFC 9207 section 2.4).
#[test]
fn an_error_with_the_iss_of_another_server_is_not_shown() {
    run_test(async {
        let protected = ProtectedServer::of("wrong-iss-error").await;
        let (connected, pages) = protected.consenting(protected.harness.connect()).await;
        let shown = format!("{connected:?}{:#}{pages:?}", protected.view().await);
        assert!(connected.is_err(), "{shown}");
        assert!(shown.contains("iss") && !shown.contains("555-0100"), "{shown}");
        protected.harness.engine.shutdown().await;
    });
}
