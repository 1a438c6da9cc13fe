use patchbay_protocol::{Direction, Era, Revision, Rule};

use crate::{Finding, Seq, Status, Transcript, TranscriptFrame};

/// A connection over pipes, with what each frame was found to be.
#[derive(Default)]
struct Talk {
    transcript: Transcript,
    seq: Seq,
}

impl Talk {
    fn says(&mut self, direction: Direction, frame: &str) -> Finding {
        self.seq += 1;
        let mut found = self.transcript.frame(&TranscriptFrame {
            seq: self.seq,
            direction,
            at_ns: self.seq,
            bytes: frame.as_bytes(),
            http: None,
            operation: None,
            members: &[],
        });
        found.remove(0)
    }

    fn client(&mut self, frame: &str) -> Finding {
        self.says(Direction::ClientToServer, frame)
    }

    fn server(&mut self, frame: &str) -> Finding {
        self.says(Direction::ServerToClient, frame)
    }

    fn era(&mut self) -> Option<Era> {
        self.transcript.observer().era()
    }

    /// A legacy session that is in use, with a call under way as request 2, record 4.
    fn legacy() -> Self {
        let mut talk = Self::default();
        talk.client(INITIALIZE);
        talk.server(&initialized(1, "2025-06-18"));
        talk.client(INITIALIZED);
        talk.client(r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}"#);
        talk
    }

    /// A modern server that is in use, with a call under way as request 2, record 3.
    fn modern() -> Self {
        let mut talk = Self::default();
        talk.client(&modern_request(1, "server/discover", ""));
        talk.server(DISCOVERED);
        talk.client(&modern_request(2, "tools/call", r#""name":"x","#));
        talk
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const DISCOVERED: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}"#;

fn initialized(id: i64, revision: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":"{revision}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}"#
    )
}

fn modern_request(id: i64, method: &str, params: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{{params}"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{{"name":"c","version":"1"}},"io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
    )
}

fn rules(finding: &Finding) -> Vec<Rule> {
    let found = finding.description.violations.iter();
    found.map(|violation| violation.rule).collect()
}

/// The user wants to see how a modern server refuses it.
#[test]
fn a_refused_initialize_changes_nothing() {
    let mut talk = Talk::modern();
    let sent = talk.client(&INITIALIZE.replace("\"id\":1", "\"id\":3"));
    let refused =
        talk.server(r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}"#);
    assert_eq!(refused.description.pair, Some(sent.seq));
    assert_eq!(
        refused
            .completes
            .map(|(request, answer)| (request, answer.status)),
        Some((sent.seq, Status::Error))
    );
    assert_eq!(talk.era(), Some(Era::Modern));
    let answer = talk.server(r#"{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}"#);
    assert_eq!(answer.description.pair, Some(3));
    assert_eq!(rules(&answer), []);
}

#[test]
fn the_answer_to_a_discovery_does_not_end_a_legacy_session() {
    let mut talk = Talk::legacy();
    talk.client(&modern_request(3, "server/discover", ""));
    talk.server(&DISCOVERED.replace("\"id\":1", "\"id\":3"));
    assert_eq!(talk.era(), Some(Era::Legacy));
    let answer = talk.server(r#"{"jsonrpc":"2.0","id":2,"result":{"content":[]}}"#);
    assert_eq!(answer.description.pair, Some(4));
    assert_eq!(rules(&answer), []);
}

#[test]
fn a_session_begins_once_more_when_the_client_goes_on_with_it() {
    let mut talk = Talk::legacy();
    let again = talk.client(&INITIALIZE.replace("\"id\":1", "\"id\":3"));
    // The old session is still there.
    let progress = r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#;
    assert_eq!(rules(&talk.server(progress)), []);
    let answer = talk.server(&initialized(3, "2025-11-25"));
    assert_eq!(
        (answer.description.pair, rules(&answer)),
        (Some(again.seq), vec![])
    );
    assert_eq!(talk.transcript.observer().revision(), Some(Revision::V2025_06_18));
    talk.client(INITIALIZED);
    assert_eq!(talk.transcript.observer().revision(), Some(Revision::V2025_11_25));
    // A new session may use the ids of the old one.
    let call = talk.client(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    assert_eq!(rules(&call), []);
    let listed = talk.server(r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#);
    assert_eq!(listed.description.pair, Some(call.seq));
}

#[test]
fn what_a_later_handshake_waits_for_ends_with_the_link() {
    let mut talk = Talk::legacy();
    let again = talk.client(&INITIALIZE.replace("\"id\":1", "\"id\":3"));
    let observer = talk.transcript.observer();
    let pending: Vec<Seq> = observer.drain().iter().map(|pending| pending.seq).collect();
    assert_eq!(pending, [4, again.seq]);
}
