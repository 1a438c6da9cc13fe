//! Answers to the questions of a run.

use super::*;

#[tokio::test]
async fn an_answer_must_match_the_question() {
    let harness = harness(Vec::new());
    harness.record("a-1", vec![begun()]);
    let run = RunId("a-1".to_owned());
    let issuers = vec!["https://one.example".to_owned(), "https://two.example".to_owned()];
    let choose = |issuer: &str| AuthorizationAnswer::ChooseServer {
        issuer: issuer.to_owned(),
    };
    let gone = harness.runs.answer(&run, choose("https://one.example"));
    assert!(matches!(gone, Err(AnswerError::Gone)), "no question is waiting");
    let asked = harness.runs.ask("a", auth::Question::ChooseServer(issuers));
    let answering = async {
        for unfit in [
            choose("https://three.example"),
            AuthorizationAnswer::PrivateAddress {
                url: "https://one.example".to_owned(),
                allow: true,
            },
        ] {
            let refused = harness.runs.answer(&run, unfit);
            assert!(matches!(refused, Err(AnswerError::WrongKind(_))), "{refused:?}");
        }
        let other = RunId("b-1".to_owned());
        let refused = harness.runs.answer(&other, choose("https://two.example"));
        assert!(
            matches!(refused, Err(AnswerError::Gone)),
            "it belongs to another run"
        );
        harness.runs.answer(&run, choose("https://two.example")).unwrap();
    };
    let (answer, ()) = tokio::join!(asked, answering);
    assert!(matches!(answer, Some(auth::Answer::Server(issuer)) if issuer == "https://two.example"));
}

/// The window shows a question as soon as it is reported, which is before its answer is waited for.
#[tokio::test]
async fn a_question_can_be_answered_before_its_answer_is_waited_for() {
    let harness = harness(Vec::new());
    harness.record("a-1", vec![begun()]);
    let issuer = "https://one.example".to_owned();
    let asked = harness
        .runs
        .ask("a", auth::Question::ChooseServer(vec![issuer.clone()]));
    let answer = AuthorizationAnswer::ChooseServer { issuer };
    harness.runs.answer(&RunId("a-1".to_owned()), answer).unwrap();
    assert!(matches!(asked.await, Some(auth::Answer::Server(issuer)) if issuer == "https://one.example"));
}

#[tokio::test]
async fn the_end_of_a_run_ends_its_question() {
    let harness = harness(Vec::new());
    harness.record("a-1", vec![begun()]);
    let question = auth::Question::Client {
        issuer: "https://as.example".to_owned(),
        redirect_uri: "http://localhost:1/callback".to_owned(),
    };
    let asked = harness.runs.ask("a", question);
    let ending = async { harness.record("a-1", vec![auth::RunEventKind::Ended(auth::Ending::Cancelled)]) };
    let (answer, _) = tokio::join!(asked, ending);
    assert!(answer.is_none());
}

/// The settings changed, so that another provider asks now.
#[tokio::test]
async fn the_end_of_a_run_of_a_replaced_provider_leaves_the_question_of_the_next() {
    let harness = harness(Vec::new());
    harness.record("a-1", vec![begun()]);
    harness.record("b-1", vec![begun()]);
    let issuer = "https://one.example".to_owned();
    let question = || auth::Question::ChooseServer(vec![issuer.clone()]);
    let asked = harness.runs.ask("b", question());
    harness.record("a-1", vec![auth::RunEventKind::Ended(auth::Ending::Cancelled)]);
    let answer = |run: &str| {
        let issuer = issuer.clone();
        let answer = AuthorizationAnswer::ChooseServer { issuer };
        harness.runs.answer(&RunId(run.to_owned()), answer)
    };
    answer("b-1").unwrap();
    assert!(asked.await.is_some());
    // What the earlier one still asks is not what the user sees.
    let _asked = harness.runs.ask("a", question());
    assert!(matches!(answer("b-1"), Err(AnswerError::Gone)));
}

