//! Requests that are held back: slow answers, and none.

use patchbay_contract::{AnswerOutcome, InputAnswer, InputAnswerParams, InputItem};

use super::*;

/// The only request in the queue, once it is there.
async fn waiting(engine: &Engine) -> InputItem {
    let mut revision = engine.state.nudges.revision();
    loop {
        if let [item] = &engine.state.inputs.list(&[]).items[..] {
            return item.clone();
        }
        revision.changed().await.unwrap();
    }
}

fn answer(engine: &Engine, item: &InputItem, json: &str) {
    let params = InputAnswerParams {
        input_id: item.id.clone(),
        answer: InputAnswer::Result {
            json: json.to_owned(),
        },
    };
    engine.state.inputs.answer(params).unwrap();
}

#[tokio::test]
async fn a_slow_answer_is_visible_until_it_is_due() {
    let harness = Harness::new(true, all(SimulatedAnswer::Decline {}, 60)).await;
    let question = harness.question(Kind::Elicitation, FORM);
    let (reply, item) = tokio::join!(harness.simulator.respond(&question), waiting(&harness.engine));
    let simulated = item.simulated.unwrap();
    assert_eq!(simulated.rule, "decline, after 0.06 s");
    assert!(simulated.answers_at_ms.unwrap() > item.waiting_since_ms);
    assert_eq!(reply, result(r#"{"action":"decline"}"#));
    assert_eq!(
        question.decision.get().cloned().flatten().unwrap(),
        "simulator, decline, after 0.06 s"
    );
    let list = harness.engine.state.inputs.list(&[]);
    assert_eq!((list.items.len(), list.withdrawn.len()), (0, 0));
    assert_eq!(
        harness.notes().await,
        [
            "Held back elicitation/create by rule: simulator, decline, after 0.06 s",
            "Answered elicitation/create by rule: simulator, decline, after 0.06 s"
        ]
    );
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn the_user_takes_a_request_over_or_answers_it_at_once() {
    for takes_over in [true, false] {
        let harness = Harness::new(true, all(SimulatedAnswer::NoAnswer {}, 0)).await;
        let question = harness.question(Kind::Elicitation, FORM);
        let engine = &harness.engine;
        let user = async {
            let item = waiting(engine).await;
            let simulated = item.simulated.clone().unwrap();
            assert_eq!(
                (simulated.rule.as_str(), simulated.answers_at_ms),
                ("no answer", None)
            );
            if takes_over {
                engine.state.inputs.take_over(&item.id).unwrap();
                assert_eq!(waiting(engine).await.simulated, None);
                // Again has no effect.
                engine.state.inputs.take_over(&item.id).unwrap();
            }
            answer(engine, &item, r#"{"action":"cancel"}"#);
            item
        };
        let (reply, item) = tokio::join!(harness.simulator.respond(&question), user);
        assert_eq!(reply, result(r#"{"action":"cancel"}"#));
        assert_eq!(question.decision.get(), Some(&None), "the user decided");
        assert!(
            engine.state.inputs.list(&[]).answered.is_empty(),
            "the chain remembers it"
        );
        let gone = engine.state.inputs.take_over(&item.id).unwrap_err();
        assert!(gone.message.contains("answered already"), "{}", gone.message);
        harness.engine.shutdown().await;
    }
}

#[tokio::test]
async fn a_request_taken_over_in_time_is_not_answered_when_it_was_due() {
    let harness = Harness::new(true, all(SimulatedAnswer::Decline {}, 40)).await;
    let later = Harness::new(false, all(SimulatedAnswer::Decline {}, 80)).await;
    let question = harness.question(Kind::Elicitation, FORM);
    let engine = &harness.engine;
    let user = async {
        let item = waiting(engine).await;
        engine.state.inputs.take_over(&item.id).unwrap();
        // Another simulator, whose answer comes later.
        later.ask(Kind::Elicitation, FORM).await;
        answer(engine, &item, r#"{"action":"accept","content":{}}"#);
    };
    let (reply, ()) = tokio::join!(harness.simulator.respond(&question), user);
    assert_eq!(reply, result(r#"{"action":"accept","content":{}}"#));
    later.engine.shutdown().await;
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn switching_it_off_passes_held_requests_on_and_another_answer_is_given_at_once() {
    let harness = Harness::new(true, all(SimulatedAnswer::NoAnswer {}, 0)).await;
    let engine = &harness.engine;
    let switched = async |settings: SimulatorSettings| {
        waiting(engine).await;
        harness.simulator.live.set(settings);
    };
    let question = harness.question(Kind::Roots, "{}");
    let off = SimulatorSettings::default();
    let (reply, ()) = tokio::join!(harness.simulator.respond(&question), switched(off));
    assert_eq!(reply, None, "the roots of the settings are next");
    assert!(engine.state.inputs.list(&[]).items.is_empty());

    harness.simulator.live.set(all(SimulatedAnswer::NoAnswer {}, 0));
    let question = harness.question(Kind::Elicitation, FORM);
    let decline = all(SimulatedAnswer::Decline {}, 0);
    let (reply, ()) = tokio::join!(harness.simulator.respond(&question), switched(decline));
    assert_eq!(reply, result(r#"{"action":"decline"}"#));
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn a_server_that_gives_up_is_in_the_history() {
    let harness = Harness::new(true, all(SimulatedAnswer::NoAnswer {}, 0)).await;
    let engine = &harness.engine;
    let question = harness.question(Kind::Sampling, "{}");
    tokio::select! {
        reply = harness.simulator.respond(&question) => panic!("{reply:?}"),
        // The server cancels its request: the chain drops the responder.
        _ = waiting(engine) => {}
    }
    let list = engine.state.inputs.list(&[]);
    assert!(list.items.is_empty());
    assert_eq!(list.withdrawn.len(), 1);
    let [ended] = &list.answered[..] else {
        panic!("{:?}", list.answered);
    };
    assert_eq!(ended.outcome, AnswerOutcome::Unanswered);
    assert_eq!(ended.rule.as_deref(), Some("simulator, no answer"));
    let notes = harness.notes().await;
    assert_eq!(
        notes.last().unwrap(),
        "Left sampling/createMessage unanswered by rule: simulator, no answer"
    );
    harness.engine.shutdown().await;
}

#[tokio::test]
async fn without_a_user_no_answer_ends_with_the_timeout_of_requests() {
    let harness = Harness::new(false, all(SimulatedAnswer::NoAnswer {}, 0)).await;
    let reply = harness.ask(Kind::Elicitation, FORM).await;
    let Some(InputReply::Error { code, message, .. }) = reply else {
        panic!("{reply:?}");
    };
    assert_eq!(code, error_codes::INTERNAL_ERROR);
    assert_eq!(message, "the simulator gave no answer within 0.02 s");
    harness.engine.shutdown().await;
}
