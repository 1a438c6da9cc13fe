//! Answers to our requests, and what follows from them.

use patchbay_protocol::{
    Era, Negotiated, RequestId, Rule, Violation, checks, error_codes,
    json::{self, Object},
    message::{Outcome as Said, RpcError},
    methods, negotiate,
    pairing::Observation,
    views::{CallToolResult, ResultType, TaskView, ToolsPage, result_type},
};
use patchbay_traffic::{Answer as RecordAnswer, Description, Seq, Status as RecordStatus};

use super::{
    Actor,
    incoming::{Arrived, prefix},
    tools::advice,
};
use crate::{Answer, Challenge, Outcome, Unanswered, call::Call, pending::Purpose};

impl Actor {
    pub(super) async fn response(
        &mut self,
        at: &Arrived<'_>,
        id: Option<&RequestId>,
        said: &Said<'_>,
        observed: Observation,
        mut description: Description,
    ) {
        let (body_text, mut status) = match said {
            Said::Result(result) => (*result, RecordStatus::Ok),
            Said::Error(error) => (error.raw, RecordStatus::Error),
        };
        let method = observed.method.as_deref();
        let number = match id {
            Some(RequestId::Int(number)) => Some(*number),
            _ => None,
        };
        let entry = number
            .filter(|_| !observed.late)
            .and_then(|number| self.pending.remove(number));
        let abandoned = number.and_then(|number| self.abandoned.remove(&number));
        let call = entry.as_ref().and_then(|entry| match &entry.purpose {
            Purpose::Exchange(call) => Some(&**call),
            _ => None,
        });
        let outcome = match (said, method) {
            (Said::Result(result), Some(method)) => {
                if method == methods::TOOLS_CALL && is_error(result) {
                    status = RecordStatus::ToolError;
                }
                self.result_outcome(method, call, result, &mut description.violations)
            }
            (Said::Result(_), None) => Outcome::Result,
            (Said::Error(error), _) => {
                description.summary = Some(methods::error_summary(error));
                Outcome::Error
            }
        };
        description.rpc_id = id.map(RequestId::to_json);
        description.status = Some(status);
        description.pair = observed.request_seq;
        description.latency_ns = observed.latency_ns;
        description.method = method.map(str::to_owned);
        self.describe(at.seq, description);
        if let Some(request) = observed.request_seq
            && (entry.is_some() || abandoned.is_some())
        {
            let status = abandoned.unwrap_or(status);
            let latency_ns = observed.latency_ns;
            self.recorder.answer(
                request,
                RecordAnswer {
                    response: Some(at.seq),
                    status,
                    latency_ns,
                },
            );
        }
        let Some(entry) = entry else {
            if abandoned == Some(RecordStatus::TimedOut) && method == Some(methods::SERVER_DISCOVER) {
                self.answered_late(said);
            }
            return;
        };
        self.board.pending(self.pending.len());
        let answer = Answer {
            seq: at.seq,
            frame: at.frame.clone(),
            message: at.span.clone(),
            body: json::span_of(at.text, body_text),
        };
        let method = entry.method;
        match entry.purpose {
            Purpose::Exchange(mut call) => {
                self.lost_in_a_row = 0;
                call.human_wait += entry.held;
                // What asks for input or is a task has not what the method's result has.
                let is_whole = outcome == Outcome::Result;
                self.answered(call, at, said, outcome, answer).await;
                // The answer is on its way already: what follows delays nobody.
                if let (Said::Result(result), true) = (said, is_whole) {
                    self.examine(at.seq, &method, result);
                }
            }
            Purpose::Relist(relist) => {
                self.relisted(relist, said).await;
                if let Said::Result(result) = said {
                    self.examine(at.seq, &method, result);
                }
            }
            Purpose::Ping => self.plan_ping(),
            Purpose::Discover | Purpose::Initialize => {
                self.handshake(entry.purpose, said, answer, at).await;
            }
        }
    }

    /// The answer to what somebody asked for: the end of it, or a reason for one more leg.
    async fn answered(
        &mut self,
        mut call: Box<Call>,
        at: &Arrived<'_>,
        said: &Said<'_>,
        outcome: Outcome,
        answer: Answer,
    ) {
        let error = match said {
            Said::Result(result) if matches!(outcome, Outcome::InputRequired(_)) => {
                return self.input_required(call, answer, result);
            }
            Said::Result(_) => return call.finish(outcome, Some(answer), None),
            Said::Error(error) => error,
        };
        if at.status == Some(401) {
            return call.finish(unauthorized(at), Some(answer), None);
        }
        match error.code {
            Some(error_codes::HEADER_MISMATCH)
                if self.headed && call.request.method == methods::TOOLS_CALL && !call.relisted =>
            {
                return self.relist(call, answer).await;
            }
            Some(error_codes::UNSUPPORTED_PROTOCOL_VERSION)
                if self.is_modern() && call.revision.is_none() =>
            {
                if let Some(revision) = self.other_revision(error, &call) {
                    call.revision = Some(revision);
                    return self.leg(call).await;
                }
            }
            _ => {}
        }
        call.finish(outcome, Some(answer), advice(error));
    }

