//! What tests share: a server that loses its sessions, and a keychain that does not answer until it may.

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use patchbay_client::State;
use patchbay_contract::{EraChoice, ServerId};
use patchbay_vault::{Keychain, KeychainError};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};

use crate::{Engine, engine::testing::with_keychain};

/// A test that waits for longer fails.
const FAILS_AFTER: Duration = Duration::from_secs(30);

/// The result of a request, by the number of the session and the method.
type Answer = fn(u32, &str) -> Value;

/// A server of the legacy era over HTTP, in this process.
pub(crate) struct SessionServer {
    url: String,
    sessions: Arc<Mutex<Sessions>>,
}

#[derive(Default)]
struct Sessions {
    /// The number of the latest one.
    latest: u32,
    is_lost: bool,
    seen: Vec<String>,
}

impl SessionServer {
    /// Listens on a free port of the loopback. `answer` also gives the capabilities, as the result of `initialize`.
    pub(crate) async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let sessions = Arc::<Mutex<Sessions>>::default();
        let shared = sessions.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                tokio::spawn(talk(stream, shared.clone(), answer));
            }
        });
        Self { url, sessions }
    }

    /// Adds the server and connects it.
    pub(crate) async fn connect(&self, engine: &Engine) -> ServerId {
        let mut draft = engine.draft_of_url(&self.url);
        draft.era = EraChoice::Legacy;
        let server = engine.add_server(draft).await.unwrap();
        engine.connect(&server).await.unwrap().unwrap();
        server
    }

    /// Loses the session, and waits until the client, which notices by a ping, has begun another.
    pub(crate) async fn lose_session(&self, engine: &Engine, server: &ServerId) {
        let mut status = engine.state.live(server).unwrap().status;
        let before = status.borrow().sessions_lost;
        self.sessions.lock().unwrap().is_lost = true;
        let ping = json!({ "serverId": server }).to_string();
        engine.call("connection_ping", &ping).await.unwrap_err();
        status
            .wait_for(|status| status.state == State::Ready && status.sessions_lost == before + 1)
            .await
            .unwrap();
    }

    /// The requests with this method, each with the number of its session.
    pub(crate) fn seen(&self, method: &str) -> Vec<String> {
        let seen = self.sessions.lock().unwrap().seen.clone();
        seen.into_iter().filter(|line| line.starts_with(method)).collect()
    }
}

/// Answers the requests of one connection.
async fn talk(stream: TcpStream, sessions: Arc<Mutex<Sessions>>, answer: Answer) {
    let mut stream = BufReader::new(stream);
    while let Some((head, body)) = request(&mut stream).await {
        let (status, extra, body) = match head.starts_with("POST") {
            true => reply(&head, &body, &sessions, answer),
            false if head.starts_with("GET") => ("405 Method Not Allowed", String::new(), String::new()),
            false => ("200 OK", String::new(), String::new()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{extra}Content-Length: {}\r\n\r\n",
            body.len()
        );
        if stream.write_all((head + &body).as_bytes()).await.is_err() {
            return;
        }
    }
}

/// Reads a request, as its head in small letters but for the first line, and its body.
async fn request(stream: &mut BufReader<TcpStream>) -> Option<(String, String)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        head += &match head.is_empty() {
            true => line,
            false => line.to_ascii_lowercase(),
        };
    }
    let length = header(&head, "content-length").map_or(0, |text| text.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some((head, String::from_utf8(body).unwrap()))
}

fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(':'));
    lines
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value.trim())
}

/// The status, further headers and the body of the response to a message.
fn reply(
    head: &str,
    body: &str,
    sessions: &Mutex<Sessions>,
    answer: Answer,
) -> (&'static str, String, String) {
    let message: Value = serde_json::from_str(body).unwrap();
    let method = message["method"].as_str().unwrap_or_default();
    let mut sessions = sessions.lock().unwrap();
    let mut extra = String::new();
    if method == "initialize" {
        sessions.latest += 1;
        sessions.is_lost = false;
        extra = format!("Mcp-Session-Id: session-{}\r\n", sessions.latest);
    } else {
        let open = format!("session-{}", sessions.latest);
        if sessions.is_lost || header(head, "mcp-session-id") != Some(&open) {
            return ("404 Not Found", extra, String::new());
        }
    }
    let latest = sessions.latest;
    sessions.seen.push(format!("{method} {latest}"));
    if message.get("id").is_none() {
        return ("202 Accepted", extra, String::new());
    }
    let mut result = answer(latest, method);
    if method == "initialize" {
        result = json!({"protocolVersion": "2025-11-25", "capabilities": result, "serverInfo": {"name": "s", "version": "1"}});
    }
    let response = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
    ("200 OK", extra, response.to_string())
}

/// A keychain in memory. While it is held, as by a prompt that nobody answers, it says nothing.
#[derive(Default)]
pub(crate) struct HeldKeychain {
    state: Mutex<Held>,
    changed: Condvar,
}

#[derive(Default)]
struct Held {
    keys: HashMap<String, Vec<u8>>,
    is_held: bool,
    /// How many calls wait.
    waiting: u32,
}

impl HeldKeychain {
    /// Opens an engine within a folder, whose vault has its key here.
    pub(crate) async fn engine(self: &Arc<Self>, folder: &tempfile::TempDir) -> Engine {
        with_keychain(folder, self.clone()).await
    }

    /// Lets calls wait from now on.
    pub(crate) fn hold(&self) {
        self.state.lock().unwrap().is_held = true;
    }

    /// Answers those that wait.
    pub(crate) fn release(&self) {
        self.state.lock().unwrap().is_held = false;
        self.changed.notify_all();
    }

    /// Returns when a call waits.
    pub(crate) async fn asked(&self) {
        let begun = Instant::now();
        while self.state.lock().unwrap().waiting == 0 {
            assert!(begun.elapsed() < FAILS_AFTER, "the keychain is not asked");
            tokio::task::yield_now().await;
        }
    }

    /// The state, once it is not held.
    fn answered(&self) -> MutexGuard<'_, Held> {
        let mut state = self.state.lock().unwrap();
        state.waiting += 1;
        let waited = self
            .changed
            .wait_timeout_while(state, FAILS_AFTER, |state| state.is_held);
        let (mut state, _) = waited.unwrap();
        state.waiting -= 1;
        state
    }
}

impl Keychain for HeldKeychain {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, KeychainError> {
        Ok(self.answered().keys.get(name).cloned())
    }

    fn write(&self, name: &str, secret: &[u8]) -> Result<(), KeychainError> {
        self.answered().keys.insert(name.to_owned(), secret.to_vec());
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), KeychainError> {
        self.answered().keys.remove(name);
        Ok(())
    }
}
