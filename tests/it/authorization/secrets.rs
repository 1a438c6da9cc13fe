//! No secret leaks: after every flow, everything that was written or can be queried is searched for every secret value,
//! verbatim and in its encoded forms.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use aho_corasick::AhoCorasick;
use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD},
};
use patchbay_contract::{AuthorizationDraft, BodyId, HttpHeader, TransportDraft};
use patchbay_engine::StoreChoice;
use serde_json::json;

use super::{ProtectedServer, headless::consenting};
use crate::{client::run_test, http::server::Server, programs::Patchbay};

const PASSPHRASE: &str = "correct horse \"battery\" staple/é";
/// With all characters that are encoded in JSON, in a form and in base64.
const HEADER: &str = "a \"quoted\" + secret/of ours\\é-0123456789";

/// A secret in one of its forms.
struct Needle {
    what: String,
    bytes: Vec<u8>,
}

/// What all is searched for, in one pass.
struct Needles {
    all: Vec<Needle>,
    finder: AhoCorasick,
}

impl From<Vec<Needle>> for Needles {
    fn from(all: Vec<Needle>) -> Self {
        let finder = AhoCorasick::new(all.iter().map(|needle| &needle.bytes)).unwrap();
        Self { all, finder }
    }
}

impl Needles {
    fn search(&self, place: &str, bytes: &[u8], found: &mut Vec<String>) {
        let there = self.finder.find_overlapping_iter(bytes);
        let there: BTreeSet<_> = there.map(|at| at.pattern().as_usize()).collect();
        found.extend(
            there
                .into_iter()
                .map(|at| format!("{place} holds {}", self.all[at].what)),
        );
    }
}

/// All forms of a secret.
fn needles(what: &str, secret: &str) -> Vec<Needle> {
    let json = serde_json::to_string(secret).unwrap();
    let percent: String = secret
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    let mut forms = vec![
        ("plain", secret.to_owned()),
        ("JSON", json.trim_matches('"').to_owned()),
        ("percent", percent.clone()),
        ("form", percent.replace("%20", "+")),
    ];
    // In base64 a text has three forms, depending on its position; characters that depend on its neighbors are omitted.
    for skipped in 0..3 {
        let padded = [&b"\0\0"[..skipped], secret.as_bytes()].concat();
        let whole = padded.len() / 3 * 3;
        let begins = if skipped == 0 { 0 } else { 4 };
        for (name, text) in [
            ("base64", STANDARD_NO_PAD.encode(&padded[..whole])),
            ("base64url", URL_SAFE_NO_PAD.encode(&padded[..whole])),
        ] {
            forms.push((name, text[begins..].to_owned()));
        }
    }
    let forms = forms.into_iter().map(|(form, text)| Needle {
        what: format!("{what} ({form})"),
        bytes: text.into_bytes(),
    });
    forms.filter(|needle| needle.bytes.len() >= 8).collect()
}

/// Every secret value of the servers, and its start, because long texts may be split.
fn of_servers(server: &Server) -> Vec<Needle> {
    let told = server.report("secrets");
    let mut all = Vec::new();
    for line in &told {
        let (what, secret) = line.split_once(' ').unwrap();
        all.extend(needles(what, secret));
        // All JWTs start the same way.
        if what != "access_token" && secret.len() > 32 {
            all.extend(needles(&format!("the start of a {what}"), &secret[..20]));
        }
    }
    for what in ["code ", "code_verifier "] {
        assert!(
            told.iter().any(|line| line.starts_with(what)),
            "no {what} was used: {told:#?}"
        );
    }
    all
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

fn search_files(folder: &Path, needles: &Needles, found: &mut Vec<String>) -> usize {
    let files = files(folder);
    for file in &files {
        // Pipes and sockets are skipped.
        if file.is_file() {
            needles.search(&file.display().to_string(), &fs::read(file).unwrap(), found);
        }
    }
    files.len()
}

#[test]
fn a_needle_is_found_in_every_form() {
    let needles = Needles::from(needles("it", HEADER));
    let json = json!({ "a": HEADER }).to_string();
    let in_json = URL_SAFE_NO_PAD.encode(format!("x{HEADER}"));
    for hay in [
        HEADER,
        &json,
        &in_json,
        &URL_SAFE_NO_PAD.encode(format!("xy{HEADER}zz")),
    ] {
        let mut found = Vec::new();
        needles.search("the hay", hay.as_bytes(), &mut found);
        assert!(!found.is_empty(), "{hay}");
    }
    let mut found = Vec::new();
    needles.search("the hay", b"nothing of it", &mut found);
    assert!(found.is_empty(), "{found:?}");
}

/// All flows with one engine's files: tokens, refreshes, step-ups, client secrets, failures, revocation.
async fn all_flows(part: &str) -> (ProtectedServer, Needles) {
    let protected = ProtectedServer::kept(StoreChoice::Persistent, part, |_| {}).await;
    let passphrase = json!({"choice": {"type": "passphrase", "text": PASSPHRASE}});
    protected.harness.call("vault_choose", passphrase).await;
    let connected = protected.connect().await;
    if connected.is_ok() {
        protected.works("echo").await;
        protected.works("lose-token").await;
        protected.works("streamed").await;
        protected.consenting(protected.works("write")).await;
        protected.harness.of_server("authorization_refresh").await;
        protected.harness.of_server("authorization_expire").await;
        protected.works("echo").await;
    }
    let mut all = needles("passphrase", PASSPHRASE);
    all.extend(of_servers(&protected.server));
    (protected, all.into())
}

/// Everything that fronts can query: the log, every run, every setting.
async fn search_answers(protected: &ProtectedServer, needles: &Needles, found: &mut Vec<String>) {
    let harness = &protected.harness;
    let mut answers = vec![
        ("the recording".to_owned(), harness.recording().await),
        (
            "server_list".to_owned(),
            harness.call("server_list", json!({})).await.to_string(),
        ),
        (
            "server_export".to_owned(),
            harness.of_server("server_export").await.to_string(),
        ),
        (
            "connection_get".to_owned(),
            harness.of_server("connection_get").await.to_string(),
        ),
    ];
    for row in harness.all_rows().await {
        let record = harness.record(&row["seq"]).await;
        for id in bodies(&record) {
            let body = harness.engine.body(&BodyId(id.clone())).await.unwrap();
            answers.push((
                format!("body {id}"),
                String::from_utf8_lossy(&body.bytes).into_owned(),
            ));
        }
        answers.push((format!("record {}", row["seq"]), record.to_string()));
    }
    for run in protected.view().await["history"].as_array().unwrap() {
        let params = json!({"serverId": harness.server, "runId": run["id"]});
        let view = harness.call("authorization_get", params).await;
        answers.push((format!("run {}", run["id"]), view.to_string()));
    }
    for (place, text) in &answers {
        needles.search(place, text.as_bytes(), found);
    }
}

/// The ids of all bodies in a response.
fn bodies(answer: &serde_json::Value) -> Vec<String> {
    match answer {
        serde_json::Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| match (&**name, value) {
                ("bodyId", serde_json::Value::String(id)) => vec![id.clone()],
                _ => bodies(value),
            })
            .collect(),
        serde_json::Value::Array(items) => items.iter().flat_map(bodies).collect(),
        _ => Vec::new(),
    }
}

