//! What the simulator answers, and what it does with requests that it holds back.

mod commands;
mod held;
mod values;

use patchbay_client::{InputKind as Kind, InputReply};
use patchbay_contract::{
    InputKind, RootsRule, ScriptEnd, ScriptSource, SimulatedAnswer, Simulation, SimulatorSettings,
};

use patchbay_protocol::limits::Limits;

use super::*;
use crate::{Engine, EngineOptions, InputChain, inputs::Roots, inputs::sampling_question};

/// An engine with a simulator.
struct Harness {
    engine: Engine,
    simulator: Simulator,
    _folder: tempfile::TempDir,
}

impl Harness {
    async fn new(is_attended: bool, settings: SimulatorSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inputs = match is_attended {
            true => InputChain::attended(),
            false => InputChain::default(),
        };
        let engine = Engine::open(EngineOptions {
            inputs,
            ..EngineOptions::within(folder.path())
        })
        .await
        .unwrap();
        let state = &engine.state;
        let person = is_attended.then(|| {
            Arc::new(Person::new(
                state.inputs.clone(),
                state.exchanges.clone(),
                state.recorder.clone(),
            ))
        });
        let folders = RootsRule::Folders {
            paths: vec!["/tmp".to_owned()],
            names: Default::default(),
            sets: Vec::new(),
        };
        let simulator = Simulator {
            live: Arc::new(LiveSimulator::new(settings)),
            roots: Arc::new(LiveRoots::for_test(Some(folders))),
            person,
            recorder: state.recorder.clone(),
            patience: Duration::from_millis(20),
        };
        Self {
            engine,
            simulator,
            _folder: folder,
        }
    }

    fn question(&self, kind: Kind, params: &str) -> InputQuestion {
        let (mut question, _) = sampling_question(&self.engine, params);
        let method = match kind {
            Kind::Sampling => "sampling/createMessage",
            Kind::Elicitation => "elicitation/create",
            Kind::Roots => "roots/list",
        };
        question.input.kind = kind;
        question.input.method = method.to_owned();
        question
    }

    /// The reply to a new question.
    async fn ask(&self, kind: Kind, params: &str) -> Option<InputReply> {
        self.simulator.respond(&self.question(kind, params)).await
    }

    /// What was recorded about the decisions.
    async fn notes(&self) -> Vec<String> {
        self.engine.state.recorder.flush().await.unwrap();
        let rows = self.engine.state.store.rows(&Default::default(), 0, 500).await;
        let texts = rows.unwrap().into_iter().filter_map(|row| row.summary);
        texts.filter(|text| text.contains("simulator")).collect()
    }
}

/// Settings that treat all three kinds in the same way.
fn all(answer: SimulatedAnswer, delay_ms: u32) -> SimulatorSettings {
    let simulation = Simulation { answer, delay_ms };
    SimulatorSettings {
        is_on: true,
        sampling: Some(simulation.clone()),
        elicitation: Some(simulation.clone()),
        roots: Some(simulation),
    }
}

fn script(json: &str, at_end: ScriptEnd) -> SimulatorSettings {
    let script = ScriptSource::Text {
        json: json.to_owned(),
    };
    all(SimulatedAnswer::Script { script, at_end }, 0)
}

fn result(json: &str) -> Option<InputReply> {
    Some(InputReply::Result(json.to_owned()))
}

const FORM: &str = r#"{"message":"m","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","default":9007199254740993},"name":{"type":"string"},"note":{"type":"string"}},"required":["name"]}}"#;

