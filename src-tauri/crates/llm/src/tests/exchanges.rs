//! Answers, streamed and whole.

use super::*;

#[tokio::test]
async fn streamed_answers_arrive_in_pieces_and_whole() {
    let harness = Harness::new();
    for api in BOTH {
        let (answer, pieces) = harness.ask(api, "talk").await;
        let answer = answer.unwrap();
        assert_eq!(pieces, ["Hel", "lo, ", "wörld"], "{api:?}");
        assert_eq!(
            answer.to_result(),
            r#"{"role":"assistant","content":{"type":"text","text":"Hello, wörld"},"model":"talk-2026","stopReason":"endTurn"}"#
        );
        assert_eq!(
            (answer.usage.input, answer.usage.output),
            (Some(11), Some(7)),
            "{api:?}"
        );
        let (answer, _) = harness.ask(api, "short").await;
        assert_eq!(answer.unwrap().stop_reason.as_deref(), Some("maxTokens"));
        for model in ["think", "think-whole"] {
            let (answer, pieces) = harness.ask(api, model).await;
            assert_eq!(pieces, ["(Let me think.)", "Thought."], "{model}");
            let answer = answer.unwrap();
            let thought = match api {
                Api::Anthropic => Thought::Signed {
                    text: "Let me think.".into(),
                    signature: "abc".into(),
                },
                Api::ChatCompletions => Thought::Member {
                    name: "reasoning_content".into(),
                    text: "Let me think.".into(),
                },
            };
            let text = Part::Text("Thought.".to_owned());
            assert_eq!(answer.parts, [Part::Thought(thought), text], "{model}");
            assert!(
                !answer.to_result().contains("think."),
                "no part of a result: {}",
                answer.to_result()
            );
        }
    }
}

#[tokio::test]
async fn calls_of_tools_are_put_together_exactly() {
    let harness = Harness::new();
    for (api, prefix) in [(Api::Anthropic, "toolu"), (Api::ChatCompletions, "call")] {
        let (answer, pieces) = harness.ask(api, "tools").await;
        let result = answer.unwrap().to_result();
        assert_eq!(
            result,
            format!(
                r#"{{"role":"assistant","content":[{{"type":"text","text":"I look."}},{{"type":"tool_use","id":"{prefix}_1","name":"look","input":{{"n":9007199254740993}}}},{{"type":"tool_use","id":"{prefix}_2","name":"wait","input":{{}}}}],"model":"tools-2026","stopReason":"toolUse"}}"#
            )
        );
        assert_eq!(
            pieces[..3],
            [
                "I look.",
                "look:",
                if api == Api::Anthropic {
                    "+"
                } else {
                    "+{\"n\": 90071"
                }
            ]
        );
        // The same from a provider that does not stream.
        let (answer, _) = harness.ask(api, "whole").await;
        assert!(
            answer
                .unwrap()
                .to_result()
                .contains(r#""input":{"n":9007199254740993}"#)
        );
    }
}

#[tokio::test]
async fn an_answer_of_a_megabyte_arrives_whole() {
    let harness = Harness::new();
    for api in BOTH {
        for (model, begins) in [("megabyte", "Hel"), ("megabyte-whole", "xxx")] {
            let (answer, pieces) = harness.ask(api, model).await;
            let answer = answer.unwrap();
            let [Part::Text(text)] = &answer.parts[..] else {
                panic!("{api:?} {model}: {} parts", answer.parts.len());
            };
            assert!(
                text.starts_with(begins) && text.ends_with("xxx"),
                "{api:?} {model}"
            );
            let megabyte = 1 << 20;
            assert!((megabyte..megabyte + 4).contains(&text.len()), "{}", text.len());
            assert!(!pieces.is_empty());
        }
    }
}

#[tokio::test]
async fn exchanges_are_recorded_with_the_key_masked() {
    let harness = Harness::new();
    for api in BOTH {
        harness.ask(api, "talk").await.0.unwrap();
    }
    harness.recorder.flush().await.unwrap();
    let seen = harness.scripted.seen();
    assert!(
        seen[0].starts_with(r#"POST /v1/messages {"model":"talk","max_tokens":100"#),
        "{seen:?}"
    );
    assert!(
        seen[1].starts_with(r#"POST /v1/chat/completions {"model":"talk""#),
        "{seen:?}"
    );
    for seq in [1, 2] {
        let exchange = format!("{:?}", harness.store.http(seq).await.unwrap().unwrap());
        assert!(!exchange.contains("sk-scripted-012345"), "{exchange}");
        assert!(exchange.contains("max_tokens"), "{exchange}");
    }
}

#[tokio::test]
async fn models_are_listed_with_what_is_known() {
    let harness = Harness::new();
    let models = harness
        .provider(Api::Anthropic)
        .models(&harness.wire)
        .await
        .unwrap();
    assert_eq!(
        (&*models[0].id, models[0].name.as_deref()),
        ("talk", Some("Scripted talk"))
    );
    assert_eq!(models[0].price, None);
    let models = harness
        .provider(Api::ChatCompletions)
        .models(&harness.wire)
        .await
        .unwrap();
    assert_eq!(models[0].context, Some(128_000));
    assert!(models[0].price.is_some() && models[1].price.is_none());
}

#[tokio::test]
async fn dropping_a_request_closes_the_connection() {
    let harness = Harness::new();
    for api in BOTH {
        let (sender, mut deltas) = mpsc::channel(1);
        let prompt = Prompt::parse(SIMPLE).unwrap();
        let provider = harness.provider(api);
        tokio::select! {
            ended = provider.generate(&harness.wire, "slow", &prompt, &sender) => panic!("{ended:?}"),
            first = deltas.recv() => assert_eq!(first, Some(Delta::Text("Hel".to_owned()))),
        }
    }
}
