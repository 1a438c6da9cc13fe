//! Authorization, as the window drives it: the engine's commands on one side, a scripted protected server with its
//! authorization servers (`tests/servers/src/oauth`) on the other, and a user who follows every address to its end.
//!
//! Each authorization server tells afterwards what it was asked and with which token (`/seen`), and every value that
//! nobody else may know (`/secrets`). Deliberately not here: login and consent in a real browser (`tests/e2e`), the
//! official suite (`tests/conformance`).

mod closing;
mod enterprise;
mod flows;
mod headless;
mod operations;
mod private;
mod rejections;
mod renewal;
mod secrets;
mod vaults;
mod windows;

use std::{
    future::Future,
    sync::{Arc, Mutex},
};

use patchbay_contract::{EraChoice, FailureItem, ServerDraft};
use patchbay_engine::{Engine, SecretsChoice, StoreChoice};
use serde_json::{Value, json};

use crate::{harness::Harness, http::server::Server, page::Page};

/// A protected server, a harness with it, and a user.
struct ProtectedServer {
    server: Arc<Server>,
    harness: Harness,
    /// Addresses that the user has been at.
    visited: Mutex<Vec<String>>,
}

/// Goes to an address and follows its redirects; all that was seen on the way.
async fn browse(address: String) -> Vec<Page> {
    let pages = tokio::task::spawn_blocking(move || {
        let mut pages = vec![Page::get(&address)];
        while let Some(next) = pages.last().and_then(|page| page.header("location")) {
            let next = Page::get(next);
            pages.push(next);
        }
        pages
    });
    pages.await.unwrap()
}

impl ProtectedServer {
    /// The server's part, and what differs from a fresh draft.
    async fn with(part: &str, change: impl FnOnce(&mut ServerDraft)) -> Self {
        Self::kept(StoreChoice::Temporary, part, change).await
    }

    async fn of(part: &str) -> Self {
        Self::with(part, |_| {}).await
    }

    async fn kept(store: StoreChoice, part: &str, change: impl FnOnce(&mut ServerDraft)) -> Self {
        let server = Server::of("oauth", part);
        let change = |draft: &mut ServerDraft| {
            draft.era = EraChoice::Legacy;
            change(draft);
        };
        let harness = Harness::beside(store, |engine| engine.draft_of_url(&server.url), change).await;
        Self::beside(Arc::new(server), harness)
    }

    /// With secrets kept otherwise.
    async fn keeping(store: StoreChoice, secrets: SecretsChoice, part: &str) -> Self {
        let server = Server::of("oauth", part);
        let legacy = |draft: &mut ServerDraft| draft.era = EraChoice::Legacy;
        let draft = |engine: &Engine| engine.draft_of_url(&server.url);
        let harness = Harness::keeping(store, secrets, draft, legacy).await;
        Self::beside(Arc::new(server), harness)
    }

    fn beside(server: Arc<Server>, harness: Harness) -> Self {
        Self {
            server,
            harness,
            visited: Mutex::default(),
        }
    }

    /// The same user with another engine: another window, the command line, or Patchbay started again.
    async fn another(&self, store: StoreChoice, secrets: SecretsChoice) -> Self {
        Self::beside(self.server.clone(), self.harness.another(store, secrets).await)
    }

    /// What the authorization panel shows.
    async fn view(&self) -> Value {
        let params = json!({"serverId": self.harness.server, "runId": null});
        self.harness.call("authorization_get", params).await
    }

    /// The panel, as soon as it is so.
    async fn until(&self, so: impl Fn(&Value) -> bool) -> Value {
        let mut nudges = self.harness.open("app_watch", json!({}));
        while nudges.next().await.is_some() {
            let view = self.view().await;
            if so(&view) {
                return view;
            }
        }
        panic!("the engine has ended");
    }

    /// Waits until requests can be sent.
    async fn until_connected(&self) {
        self.until_status(|now| now["connection"]["state"] == "ready")
            .await;
    }

    /// Waits until the connection is so.
    async fn until_status(&self, so: impl Fn(&Value) -> bool) {
        let mut nudges = self.harness.open("app_watch", json!({}));
        while nudges.next().await.is_some() {
            if so(&self.harness.of_server("connection_get").await) {
                return;
            }
        }
        panic!("the engine has ended");
    }

    /// The next address that the user is to open.
    async fn address(&self) -> String {
        let address = |view: &Value| {
            let waits = view["run"]["state"] == "waiting" && view["run"]["question"]["type"] == "callback";
            let address = view["run"]["authorizationUrl"].as_str().filter(|_| waits)?;
            let is_new = !self.visited.lock().unwrap().iter().any(|known| known == address);
            is_new.then(|| address.to_owned())
        };
        let view = self.until(|view| address(view).is_some()).await;
        let address = address(&view).unwrap();
        self.visited.lock().unwrap().push(address.clone());
        address
    }

    /// Does something, and consents wherever the user is asked meanwhile; gives the last page of each consent too.
    async fn consenting<T>(&self, act: impl Future<Output = T>) -> (T, Vec<Page>) {
        let mut pages = Vec::new();
        tokio::pin!(act);
        loop {
            let address = tokio::select! {
                done = &mut act => return (done, pages),
                address = self.address() => address,
            };
            pages.extend(browse(address).await.pop());
        }
    }

    /// Connects, and consents.
    async fn connect(&self) -> Result<(), FailureItem> {
        self.consenting(self.harness.connect()).await.0
    }

    /// The same, and it must work. The server was also asked for its own messages, which a session does when it likes: what a
    /// test does to the token meets nothing that is still under way.
    async fn ready(part: &str) -> Self {
        let protected = Self::of(part).await;
        let connected = protected.connect().await;
        assert!(
            connected.is_ok(),
            "{part}: {connected:?}\n{:#}",
            protected.view().await
        );
        protected
            .until_status(|now| now["http"]["getStream"] == "refused")
            .await;
        protected
    }

    /// Calls a tool and gives its outcome's type.
    async fn call(&self, tool: &str) -> Value {
        let events = self.harness.call_tool(tool, "{}").rest().await;
        events.last().unwrap()["outcome"].clone()
    }

    /// Calls a tool, which must answer with a result.
    async fn works(&self, tool: &str) {
        let outcome = self.call(tool).await;
        assert_eq!(
            outcome["type"],
            "result",
            "{tool}: {outcome}\n{:#}",
            self.view().await
        );
    }

    /// The panel, once the user is asked this.
    async fn asked(&self, question: &str) -> Value {
        self.until(|view| view["run"]["question"]["type"] == question)
            .await
    }

    async fn answer(&self, answer: Value) {
        let run = &self.view().await["run"]["id"];
        let params = json!({"serverId": self.harness.server, "runId": run, "answer": answer});
        self.harness.call("authorization_answer", params).await;
    }

    /// What the servers were asked, a line each; those that begin so.
    fn seen(&self, beginning: &str) -> Vec<String> {
        let mut seen = self.server.seen();
        seen.retain(|line| line.starts_with(beginning));
        seen
    }
}
