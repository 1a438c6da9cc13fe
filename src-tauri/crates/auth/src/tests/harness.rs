//! The host of a run in tests: a scripted clock, browser and user, and a log.

use patchbay_http::{Authorizer, Refusal};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use futures_util::future::BoxFuture;
use oauth2::url::Position;
use patchbay_http::{Client, ProxyChoice, Url};
use patchbay_secret::Secret;
use patchbay_traffic::{
    ConnectionRef, Filter, Kind, NewConnection, NewOperation, OperationId, Recorder, Seq, Store, StoreOptions,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::{
    Answer, CredentialProvider, Failure, Host, MemoryTokenStore, Opened, Question, RunEvent, RunEventKind,
    Settings, TokenStore, Wire,
};
use patchbay_test_server::{
    http::{reply::Whole, request::Request},
    oauth::{Provider, Variant},
};

/// The behavior of the browser.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Browser {
    /// Follows the authorization server's redirect back.
    Agrees,
    /// Does nothing.
    Waits,
    /// No browser is available.
    Missing,
    /// It cannot be started.
    Broken,
    /// Opening it panics.
    Panics,
}

pub(super) struct Harness {
    pub(super) server: Provider,
    pub(super) now: Mutex<SystemTime>,
    pub(super) browser: Mutex<Browser>,
    pub(super) answers: Mutex<VecDeque<Answer>>,
    /// Whether the user is away: a question gets no answer.
    pub(super) is_away: AtomicBool,
    /// The question that can be answered and is not yet reported.
    answerable: Mutex<Option<Question>>,
    pub(super) events: Mutex<Vec<RunEvent>>,
    pub(super) tokens: MemoryTokenStore,
    random: Mutex<u8>,
    store: Store,
    recorder: Recorder,
    connection: ConnectionRef,
}

impl Harness {
    /// With a provider that behaves correctly.
    pub(super) fn new() -> Arc<Self> {
        Self::of(Variant::Fair)
    }

