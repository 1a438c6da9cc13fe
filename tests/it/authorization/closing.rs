//! The end of a session that the server refuses: sent once more if that needs nobody.

use super::ProtectedServer;
use crate::client::run_test;

/// What the servers are asked when a connection is closed whose token is good no more.
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
fn without_a_refresh_token_it_is_left_at_that() {
    assert_eq!(
        run_test(closed("no-refresh-token")),
        ["mcp DELETE /mcp [token 1]"]
    );
}

/// The authorization server says no, and nobody is asked to agree again.
#[test]
fn with_a_refresh_that_is_refused_it_is_left_at_that() {
    let seen = run_test(closed("refresh-refused"));
    let refresh = "as POST /token refresh_token resource=http://mcp/mcp";
    assert_eq!(seen, ["mcp DELETE /mcp [token 1]", refresh]);
}
