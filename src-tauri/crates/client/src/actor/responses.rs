//! Answers to our requests, and what follows from them.

use patchbay_observe::{InputRound, Meaning, Observed, ResultKind};
use patchbay_protocol::{
    Era, Negotiated, error_codes,
    json::{self, Object},
    message::{Message, Outcome as ResponseOutcome, RpcError},
    methods, negotiate,
};
use patchbay_traffic::{Answer as RecordAnswer, Seq, Status as RecordStatus};

use super::{
    Actor, Phase,
    incoming::{Incoming, number},
};
use crate::{Answer, Challenge, Outcome, Unanswered, call::Call, pending::Purpose};

impl Actor {
    pub(super) async fn response(&mut self, at: &Incoming<'_>, observed: Observed<'_>) {
        let Observed {
            message,
            description,
            completes,
            pairing,
            meaning,
        } = observed;
        let Message::Response { id, outcome: said } = message else {
            return;
        };
        let is_complete = matches!(meaning, Meaning::Result(ResultKind::Complete));
        let (body_text, outcome, round) = outcome(&said, meaning);
        let is_raw = id
            .as_ref()
            .is_some_and(|id| self.raw_requests.remove(id).is_some());
        let number = id.as_ref().and_then(number);
        let entry = number
            .filter(|_| !pairing.late)
            .and_then(|number| self.pending.remove(number));
        let abandoned = number.and_then(|number| self.abandoned.remove(&number));
        self.describe(at.seq, description);
        if let Some((request, answer)) = completes
            && (entry.is_some() || abandoned.is_some() || is_raw)
        {
            let status = abandoned.unwrap_or(answer.status);
            self.recorder.answer(request, RecordAnswer { status, ..answer });
        }
        let Some(entry) = entry else {
            let method = pairing.method.as_deref().unwrap_or_default();
            if let ResponseOutcome::Result(result) = &said
                && is_complete
                && !pairing.late
            {
                self.examine(at.seq, method, result);
            }
            if abandoned == Some(RecordStatus::TimedOut) && method == methods::SERVER_DISCOVER {
                self.answered_late(&said).await;
            }
            return;
        };
        self.publisher.pending(self.pending.len());
        let answer = Answer {
            seq: at.seq,
            frame: at.frame.clone(),
            message: at.span.clone(),
            body: json::span_of(at.text, body_text),
        };
        let method = entry.method;
        self.lost_sessions.answered(self.phase == Phase::Ready);
        match entry.purpose {
            Purpose::Exchange(mut call) => {
                call.human_wait += entry.held;
                // A request for input and a task do not contain the method's result.
                let is_whole = outcome == Outcome::Result;
                match round {
                    Some(round) => self.input_required(call, answer, *round),
                    None => self.answered(call, at, &said, outcome, answer).await,
                }
                // The caller has its answer: a closer look delays nobody.
                if let (ResponseOutcome::Result(result), true) = (&said, is_whole) {
                    self.examine(at.seq, &method, result);
                }
            }
            Purpose::Relist(relist) => {
                self.relisted(relist, entry.held, &said).await;
                if let ResponseOutcome::Result(result) = &said {
                    self.examine(at.seq, &method, result);
                }
            }
            Purpose::Ping => self.plan_ping(),
            Purpose::Discover | Purpose::Initialize => {
                self.handshake(entry.purpose, &said, answer, at).await;
            }
        }
    }

    /// The answer to what somebody asked for: the end of it, or a reason for one more leg.
    async fn answered(
        &mut self,
        mut call: Box<Call>,
        at: &Incoming<'_>,
        said: &ResponseOutcome<'_>,
        outcome: Outcome,
        answer: Answer,
    ) {
        let error = match said {
            ResponseOutcome::Result(_) => {
                self.level_is_set(&call.request);
                return call.finish(&self.wakes, outcome, Some(answer), None);
            }
            ResponseOutcome::Error(error) => error,
        };
        if at.status == Some(401) {
            return call.finish(&self.wakes, unauthorized(at), Some(answer), None);
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
        call.finish(&self.wakes, outcome, Some(answer), self.advice(error));
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
            .or_else(|| self.meta.as_ref().map(|meta| meta.revision.clone()));
        (named.as_deref() != Some(revision.as_str())).then_some(revision)
    }

    /// Adds what is wrong within a result.
    fn examine(&mut self, seq: Seq, method: &str, result: &str) {
        let examined = self.observer.examine(method, result);
        if let Some(page) = &examined.tools {
            self.learn_tools(page);
        }
        self.found(seq, examined.violations);
    }
}

/// The result or the error, how it ends the request, and the round of input that it asks for.
fn outcome<'a>(
    said: &ResponseOutcome<'a>,
    meaning: Meaning<'a>,
) -> (&'a str, Outcome, Option<Box<InputRound<'a>>>) {
    match (said, meaning) {
        (ResponseOutcome::Error(error), _) => (error.raw, Outcome::Error, None),
        (ResponseOutcome::Result(result), Meaning::Result(kind)) => match kind {
            ResultKind::Complete => (result, Outcome::Result, None),
            ResultKind::Task(_) => (result, Outcome::Task, None),
            ResultKind::Unknown(name) => (result, Outcome::UnknownResultType(name), None),
            ResultKind::InputRequired(round) => (result, Outcome::InputRequired(String::new()), Some(round)),
        },
        (ResponseOutcome::Result(result), _) => (result, Outcome::Result, None),
    }
}

/// A 401 whose body is a JSON-RPC error.
fn unauthorized(at: &Incoming<'_>) -> Outcome {
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
