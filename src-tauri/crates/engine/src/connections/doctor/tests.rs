//! A refused port, a proxy that refuses, a missing program, a secret.

use patchbay_contract::*;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::mpsc;

use crate::{Engine, EngineOptions};

/// The ended steps: `kind status`.
async fn examine(draft: impl FnOnce(&Engine) -> ServerDraft) -> Vec<String> {
    let steps = steps(draft).await;
    let shown = steps
        .iter()
        .map(|step| format!("{:?} {:?}", step.kind, step.status));
    shown.collect()
}

/// The ended steps.
async fn steps(draft: impl FnOnce(&Engine) -> ServerDraft) -> Vec<DoctorStep> {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path())).await.unwrap();
    let params = json!({"subject": {"type": "draft", "draft": draft(&engine)}}).to_string();
    let (sink, mut events) = mpsc::channel(16);
    let stream = engine.open_stream("doctor_run", &params, sink).unwrap();
    let mut steps = Vec::new();
    while let Some(text) = events.recv().await {
        let message: serde_json::Value = serde_json::from_str(&text).unwrap();
        let Some(event) = message.get("event") else {
            assert_eq!(message.get("error"), None);
            break;
        };
        let step: DoctorStep = serde_json::from_value(event.clone()).unwrap();
        if step.status != DoctorStatus::Running {
            assert_eq!(step.index as usize, steps.len());
            if step.status == DoctorStatus::Failed {
                assert!(step.next.is_some(), "{step:?}");
            }
            steps.push(step);
        }
    }
    drop(stream);
    engine.shutdown().await;
    steps
}

#[tokio::test]
async fn a_refused_port_ends_at_tcp() {
    // Bound, so that it is nobody else's, but it does not listen.
    let refusing = tokio::net::TcpSocket::new_v4().unwrap();
    refusing.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let url = format!("http://{}/mcp", refusing.local_addr().unwrap());
    let steps = examine(|engine| engine.draft_of_url(&url)).await;
    assert_eq!(
        steps,
        [
            "Resolve Ok",
            "Tcp Failed",
            "Http Skipped",
            "Protocol Skipped",
            "Authorization Skipped"
        ]
    );
}

#[tokio::test]
async fn a_proxy_that_refuses_the_tunnel_ends_at_tcp() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = format!("http://{}", listener.local_addr().unwrap());
    let refusing = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let read = stream.read_buf(&mut request).await.unwrap();
            assert!(read > 0, "the request ended early");
        }
        let refusal = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
        stream.write_all(refusal).await.unwrap();
    });
    let steps = examine(|engine| {
        let mut draft = engine.draft_of_url("https://mcp.example/mcp");
        if let TransportDraft::Http { proxy: chosen, .. } = &mut draft.transport {
            *chosen = ProxyDraft::Url { url: proxy };
        }
        draft
    });
    assert_eq!(
        steps.await,
        [
            "Resolve Ok",
            "Tcp Ok",
            "Tcp Failed",
            "Http Skipped",
            "Protocol Skipped",
            "Authorization Skipped"
        ]
    );
    refusing.await.unwrap();
}

#[tokio::test]
async fn a_missing_program_is_not_started() {
    let steps = examine(|engine| engine.draft_of_command("no-such-program-anywhere").unwrap()).await;
    assert_eq!(steps, ["Resolve Failed", "Start Skipped", "Protocol Skipped"]);
}

#[tokio::test]
async fn a_secret_among_the_arguments_is_masked() {
    let command = "no-such-program-anywhere --api-key hush-hush-12345";
    let steps = steps(|engine| engine.draft_of_command(command).unwrap()).await;
    let sent = steps[1].sent.as_deref().unwrap();
    assert!(sent.starts_with("no-such-program-anywhere --api-key *"), "{sent}");
    let shown = format!("{steps:?}");
    assert!(!shown.contains("hush-hush"), "{shown}");
}
