//! The turn: sends the message, says what happens, decides about calls, and ends with the answer.

use std::{
    collections::{HashMap, HashSet},
    io::IsTerminal as _,
};

use patchbay_contract::*;
use patchbay_engine::{Engine, NO_ANSWER_EXPECTED, quoted};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Wrong, decide::decide, usage, written};
use crate::{
    args::Approve,
    exit::{Exit, Problem},
    oneshot::{answer, keyboard::Keyboard, passphrase::with_vault, server::call},
    output::{self, visible},
};

/// How many events wait to be read.
const EVENTS: usize = 16;

/// What to do about a limit. In the app the turn could be continued.
const RAISE: &str =
    "Run it again with a higher limit: --max-rounds for answers, --max-turn-tokens for tokens.";

/// A message of the stream.
#[derive(Deserialize)]
struct StreamMessage {
    event: Option<ChatEvent>,
    error: Option<CommandError>,
}

/// A call that waits, and whether that is because its tool changed: then it is asked about again.
type Question = (String, bool);

fn question(call: &ChatCall) -> Question {
    (call.id.clone(), call.definition_changed)
}

/// What is known of the turn.
struct Turn<'a> {
    engine: &'a Engine,
    chat_id: ChatId,
    approve: Approve,
    json: bool,
    keyboard: &'a Keyboard,
    /// Whether somebody decides: at the terminal, or the user who answers in place of a model.
    is_attended: bool,
    phase: ChatPhase,
    /// The items, in the order of the conversation; some are replaced while they are in progress.
    items: Vec<ChatItem>,
    /// What was said of each call: its state, and whether its definition had changed.
    told: HashMap<String, (ChatCallState, bool)>,
    /// What was decided.
    decided: HashSet<Question>,
    /// How many secrets were said to be masked in each item.
    masked: HashMap<String, usize>,
    /// The answer that the user has written and that is not wanted yet.
    written: Option<ChatWriteParams>,
    /// How many items there were when the user wrote last.
    written_at: usize,
    tokens: (u32, u32),
    rounds: u32,
    /// Whether the request for the next answer was said. What is live is not reported if it ends at once.
    requested: bool,
}

/// Runs the turn.
pub(super) async fn run(
    engine: &Engine,
    keyboard: &Keyboard,
    settings: ChatSettings,
    text: String,
    approve: Approve,
    json: bool,
) -> Result<Exit, Wrong> {
    let is_manual = matches!(settings.answers, ChatAnswers::Manual {});
    let params = ChatCreateParams { settings };
    let made: ChatCreateResponse = with_vault(engine, "chat_create", &params).await.map_err(usage)?;
    let chat_id = made.chat_id;
    let (sink, mut messages) = mpsc::channel(EVENTS);
    let open = json!({ "chatId": chat_id }).to_string();
    let _stream = engine
        .open_stream("chat_open", &open, sink)
        .map_err(|error| usage(error.into()))?;
    let mut turn = Turn {
        engine,
        chat_id: chat_id.clone(),
        approve,
        json,
        keyboard,
        is_attended: is_manual || std::io::stdin().is_terminal(),
        phase: ChatPhase::Idle,
        items: Vec::new(),
        told: HashMap::new(),
        decided: HashSet::new(),
        masked: HashMap::new(),
        written: None,
        written_at: 0,
        tokens: (0, 0),
        rounds: 0,
        requested: false,
    };
    turn.say_blocked().await?;
    let params = ChatSendParams { chat_id, text };
    with_vault::<_, Done>(engine, "chat_send", &params)
        .await
        .map_err(usage)?;
    while let Some(text) = messages.recv().await {
        let broken =
            |error: serde_json::Error| usage(Problem::internal("An event could not be read.", &error));
        let message: StreamMessage = serde_json::from_str(&text).map_err(broken)?;
        if let Some(error) = message.error {
            return Err(usage(error.into()));
        }
        let Some(event) = message.event else { break };
        turn.take(event).await?;
        if let Some(ended) = turn.step().await? {
            return ended;
        }
    }
    Err(usage(Problem::new(
        "internal",
        "The conversation ended without an answer.",
    )))
}

