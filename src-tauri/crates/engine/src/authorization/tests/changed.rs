//! Settings of a server that are saved while it is connected.

use patchbay_http::{Credential, HeaderMap, Method, Outbound, Refusal, Verdict};
use patchbay_traffic::Seq;
use serde_json::{Value, json};

use super::*;

/// A server that answers nothing, and what a connection to it uses.
struct Connection {
    engine: Engine,
    id: ServerId,
    draft: ServerDraft,
    address: Url,
    authorizer: Arc<dyn Authorizer>,
    _folder: tempfile::TempDir,
    _listener: std::net::TcpListener,
}

impl Connection {
    /// With a stored token.
    async fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = attended(&folder).await;
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let address: Url = format!("{issuer}/mcp").parse().unwrap();
        let draft = engine.draft_of_url(address.as_str());
        let id = engine.add_server(draft.clone()).await.unwrap();
        let name = SecretId(format!("server/{id}/authorization/{address}"));
        let secret = stored_tokens(&issuer).to_secret();
        engine.state.vault.put(vec![(name, secret)]).await.unwrap();
        let authorizer = engine.state.authorizer(&engine.state.servers.get(&id).unwrap());
        Self {
            authorizer: authorizer.unwrap(),
            engine,
            id,
            draft,
            address,
            _folder: folder,
            _listener: listener,
        }
    }

    async fn credential(&self) -> Option<Credential> {
        let request = Outbound {
            method: &Method::POST,
            url: &self.address,
            operation: None,
        };
        self.authorizer.credential(&request).await
    }

    async fn carried(&self) -> Option<String> {
        let credential = self.credential().await?;
        Some(credential.value.expose().to_owned())
    }

    /// A request that needs more scopes, for which the connection begins a run.
    async fn refused(&self) -> Verdict {
        let refusal = Refusal {
            status: 403,
            www_authenticate: vec!["Bearer error=\"insufficient_scope\"".to_owned()],
            exchange: Seq::MIN,
            peer: None,
            used: self.credential().await.map(|credential| credential.version),
            purpose: "tools/call add".to_owned(),
            operation: None,
        };
        self.authorizer.refused(refusal).await
    }

    fn save(&self, draft: ServerDraft) {
        self.engine.state.servers.update(&self.id, draft).unwrap();
    }

    fn rename(&self) {
        let name = "renamed".to_owned();
        self.save(ServerDraft {
            name,
            ..self.draft.clone()
        });
    }

    async fn call(&self, command: &str) -> Value {
        call(&self.engine, command, json!({ "serverId": self.id })).await
    }

    /// The run that the panel shows, once it has begun.
    async fn shown(&self) -> Value {
        let running = async {
            loop {
                let run = self.call("authorization_get").await["run"].take();
                if run["state"] == "running" {
                    return run;
                }
                tokio::task::yield_now().await;
            }
        };
        let running = tokio::time::timeout(Duration::from_secs(20), running);
        running.await.expect("no run is shown")
    }
}

#[tokio::test]
async fn a_connection_and_the_panel_share_one_credential_after_a_save() {
    let connection = Connection::open().await;
    let token = Some("Bearer access-token-1".to_owned());
    assert_eq!(connection.carried().await, token);
    connection.rename();
    let panel = connection.call("authorization_get").await;
    assert!(!panel["token"].is_null(), "{panel}");
    assert_eq!(connection.carried().await, token);
    assert!(
        !connection
            .authorizer
            .answered(&connection.address, &HeaderMap::new())
    );
    connection.call("authorization_forget").await;
    assert_eq!(connection.carried().await, None);
    connection.engine.shutdown().await;
}

/// The token of the other address is not for this connection, whose runs are shown nevertheless.
#[tokio::test]
async fn a_run_of_an_open_connection_is_pasted_to_and_cancelled_after_a_save() {
    for moves in [false, true] {
        let connection = Connection::open().await;
        let other = connection.address.join("/other").unwrap();
        match moves {
            true => connection.save(connection.engine.draft_of_url(other.as_str())),
            false => connection.rename(),
        }
        connection.call("authorization_get").await;
        assert!(connection.carried().await.is_some(), "{moves}");
        let answered = async {
            let run = connection.shown().await;
            let pasted = json!({
                "serverId": connection.id,
                "runId": run["id"],
                "answer": { "type": "callback", "text": "a-code" },
            });
            call(&connection.engine, "authorization_answer", pasted).await;
            connection.call("authorization_cancel").await;
        };
        let (verdict, ()) = tokio::join!(connection.refused(), answered);
        assert!(matches!(verdict, Verdict::GiveUp(_)), "{moves}: {verdict:?}");
        connection.engine.shutdown().await;
    }
}
