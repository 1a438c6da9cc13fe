//! The responders that use a model: by a server's rules, and for `--on-sampling model:NAME`.

use std::{sync::Arc, time::Instant};

use patchbay_client::{InputKind, InputReply};
use patchbay_contract::{InputProposal, ModelChoice, SamplingAnswerRule, SamplingRequestRule, SamplingRules};
use patchbay_llm::Answer;
use patchbay_protocol::{error_codes, json};
use patchbay_traffic::{NewOperation, OperationId, Recorder};
use tokio::sync::mpsc;

use super::rules::SamplingState;
use crate::inputs::{
    models::Models,
    responder::{Answers, InputQuestion, Responder, Response, note},
};

/// Applies the rules of a server. What they leave open is decided by the person, to whom it hands on what it did.
pub(crate) struct RulesResponder {
    pub(crate) sampling: Arc<SamplingState>,
    pub(crate) recorder: Recorder,
}

impl std::fmt::Debug for RulesResponder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RulesResponder")
    }
}

impl Responder for RulesResponder {
    fn rule(&self) -> Option<String> {
        // Each decision is recorded here, with its own words.
        None
    }

    fn decided_by(&self) -> Option<String> {
        Some("the sampling rules of the server".to_owned())
    }

    fn answers(&self) -> Vec<Answers> {
        // The person declares what is answered.
        Vec::new()
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        Box::pin(self.decide(question))
    }
}

impl RulesResponder {
    async fn decide(&self, question: &InputQuestion) -> Option<InputReply> {
        if question.input.kind != InputKind::Sampling {
            return None;
        }
        let rules = self.rules(question);
        let words = match rules.request {
            SamplingRequestRule::Ask => return None,
            SamplingRequestRule::Never => return Some(self.refuse(question)),
            SamplingRequestRule::Always => "always for this server",
            SamplingRequestRule::ThisConnection => "for this connection",
        };
        let answered = self.answer(question, &rules, words).await;
        // The user may have changed them meanwhile.
        let rules = self.rules(question);
        match answered {
            _ if rules.request == SamplingRequestRule::Never => Some(self.refuse(question)),
            Ok(answer) => self.approve(question, &rules, &answer),
            Err(why) => {
                let why = format!("Not answered by rule ({words}): {why}");
                self.note(question, &why);
                propose(question, None, why);
                None
            }
        }
    }

    /// The rules as they are now.
    fn rules(&self, question: &InputQuestion) -> SamplingRules {
        let connection = Some(question.input.connection);
        self.sampling.get(&question.input.server_id, connection).0
    }

    fn refuse(&self, question: &InputQuestion) -> InputReply {
        self.note(
            question,
            "Refused sampling/createMessage by rule: never for this server",
        );
        InputReply::Error {
            code: error_codes::USER_REJECTED,
            message: "User rejected sampling request".to_owned(),
            data: None,
        }
    }

    /// The answer of a model, or why there is none.
    async fn answer(
        &self,
        question: &InputQuestion,
        rules: &SamplingRules,
        words: &str,
    ) -> Result<Answer, String> {
        let models = self.sampling.models();
        let choice = match (&rules.provider_id, &rules.model) {
            (Some(provider_id), Some(model)) => ModelChoice {
                provider_id: provider_id.clone(),
                model: model.clone(),
                reason: "It is set in the rule.".to_owned(),
            },
            _ => models
                .choose(&question.input.params)
                .ok_or("No model provider has a default model. Set one in the model providers.")?,
        };
        let (server, connection) = (&*question.input.server_id, question.input.connection);
        let may_use = tokens(question.input.params.len()).saturating_add(most_tokens(&question.input.params));
        let reserved = self
            .sampling
            .admit(server, connection, rules, may_use, Instant::now())?;
        self.note(
            question,
            &format!(
                "Sent sampling/createMessage to {} of {} by rule: {words}. {}",
                choice.model,
                models.name(&choice.provider_id),
                choice.reason
            ),
        );
        let answered = ask(models, &self.recorder, question, &choice).await;
        let used = match &answered {
            Ok(answer) => match answer.usage.total() {
                // The provider does not count.
                0 => tokens(question.input.params.len() + answer.to_result().len()),
                counted => counted,
            },
            // It does not say how many.
            Err(failed) if failed.may_have_used_tokens => reserved,
            Err(_) => 0,
        };
        self.sampling.count(server, connection, reserved, used);
        answered.map_err(|failed| failed.cause)
    }