#[tokio::test]
async fn each_answer_is_given_to_each_kind_and_recorded() {
    let error = SimulatedAnswer::Error {
        code: -32000,
        message: "Out of order".to_owned(),
    };
    for (answer, sampling, elicitation, roots, words) in [
        (
            SimulatedAnswer::Defaults {},
            r#"{"role":"assistant","content":{"type":"text","text":"This is a simulated answer."},"model":"patchbay-simulator","stopReason":"endTurn"}"#,
            r#"{"action":"accept","content":{"n":9007199254740993,"name":"simulated"}}"#,
            r#"{"roots":[{"uri":"file:///tmp","name":"tmp"}]}"#,
            "defaults",
        ),
        (
            SimulatedAnswer::Decline {},
            "-1 User rejected sampling request",
            r#"{"action":"decline"}"#,
            r#"{"roots":[]}"#,
            "decline",
        ),
        (
            SimulatedAnswer::Cancel {},
            "cancelled",
            r#"{"action":"cancel"}"#,
            "cancelled",
            "cancel",
        ),
        (
            SimulatedAnswer::Invalid {},
            r#"{"role":"narrator","content":{"type":"hologram"},"model":7,"stopReason":[]}"#,
            r#"{"action":"accept","content":{"n":"not a number","name":7,"note":7}}"#,
            r#"{"roots":[{"uri":7,"name":["not a name"]}]}"#,
            "invalid answer",
        ),
        (
            error,
            "-32000 Out of order",
            "-32000 Out of order",
            "-32000 Out of order",
            "error -32000",
        ),
    ] {
        let harness = Harness::new(false, all(answer, 0)).await;
        for (kind, params, expected) in [
            (Kind::Sampling, "{}", sampling),
            (Kind::Elicitation, FORM, elicitation),
            (Kind::Roots, "{}", roots),
        ] {
            let question = harness.question(kind, params);
            let said = match harness.simulator.respond(&question).await.unwrap() {
                InputReply::Result(json) => json,
                InputReply::Error { code, message, .. } => format!("{code} {message}"),
                InputReply::Cancelled => "cancelled".to_owned(),
            };
            assert_eq!(said, expected, "{words}");
            let decision = question.decision.get().cloned().flatten();
            assert_eq!(decision, Some(format!("simulator, {words}")));
        }
        let notes = harness.notes().await;
        assert_eq!(notes.len(), 3, "{notes:?}");
        for note in notes {
            assert!(note.ends_with(&format!(" by rule: simulator, {words}")), "{note}");
        }
        harness.engine.shutdown().await;
    }
}

