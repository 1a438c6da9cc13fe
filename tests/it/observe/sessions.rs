//! Sessions with the scripted servers: each script, behaviour and tool by its name in the table of the servers.

use std::time::Duration;

use patchbay_client::{
    ConnectOptions, EraChoice, InputKind, InputReply, InputRequest, Request, State, Timeouts,
};
use patchbay_protocol::{limits::Limits, views::ClientCapabilities};
use patchbay_transport::{Connector, HttpConfig};
use tokio::sync::mpsc;

use crate::{
    client::session::{self, Session},
    http::{server::Server, until_listening},
    programs::ours,
};

/// Scripts that leave a request unanswered, so that it ends by a short timeout.
pub(super) const SILENT_SCRIPTS: &[&str] = &["mute-discover", "mute", "chatter", "deaf"];
/// Tools over stdio that do so.
pub(super) const SILENT_TOOLS: &[&str] = &["never", "late", "withdraws"];
/// Tools over stdio that wait for ever in the modern era, which has no requests of a server: they get no response to theirs.
pub(super) const WAITING_TOOLS: &[&str] = &["sampling", "elicitation", "form", "ask-many", "roots", "ping"];
/// Behaviours over HTTP that do so.
pub(super) const SILENT_BEHAVIOURS: &[&str] = &["no-endpoint", "slow-head", "slow-body", "silent"];
/// Tools over HTTP that do so.
pub(super) const SILENT_HTTP_TOOLS: &[&str] = &["silent", "drips"];
/// Tools over HTTP that do so in the modern era, which has no stream for unrequested messages.
pub(super) const UNHEARD_HTTP_TOOLS: &[&str] = &["other-stream"];

/// The timeout of what is not answered, and of the handshake before it.
const SOON: Duration = Duration::from_secs(1);

/// Whether somebody answers the requests of the server.
#[derive(Debug, Clone, Copy)]
pub(super) enum User {
    Nobody,
    Accepts,
}

/// Short timeouts for what is not answered, otherwise the usual ones, which no response misses on a busy machine: one that is
/// being recorded at the very moment when the client gives up is observed after the cancellation.
fn timeouts(is_silent: bool) -> Timeouts {
    let usual = Timeouts::default();
    let request = if is_silent { SOON } else { usual.request };
    Timeouts { request, ..usual }
}

/// How to connect. What never ends is ended at a low limit, so that it takes no time.
fn options(connector: impl Connector + 'static, era: EraChoice) -> ConnectOptions {
    ConnectOptions {
        limits: Limits {
            frame_bytes: 8 << 20,
            body_bytes: 8 << 20,
            input_rounds: 3,
            ..Limits::default()
        },
        ..session::over(connector, era)
    }
}

/// The same, with this user.
fn with_user(options: ConnectOptions, user: User) -> ConnectOptions {
    let User::Accepts = user else { return options };
    let (sink, inputs) = mpsc::channel(16);
    tokio::spawn(accept(inputs));
    ConnectOptions {
        capabilities: ClientCapabilities::none()
            .with("elicitation", r#"{"form":{}}"#)
            .with("sampling", "{}")
            .with("roots", "{}"),
        inputs: Some(sink),
        ..options
    }
}

/// Answers until the connection ends.
async fn accept(mut inputs: mpsc::Receiver<InputRequest>) {
    while let Some(request) = inputs.recv().await {
        let yes = match request.input.kind {
            InputKind::Elicitation => r#"{"action":"accept","content":{"name":"Ada"}}"#,
            InputKind::Roots => r#"{"roots":[]}"#,
            InputKind::Sampling => {
                r#"{"role":"assistant","model":"m","content":{"type":"text","text":"Hello"}}"#
            }
        };
        // An error means that the server has withdrawn its request.
        let _ = request.reply.send(InputReply::Result(yes.to_owned()));
    }
}

fn stdio(script: &str) -> impl Connector + 'static {
    session::program(ours("patchbay-test-server"), &[script])
}

/// Connects to a script and lists its tools.
pub(super) async fn script(name: &'static str, era: EraChoice) -> Session {
    let session = Session::new(ConnectOptions {
        timeouts: timeouts(SILENT_SCRIPTS.contains(&name)),
        ..options(stdio(name), era)
    });
    session.connection.settled().await;
    session.request(Request::new("tools/list", None)).await;
    session.call("echo").await;
    session.connection.close().await;
    session
}

/// Calls a tool over stdio.
pub(super) async fn tool(name: &'static str, era: EraChoice, user: User) -> Session {
    let session = Session::new(with_user(options(stdio("dual"), era), user));
    assert_eq!(session.connection.settled().await.state, State::Ready);
    let waits = era == EraChoice::Modern && WAITING_TOOLS.contains(&name);
    session
        .request(Request {
            progress: true,
            timeouts: Some(timeouts(waits || SILENT_TOOLS.contains(&name))),
            ..session::call(name)
        })
        .await;
    // Everything that the server sends after its response is sent before its response to the last ping.
    for _ in 0..2 {
        let ping = Request {
            timeouts: Some(timeouts(waits)),
            ..Request::new("ping", None)
        };
        session.request(ping).await;
    }
    session.connection.close().await;
    session
}

/// Connects to a behaviour over HTTP and lists its tools.
pub(super) async fn behaviour(name: &'static str, era: EraChoice) -> Session {
    let server = Server::start(name);
    let session = Session::new(ConnectOptions {
        timeouts: timeouts(SILENT_BEHAVIOURS.contains(&name)),
        ..options(HttpConfig::new(&server.url), era)
    });
    session.connection.settled().await;
    session.request(Request::new("tools/list", None)).await;
    session.call("echo").await;
    session.connection.close().await;
    session
}

/// Calls a tool over HTTP, with a stream for unrequested messages in the era that has one.
pub(super) async fn http_tool(name: &'static str, era: EraChoice, user: User) -> Session {
    let server = Server::start("streams");
    let session = Session::new(with_user(options(HttpConfig::new(&server.url), era), user));
    assert_eq!(session.connection.settled().await.state, State::Ready);
    if era == EraChoice::Legacy {
        until_listening(&session).await;
    }
    let is_unheard = era == EraChoice::Modern && UNHEARD_HTTP_TOOLS.contains(&name);
    let is_silent = is_unheard || SILENT_HTTP_TOOLS.contains(&name);
    session
        .request(Request {
            timeouts: Some(timeouts(is_silent)),
            ..session::call(name)
        })
        .await;
    for after in ["tell-held", "echo"] {
        // A lost session begins again.
        session.connection.settled().await;
        session.call(after).await;
    }
    session.connection.close().await;
    session
}
