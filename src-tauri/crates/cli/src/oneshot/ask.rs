//! Answers of the user at the terminal: `--on-elicitation ask` and `--on-sampling ask`.

use std::io::IsTerminal as _;

use patchbay_engine::{
    Answers, Checked, ElicitationForm, Field, FieldKind, InputKind, InputQuestion, InputReply, Responder,
    Response,
};
use serde_json::Value;

use super::keyboard::{Dialog, Keyboard};
use crate::{args::InputArgs, output};

/// The error of the specification for a sampling request that the user rejected.
const REJECTED: i64 = -1;
/// How many characters of a block of a sampling request are shown.
const MOST_SHOWN: usize = 4_000;

/// Asks the user, one request after the other.
#[derive(Debug)]
pub(crate) struct Terminal {
    keyboard: Keyboard,
    elicitation: bool,
    sampling: bool,
}

/// A request that the user is asked about.
struct Asking<'a>(Dialog<'a>);

/// What the user typed.
enum Typed {
    Text(String),
    Decline,
    Cancel,
    /// Take the defaults of the remaining fields.
    Defaults,
    /// Begin again.
    Again,
}

/// The form ended without an answer to its fields.
enum Ended {
    Decline,
    Cancel,
}

impl Terminal {
    pub(crate) fn new(args: &InputArgs, keyboard: Keyboard) -> Self {
        Self {
            keyboard,
            elicitation: args.asks_elicitation(),
            sampling: args.asks_sampling(),
        }
    }

    /// Why nobody can be asked here, if so.
    pub(crate) fn problem(args: &InputArgs) -> Option<&'static str> {
        let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        (args.asks() && !is_terminal).then_some(
            "`ask` needs a terminal: stdin and stderr must be one. Answer with a rule instead, such as \
             `--on-elicitation file:ANSWER.json`.",
        )
    }

    async fn ask(&self, question: &InputQuestion) -> InputReply {
        let mut asking = Asking(self.keyboard.dialog().await);
        let unanswered = Unanswered;
        let reply = match question.input.kind {
            InputKind::Sampling => asking.sample(question).await,
            _ => asking.elicit(question).await,
        };
        std::mem::forget(unanswered);
        reply
    }
}

impl Asking<'_> {
    /// The next line; `:cancel` at the end of input.
    async fn typed(&mut self) -> Typed {
        match self.0.line("> ").await {
            None => Typed::Cancel,
            Some(line) => match line.trim() {
                ":decline" => Typed::Decline,
                ":cancel" => Typed::Cancel,
                ":defaults" => Typed::Defaults,
                ":again" => Typed::Again,
                // So that a text may begin with a colon.
                _ => Typed::Text(
                    line.strip_prefix("::")
                        .map_or(line.clone(), |rest| format!(":{rest}")),
                ),
            },
        }
    }

    async fn elicit(&mut self, question: &InputQuestion) -> InputReply {
        let form = match ElicitationForm::parse(&question.input.params) {
            Ok(form) => form,
            Err(why) => {
                output::words(&format!(
                    "{} asks for input, but it cannot be shown. {why}",
                    question.input.server_name
                ));
                return InputReply::Cancelled;
            }
        };
        let ended = match form {
            ElicitationForm::Url { message, url } => self.visit(question, &message, &url).await,
            ElicitationForm::Fields { message, fields } => {
                output::words(&format!(
                    "\n{} asks for input: {message}",
                    question.input.server_name
                ));
                output::words("An empty line takes the default, or leaves the field out.");
                output::words(
                    ":decline and :cancel end the form, :defaults skips to its end, :again starts over.",
                );
                self.fill(&fields).await
            }
        };
        InputReply::Result(match ended {
            Ok(content) => content,
            Err(Ended::Decline) => "{\"action\":\"decline\"}".to_owned(),
            Err(Ended::Cancel) => "{\"action\":\"cancel\"}".to_owned(),
        })
    }

    async fn visit(&mut self, question: &InputQuestion, message: &str, url: &str) -> Result<String, Ended> {
        output::words(&format!(
            "\n{} asks you to open an address: {message}",
            question.input.server_name
        ));
        output::words(&format!("  {url}"));
        let prompt = "Open it yourself if you trust it, then press Enter; or type :decline or :cancel.";
        while !self.is_agreed(prompt).await? {}
        Ok("{\"action\":\"accept\"}".to_owned())
    }

    /// Whether an empty line is typed after the prompt, or `:again`. Anything else may be meant as a no, so that it is asked once more.
    async fn is_agreed(&mut self, prompt: &str) -> Result<bool, Ended> {
        loop {
            output::words(prompt);
            match self.typed().await {
                Typed::Decline => return Err(Ended::Decline),
                Typed::Cancel => return Err(Ended::Cancel),
                Typed::Again => return Ok(false),
                Typed::Text(text) if text.trim().is_empty() => return Ok(true),
                Typed::Text(_) | Typed::Defaults => {}
            }
        }
    }

    /// The result with all fields, after the user has seen it.
    async fn fill(&mut self, fields: &[Field]) -> Result<String, Ended> {
        'again: loop {
            let mut members = Vec::new();
            let mut only_defaults = false;
            for field in fields {
                let value = match only_defaults {
                    true => match field.read("") {
                        Ok(value) => value,
                        // A required field without a default has to be asked for.
                        Err(_) => match self.field(field, &mut only_defaults).await? {
                            Some(value) => value,
                            None => continue 'again,
                        },
                    },
                    false => match self.field(field, &mut only_defaults).await? {
                        Some(value) => value,
                        None => continue 'again,
                    },
                };
                if let Some(value) = value {
                    members.push(format!("{}:{value}", Value::from(field.name.as_str())));
                }
            }
            let content = format!("{{{}}}", members.join(","));
            output::words(&format!("\nYour answer: {content}"));
            let prompt = "Press Enter to send it, or type :again, :decline or :cancel.";
            if self.is_agreed(prompt).await? {
                return Ok(format!("{{\"action\":\"accept\",\"content\":{content}}}"));
            }
        }
    }

    /// The value of a field, which may be left out; none to begin the form again.
    async fn field(
        &mut self,
        field: &Field,
        only_defaults: &mut bool,
    ) -> Result<Option<Option<String>>, Ended> {
        show(field);
        loop {
            let text = match self.typed().await {
                Typed::Decline => return Err(Ended::Decline),
                Typed::Cancel => return Err(Ended::Cancel),
                Typed::Again => return Ok(None),
                Typed::Defaults => {
                    *only_defaults = true;
                    String::new()
                }
                Typed::Text(text) => text,
            };
            let checked = match field.read(&text) {
                Ok(Some(value)) => field.check(&value).await.map(|checked| {
                    if let Checked::NotChecked(reason) = checked {
                        output::words(&format!(
                            "  Not checked: {reason}. It can be sent; the server may reject it."
                        ));
                    }
                    Some(value)
                }),
                Ok(None) => Ok(None),
                Err(why) => Err(why),
            };
            match checked {
                Ok(value) => return Ok(Some(value)),
                Err(why) => output::words(&format!("  {why}")),
            }
        }
    }

    async fn sample(&mut self, question: &InputQuestion) -> InputReply {
        output::words(&format!(
            "\n{} asks for the answer of a model:",
            question.input.server_name
        ));
        for line in sampling_in_words(&question.input.params) {
            output::words(&line);
        }
        output::words("Type the answer, and end it with a line that is only a full stop; or type :decline.");
        let mut lines: Vec<String> = Vec::new();
        loop {
            match self.typed().await {
                Typed::Decline => return rejected(),
                Typed::Cancel if lines.is_empty() => return rejected(),
                Typed::Cancel => break,
                Typed::Text(line) if line.trim_end() == "." => break,
                Typed::Text(line) => lines.push(line),
                Typed::Defaults | Typed::Again => lines.clear(),
            }
        }
        let text = Value::from(lines.join("\n"));
        InputReply::Result(format!(
            "{{\"role\":\"assistant\",\"content\":{{\"type\":\"text\",\"text\":{text}}},\"model\":\"patchbay-manual\",\"stopReason\":\"endTurn\"}}"
        ))
    }
}

