//! Tokens that are stored but not used.

use super::*;

async fn with_token(engine: &Engine, change: fn(&mut ServerDraft)) -> ServerId {
    let issuer = "http://127.0.0.1:9";
    let mut draft = engine.draft_of_url(&format!("{issuer}/mcp"));
    change(&mut draft);
    let server = engine.add_server(draft).await.unwrap();
    let id = SecretId(format!("server/{server}/authorization/{issuer}/mcp"));
    let secret = stored_tokens(issuer).to_secret();
    engine.state.vault.put(vec![(id, secret)]).await.unwrap();
    server
}

fn switched_off(draft: &mut ServerDraft) {
    draft.authorization = Some(AuthorizationDraft {
        mode: AuthorizationMode::Off,
        ..AuthorizationDraft::default()
    });
}

fn with_own_header(draft: &mut ServerDraft) {
    if let TransportDraft::Http { headers, .. } = &mut draft.transport {
        headers.push(HttpHeader {
            name: "authorization".to_owned(),
            value: "Bearer own".to_owned(),
            is_secret: true,
        });
    }
}

/// The user may have switched it off after signing in.
#[tokio::test]
async fn a_token_that_is_not_used_is_shown_and_can_be_forgotten() {
    for change in [switched_off, with_own_header] {
        let folder = tempfile::tempdir().unwrap();
        let engine = attended(&folder).await;
        let server = with_token(&engine, change).await;
        let params = serde_json::json!({ "serverId": server });
        let shown = call(&engine, "authorization_get", params.clone()).await;
        assert!(shown["token"].is_object(), "{shown}");
        let start = serde_json::json!({ "serverId": server, "from": null, "scopes": null });
        for (command, params) in [
            ("authorization_start", &start),
            ("authorization_refresh", &params),
        ] {
            let refused = engine.call(command, &params.to_string()).await;
            assert_eq!(refused.unwrap_err().code, ErrorCode::InvalidParams, "{command}");
        }
        call(&engine, "authorization_forget", params.clone()).await;
        let shown = call(&engine, "authorization_get", params).await;
        assert!(shown["token"].is_null(), "{shown}");
        let left = engine.state.vault.ids().await.unwrap();
        assert!(
            left.iter().all(|id| !id.0.contains("/authorization/")),
            "{left:?}"
        );
        let saved = engine.state.servers.get(&server).unwrap();
        let is_off = saved.draft.authorization.is_some();
        assert_eq!(engine.state.authorizer(&saved).is_none(), is_off);
        engine.shutdown().await;
    }
}
