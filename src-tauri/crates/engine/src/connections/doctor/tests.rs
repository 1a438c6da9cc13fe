//! A refused port and a missing program.

use patchbay_contract::*;
use serde_json::json;
use tokio::sync::mpsc;

use crate::{Engine, EngineOptions};

/// The ended steps: `kind status`.
async fn examine(draft: impl FnOnce(&Engine) -> ServerDraft) -> Vec<String> {
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
            steps.push(format!("{:?} {:?}", step.kind, step.status));
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
async fn a_missing_program_is_not_started() {
    let steps = examine(|engine| engine.draft_of_command("no-such-program-anywhere").unwrap()).await;
    assert_eq!(steps, ["Resolve Failed", "Start Skipped", "Protocol Skipped"]);
}