impl Turn<'_> {
    /// Says which tools the model does not get because their definitions changed, and how to accept that.
    async fn say_blocked(&self) -> Result<(), Wrong> {
        let params = ChatToolsParams {
            chat_id: self.chat_id.clone(),
        };
        let given: ChatToolsResponse = call(self.engine, "chat_tools", &params).await.map_err(usage)?;
        for ChatTool { server_id, tool, .. } in given.tools.iter().filter(|tool| tool.blocked.is_some()) {
            let server = given.servers.iter().find(|server| server.server_id == *server_id);
            let server = server.map(|server| &*server.name).unwrap_or_default();
            let (name, one) = (visible(&quoted(server)), visible(&quoted(tool)));
            let next = format!(
                "See `patchbay tools diff --server {name}`; accept it with `patchbay tools accept --server {name} {one}`."
            );
            self.words(&format!(
                "{} of {} is not given to the model: its definition changed. {next}",
                visible(tool),
                visible(server)
            ));
            self.event(
                "tool_blocked",
                &json!({ "server": server, "tool": tool, "because": "definitionChanged" }),
            )
            .await?;
        }
        Ok(())
    }

    /// Takes an event in.
    async fn take(&mut self, event: ChatEvent) -> Result<(), Wrong> {
        match event {
            ChatEvent::State { summary, .. } => self.phase = summary.phase,
            ChatEvent::Items { items } => {
                for item in items {
                    self.say(&item).await?;
                    match self.items.iter_mut().find(|known| id(known) == id(&item)) {
                        Some(known) => *known = item,
                        None => self.items.push(item),
                    }
                }
            }
            ChatEvent::Live { by: Some(by), .. } => self.request(&by).await?,
            ChatEvent::Live { by: None, .. } | ChatEvent::LiveMore { .. } | ChatEvent::Branch { .. } => {}
        }
        Ok(())
    }

    /// Says, once per answer, that the model is asked for it.
    async fn request(&mut self, by: &str) -> Result<(), Wrong> {
        if std::mem::replace(&mut self.requested, true) {
            return Ok(());
        }
        self.event("model_request", &json!({ "by": by })).await
    }

    /// Says what is new of an item.
    async fn say(&mut self, item: &ChatItem) -> Result<(), Wrong> {
        self.say_masked(item).await?;
        match item {
            ChatItem::User { .. } | ChatItem::Notice { .. } => Ok(()),
            ChatItem::Answer {
                by,
                text,
                thinking,
                calls,
                stop_reason,
                incomplete,
                input_tokens,
                output_tokens,
                seq,
                ..
            } => {
                self.request(by).await?;
                self.requested = false;
                self.rounds += 1;
                self.tokens.0 = self.tokens.0.saturating_add(input_tokens.unwrap_or(0));
                self.tokens.1 = self.tokens.1.saturating_add(output_tokens.unwrap_or(0));
                let text = self.text(text.as_ref()).await?;
                // The last answer goes to stdout, when it is known that it is the last.
                if !self.json && *calls > 0 && !text.is_empty() {
                    output::words(&text);
                }
                if stop_reason.as_deref() == Some("maxTokens") {
                    self.words("The answer reached its limit of tokens.");
                }
                self.event(
                    "text",
                    &json!({
                        "by": by, "text": text, "thinking": thinking, "calls": calls, "stopReason": stop_reason, "incomplete": incomplete,
                        "inputTokens": input_tokens, "outputTokens": output_tokens, "seq": seq,
                    }),
                ).await
            }
            ChatItem::Call { call } => self.say_call(call).await,
        }
    }

    /// Says, once per item and secret, that the model gets it masked. Nobody is here to say otherwise.
    async fn say_masked(&mut self, item: &ChatItem) -> Result<(), Wrong> {
        let (ChatItem::User { masked, .. }
        | ChatItem::Answer { masked, .. }
        | ChatItem::Call {
            call: ChatCall { masked, .. },
        }) = item
        else {
            return Ok(());
        };
        let names = masked.as_ref().map(|masked| masked.names.as_slice());
        let (names, id) = (names.unwrap_or_default(), id(item));
        if self.masked.get(id).map_or(0, |said| *said) >= names.len() {
            return Ok(());
        }
        self.masked.insert(id.to_owned(), names.len());
        self.words(&format!(
            "The model gets this masked: {}. Nothing of it is sent.",
            names.join(", ")
        ));
        self.event("masked", &json!({ "item": id, "names": names })).await
    }

    async fn say_call(&mut self, call: &ChatCall) -> Result<(), Wrong> {
        let ChatCall {
            id,
            tool,
            server_name,
            ..
        } = call;
        if !self.told.contains_key(id) {
            self.told.insert(id.clone(), (ChatCallState::Queued, false));
            let words = (visible(tool), visible(server_name), visible(&call.arguments_json));
            self.words(&format!("call {} of {} with {}", words.0, words.1, words.2));
            for carried in call.carried.iter().filter(|carried| carried.crosses) {
                let (from, part) = (visible(&carried.server_name), visible(&carried.excerpt));
                let to = visible(server_name);
                self.words(&format!("It carries data of {from} to {to}: {part}"));
            }
            self.event(
                "tool_call",
                &json!({
                    "id": id, "name": call.alias, "server": server_name, "tool": tool,
                    "argumentsJson": call.arguments_json, "problems": call.problems, "notChecked": call.not_checked,
                    "carried": call.carried,
                }),
            ).await?;
        }
        let before = self
            .told
            .insert(id.clone(), (call.state, call.definition_changed));
        let is_new = before.is_none_or(|(state, _)| state != call.state);
        let waits = matches!(
            call.state,
            ChatCallState::Waiting | ChatCallState::Queued | ChatCallState::Running
        );
        if waits || !is_new {
            return Ok(());
        }
        if let Some(error) = &call.error {
            self.words(&format!("{}: {}", visible(tool), visible(error)));
        }
        self.event(
            "tool_result",
            &json!({
                "id": id, "state": call.state, "decidedBy": call.decided_by, "durationMs": call.duration_ms,
                "result": call.result, "error": call.error, "requestSeq": call.request_seq,
                "responseSeq": call.response_seq,
            }),
        )
        .await
    }

    /// Does what is waited for; says how the turn ended, if it has.
    async fn step(&mut self) -> Result<Option<Result<Exit, Wrong>>, Wrong> {
        let waiting: Vec<ChatCall> = self
            .calls()
            .filter(|call| call.state == ChatCallState::Waiting && !self.decided.contains(&question(call)))
            .cloned()
            .collect();
        for one in waiting {
            self.decide(&one).await?;
        }
        if self.phase == ChatPhase::Writing {
            self.write().await?;
        }
        match self.items.last() {
            Some(ChatItem::Notice {
                kind, cause, next, ..
            }) if self.phase == ChatPhase::Idle => {
                let next = match kind {
                    ChatNoticeKind::Limit => RAISE,
                    _ => next,
                };
                let (kind, words) = (*kind, format!("{cause} {next}"));
                self.ended(kind, &words).await.map(Some)
            }
            Some(ChatItem::Answer {
                text,
                calls: 0,
                incomplete: None,
                ..
            }) if self.phase == ChatPhase::Idle => {
                let text = text.clone();
                let text = self.text(text.as_ref()).await?;
                self.done("answered", &text).await?;
                if !self.json {
                    answer(text).await?;
                }
                Ok(Some(Ok(Exit::Ok)))
            }
            _ => Ok(None),
        }
    }

    fn calls(&self) -> impl Iterator<Item = &ChatCall> {
        self.items.iter().filter_map(|item| match item {
            ChatItem::Call { call } => Some(call),
            _ => None,
        })
    }

    async fn decide(&mut self, one: &ChatCall) -> Result<(), Wrong> {
        self.event(
            "input_request",
            &json!({ "call": one.id, "because": one.asked_because, "definitionChanged": one.definition_changed }),
        ).await?;
        let decision = decide(self.approve, one, self.keyboard, self.is_attended).await;
        let params = ChatDecideParams {
            chat_id: self.chat_id.clone(),
            calls: vec![one.id.clone()],
            decision,
        };
        call::<_, Done>(self.engine, "chat_decide", &params)
            .await
            .map_err(usage)?;
        // It may be reported as waiting once more, by an event that was on its way.
        self.decided.insert(question(one));
        Ok(())
    }

    /// Gives the answer that the user writes.
    async fn write(&mut self) -> Result<(), Wrong> {
        let open = |call: &ChatCall| {
            matches!(
                call.state,
                ChatCallState::Waiting | ChatCallState::Queued | ChatCallState::Running
            )
        };
        if self.items.is_empty() || self.items.len() <= self.written_at || self.calls().any(open) {
            return Ok(());
        }
        let answer = match self.written.take() {
            Some(answer) => answer,
            None => self.typed().await?,
        };
        match call::<_, Done>(self.engine, "chat_write", &answer).await {
            Ok(Done {}) => self.written_at = self.items.len(),
            // The next event says so when it is.
            Err(problem) if problem.says(NO_ANSWER_EXPECTED) => self.written = Some(answer),
            Err(problem) => return Err(usage(problem)),
        }
        Ok(())
    }

    /// The answer that the user types. An empty line is none.
    async fn typed(&self) -> Result<ChatWriteParams, Wrong> {
        let prompt = match self.json {
            true => "",
            false => "Your answer, as the model:\n",
        };
        loop {
            let Some(line) = self.keyboard.line(prompt).await else {
                let words = "The input ended before the answer did.";
                return Err(usage(Problem::usage(words)));
            };
            let answer = written::answer(self.chat_id.clone(), &line).map_err(usage)?;
            if !answer.text.trim().is_empty() || !answer.calls.is_empty() {
                return Ok(answer);
            }
            self.words("The answer is empty. Write a text, or at least one call.");
        }
    }

    async fn ended(&self, kind: ChatNoticeKind, words: &str) -> Result<Result<Exit, Wrong>, Wrong> {
        let (outcome, exit, code) = match kind {
            ChatNoticeKind::Limit => ("limit", Exit::Limit, "limit"),
            ChatNoticeKind::Failed => ("failed", Exit::Invalid, "modelFailed"),
            ChatNoticeKind::Stopped | ChatNoticeKind::Interrupted => ("stopped", Exit::Usage, "stopped"),
        };
        self.done(outcome, words).await?;
        Ok(Err((exit, Problem::new(code, words))))
    }

    async fn done(&self, outcome: &str, text: &str) -> Result<(), Wrong> {
        self.event(
            "done",
            &json!({
                "outcome": outcome, "text": text, "rounds": self.rounds,
                "inputTokens": self.tokens.0, "outputTokens": self.tokens.1,
            }),
        )
        .await
    }

    fn words(&self, text: &str) {
        if !self.json {
            output::words(text);
        }
    }

    /// Prints an event on one line, with `--json`.
    async fn event(&self, kind: &str, members: &Value) -> Result<(), Wrong> {
        #[derive(Serialize)]
        struct Event<'a> {
            r#type: &'a str,
            #[serde(flatten)]
            members: &'a Value,
        }
        if !self.json {
            return Ok(());
        }
        let event = Event {
            r#type: kind,
            members,
        };
        let text = serde_json::to_string(&event);
        let text =
            text.map_err(|error| usage(Problem::internal("An event could not be written.", &error)))?;
        answer(text).await.map(drop)
    }

    /// All of a text.
    async fn text(&self, text: Option<&TextBody>) -> Result<String, Wrong> {
        match text {
            None => Ok(String::new()),
            Some(TextBody {
                inline: Some(text), ..
            }) => Ok(text.clone()),
            Some(TextBody { body, .. }) => {
                let body = self
                    .engine
                    .body(body)
                    .await
                    .map_err(|error| usage(error.into()))?;
                Ok(String::from_utf8_lossy(&body.bytes).into_owned())
            }
        }
    }
}

fn id(item: &ChatItem) -> &str {
    match item {
        ChatItem::User { id, .. } | ChatItem::Answer { id, .. } | ChatItem::Notice { id, .. } => id,
        ChatItem::Call { call } => &call.id,
    }
}
