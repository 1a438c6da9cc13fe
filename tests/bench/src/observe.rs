//! Frames per second of the pure observer (decode, pair, describe, check), beside `serde_json` parsing the same frames into a
//! `Value`. Single-threaded, in memory, nothing recorded.
//!
//! The mix is what a session of tool calls puts on the wire: requests with `_meta`, progress, log messages, results of
//! several sizes, a page of tools. Deliberately not here: the recorder and the store (`bench store`, `bench stdio-calls`).

use std::hint::black_box;
use std::time::Instant;

use patchbay_observe::{Transcript, TranscriptFrame};
use patchbay_protocol::Direction::{self, ClientToServer, ServerToClient};
use patchbay_rmcp::Failure;
use serde_json::{Value, json};

use crate::report::{Better, Measured};

const RUNS: usize = 7;
/// Calls in the mix. Each is some six frames.
const CALLS: u64 = 4_000;

pub(crate) fn run(as_json: bool) -> Result<(), Failure> {
    let frames = mix();
    let mut measured = Measured {
        name: "observe".to_owned(),
        unit: "frames/s",
        better: Better::More,
        ours: Vec::new(),
        peer: "serde_json Value",
        theirs: Vec::new(),
    };
    for run in 0..RUNS {
        for ours in [run % 2 == 0, run % 2 == 1] {
            let begun = Instant::now();
            if ours {
                observe(&frames)?;
            } else {
                parse(&frames)?;
            }
            let rate = frames.len() as f64 / begun.elapsed().as_secs_f64();
            if ours {
                &mut measured.ours
            } else {
                &mut measured.theirs
            }
            .push(rate);
        }
    }
    measured.print(as_json);
    Ok(())
}

fn observe(frames: &[(Direction, String)]) -> Result<(), Failure> {
    let mut transcript = Transcript::new();
    for (index, (direction, text)) in frames.iter().enumerate() {
        let seq = index as u64 + 1;
        let found = transcript.frame(&TranscriptFrame {
            seq,
            direction: *direction,
            at_ns: seq * 1_000,
            bytes: text.as_bytes(),
            http: None,
            operation: None,
            members: &[],
        });
        if found.len() != 1 || !found[0].description.violations.is_empty() {
            return Err(format!("frame {seq} was not read as one correct message: {found:?}").into());
        }
    }
    Ok(())
}

fn parse(frames: &[(Direction, String)]) -> Result<(), Failure> {
    for (_, text) in frames {
        let value: Value = serde_json::from_slice(text.as_bytes())?;
        black_box(&value);
    }
    Ok(())
}

/// A session, from its handshake on.
fn mix() -> Vec<(Direction, String)> {
    let mut frames = Vec::new();
    let mut add = |direction, value: Value| frames.push((direction, value.to_string()));
    let implementation = json!({"name": "bench", "version": "1.0.0"});
    add(
        ClientToServer,
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": implementation}}),
    );
    add(
        ServerToClient,
        json!({"jsonrpc": "2.0", "id": 1, "result": {
            "protocolVersion": "2025-11-25", "serverInfo": implementation,
            "capabilities": {"tools": {}, "logging": {}}}}),
    );
    add(
        ClientToServer,
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    );
    for call in 0..CALLS {
        let id = call + 2;
        if call % 100 == 0 {
            let list = id + 1_000_000;
            add(
                ClientToServer,
                json!({"jsonrpc": "2.0", "id": list, "method": "tools/list"}),
            );
            add(
                ServerToClient,
                json!({"jsonrpc": "2.0", "id": list, "result": {"tools": tools()}}),
            );
        }
        add(
            ClientToServer,
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
                "name": "search", "arguments": {"query": format!("call {call}"), "limit": 20},
                "_meta": {"progressToken": id}}}),
        );
        for step in 1..=3 {
            add(
                ServerToClient,
                json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
                    "progressToken": id, "progress": step, "total": 3, "message": "searching"}}),
            );
        }
        add(
            ServerToClient,
            json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {
                "level": "info", "logger": "search", "data": {"call": call, "took": 1.25}}}),
        );
        let size = if call % 50 == 0 { 20_000 } else { 400 };
        add(
            ServerToClient,
            json!({"jsonrpc": "2.0", "id": id, "result": {
                "content": [{"type": "text", "text": "result ".repeat(size / 7)}], "isError": false}}),
        );
    }
    frames
}

/// A page of tools of the usual size.
fn tools() -> Vec<Value> {
    (0..20)
        .map(|tool| {
            json!({"name": format!("tool-{tool}"), "description": "Searches the documents of a project.",
                "inputSchema": {"type": "object", "properties": {
                    "query": {"type": "string", "description": "What to search for"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100}}, "required": ["query"]}})
        })
        .collect()
}
