//! Authorization through the engine's commands, as the window uses them, against a scripted protected server with its
//! authorization servers (`tests/servers/src/oauth`) and a user who follows every link.
//!
//! Each authorization server reports its requests with their tokens (`/seen`), and every secret value (`/secrets`).
//! Deliberately not here: login and consent in a real browser (`tests/e2e`), the official suite (`tests/conformance`).

mod automatic;
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

use crate::{harness::Harness, harness::page::Page, http::server::Server};

/// A protected server, a harness for it, and a user.
struct ProtectedServer {
    server: Arc<Server>,
    harness: Harness,
    /// The addresses that the user has opened.
    visited: Mutex<Vec<String>>,
}

/// Opens an address and follows its redirects; returns all pages.
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
    /// The server's variant, and changes to a new draft.
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

    /// With secrets stored in another way.
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

    /// The same user with another engine: another window, the command line, or a restart.
    async fn another(&self, store: StoreChoice, secrets: SecretsChoice) -> Self {
        Self::beside(self.server.clone(), self.harness.another(store, secrets).await)
    }

    /// The content of the authorization panel.
    async fn view(&self) -> Value {
        let params = json!({"serverId": self.harness.server, "runId": null});
        self.harness.call("authorization_get", params).await
    }

    /// Waits until the panel satisfies the condition.
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

    /// Waits until the connection satisfies the condition.
    async fn until_status(&self, so: impl Fn(&Value) -> bool) {
        let mut nudges = self.harness.open("app_watch", json!({}));
        while nudges.next().await.is_some() {
            if so(&self.harness.of_server("connection_get").await) {
                return;
            }
        }
        panic!("the engine has ended");
    }

    /// The next address that the user is asked to open.
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

    /// Runs a future and consents to every request meanwhile; also returns the last page of each consent.
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

    /// Connects, with consent.
    async fn connect(&self) -> Result<(), FailureItem> {
        self.consenting(self.harness.connect()).await.0
    }

    /// As [`Self::connect`], which must succeed. The session's stream for unrequested messages was requested too, so that
    /// later changes to the token do not affect a request in progress.
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

    /// Calls a tool and returns the type of its outcome.
    async fn call(&self, tool: &str) -> Value {
        let events = self.harness.call_tool(tool, "{}").rest().await;
        events.last().unwrap()["outcome"].clone()
    }

    /// Calls a tool, which must return a result.
    async fn works(&self, tool: &str) {
        let outcome = self.call(tool).await;
        assert_eq!(
            outcome["type"],
            "result",
            "{tool}: {outcome}\n{:#}",
            self.view().await
        );
    }

    /// The panel, once the user is asked this question.
    async fn asked(&self, question: &str) -> Value {
        self.until(|view| view["run"]["question"]["type"] == question)
            .await
    }

    async fn answer(&self, answer: Value) {
        let run = &self.view().await["run"]["id"];
        let params = json!({"serverId": self.harness.server, "runId": run, "answer": answer});
        self.harness.call("authorization_answer", params).await;
    }

    /// The requests to the servers, one per line, that start with this text.
    fn seen(&self, beginning: &str) -> Vec<String> {
        let mut seen = self.server.seen();
        seen.retain(|line| line.starts_with(beginning));
        seen
    }
}