#[tokio::test]
async fn only_what_is_set_and_on_is_simulated() {
    let mut settings = all(SimulatedAnswer::Decline {}, 0);
    settings.roots = None;
    let harness = Harness::new(false, settings.clone()).await;
    assert_eq!(harness.ask(Kind::Roots, "{}").await, None);
    let declared: Vec<Kind> = harness.simulator.answers().iter().map(|each| each.kind).collect();
    assert_eq!(declared, [Kind::Sampling, Kind::Elicitation]);
    settings.is_on = false;
    harness.simulator.live.set(settings);
    assert_eq!(harness.ask(Kind::Elicitation, FORM).await, None);
    assert!(harness.simulator.answers().is_empty());
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn rules_of_the_command_line_come_before_the_simulator_and_the_roots_of_the_settings_after_it() {
    let harness = Harness::new(false, all(SimulatedAnswer::Decline {}, 0)).await;
    let Harness {
        engine, simulator, ..
    } = harness;
    let roots = simulator.roots.clone();
    let nobody = Arc::new(Roots::of_command_line(Vec::new()));
    let (mut question, _) = sampling_question(&engine, "{}");
    question.input.kind = Kind::Roots;
    let simulator = Arc::new(simulator);
    let chain = InputChain::default().of_server(&roots, nobody.clone(), &Limits::default());
    let chain = chain.after_rules(simulator.clone());
    assert_eq!(Some(chain.respond(&question).await.0), result(r#"{"roots":[]}"#));
    let given = Roots::of_command_line(vec!["/tmp".into()]);
    let chain = InputChain::default()
        .with(given)
        .of_server(&roots, nobody, &Limits::default());
    let chain = chain.after_rules(simulator);
    let reply = chain.respond(&question).await.0;
    assert_eq!(
        Some(reply),
        result(r#"{"roots":[{"uri":"file:///tmp","name":"tmp"}]}"#)
    );
    engine.shutdown().await;
}

#[tokio::test]
async fn scripts_are_answered_in_order_and_end_as_set() {
    let steps = r#"["decline", {"content": {"a": 1.10}, "delayMs": 1}, {"error": {"code": 5, "message": "five", "data": [1]}}]"#;
    for (at_end, fourth) in [
        (ScriptEnd::Repeat, result(r#"{"action":"decline"}"#)),
        (ScriptEnd::Ask, None),
        (
            ScriptEnd::Stop,
            Some(InputReply::Error {
                code: error_codes::INTERNAL_ERROR,
                message: "the script of the simulator has no more answers: all 3 were given".to_owned(),
                data: None,
            }),
        ),
    ] {
        let harness = Harness::new(false, script(steps, at_end)).await;
        let mut replies = Vec::new();
        for _ in 0..4 {
            replies.push(harness.ask(Kind::Elicitation, FORM).await);
        }
        let five = InputReply::Error {
            code: 5,
            message: "five".to_owned(),
            data: Some("[1]".to_owned()),
        };
        let expected = [
            result(r#"{"action":"decline"}"#),
            result(r#"{"action":"accept","content":{"a":1.10}}"#),
            Some(five),
            fourth,
        ];
        assert_eq!(replies, expected, "{at_end:?}");
        let notes = harness.notes().await;
        assert!(
            notes.contains(
                &"Answered elicitation/create by rule: simulator, answer 2 of 3 of the script (this result), after 0.001 s"
                    .to_owned()
            ),
            "{notes:?}"
        );
        // Each kind has its own place.
        assert_eq!(harness.simulator.live.given()[0].given, 0);
        assert_eq!(harness.simulator.live.given()[1].given, 4);
        harness.simulator.live.set(script(steps, at_end));
        assert_eq!(harness.simulator.live.given()[1].given, 0);
        harness.engine.shutdown().await;
    }
}

#[tokio::test]
async fn a_script_file_is_read_for_each_request_and_a_broken_one_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.json");
    std::fs::write(&path, r#"["decline","decline"]"#).unwrap();
    let settings = all(
        SimulatedAnswer::Script {
            script: ScriptSource::File {
                path: path.display().to_string(),
            },
            at_end: ScriptEnd::Stop,
        },
        0,
    );
    let harness = Harness::new(false, settings.clone()).await;
    assert_eq!(
        harness.ask(Kind::Elicitation, FORM).await,
        result(r#"{"action":"decline"}"#)
    );
    std::fs::write(&path, r#"["decline",{"action":"cancel"}]"#).unwrap();
    let why = "answer 2: `action` is not known; use one of answer, result, content, text, error";
    let reply = harness.ask(Kind::Elicitation, FORM).await;
    let Some(InputReply::Error { message, .. }) = reply else {
        panic!("{reply:?}");
    };
    assert!(
        message.starts_with("the simulator cannot answer: The script "),
        "{message}"
    );
    assert!(message.ends_with(&format!("is not valid: {why}.")), "{message}");
    assert!(harness.notes().await.iter().any(|note| note.contains(why)));
    harness.engine.shutdown().await;

    // The user answers instead, and sees why.
    std::fs::remove_file(&path).unwrap();
    let harness = Harness::new(true, settings).await;
    let question = harness.question(Kind::Elicitation, FORM);
    assert_eq!(harness.simulator.respond(&question).await, None);
    let reason = &question.proposal.get().unwrap().reason;
    assert!(
        reason.starts_with("The simulator did not answer. The script "),
        "{reason}"
    );
    assert!(reason.contains("was not read"), "{reason}");
    harness.engine.shutdown().await;
}
