use std::time::Duration;

use patchbay_auth as auth;
use patchbay_traffic::{Recorder, Store, StoreOptions};
use tokio::{io::AsyncWriteExt as _, net::TcpListener};

use super::*;
use crate::{
    connections::testing::HeldKeychain,
    dispatch::nudges::Nudges,
    engine::testing::{attended, call, refresh_asked, stored_tokens},
};

mod answers;
mod changed;
mod unused;

struct Harness {
    runs: Runs,
    _store: Store,
    recorder: Recorder,
}

fn harness(known: Vec<RunItem>) -> Harness {
    let (store, recorder) = Store::open(StoreOptions { path: None }).unwrap();
    let nudges = Arc::new(Nudges::new());
    let runs = Runs::new(ServerId("s".to_owned()), nudges, recorder.clone(), known);
    Harness {
        runs,
        _store: store,
        recorder,
    }
}

impl Harness {
    /// The events of a run, one second apart.
    fn record(&self, id: &str, happened: Vec<auth::RunEventKind>) -> Option<runs::EndedRun> {
        let mut ended_run = None;
        for (second, what) in happened.into_iter().enumerate() {
            let event = auth::RunEvent {
                run: auth::RunId(1),
                at: UNIX_EPOCH + Duration::from_secs(second as u64),
                what,
            };
            ended_run = self.runs.record(RunId(id.to_owned()), event);
        }
        ended_run
    }

    fn run(&self) -> RunItem {
        self.runs.get(None).unwrap()
    }
}

fn begun() -> auth::RunEventKind {
    auth::RunEventKind::Begun {
        cause: auth::Cause::Challenge,
        steps: auth::Step::RUN.to_vec(),
    }
}

fn done(step: auth::Step) -> auth::RunEventKind {
    auth::RunEventKind::StepDone {
        step,
        summary: format!("{} is done.", step.title()),
        facts: Vec::new(),
    }
}

fn in_the_browser() -> auth::RunEventKind {
    auth::RunEventKind::Browser {
        url: Url::parse("https://as.example/authorize?client_id=c&state=abcdef&code_challenge=xyz").unwrap(),
        redirect_uri: "http://localhost:1/callback".to_owned(),
    }
}

fn states(run: &RunItem) -> Vec<StepState> {
    run.steps.iter().map(|step| step.state).collect()
}

#[test]
fn a_run_is_shown_in_progress() {
    let harness = harness(Vec::new());
    harness.record(
        "a",
        vec![begun(), auth::RunEventKind::StepBegun(auth::Step::Challenge)],
    );
    assert_eq!(harness.run().state, RunState::Running);
    assert_eq!(
        states(&harness.run()),
        [
            StepState::Running,
            StepState::Pending,
            StepState::Pending,
            StepState::Pending,
            StepState::Pending,
            StepState::Pending
        ]
    );
    harness.record("a", vec![done(auth::Step::Challenge), in_the_browser()]);
    let run = harness.run();
    assert_eq!(run.state, RunState::Waiting);
    assert_eq!(run.question, Some(QuestionItem::Callback));
    assert!(
        run.authorization_url.unwrap().contains("state=abcdef"),
        "the user can open it"
    );
    let ended = vec![
        auth::RunEventKind::Resumed(auth::Step::Authorization),
        done(auth::Step::Authorization),
        done(auth::Step::Token),
        auth::RunEventKind::Ended(auth::Ending::Done),
    ];
    let ended_run = harness.record("a", ended).unwrap();
    assert_eq!(
        (ended_run.cause, ended_run.state),
        (RunCause::Challenge, RunState::Done)
    );
    let run = harness.run();
    assert_eq!((run.state, run.question.clone()), (RunState::Done, None));
    assert_eq!(
        states(&run),
        [
            StepState::Done,
            StepState::Skipped,
            StepState::Skipped,
            StepState::Skipped,
            StepState::Done,
            StepState::Done
        ]
    );
    assert_eq!(harness.runs.history()[0].summary, "Token request is done.");
}

