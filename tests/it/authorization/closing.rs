//! The end of a session that the server refuses: retried once if the user is not needed.

use super::ProtectedServer;
use crate::client::run_test;

/// The requests when closing a connection with an invalid token.
async fn closed(part: &str) -> Vec<String> {
    let protected = ProtectedServer::ready(part).await;
    protected.works("lose-token").await;
    let before = protected.server.seen().len();
    let closing = protected.harness.of_server("connection_close");
    let (_, pages) = protected.consenting(closing).await;
    assert!(pages.is_empty(), "{pages:?}");
    let seen = protected.server.seen().split_off(before);
    protected.harness.engine.shutdown().await;
    seen
}

#[test]
fn a_session_is_ended_with_a_renewed_token() {
    let seen = run_test(closed("fair"));
    let refresh = "as POST /token refresh_token resource=http://mcp/mcp";
    assert_eq!(
        seen,
        ["mcp DELETE /mcp [token 1]", refresh, "mcp DELETE /mcp [token 2]"]
    );
}

#[test]
fn without_a_refresh_token_the_end_is_not_retried() {
    assert_eq!(
        run_test(closed("no-refresh-token")),
        ["mcp DELETE /mcp [token 1]"]
    );
}

/// The authorization server rejects the refresh, and the user is not asked.
#[test]
fn with_a_rejected_refresh_the_end_is_not_retried() {
    let seen = run_test(closed("refresh-refused"));
    let refresh = "as POST /token refresh_token resource=http://mcp/mcp";
    assert_eq!(seen, ["mcp DELETE /mcp [token 1]", refresh]);
}