    fn approve(
        &self,
        question: &InputQuestion,
        rules: &SamplingRules,
        answer: &Answer,
    ) -> Option<InputReply> {
        let result = answer.to_result();
        let words = match rules.answer {
            // Who wants to be asked about requests again decides about this answer too.
            _ if rules.request == SamplingRequestRule::Ask => Err("The rule was withdrawn meanwhile."),
            SamplingAnswerRule::Ask => Err("The rule leaves the answer to you."),
            SamplingAnswerRule::Always => Ok("always for this server"),
            SamplingAnswerRule::ThisConnection => Ok("for this connection"),
        };
        match words {
            Ok(words) => {
                let note = format!("Answered sampling/createMessage by rule: {words}");
                self.note(question, &note);
                Some(InputReply::Result(result))
            }
            Err(why) => {
                propose(
                    question,
                    Some(result),
                    format!("{} answered. {why}", answer.model),
                );
                None
            }
        }
    }

    fn note(&self, question: &InputQuestion, text: &str) {
        note(&self.recorder, question, text.to_owned());
    }
}

/// Answers with a model that is named on the command line.
pub(crate) struct ModelResponder {
    pub(crate) models: Arc<Models>,
    pub(crate) recorder: Recorder,
    /// The name, as typed.
    pub(crate) name: String,
    /// Tells the user why there is no answer.
    pub(crate) report: fn(&str),
}

impl std::fmt::Debug for ModelResponder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ModelResponder").field(&self.name).finish()
    }
}

impl Responder for ModelResponder {
    fn rule(&self) -> Option<String> {
        Some(format!("--on-sampling model:{}", self.name))
    }

    fn answers(&self) -> Vec<Answers> {
        vec![Answers {
            kind: InputKind::Sampling,
            capability: "{\"tools\":{}}",
            always: true,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        Box::pin(async move {
            if question.input.kind != InputKind::Sampling {
                return None;
            }
            Some(match self.answer(question).await {
                Ok(answer) => InputReply::Result(answer.to_result()),
                Err(why) => self.refuse(question, &why),
            })
        })
    }
}

impl ModelResponder {
    /// Tells the server only that there is no answer: the cause may name the user's account, quota or network.
    fn refuse(&self, question: &InputQuestion, why: &str) -> InputReply {
        let text = format!(
            "The model {} did not answer {}: {why}",
            self.name, question.input.method
        );
        (self.report)(&text);
        note(&self.recorder, question, text);
        InputReply::Error {
            code: error_codes::INTERNAL_ERROR,
            message: "the model did not answer".to_owned(),
            data: None,
        }
    }

    async fn answer(&self, question: &InputQuestion) -> Result<Answer, String> {
        let (provider_id, model) = self.models.named(&self.name).map_err(|error| error.message)?;
        let choice = ModelChoice {
            provider_id,
            model,
            reason: String::new(),
        };
        let answered = ask(&self.models, &self.recorder, question, &choice).await;
        answered.map_err(|failed| failed.cause)
    }
}

/// Why a model did not answer.
struct NoAnswer {
    cause: String,
    may_have_used_tokens: bool,
}

/// Sends a question to a model.
async fn ask(
    models: &Models,
    recorder: &Recorder,
    question: &InputQuestion,
    choice: &ModelChoice,
) -> Result<Answer, NoAnswer> {
    // The pieces of the answer are not needed.
    let (deltas, _) = mpsc::channel(1);
    let operation = question
        .input
        .operation
        .unwrap_or_else(|| begin(recorder, &choice.model));
    let chosen = (&choice.provider_id, &*choice.model);
    match models
        .generate(chosen, &question.input.params, operation, &deltas)
        .await
    {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(failure)) => Err(NoAnswer {
            may_have_used_tokens: failure.kind.may_have_used_tokens(),
            cause: failure.cause,
        }),
        Err(error) => Err(NoAnswer {
            may_have_used_tokens: false,
            cause: error.message,
        }),
    }
}

/// About as many tokens as a text of this many bytes is: four bytes are one.
fn tokens(bytes: usize) -> u64 {
    bytes as u64 / 4
}

/// How long the answer to a sampling request may be, in tokens.
fn most_tokens(params: &str) -> u64 {
    let params = json::Object::parse(params).ok();
    let most = params.and_then(|params| json::integer(params.get("maxTokens")?));
    most.and_then(|most| most.try_into().ok()).unwrap_or_default()
}

fn begin(recorder: &Recorder, model: &str) -> OperationId {
    recorder.begin_operation(NewOperation {
        kind: "sampling_generate",
        label: model.to_owned(),
    })
}

fn propose(question: &InputQuestion, result_json: Option<String>, reason: String) {
    // A question passes this responder once.
    let _ = question.proposal.set(InputProposal { result_json, reason });
}