#[test]
fn one_time_values_are_removed_when_a_run_ends() {
    let harness = harness(Vec::new());
    let ended = auth::RunEventKind::Ended(auth::Ending::Cancelled);
    harness.record("a", vec![begun(), in_the_browser(), ended]);
    assert_eq!(
        harness.run().authorization_url.unwrap(),
        "https://as.example/authorize?client_id=c&state=******&code_challenge=***"
    );
    assert_eq!(harness.run().steps[4].state, StepState::Failed);
    assert_eq!(harness.runs.history()[0].summary, "Cancelled.");
}

#[test]
fn a_secret_is_masked_everywhere() {
    let harness = harness(Vec::new());
    let secret = "s3cr3t-s3cr3t-1234";
    harness
        .recorder
        .redact(vec![patchbay_secret::Secret::new(secret)]);
    let failure = auth::Failure {
        step: auth::Step::Token,
        cause: format!("It said {secret}."),
        rule: None,
        exchange: None,
        next: "Ask.".to_owned(),
        cancelled: false,
    };
    let attempt = auth::Attempt {
        method: "POST",
        url: format!("https://as.example/token?x={secret}"),
        exchange: None,
        status: Some(400),
        verdict: auth::AttemptVerdict::Refused,
        words: format!("Not {secret}."),
    };
    let fact = auth::Fact {
        name: "x",
        value: secret.to_owned(),
    };
    let events = vec![
        begun(),
        auth::RunEventKind::StepDone {
            step: auth::Step::Registration,
            summary: secret.to_owned(),
            facts: vec![fact],
        },
        auth::RunEventKind::Attempt(auth::Step::Token, attempt),
        auth::RunEventKind::StepFailed(failure),
        auth::RunEventKind::Ended(auth::Ending::Failed),
    ];
    harness.record("a", events);
    let shown = serde_json::to_string(&harness.run()).unwrap();
    assert!(!shown.contains(secret), "{shown}");
    assert!(harness.runs.history()[0].summary.starts_with("It said ****"));
}

#[test]
fn only_the_last_twenty_ended_runs_are_kept() {
    let first = harness(Vec::new());
    for number in 0..25 {
        let ended_run = auth::RunEventKind::Ended(auth::Ending::Done);
        first.record(&number.to_string(), vec![begun(), ended_run]);
    }
    first.record("running", vec![begun()]);
    let kept = first.runs.ended();
    assert_eq!(kept.len(), 19);
    let text = serde_json::to_string(&kept).unwrap();
    let again = harness(serde_json::from_str(&text).unwrap());
    let history = again.runs.history();
    assert_eq!((history.len(), history[0].id.0.as_str()), (19, "24"));
}

fn draft(mode: AuthorizationMode) -> AuthorizationDraft {
    AuthorizationDraft {
        mode,
        ..AuthorizationDraft::default()
    }
}

