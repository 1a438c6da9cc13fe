//! Scripted transcripts over in-memory pipes. Time is paused: a sleep ends as soon as nothing else can run.

mod asking;
mod conformance;
mod legacy;
mod modern;

use std::time::Duration;

use patchbay_protocol::RequestId;
use patchbay_protocol::message::{Message, decode};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::task::JoinHandle;

/// A running server and the client's ends of its pipes.
struct Client {
    stdin: DuplexStream,
    stdout: Lines<BufReader<DuplexStream>>,
    stderr: DuplexStream,
    server: JoinHandle<std::io::Result<()>>,
}

impl Client {
    fn start() -> Self {
        let (stdin, server_in) = tokio::io::duplex(1 << 16);
        let (stdout, server_out) = tokio::io::duplex(1 << 16);
        let (stderr, server_err) = tokio::io::duplex(1 << 20);
        let server = tokio::spawn(crate::serve(server_in, server_out, server_err));
        Self {
            stdin,
            stdout: BufReader::new(stdout).lines(),
            stderr,
            server,
        }
    }

    async fn send(&mut self, line: &str) {
        self.stdin
            .write_all(format!("{line}\n").as_bytes())
            .await
            .expect("the server reads");
    }

    /// The next line; none when the server has ended.
    ///
    /// Paused time advances as soon as nothing else can run, so this fails at once where it would wait for ever.
    async fn next(&mut self) -> Option<String> {
        let line = tokio::time::timeout(Duration::from_secs(86_400), self.stdout.next_line()).await;
        line.expect("nothing more comes").expect("UTF-8")
    }

    /// Sends a request and returns everything up to its response.
    async fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line).await;
        let id = id_of(line).expect("a request");
        let mut lines = Vec::new();
        while let Some(line) = self.next().await {
            let done = answers(&line, &id);
            lines.push(line);
            if done {
                break;
            }
        }
        lines
    }

    /// Closes stdin; returns the rest of stdout and all of stderr.
    async fn finish(mut self) -> (Vec<String>, String) {
        self.stdin.shutdown().await.expect("closed");
        let mut rest = Vec::new();
        while let Some(line) = self.next().await {
            rest.push(line);
        }
        self.server.await.expect("no panic").expect("no error");
        let mut stderr = String::new();
        self.stderr.read_to_string(&mut stderr).await.expect("UTF-8");
        (rest, stderr)
    }
}

fn id_of(line: &str) -> Option<RequestId> {
    match &decode(line.as_bytes()).messages.first()?.message {
        Message::Request { id, .. } => Some(id.clone()),
        _ => None,
    }
}

fn answers(line: &str, wanted: &RequestId) -> bool {
    let decoded = decode(line.as_bytes());
    decoded
        .messages
        .iter()
        .any(|one| matches!(&one.message, Message::Response { id: Some(id), .. } if id == wanted))
}

/// Sends lines and returns the whole transcript. Requests wait for their response, except for those marked with `~`.
async fn play(script: &[&str]) -> String {
    let mut client = Client::start();
    let mut told = Vec::new();
    for line in script {
        let (line, waits) = line.strip_prefix('~').map_or((*line, true), |line| (line, false));
        told.push(format!("> {line}"));
        if waits && id_of(line).is_some() {
            told.extend(client.ask(line).await.into_iter().map(|line| format!("< {line}")));
        } else {
            client.send(line).await;
        }
    }
    let (rest, stderr) = client.finish().await;
    told.extend(rest.into_iter().map(|line| format!("< {line}")));
    told.extend(stderr.lines().map(|line| format!("! {line}")));
    told.join("\n")
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Runs a legacy script after the handshake, which is omitted from the transcript.
async fn legacy(script: &[&str]) -> String {
    let all: Vec<&str> = [INITIALIZE, INITIALIZED]
        .into_iter()
        .chain(script.iter().copied())
        .collect();
    let told = play(&all).await;
    told.lines().skip(3).collect::<Vec<_>>().join("\n")
}

/// A modern request with its `_meta`; `extra` are more members of it, `params` those after it.
fn modern(id: u32, method: &str, extra: &str, params: &str) -> String {
    let meta = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{{{meta}{extra}}}{params}}}}}"#
    )
}