    pub(super) fn of(variant: Variant) -> Arc<Self> {
        let (store, recorder) = Store::open(StoreOptions::default()).unwrap();
        let connection = recorder.connection(NewConnection {
            server_id: "one".to_owned(),
            server_name: "One".to_owned(),
            origin: patchbay_traffic::Origin::Client,
        });
        Arc::new(Self {
            server: Provider::start(variant).unwrap(),
            now: Mutex::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000)),
            browser: Mutex::new(Browser::Agrees),
            answers: Mutex::default(),
            is_away: AtomicBool::default(),
            answerable: Mutex::default(),
            events: Mutex::default(),
            tokens: MemoryTokenStore::default(),
            random: Mutex::new(0),
            store,
            recorder,
            connection,
        })
    }

    pub(super) fn provider(self: &Arc<Self>, settings: Settings) -> CredentialProvider {
        self.provider_of(&self.server.address(), settings)
    }

    pub(super) fn provider_of(self: &Arc<Self>, server: &str, settings: Settings) -> CredentialProvider {
        let host: Arc<dyn Host> = Arc::clone(self) as Arc<dyn Host>;
        CredentialProvider::new(
            server.parse().unwrap(),
            settings,
            host,
            Arc::new(self.tokens.clone()),
        )
    }

    pub(super) fn later(&self, seconds: u64) {
        *self.now.lock().unwrap() += Duration::from_secs(seconds);
    }

    pub(super) fn browser(&self, browser: Browser) {
        *self.browser.lock().unwrap() = browser;
    }

    /// The reported events, one line each, without times.
    pub(super) fn reports(&self) -> Vec<String> {
        let (mcp, issuer) = (self.server.url(""), self.server.issuer(0));
        let events = self.events.lock().unwrap();
        events
            .iter()
            .map(|event| line(&event.what).replace(&mcp, "MCP").replace(&issuer, "AS"))
            .collect()
    }

    /// The requests to the provider, such as `GET /path`.
    pub(super) fn asked(&self) -> Vec<String> {
        let requests = self.server.requests();
        let line = |request: &Request| format!("{} {}", request.method, request.target().0);
        requests.iter().map(line).collect()
    }

    /// The requests to a path.
    pub(super) fn at(&self, path: &str) -> Vec<Request> {
        let mut requests = self.server.requests();
        requests.retain(|request| request.target().0 == path);
        requests
    }

    /// The tokens that were revoked, in order.
    pub(super) fn revoked(&self) -> Vec<String> {
        let requests = self.at("/revoke");
        let token = |seen: &Request| seen.form().get("token").to_owned();
        requests.iter().map(token).collect()
    }

    /// The Authorization header for the access token with this number, starting at 1.
    pub(super) fn bearer(&self, number: usize) -> String {
        format!("Bearer {}", self.server.access_tokens()[number - 1])
    }

    /// The address that the browser was last sent to.
    pub(super) fn sent_to(&self) -> Url {
        let events = self.events.lock().unwrap();
        let sent = events.iter().rev().find_map(|event| match &event.what {
            RunEventKind::Browser { url, .. } => Some(url.clone()),
            _ => None,
        });
        sent.unwrap()
    }

    /// Removes the stored refresh token.
    pub(super) async fn drop_refresh_token(&self) {
        let mut kept = self.tokens.load().await.unwrap();
        kept.tokens.as_mut().unwrap().refresh = None;
        self.tokens.save(kept).await.unwrap();
    }

    /// A new operation.
    pub(super) fn operation(&self) -> OperationId {
        self.recorder.begin_operation(NewOperation {
            kind: "tool_call",
            label: "add".to_owned(),
        })
    }

    /// The operation of each HTTP exchange in the log.
    pub(super) async fn operations(&self) -> Vec<Option<OperationId>> {
        self.recorder.flush().await.unwrap();
        let rows = self.store.rows(&Filter::default(), 0, 500).await.unwrap();
        let exchanges = rows.iter().filter(|row| row.kind == Kind::Http);
        exchanges.map(|row| row.operation).collect()
    }

    /// The whole content of the log.
    pub(super) async fn log(&self) -> String {
        self.recorder.flush().await.unwrap();
        let mut text = String::new();
        for row in self.store.rows(&Filter::default(), 0, 500).await.unwrap() {
            text += &format!("{row:?}\n");
            if let Some(record) = self.store.http(row.seq).await.unwrap() {
                text += &format!("{:?}\n", record.stages);
            }
            if let Some(body) = self.store.body(row.seq).await.unwrap() {
                text += &String::from_utf8_lossy(&body);
            }
        }
        text
    }
}

fn line(what: &RunEventKind) -> String {
    match what {
        RunEventKind::Begun { cause, .. } => format!("begun {cause:?}"),
        RunEventKind::StepBegun(step) => format!("{step:?}"),
        RunEventKind::Attempt(_, attempt) => {
            format!("  {} {} {:?}", attempt.method, attempt.url, attempt.verdict)
        }
        RunEventKind::Browser { .. } => "  browser".to_owned(),
        RunEventKind::Asked(_, question) => format!("  asked {question:?}"),
        RunEventKind::Resumed(_) => "  resumed".to_owned(),
        RunEventKind::StepDone { summary, .. } => format!("  done: {summary}"),
        RunEventKind::StepSkipped { step, .. } => format!("{step:?} skipped"),
        RunEventKind::StepFailed(failure) => format!("  failed: {failure}"),
        RunEventKind::Ended(ending) => format!("ended {ending:?}"),
    }
}

impl Host for Harness {
    fn now(&self) -> SystemTime {
        *self.now.lock().unwrap()
    }

    fn random(&self, buffer: &mut [u8]) -> Result<(), String> {
        let mut random = self.random.lock().unwrap();
        *random += 1;
        buffer.fill(*random);
        Ok(())
    }

    fn wire(&self) -> Result<Wire, String> {
        let settings = patchbay_http::Settings {
            proxy: ProxyChoice::None,
            ..patchbay_http::Settings::default()
        };
        Ok(Wire {
            http: Client::new(settings, self.recorder.clone()).unwrap(),
            connection: self.connection,
            recorder: self.recorder.clone(),
        })
    }

    fn redact(&self, secrets: Vec<Secret>) {
        self.recorder.redact(secrets);
    }