/// Two questions in a row look alike: a double click must not answer the second one, which nobody has read.
#[tokio::test]
async fn only_the_private_address_that_was_shown_is_allowed() {
    let harness = harness(Vec::new());
    harness.record("a-1", vec![begun()]);
    let question = |url: &str| auth::Question::PrivateAddress {
        url: Url::parse(url).unwrap(),
        why: "It is in your network.".to_owned(),
    };
    let allow = |url: &str| {
        let url = url.to_owned();
        let answer = AuthorizationAnswer::PrivateAddress { url, allow: true };
        harness.runs.answer(&RunId("a-1".to_owned()), answer)
    };
    let first = harness.runs.ask("a", question("http://10.0.0.7/as"));
    allow("http://10.0.0.7/as").unwrap();
    assert!(matches!(
        first.await,
        Some(auth::Answer::PrivateAddress { allow: true })
    ));
    let second = harness.runs.ask("a", question("http://10.0.0.8/token"));
    let refused = allow("http://10.0.0.7/as");
    assert!(matches!(refused, Err(AnswerError::WrongKind(_))), "{refused:?}");
    allow("http://10.0.0.8/token").unwrap();
    assert!(matches!(
        second.await,
        Some(auth::Answer::PrivateAddress { allow: true })
    ));
}

/// The user may authorize while an automatic attempt to connect is under way.
#[tokio::test]
async fn only_the_runs_that_no_user_began_are_answered_for_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let engine = attended(&folder).await;
    // It answers nothing, so the attempt stays under way.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut draft = engine.draft_of_url(&format!("http://{}/mcp", listener.local_addr().unwrap()));
    draft.automatic = Some(AutomaticDraft {
        connect: true,
        reconnect: true,
    });
    let server = engine.add_server(draft).await.unwrap();
    engine.connect_at_start();
    let connecting = async {
        while !engine.state.automatic.is_connecting(&server) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), connecting)
        .await
        .unwrap();
    let harness = harness(Vec::new());
    let runs = Arc::new(harness.runs);
    let host = ServerHost {
        engine: Arc::downgrade(&engine.state),
        server,
        server_name: "s".to_owned(),
        settings: patchbay_http::Settings::default(),
        recorder: harness.recorder.clone(),
        runs: runs.clone(),
        series: "a".to_owned(),
        browser: crate::engine::options::BrowserChoice::Shown,
        attended: true,
    };
    let issuers = vec!["https://one.example".to_owned(), "https://two.example".to_owned()];
    let ask = || auth::Host::ask(&host, auth::Question::ChooseServer(issuers.clone()));
    let begin = |run: &str, cause: auth::Cause| {
        let what = auth::RunEventKind::Begun {
            cause,
            steps: auth::Step::RUN.to_vec(),
        };
        let event = auth::RunEvent {
            run: auth::RunId(1),
            at: UNIX_EPOCH,
            what,
        };
        runs.record(RunId(run.to_owned()), event);
    };
    let url = Url::parse("https://one.example/authorize").unwrap();
    begin("a-1", auth::Cause::Challenge);
    assert!(matches!(ask().await, Some(auth::Answer::Server(issuer)) if issuer == "https://one.example"));
    let opened = auth::Host::open_browser(&host, &url).await;
    assert!(matches!(opened, auth::Opened::Nobody { next, .. } if next == "Connect, or authorize here."));

    begin("a-2", auth::Cause::User);
    let asked = ask();
    let answer = AuthorizationAnswer::ChooseServer {
        issuer: "https://two.example".to_owned(),
    };
    runs.answer(&RunId("a-2".to_owned()), answer).unwrap();
    assert!(matches!(asked.await, Some(auth::Answer::Server(issuer)) if issuer == "https://two.example"));
    let opened = auth::Host::open_browser(&host, &url).await;
    assert!(matches!(opened, auth::Opened::Shown), "{opened:?}");
    engine.shutdown().await;
}
