//! Models that think: their thoughts go back unchanged while a turn uses tools. The scripted provider refuses the turn otherwise.

use serde_json::{Value, json};

use super::turns::{APIS, Harness, Watched};

const THOUGHT: &str = "What do they want?";

impl Harness {
    async fn change(&self, chat: &Watched, change: impl Fn(&mut Value)) {
        let mut settings = chat.state["settings"].clone();
        change(&mut settings);
        let params = json!({ "chatId": chat.id, "settings": settings });
        self.call("chat_settings_set", params).await;
    }
}

#[tokio::test]
async fn thoughts_come_back_to_their_model_while_a_turn_uses_tools() {
    let harness = Harness::new().await;
    let efforts = [
        json!({ "type": "effort", "effort": "high" }),
        json!({ "type": "budget", "tokens": 2048 }),
    ];
    for api in APIS {
        for thinking in &efforts {
            let mut chat = harness.begin(api, "script").await;
            chat.until(|chat| !chat.state.is_null()).await;
            harness
                .change(&chat, |settings| settings["thinking"] = thinking.clone())
                .await;
            harness.send(&chat, "again\ncall nothing {}").await;
            // The message, four answers with a call each, the notice of the limit.
            chat.ended(10).await;
            assert_eq!(chat.last()["kind"], "limit", "{api} {thinking}: {}", chat.last());
            assert_eq!(chat.items[1]["thinking"], THOUGHT);
            let sent = harness.scripted.seen().pop().unwrap();
            assert_eq!(sent.matches(THOUGHT).count(), 3, "{sent}");

            // They are not part of a later turn.
            harness.send(&chat, "on").await;
            chat.ended(12).await;
            assert_eq!(chat.last()["text"]["inline"], "You said: on");
            let sent = harness.scripted.seen().pop().unwrap();
            assert!(!sent.contains(THOUGHT), "{sent}");
        }
    }
    harness.engine.shutdown().await;
}

/// Anthropic refuses a budget in a turn whose first answer has no thought.
#[tokio::test]
async fn a_turn_that_began_without_thoughts_goes_on_without_a_budget() {
    let harness = Harness::new().await;
    let mut chat = harness.begin("anthropic", "script").await;
    chat.until(|chat| !chat.state.is_null()).await;
    harness
        .change(&chat, |settings| settings["maxRounds"] = json!(1))
        .await;
    harness.send(&chat, "call nothing {}").await;
    chat.ended(4).await;
    let thinking = json!({ "type": "budget", "tokens": 1024 });
    harness
        .change(&chat, |settings| settings["thinking"] = thinking.clone())
        .await;
    harness.call("chat_continue", json!({ "chatId": chat.id })).await;
    chat.ended(5).await;
    assert!(
        chat.last()["text"]["inline"]
            .as_str()
            .unwrap()
            .contains("The tools say")
    );
    let sent = harness.scripted.seen().pop().unwrap();
    assert!(!sent.contains("budget_tokens"), "{sent}");
    // The next turn thinks.
    harness.send(&chat, "on").await;
    chat.ended(7).await;
    assert_eq!(chat.last()["thinking"], THOUGHT);

    let mut settings = chat.state["settings"].clone();
    settings["thinking"] = json!({ "type": "budget", "tokens": 10 });
    let params = json!({ "chatId": chat.id, "settings": settings });
    let why = harness.refused("chat_settings_set", params).await;
    assert!(why.contains("1,024"), "{why}");
    harness.engine.shutdown().await;
}