    fn report(&self, event: RunEvent) {
        if let RunEventKind::Asked(_, question) = &event.what {
            let answerable = self.answerable.lock().unwrap().take();
            assert_eq!(
                answerable.as_ref(),
                Some(question),
                "a question was shown that cannot be answered"
            );
        }
        self.events.lock().unwrap().push(event);
    }

    fn open_browser<'a>(&'a self, url: &'a Url) -> BoxFuture<'a, Opened> {
        let browser = *self.browser.lock().unwrap();
        let url = url.clone();
        Box::pin(async move {
            match browser {
                Browser::Missing => {
                    return Opened::Nobody {
                        why: "none is available: a test has none",
                        next: "Leave it.",
                    };
                }
                Browser::Broken => return Opened::Failed("a test has removed it".to_owned()),
                Browser::Waits => {}
                Browser::Panics => panic!("the browser is broken"),
                Browser::Agrees => drop(tokio::spawn(browse(url))),
            }
            Opened::Opened
        })
    }

    fn ask(&self, question: Question) -> BoxFuture<'_, Option<Answer>> {
        *self.answerable.lock().unwrap() = Some(question);
        if self.is_away.load(Ordering::Relaxed) {
            return Box::pin(std::future::pending());
        }
        let answer = self.answers.lock().unwrap().pop_front();
        Box::pin(async move { answer })
    }
}

/// A JSON response.
pub(super) fn json(status: u16, body: serde_json::Value) -> Option<Whole> {
    Some(Whole::json(status, &body))
}

/// Fetches an address and follows its redirects.
pub(super) async fn browse(url: Url) {
    let mut next = Some(url);
    while let Some(url) = next {
        let page = get(&url).await;
        next = page
            .lines()
            .find_map(|line| line.strip_prefix("location: ")?.parse().ok());
    }
}

/// The response to a GET.
pub(super) async fn get(url: &Url) -> String {
    let port = url.port().unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let target = &url[Position::BeforePath..];
    let request = format!(
        "GET {target} HTTP/1.1\r\nhost: {}:{port}\r\nconnection: close\r\n\r\n",
        url.host_str().unwrap()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&answer).into_owned();
        if text.contains("\r\n\r\n") {
            return text;
        }
        match stream.read(&mut chunk).await.unwrap() {
            0 => return text,
            read => answer.extend_from_slice(&chunk[..read]),
        }
    }
}

/// A 401 refusal of a request without a token.
pub(super) fn unauthorized(fields: &str) -> Refusal {
    Refusal {
        peer: None,
        status: 401,
        www_authenticate: vec![fields.to_owned()],
        exchange: Seq::MIN,
        used: None,
        purpose: "tools/list".to_owned(),
        operation: None,
    }
}

/// A 401 refusal of a request with the current token.
pub(super) async fn refused(provider: &CredentialProvider, fields: &str) -> Refusal {
    let used = credential(provider, None).await;
    Refusal {
        used: used.map(|credential| credential.version),
        ..unauthorized(fields)
    }
}

/// The failure of a request that stays refused.
pub(super) async fn failure_of(provider: &CredentialProvider, refusal: Refusal) -> Failure {
    provider.obtain(refusal).await.unwrap_err()
}

/// The credential of the next request to the server.
pub(super) async fn credential(
    provider: &CredentialProvider,
    operation: Option<OperationId>,
) -> Option<patchbay_http::Credential> {
    let request = patchbay_http::Outbound {
        method: &patchbay_http::Method::POST,
        url: provider.server(),
        operation,
    };
    provider.credential(&request).await
}

/// The token that the next request would carry.
pub(super) async fn carried(provider: &CredentialProvider) -> String {
    credential(provider, None).await.map_or_else(
        || "none".to_owned(),
        |credential| credential.value.expose().to_owned(),
    )
}

/// Obtains the first token.
pub(super) async fn authorize(provider: &CredentialProvider) -> String {
    assert_eq!(provider.obtain(unauthorized("Bearer")).await, Ok(()));
    carried(provider).await
}

/// A redirect to another address.
pub(super) fn redirected(to: &str) -> Option<Whole> {
    Some(Whole::redirect(to))
}