    /// A revision that the server supports and that this call did not name.
    fn other_revision(&self, error: &RpcError<'_>, call: &Call) -> Option<patchbay_protocol::Revision> {
        let data = Object::parse(error.data?).ok()?;
        let supported: Vec<_> = json::array(data.get("supported")?)?
            .into_iter()
            .filter_map(json::string)
            .collect();
        let Negotiated::Agreed(revision) = negotiate(Era::Modern, &supported) else {
            return None;
        };
        let of_request = |(name, value): &(String, String)| {
            (name == patchbay_protocol::meta::PROTOCOL_VERSION)
                .then(|| json::string(value).map(std::borrow::Cow::into_owned))
                .flatten()
        };
        let params = call.request.params.as_deref();
        let named = patchbay_protocol::meta::member(params, patchbay_protocol::meta::PROTOCOL_VERSION)
            .and_then(json::string)
            .map(std::borrow::Cow::into_owned)
            .or_else(|| call.request.meta.iter().find_map(of_request))
            .or_else(|| self.meta.as_ref().map(|meta| meta.revision.as_str().to_owned()));
        (named.as_deref() != Some(revision.as_str())).then_some(revision)
    }

    /// What kind of result it is.
    fn result_outcome(
        &self,
        method: &str,
        call: Option<&Call>,
        result: &str,
        violations: &mut Vec<Violation>,
    ) -> Outcome {
        if !self.is_modern() {
            // Before the modern era all are complete, but for those of calls that asked to be tasks.
            let wants_task = |call: &&Call| {
                let params = call.request.params.as_deref();
                params.is_some_and(|params| memchr::memmem::find(params.as_bytes(), b"\"task\"").is_some())
            };
            let task = call
                .filter(wants_task)
                .and_then(|_| TaskView::created(Era::Legacy, result));
            return match task {
                Some(task) => {
                    violations.extend(task.violations.into_iter().map(below_result));
                    Outcome::Task
                }
                None => Outcome::Result,
            };
        }
        let (kind, violation) = result_type(result);
        let unknown = violation
            .as_ref()
            .is_some_and(|violation| violation.rule == Rule::ResultTypeUnknown);
        let unfit = checks::result(Era::Modern, method, result);
        violations.extend(unfit.into_iter().map(below_result));
        match kind {
            ResultType::Complete => Outcome::Result,
            ResultType::InputRequired => Outcome::InputRequired(String::new()),
            ResultType::Other(name) if unknown => Outcome::UnknownResultType(name),
            // The only one that is known and not of the core.
            ResultType::Other(name) if !self.tasks => {
                let message = "`resultType` is \"task\", but the extension was not declared by both sides";
                let violation = Violation::at(Rule::ResultTypeUnknown, "/result/resultType", message);
                violations.push(violation);
                Outcome::UnknownResultType(name)
            }
            ResultType::Other(name) if method != methods::TOOLS_CALL => {
                let message = format!("{method} must not be answered with a task");
                let violation = Violation::at(Rule::ResultTypeUnknown, "/result/resultType", message);
                violations.push(violation);
                Outcome::UnknownResultType(name)
            }
            ResultType::Other(_) => {
                let task = TaskView::created(Era::Modern, result);
                violations.extend(
                    task.into_iter()
                        .flat_map(|task| task.violations)
                        .map(below_result),
                );
                Outcome::Task
            }
        }
    }

    /// Adds what is wrong within a result.
    fn examine(&mut self, seq: Seq, method: &str, result: &str) {
        let mut found = Vec::new();
        match method {
            methods::TOOLS_CALL => found = CallToolResult::parse(result).violations,
            methods::TOOLS_LIST => {
                let page = ToolsPage::parse(result);
                self.learn_tools(&page);
                found = page.violations;
                for (index, mut tool) in page.tools.into_iter().enumerate() {
                    for violation in &mut tool.violations {
                        let within = violation.pointer.take().unwrap_or_default();
                        violation.pointer = Some(format!("/tools/{index}{within}"));
                    }
                    found.append(&mut tool.violations);
                }
            }
            methods::TASKS_GET => {
                let era = if self.is_modern() {
                    Era::Modern
                } else {
                    Era::Legacy
                };
                found = TaskView::parse(era, result).violations;
            }
            _ => {}
        }
        // `resultType` has been looked at, for the era that has it.
        found
            .retain(|violation| !matches!(violation.rule, Rule::ResultTypeMissing | Rule::ResultTypeUnknown));
        prefix(&mut found, "/result");
        self.found(seq, found);
    }
}

/// Whether a tool result says that the tool failed.
fn is_error(result: &str) -> bool {
    // Only a result that has the word is worth taking apart.
    memchr::memmem::find(result.as_bytes(), b"\"isError\"").is_some()
        && Object::parse(result)
            .ok()
            .and_then(|object| object.get("isError"))
            .and_then(json::boolean)
            == Some(true)
}

fn below_result(mut violation: Violation) -> Violation {
    if let Some(pointer) = &mut violation.pointer {
        pointer.insert_str(0, "/result");
    }
    violation
}

/// A 401 whose body is a JSON-RPC error.
fn unauthorized(at: &Arrived<'_>) -> Outcome {
    let challenge = Challenge {
        status: 401,
        www_authenticate: None,
        http: at.http.unwrap_or(at.seq),
    };
    Outcome::Unanswered(Box::new(Unanswered {
        failure: super::unanswered::authorization_required("Send"),
        status: at.status,
        http: at.http,
        may_have_run: false,
        challenge: Some(challenge),
        retry_after: None,
    }))
}