#[test]
fn the_users_settings_reach_the_provider() {
    let given = AuthorizationDraft {
        client_id: Some("me".to_owned()),
        private_key: Some("PEM".to_owned()),
        signing: Some(Signing::Es256),
        scopes: Some("a  b".to_owned()),
        redirect_port: Some(8080),
        ..draft(AuthorizationMode::ClientCredentials)
    };
    let settings = settings::of(&given, EraChoice::Auto, &std::sync::Weak::new()).unwrap();
    assert_eq!(settings.scopes, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!((settings.redirect_port, settings.revision), (Some(8080), None));
    let auth::GrantChoice::ClientCredentials { key: Some(key) } = settings.grant else {
        panic!("expected a signing key")
    };
    assert_eq!(key.algorithm, Some(auth::SigningAlgorithm::Es256));
    assert!(matches!(settings.client, auth::ClientChoice::Manual { id, .. } if id == "me"));
}

#[test]
fn a_client_signs_with_its_key_only_for_client_credentials() {
    for (mode, expected) in [
        (
            AuthorizationMode::ClientCredentials,
            Some(auth::AuthMethod::PrivateKeyJwt),
        ),
        (AuthorizationMode::Auto, None),
        (AuthorizationMode::Off, None),
    ] {
        let given = AuthorizationDraft {
            client_id: Some("me".to_owned()),
            client_secret: Some("hush".to_owned()),
            client_auth: Some(ClientAuth::PrivateKeyJwt),
            ..draft(mode)
        };
        let settings = settings::of(&given, EraChoice::Auto, &std::sync::Weak::new()).unwrap();
        let auth::ClientChoice::Manual { auth_method, .. } = settings.client else {
            panic!("expected the client of the settings")
        };
        assert_eq!(auth_method, expected, "{mode:?}");
    }
}

/// A server may send the browser anywhere: the first time, the user opens it.
#[test]
fn an_address_is_known_only_after_a_run_succeeded_there() {
    let url = |text: &str| Url::parse(text).unwrap();
    let address = url("https://as.example/authorize?client_id=c");
    for (ending, known) in [(auth::Ending::Cancelled, false), (auth::Ending::Done, true)] {
        let harness = harness(Vec::new());
        harness.record("a", vec![begun(), in_the_browser()]);
        assert!(!harness.runs.succeeded_at(&address), "it has not ended");
        harness.runs.await_open();
        assert_eq!(harness.run().awaits_open, Some(true));
        harness.record("a", vec![auth::RunEventKind::Ended(ending)]);
        assert_eq!(harness.run().awaits_open, None);
        assert_eq!(harness.runs.succeeded_at(&address), known);
        assert!(
            !harness
                .runs
                .succeeded_at(&url("https://as.example.evil/authorize"))
        );
        assert!(!harness.runs.succeeded_at(&url("http://as.example/authorize")));
        assert!(
            !harness
                .runs
                .succeeded_at(&url("https://as.example:444/authorize"))
        );
    }
}

/// Each refresh is a run too.
#[test]
fn an_address_stays_known_after_many_refreshes() {
    let harness = harness(Vec::new());
    let done = || auth::RunEventKind::Ended(auth::Ending::Done);
    harness.record("sign-in", vec![begun(), in_the_browser(), done()]);
    for number in 0..25 {
        harness.record(&number.to_string(), vec![begun(), done()]);
    }
    let address = Url::parse("https://as.example/authorize").unwrap();
    assert!(harness.runs.succeeded_at(&address));
    let history = harness.runs.history();
    let ids: Vec<&str> = history.iter().map(|run| run.id.0.as_str()).collect();
    assert_eq!((ids.len(), ids[0], ids[18], ids[19]), (20, "24", "6", "sign-in"));
    // The next sign-in there replaces it.
    harness.record("again", vec![begun(), in_the_browser(), done()]);
    harness.record("refresh", vec![begun(), done()]);
    assert!(harness.runs.get(Some(&RunId("sign-in".to_owned()))).is_none());
    assert!(harness.runs.succeeded_at(&address));
}

/// The host of an authorization server is chosen by the server: it must not learn who the user is from the certificate that
/// is meant for the server.
#[test]
fn the_client_certificate_is_for_the_host_of_the_server_only() {
    let given = patchbay_http::Settings {
        client_certificate: Some("me.pem".into()),
        ..patchbay_http::Settings::default()
    };
    assert_eq!(given.server_host, None);
    let server = "https://mcp.example:8443/mcp".parse().unwrap();
    let settings = for_authorization(given, &server);
    assert_eq!(settings.server_host.as_deref(), Some("mcp.example"));
    // The authorization server may be on the same host, and asks for it there.
    assert_eq!(settings.client_certificate.unwrap().to_str(), Some("me.pem"));
}

#[tokio::test]
async fn the_run_of_a_provider_ends_when_changed_settings_replace_it() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    // It answers nothing.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let draft = engine.draft_of_url(&format!("http://{}/mcp", listener.local_addr().unwrap()));
    let id = engine.add_server(draft.clone()).await.unwrap();
    // As a connection does.
    let _using = engine.state.authorizer(&engine.state.servers.get(&id).unwrap());
    let start = serde_json::json!({ "serverId": id, "from": null, "scopes": null });
    let started = call(&engine, "authorization_start", start).await;
    let until = async |state: &str| {
        let params = serde_json::json!({ "serverId": id, "runId": started["runId"] });
        let reached = async {
            while call(&engine, "authorization_get", params.clone()).await["run"]["state"] != state {
                tokio::task::yield_now().await;
            }
        };
        let reached = tokio::time::timeout(Duration::from_secs(20), reached).await;
        reached.unwrap_or_else(|_| panic!("not {state}"));
    };
    until("running").await;
    let name = "renamed".to_owned();
    engine
        .state
        .servers
        .update(&id, ServerDraft { name, ..draft })
        .unwrap();
    // Nobody could answer what it asks.
    until("cancelled").await;
    engine.shutdown().await;
}

