//! What the settings of the simulator mean for one request.

use std::{path::Path, time::Duration};

use patchbay_client::InputReply;
use patchbay_contract::{InputKind, ScriptEnd, ScriptSource, SimulatedAnswer, Simulation};
use patchbay_protocol::error_codes;

use super::{
    answers::{self, FixedAnswer},
    script::{MOST_BYTES, Script, Step, StepAnswer},
};
use crate::inputs::history::kind_of;
use crate::inputs::responder::InputQuestion;
use crate::servers::roots::LiveRoots;

/// What happens to a request.
pub(super) enum Plan {
    /// It is answered, or left without an answer.
    Answer(Planned),
    /// It is not simulated.
    PassOn,
    /// It should be simulated but cannot be; why, in a sentence.
    Unusable(String),
}

/// An answer and its time.
pub(super) struct Planned {
    /// None: never.
    pub(super) reply: Option<InputReply>,
    pub(super) delay: Duration,
    /// The rule for the log and the history: `simulator, decline, after 5 s`.
    pub(super) rule: String,
}

/// What happens to a question; `next` is how it is answered, and the number of the script's answer, from 0.
pub(super) async fn plan(
    next: Option<(Simulation, u32)>,
    question: &InputQuestion,
    roots: &LiveRoots,
) -> Plan {
    let Some((simulation, number)) = next else {
        return Plan::PassOn;
    };
    let kind = kind_of(question.input.kind);
    let (answer, words, delay) = match &simulation.answer {
        SimulatedAnswer::Script { script, at_end } => {
            let script = match load(script, kind).await {
                Ok(script) => script,
                Err(why) => return Plan::Unusable(why),
            };
            match step(&script, number, *at_end) {
                Ok((step, words)) => (step.answer.clone(), words, step.delay),
                Err(plan) => return plan,
            }
        }
        fixed => (step_answer(fixed), words_of(&step_answer(fixed)), None),
    };
    if matches!(answer, StepAnswer::Ask) {
        return Plan::PassOn;
    }
    let delay = delay.unwrap_or(Duration::from_millis(simulation.delay_ms.into()));
    let reply = reply(question, &answer, roots).await;
    let after = match reply.is_some() && !delay.is_zero() {
        true => format!(", after {} s", delay.as_secs_f64()),
        false => String::new(),
    };
    Plan::Answer(Planned {
        reply,
        delay,
        rule: format!("simulator, {words}{after}"),
    })
}

async fn reply(question: &InputQuestion, answer: &StepAnswer, roots: &LiveRoots) -> Option<InputReply> {
    let kind = kind_of(question.input.kind);
    Some(match answer {
        StepAnswer::Fixed(FixedAnswer::Defaults) if kind == InputKind::Roots => {
            let answer = roots.answer().await;
            InputReply::Result(answer.map_or_else(|| answers::NO_ROOTS.to_owned(), |answer| answer.json))
        }
        StepAnswer::Fixed(fixed) => answers::reply(kind, &question.input.params, *fixed),
        StepAnswer::Result(json) => InputReply::Result(json.clone()),
        StepAnswer::Error { code, message, data } => InputReply::Error {
            code: *code,
            message: message.clone(),
            data: data.clone(),
        },
        StepAnswer::Never | StepAnswer::Ask => return None,
    })
}

/// The answer of a script with this number, from 0, and how it is called.
fn step(script: &Script, number: u32, at_end: ScriptEnd) -> Result<(Step, String), Plan> {
    let steps = &script.steps;
    let length = steps.len();
    let number = number as usize;
    if number >= length {
        match at_end {
            ScriptEnd::Repeat => {}
            ScriptEnd::Ask => return Err(Plan::PassOn),
            ScriptEnd::Stop => {
                let message =
                    format!("the script of the simulator has no more answers: all {length} were given");
                return Ok((
                    Step {
                        answer: StepAnswer::Error {
                            code: error_codes::INTERNAL_ERROR,
                            message,
                            data: None,
                        },
                        delay: None,
                    },
                    format!("end of the script ({length} answers)"),
                ));
            }
        }
    }
    let place = number % length.max(1);
    let step = steps.get(place).cloned();
    let step = step.ok_or_else(|| Plan::Unusable("The script has no answers.".to_owned()))?;
    let words = format!(
        "answer {} of {length} of the script ({})",
        place + 1,
        words_of(&step.answer)
    );
    Ok((step, words))
}

