//! Scripts of the simulator: answers that are given in order.

use std::time::Duration;

use patchbay_contract::InputKind;
use patchbay_protocol::json::{self, Kind, Object};

use super::answers::{self, FixedAnswer};

/// The maximum size of a script, in bytes.
pub(super) const MOST_BYTES: usize = 1 << 20;
/// The maximum number of answers.
const MOST_STEPS: usize = 10_000;
/// The longest delay of an answer, in milliseconds: a day.
const LONGEST_MS: i64 = 86_400_000;

/// A script.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Script {
    /// The answers; at least one.
    pub(super) steps: Vec<Step>,
}

/// One answer of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) answer: StepAnswer,
    /// How long it is held back; none: as long as the others.
    pub(super) delay: Option<Duration>,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StepAnswer {
    /// One of the ways that the settings have too.
    Fixed(FixedAnswer),
    /// This result: JSON text of an object.
    Result(String),
    /// This error; `data` is JSON text.
    Error {
        code: i64,
        message: String,
        data: Option<String>,
    },
    /// Nothing.
    Never,
    /// Not simulated.
    Ask,
}

impl Script {
    /// Parses a script for a kind of request. The error says what is wrong and where, without a full stop.
    pub(super) fn parse(text: &str, kind: InputKind) -> Result<Self, String> {
        if text.len() > MOST_BYTES {
            return Err(format!("it is larger than {} MiB", MOST_BYTES >> 20));
        }
        if text.trim().is_empty() {
            return Err("it is empty; write a JSON array of answers".to_owned());
        }
        json::well_formed(text).map_err(|error| format!("it is not JSON: {error}"))?;
        let Some(answers) = json::array(text) else {
            return Err("it is not a JSON array of answers".to_owned());
        };
        if answers.is_empty() {
            return Err("it has no answers".to_owned());
        }
        if answers.len() > MOST_STEPS {
            return Err(format!("it has more than {MOST_STEPS} answers"));
        }
        let steps = answers
            .iter()
            .enumerate()
            .map(|(at, answer)| step(answer, kind).map_err(|why| format!("answer {}: {why}", at + 1)));
        Ok(Self {
            steps: steps.collect::<Result<_, _>>()?,
        })
    }
}

fn step(text: &str, kind: InputKind) -> Result<Step, String> {
    if let Some(word) = json::string(text) {
        return Ok(Step {
            answer: named(&word)?,
            delay: None,
        });
    }
    let Ok(object) = Object::parse(text) else {
        return Err(format!(
            "{} is neither a string nor an object",
            shortened(text.trim())
        ));
    };
    let delay = object.get("delayMs").map(|raw| {
        let ms = json::integer(raw).filter(|ms| (0..=LONGEST_MS).contains(ms));
        ms.and_then(|ms| u64::try_from(ms).ok())
            .map(Duration::from_millis)
            .ok_or_else(|| format!("`delayMs` is not a number of milliseconds from 0 to {LONGEST_MS}"))
    });
    Ok(Step {
        answer: object_answer(&object, kind)?,
        delay: delay.transpose()?,
    })
}

const KEYS: &[&str] = &["answer", "result", "content", "text", "error"];

fn object_answer(object: &Object<'_>, kind: InputKind) -> Result<StepAnswer, String> {
    for (name, _) in object.iter() {
        if name != "delayMs" && !KEYS.contains(&&**name) {
            return Err(format!("`{name}` is not known; use one of {}", KEYS.join(", ")));
        }
    }
    let given: Vec<&str> = KEYS
        .iter()
        .copied()
        .filter(|key| object.get(key).is_some())
        .collect();
    let [key] = given[..] else {
        return Err(format!("it needs exactly one of {}", KEYS.join(", ")));
    };
    let raw = object.get(key).unwrap_or_default();
    let as_object = || match json::kind(raw) {
        Kind::Object => Ok(compact(raw)),
        _ => Err(format!("`{key}` is not an object")),
    };
    let as_text = || json::string(raw).ok_or_else(|| format!("`{key}` is not a string"));
    Ok(match (key, kind) {
        ("answer", _) => named(&as_text()?)?,
        ("result", _) => StepAnswer::Result(as_object()?),
        ("content", InputKind::Elicitation) => StepAnswer::Result(answers::accepted(&as_object()?)),
        ("text", InputKind::Sampling) => StepAnswer::Result(answers::completion(&as_text()?)),
        ("error", _) => error(&as_object()?)?,
        ("content", _) => return Err("`content` answers elicitation only; use `result`".to_owned()),
        _ => return Err("`text` answers sampling only; use `result`".to_owned()),
    })
}

fn error(text: &str) -> Result<StepAnswer, String> {
    let object = Object::parse(text).map_err(|error| error.to_string())?;
    let code = object.get("code").and_then(json::integer);
    let message = object.string("message");
    match (code, message) {
        (Some(code), Some(message)) => Ok(StepAnswer::Error {
            code,
            message: message.into_owned(),
            data: object.get("data").map(str::to_owned),
        }),
        (None, _) => Err("`error.code` is not an integer".to_owned()),
        (_, None) => Err("`error.message` is not a string".to_owned()),
    }
}

fn named(word: &str) -> Result<StepAnswer, String> {
    Ok(match word {
        "defaults" => StepAnswer::Fixed(FixedAnswer::Defaults),
        "decline" => StepAnswer::Fixed(FixedAnswer::Decline),
        "cancel" => StepAnswer::Fixed(FixedAnswer::Cancel),
        "invalid" => StepAnswer::Fixed(FixedAnswer::Invalid),
        "noAnswer" => StepAnswer::Never,
        "ask" => StepAnswer::Ask,
        _ => {
            return Err(format!(
                "“{}” is not one of defaults, decline, cancel, noAnswer, invalid, ask",
                shortened(word)
            ));
        }
    })
}

fn compact(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    json::compact(raw, &mut text);
    text
}

fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.chars().count() > MOST {
        true => text.chars().take(MOST).chain(" …".chars()).collect(),
        false => text.to_owned(),
    }
}