macro_rules! flows {
    ($($name:ident: $part:literal;)+) => {
        $(#[test] fn $name() {
            run_test(async {
                let (protected, needles) = all_flows($part).await;
                let mut found = Vec::new();
                search_answers(&protected, &needles, &mut found).await;
                protected.harness.engine.shutdown().await;
                let files = search_files(protected.harness.folder(), &needles, &mut found);
                assert!(files >= 3, "servers, store and vault: {files} files");
                assert!(found.is_empty(), "{found:#?}");
            });
        })+
    };
}

flows! {
    everything_as_it_should_be: "fair";
    secrets_of_clients_in_headers: "secret-basic";
    secrets_of_clients_in_forms: "secret-post";
    tokens_that_are_no_jwts: "opaque";
    a_server_of_2025_03_26: "2025-03-26";
    tokens_of_no_known_type: "odd-token-type";
    codes_that_are_refused: "used-code";
    token_endpoints_that_redirect: "redirect-token";
}

/// The user's input: a client secret in the settings and a secret header.
#[test]
fn secrets_of_the_settings() {
    run_test(async {
        let mut protected = ProtectedServer::kept(StoreChoice::Persistent, "fair", |_| {}).await;
        let passphrase = json!({"choice": {"type": "passphrase", "text": PASSPHRASE}});
        protected.harness.call("vault_choose", passphrase).await;
        let mut draft = protected.harness.engine.draft_of_url(&protected.server.url);
        draft.name = "with secrets".to_owned();
        draft.authorization = Some(AuthorizationDraft {
            client_id: Some("known-client".to_owned()),
            client_secret: Some("known-secret-0123456789".to_owned()),
            ..AuthorizationDraft::default()
        });
        if let TransportDraft::Http { headers, .. } = &mut draft.transport {
            headers.push(HttpHeader {
                name: "X-Api-Key".to_owned(),
                value: HEADER.replace('é', "e"),
                is_secret: true,
            });
        }
        protected.harness.server = protected.harness.engine.add_server(draft).await.unwrap();
        protected.connect().await.unwrap();
        protected.works("echo").await;
        let mut needles = needles("header", &HEADER.replace('é', "e"));
        needles.extend(of_servers(&protected.server));
        let needles = Needles::from(needles);
        let mut found = Vec::new();
        search_answers(&protected, &needles, &mut found).await;
        protected.harness.engine.shutdown().await;
        search_files(protected.harness.folder(), &needles, &mut found);
        assert!(found.is_empty(), "{found:#?}");
    });
}

/// The command line: its output, its recording, its most verbose log, all its folders.
#[test]
fn no_secret_of_a_headless_run() {
    let server = Server::of("oauth", "secret-basic");
    let patchbay = Patchbay::new();
    let file = patchbay.folder().join("recording.jsonl");
    let args = [
        "tools",
        "call",
        "--url",
        &server.url,
        "--record",
        &file.to_string_lossy(),
        "echo",
        "{}",
    ];
    let ended = consenting(&patchbay, &args).code(0);
    let needles = Needles::from(of_servers(&server));
    let mut found = Vec::new();
    needles.search("stdout", ended.stdout.as_bytes(), &mut found);
    needles.search("stderr", ended.stderr.as_bytes(), &mut found);
    let files = search_files(patchbay.folder(), &needles, &mut found);
    assert!(files >= 1 && found.is_empty(), "{files} files: {found:#?}");
}