fn step_answer(answer: &SimulatedAnswer) -> StepAnswer {
    match answer {
        SimulatedAnswer::Defaults {} => StepAnswer::Fixed(FixedAnswer::Defaults),
        SimulatedAnswer::Decline {} => StepAnswer::Fixed(FixedAnswer::Decline),
        SimulatedAnswer::Cancel {} => StepAnswer::Fixed(FixedAnswer::Cancel),
        SimulatedAnswer::Invalid {} => StepAnswer::Fixed(FixedAnswer::Invalid),
        SimulatedAnswer::NoAnswer {} => StepAnswer::Never,
        SimulatedAnswer::Error { code, message } => StepAnswer::Error {
            code: (*code).into(),
            message: message.clone(),
            data: None,
        },
        // A script is taken apart before.
        SimulatedAnswer::Script { .. } => StepAnswer::Ask,
    }
}

fn words_of(answer: &StepAnswer) -> String {
    match answer {
        StepAnswer::Fixed(fixed) => match fixed {
            FixedAnswer::Defaults => "defaults",
            FixedAnswer::Decline => "decline",
            FixedAnswer::Cancel => "cancel",
            FixedAnswer::Invalid => "invalid answer",
        }
        .to_owned(),
        StepAnswer::Never => "no answer".to_owned(),
        StepAnswer::Result(_) => "this result".to_owned(),
        StepAnswer::Error { code, .. } => format!("error {code}"),
        StepAnswer::Ask => "ask".to_owned(),
    }
}

/// Reads a script. The error is a sentence.
async fn load(source: &ScriptSource, kind: InputKind) -> Result<Script, String> {
    match source {
        ScriptSource::Text { json } => {
            Script::parse(json, kind).map_err(|why| format!("The script is not valid: {why}."))
        }
        ScriptSource::File { path } => {
            let file = path.clone();
            // A file system of a network may take its time.
            let read = tokio::task::spawn_blocking(move || read(Path::new(&file)));
            let text = read.await.map_err(|error| error.to_string()).flatten();
            let text = text.map_err(|why| format!("The script {path} was not read: {why}."))?;
            Script::parse(&text, kind).map_err(|why| format!("The script {path} is not valid: {why}."))
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    if !path.is_absolute() {
        return Err("its path is not absolute".to_owned());
    }
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    if metadata.len() > MOST_BYTES as u64 {
        return Err(format!("it is larger than {} MiB", MOST_BYTES >> 20));
    }
    std::fs::read_to_string(path).map_err(|error| error.to_string())
}

/// Whether a simulation can be applied; how many answers its script has. The error is a sentence.
pub(crate) async fn check(simulation: &Simulation, kind: InputKind) -> Result<Option<u32>, String> {
    /// Waits are as long as a day.
    const LONGEST_MS: u32 = 86_400_000;
    const LONGEST_MESSAGE: usize = 10_000;
    if simulation.delay_ms > LONGEST_MS {
        return Err("An answer is held back for a day at most.".to_owned());
    }
    match &simulation.answer {
        SimulatedAnswer::Script { script, .. } => {
            let script = load(script, kind).await?;
            Ok(Some(crate::convert::count(script.steps.len())))
        }
        SimulatedAnswer::Error { message, .. } if message.len() > LONGEST_MESSAGE => Err(format!(
            "The message of an error has {LONGEST_MESSAGE} bytes at most."
        )),
        _ => Ok(None),
    }
}