impl Responder for Terminal {
    fn rule(&self) -> Option<String> {
        // The user decides.
        None
    }

    fn answers(&self) -> Vec<Answers> {
        let all = [
            (
                self.elicitation,
                InputKind::Elicitation,
                "{\"form\":{},\"url\":{}}",
            ),
            (self.sampling, InputKind::Sampling, "{}"),
        ];
        all.into_iter()
            .filter(|(on, ..)| *on)
            .map(|(_, kind, capability)| Answers {
                kind,
                capability,
                always: true,
            })
            .collect()
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        let asks = match question.input.kind {
            InputKind::Elicitation => self.elicitation,
            InputKind::Sampling => self.sampling,
            InputKind::Roots => false,
        };
        Box::pin(async move {
            match asks {
                true => Some(self.ask(question).await),
                false => None,
            }
        })
    }
}

/// Says, when it is dropped, that an answer is no longer needed.
struct Unanswered;

impl Drop for Unanswered {
    fn drop(&mut self) {
        output::words("\nThe server no longer waits for this answer.");
    }
}

fn rejected() -> InputReply {
    InputReply::Error {
        code: REJECTED,
        message: "User rejected sampling request".to_owned(),
        data: None,
    }
}

fn show(field: &Field) {
    let required = if field.is_required { "required" } else { "optional" };
    let default = field.default_in_words().map(|words| format!(", default {words}"));
    output::words(&format!(
        "\n{} ({}, {required}{})",
        field.title,
        field.kind_in_words(),
        default.unwrap_or_default()
    ));
    if !field.description.is_empty() {
        output::words(&format!("  {}", field.description));
    }
    if let FieldKind::One(choices) | FieldKind::Many(choices) = &field.kind {
        for (at, choice) in choices.iter().enumerate() {
            output::words(&format!("  {}  {}", at + 1, choice.title));
        }
    }
}

/// What a sampling request says, line by line.
fn sampling_in_words(params: &str) -> Vec<String> {
    let params: Value = serde_json::from_str(params).unwrap_or_default();
    let mut lines = Vec::new();
    if let Some(prompt) = params["systemPrompt"].as_str() {
        lines.push(format!("  System: {}", cut(prompt)));
    }
    for message in params["messages"].as_array().into_iter().flatten() {
        let role = message["role"].as_str().unwrap_or("?");
        let content = &message["content"];
        let blocks = match content.as_array() {
            Some(blocks) => blocks.iter().collect(),
            None => vec![content],
        };
        for block in blocks {
            let words = match block["text"].as_str() {
                Some(text) => cut(text),
                None => format!("[{}]", block["type"].as_str().unwrap_or("unknown content")),
            };
            lines.push(format!("  {role}: {words}"));
        }
    }
    if let Some(most) = params["maxTokens"].as_f64() {
        lines.push(format!("  At most {most} tokens."));
    }
    lines
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}
