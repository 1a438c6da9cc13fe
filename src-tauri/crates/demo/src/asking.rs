//! Input requests to the client: with a request in the legacy era, with an input round in the modern one.
//!
//! A modern tool runs again in every round. The answers of earlier rounds are in `requestState`, which is sealed because
//! the client could change it.

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;

use patchbay_protocol::json::{self, Object};
use patchbay_protocol::views::ServerCapabilities;
use patchbay_protocol::{RequestId, error_codes, message};
use tokio::sync::oneshot;

use crate::answer::{Answer, Failure, object};
use crate::call::Call;
use crate::shared::Shared;

/// An input request.
#[derive(Debug)]
pub(crate) struct Question {
    key: &'static str,
    method: &'static str,
    params: String,
}

/// The result of an input request.
pub(crate) enum AskOutcome {
    /// The client's result: JSON text.
    Answered(String),
    /// The client refused, with this message.
    Refused(String),
    /// A further round is needed.
    Pending(Question),
}

/// Requests input. The client must have declared `capability` and its `part`.
pub(crate) async fn ask(
    call: &Call,
    key: &'static str,
    method: &'static str,
    (capability, part): (&str, Option<&str>),
    params: String,
) -> Result<AskOutcome, Failure> {
    match declared(call, capability, part) {
        Ok(()) => {}
        Err(needed) if call.is_modern() => {
            let words = "Missing required client capability";
            let data = object(&[("requiredCapabilities", needed)]);
            return Err(Failure::new(error_codes::MISSING_CLIENT_CAPABILITY, words).with_data(data));
        }
        Err(needed) => return Ok(AskOutcome::Refused(format!("it did not declare {needed}"))),
    }
    if call.is_modern() {
        return Ok(match call.answers.get(key) {
            Some(answer) => AskOutcome::Answered(answer.clone()),
            None => AskOutcome::Pending(Question { key, method, params }),
        });
    }
    let (answer, answered) = oneshot::channel();
    let id = {
        let mut state = call.shared.state();
        state.questions += 1;
        let id = RequestId::Text(format!("demo-{}", state.questions));
        state.unanswered.insert(id.clone(), answer);
        id
    };
    call.shared
        .send(message::request(&id, method, Some(&params)))
        .await;
    Ok(match answered.await {
        Ok(Ok(result)) => AskOutcome::Answered(result),
        Ok(Err(refusal)) => AskOutcome::Refused(refusal),
        Err(_) => AskOutcome::Refused("the connection ended".to_owned()),
    })
}

/// Whether the client declared what a question needs; the error names what is missing.
fn declared(call: &Call, capability: &str, part: Option<&str>) -> Result<(), String> {
    let all = ServerCapabilities::new(&call.capabilities);
    // `elicitation: {}` means forms.
    let plain = part == Some("form") && !all.has_part(capability, "url");
    if all.has(capability) && (plain || part.is_none_or(|part| all.has_part(capability, part))) {
        return Ok(());
    }
    let needed = match part {
        Some(part) => object(&[(capability, object(&[(part, "{}")]))]),
        None => object(&[(capability, "{}")]),
    };
    Err(needed)
}

impl Question {
    /// The result that requests input.
    pub(crate) fn into_answer(self, call: &Call) -> Answer {
        let request = object(&[("method", json::quote(self.method)), ("params", self.params)]);
        let answer = Answer::new()
            .asking()
            .with("inputRequests", object(&[(self.key, request)]));
        if call.answers.is_empty() {
            return answer;
        }
        let members: Vec<(&str, &str)> = call
            .answers
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        let known = object(&members);
        let state = format!("{:016x}{known}", call.shared.seal.hash_one(&known));
        answer.with("requestState", json::quote(&state))
    }
}

/// The answers in a request: those in the state of earlier rounds, and those of the last round.
pub(crate) fn answers(shared: &Shared, params: Option<&str>) -> Result<BTreeMap<String, String>, Failure> {
    let mut answers = BTreeMap::new();
    let Some(params) = params.and_then(|params| Object::parse(params).ok()) else {
        return Ok(answers);
    };
    if let Some(state) = params.get("requestState") {
        let state = json::string(state).unwrap_or_default();
        let (seal, known) = state.split_at_checked(16).unwrap_or_default();
        if format!("{:016x}", shared.seal.hash_one(known)) != seal {
            return Err(Failure::params("`requestState` is not as it was given"));
        }
        collect(known, &mut answers);
    }
    if let Some(given) = params.get("inputResponses") {
        collect(given, &mut answers);
    }
    Ok(answers)
}

fn collect(object: &str, answers: &mut BTreeMap<String, String>) {
    if let Ok(object) = Object::parse(object) {
        answers.extend(
            object
                .iter()
                .map(|(key, value)| (key.to_string(), value.to_owned())),
        );
    }
}