/// The answer has to be stored, because the token that was sent is used up, but not for a server that is gone.
#[tokio::test]
async fn a_token_that_arrives_after_its_server_was_removed_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let mut draft = engine.draft_of_url(&format!("{issuer}/mcp"));
    if let TransportDraft::Http { proxy, .. } = &mut draft.transport {
        *proxy = ProxyDraft::None;
    }
    let server = engine.add_server(draft).await.unwrap();
    let id = SecretId(format!("server/{server}/authorization/{issuer}/mcp"));
    let vault = engine.state.vault.clone();
    let secret = stored_tokens(&issuer).to_secret();
    vault.put(vec![(id, secret)]).await.unwrap();
    let params = serde_json::json!({ "serverId": server });
    let text = params.to_string();
    let removed = async {
        let mut stream = refresh_asked(&listener).await;
        call(&engine, "server_remove", params).await;
        let body =
            r#"{"access_token":"access-token-2","token_type":"bearer","refresh_token":"refresh-token-2"}"#;
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
        let length = body.len();
        let answer = format!("{head}\r\nContent-Length: {length}\r\n\r\n{body}");
        stream.write_all(answer.as_bytes()).await.unwrap();
    };
    let (refreshed, ()) = tokio::join!(engine.call("authorization_refresh", &text), removed);
    // The answer was taken.
    refreshed.unwrap();
    assert_eq!(vault.ids().await.unwrap(), []);
    engine.shutdown().await;
}

/// An HTTP server with a client secret in a vault whose keychain is asked for the key.
async fn with_client_secret(keychain: &Arc<HeldKeychain>, folder: &tempfile::TempDir) -> (Engine, ServerId) {
    let engine = keychain.engine(folder).await;
    let mut draft = engine.draft_of_url("http://127.0.0.1:9/mcp");
    draft.authorization = Some(AuthorizationDraft {
        client_id: Some("before".to_owned()),
        client_secret: Some("hush-hush-12345".to_owned()),
        ..AuthorizationDraft::default()
    });
    let server = engine.add_server(draft).await.unwrap();
    engine.shutdown().await;
    let engine = keychain.engine(folder).await;
    keychain.hold();
    (engine, server)
}

/// The keychain asks the user, who edits the server first.
#[tokio::test]
async fn a_command_that_waited_for_the_keychain_uses_the_settings_of_now() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<HeldKeychain>::default();
    let (engine, server) = with_client_secret(&keychain, &folder).await;
    let saved = async {
        keychain.asked().await;
        let mut draft = engine.state.servers.get(&server).unwrap().draft;
        if let Some(authorization) = &mut draft.authorization {
            authorization.client_id = Some("after".to_owned());
        }
        let params = serde_json::json!({ "serverId": server, "draft": draft, "chosenRoots": [] });
        call(&engine, "server_update", params).await;
        keychain.release();
    };
    let get = call(
        &engine,
        "authorization_get",
        serde_json::json!({ "serverId": server }),
    );
    tokio::join!(get, saved);
    let authorization = engine.state.authorizations.lock().servers[&server].clone();
    let client = authorization.settings.authorization.client_id.clone();
    assert_eq!(client.as_deref(), Some("after"));
    engine.shutdown().await;
}

/// The keychain asks the user, who removes the server first.
#[tokio::test]
async fn a_command_that_waited_for_the_keychain_makes_nothing_of_a_removed_server() {
    let folder = tempfile::tempdir().unwrap();
    let keychain = Arc::<HeldKeychain>::default();
    let (engine, server) = with_client_secret(&keychain, &folder).await;
    let params = serde_json::json!({ "serverId": server });
    let text = params.to_string();
    let removed = async {
        keychain.asked().await;
        call(&engine, "server_remove", params).await;
        keychain.release();
    };
    let (refreshed, ()) = tokio::join!(engine.call("authorization_refresh", &text), removed);
    assert_eq!(refreshed.unwrap_err().code, ErrorCode::NotFound);
    assert!(!engine.state.authorizations.lock().servers.contains_key(&server));
    engine.shutdown().await;
}
