//! The exchange of one message: its POST, the response, and the GETs that resume the response's stream after interruptions.

use std::{
    borrow::Cow,
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use patchbay_http::{HeaderValue, Method, OnWire, PeerDelay, Response};
use patchbay_protocol::{Rule, Violation, headers};
use patchbay_traffic::Seq;
use tokio::{
    sync::oneshot,
    time::{sleep, timeout},
};

use super::{
    answer::{self, Body, Fit, LINGER, READ_LIMIT, fit, status, status_of},
    authorized::{Answered, HttpAttempt},
    events::{Cursor, Events, ReadEnd},
    reconnect::Tries,
    requests::{A_DAY, head_limit},
    shared::{EVENT_STREAM, Ending, JSON, ResponseContext, SESSION_ID, Shared, failure, media_type},
};
use crate::{
    Dialect, Event, Failure, OpenStep, Outgoing, OutgoingKind, Unanswered,
    ended::{Cause, size},
};

const READ: &str = "Read the response";
const SEE_LOG: &str = "The request may have run: look at the exchange in the log before it is sent again.";

/// A recorded message.
#[derive(Debug)]
pub(crate) struct Post {
    pub(crate) seq: Seq,
    pub(crate) message: Outgoing,
    /// Whether it may have reached the server.
    pub(crate) on_wire: OnWire,
}

impl Post {
    /// The purpose: `tools/call add`.
    fn purpose(&self) -> Cow<'static, str> {
        let method = self.message.kind.name();
        let name = self
            .message
            .headers
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(headers::NAME));
        match name {
            Some((_, name)) => format!("{method} {name}").into(),
            None => method,
        }
    }
}

/// Carries a message until its exchange is complete, or `end` is set.
pub(crate) async fn run(
    shared: Arc<Shared>,
    post: Post,
    end: oneshot::Receiver<Ending>,
) -> Result<(), Cause> {
    let attempt = PostAttempt {
        shared: &shared,
        post: &post,
    };
    let mut going = std::pin::pin!(attempt.go());
    tokio::select! {
        biased;
        // First, so that what was abandoned before it was sent is never sent.
        Ok(ending) = end => match ending {
            Ending::Now => Ok(()),
            Ending::Within(patience) => timeout(patience, going).await.unwrap_or(Ok(())),
        },
        gone = &mut going => gone,
    }
}

struct PostAttempt<'a> {
    shared: &'a Shared,
    post: &'a Post,
}

impl PostAttempt<'_> {
    async fn go(&self) -> Result<(), Cause> {
        let Post {
            seq,
            message,
            on_wire,
        } = self.post;
        let head = match self.shared.post_head(&message.headers) {
            Ok(head) => head,
            Err(failure) => return self.broken(failure, false).await,
        };
        let url = match self.shared.dialect {
            Dialect::HttpSse => self.shared.state().endpoint.clone(),
            Dialect::Modern | Dialect::Legacy => None,
        };
        let url = url.unwrap_or_else(|| self.shared.url.clone());
        let in_session = head.contains_key(SESSION_ID);
        self.shared.step(*seq, OpenStep::Waiting);
        let attempt = HttpAttempt {
            method: Method::POST,
            url,
            headers: head,
            body: message.frame.clone(),
            message: Some(*seq),
            request: self.post.message.kind.request_id(),
            is_repeatable: !message.kind.may_be_answered(),
            head_timeout: head_limit(&message.kind),
            operation: message.operation,
            purpose: &self.post.purpose(),
            on_wire: on_wire.clone(),
        };
        match self.shared.ask(attempt).await {
            Ok(Answered { response, refused }) => {
                self.shared.step(*seq, OpenStep::Answering);
                match refused {
                    Some((body, failure)) => {
                        self.unanswered(status_of(self.shared, &response, &body, false, Some(failure)))
                            .await
                    }
                    None => self.answered(response, in_session).await,
                }
            }
            Err(failed) => {
                let may_have_run = failed.may_have_been_sent;
                self.broken(failure(failed), may_have_run).await
            }
        }
    }

    /// Handles the head of the response.
    async fn answered(&self, response: Box<Response>, in_session: bool) -> Result<(), Cause> {
        let is_ok = (200..300).contains(&response.status);
        let media_type = media_type(&response.headers);
        let mut violations = Vec::new();
        if is_ok && let Err(refused) = self.begin_session(&response, &mut violations).await {
            return self.broken(refused, true).await;
        }
        let session_lost = response.status == 404 && in_session && self.shared.dialect == Dialect::Legacy;
        let challenged =
            matches!(response.status, 401 | 403) && !answer::www_authenticate(&response.headers).is_empty();
        let shown_only = session_lost || challenged || response.redirected.is_some();
        match &*media_type {
            EVENT_STREAM if is_ok => self.stream(response, violations).await,
            JSON if !shown_only && self.shared.dialect != Dialect::HttpSse => {
                self.json(response, violations).await
            }
            _ => self.other(response, violations, session_lost, shown_only).await,
        }
    }

    /// Reads the session id from the response to `initialize`. A later `initialize`, which a user sends, does not replace the
    /// session of the link.
    async fn begin_session(
        &self,
        response: &Response,
        violations: &mut Vec<Violation>,
    ) -> Result<(), Failure> {
        let is_initialize =
            matches!(&self.post.message.kind, OutgoingKind::Request { method, .. } if method == "initialize");
        let is_agreed = self.shared.state().revision.is_some();
        if self.shared.dialect != Dialect::Legacy || !is_initialize || is_agreed {
            return Ok(());
        }
        let mut ids = response.headers.get_all(SESSION_ID).iter();
        let Some(id) = ids.next() else { return Ok(()) };
        if ids.next().is_some() {
            let words = "the answer has several Mcp-Session-Id headers; the first one counts";
            violations.push(Violation::new(Rule::SessionIdRepeated, words));
        }
        if id.is_empty() || !id.as_bytes().iter().all(u8::is_ascii_graphic) {
            return Err(Failure::new(
                "Begin the session",
                format!(
                    "The server's Mcp-Session-Id is \u{201c}{}\u{201d}: only visible ASCII characters are allowed in it.",
                    String::from_utf8_lossy(id.as_bytes()).escape_debug()
                ),
                "The server must choose another session id.",
            ));
        }
        let mut id: HeaderValue = id.clone();
        id.set_sensitive(true);
        self.shared.state().session = Some(id);
        self.shared.tell(Event::Changed).await;
        Ok(())
    }

    // ---- one body

    async fn json(&self, mut response: Box<Response>, violations: Vec<Violation>) -> Result<(), Cause> {
        // The body of a refusal is recorded with the exchange, because it need not be a message.
        response.keep_body(!is_ok(&response));
        let limit = self.shared.tap.limits().frame_bytes;
        let patience = self.patience(&response);
        let body = match answer::read(&mut response, limit, patience).await {
            Body::Whole(body) => body,
            // Nobody waits for a message in it.
            Body::Late(piece) => {
                let words = "the body did not end in time";
                if !piece.is_empty() {
                    self.shared
                        .cut_off(self.context(&response, violations), piece.clone(), words)
                        .await?;
                }
                return self.status(&response, &piece, false).await;
            }
            Body::Cut(piece, failed) => {
                let words = "the body ended in the middle of this message";
                if !piece.is_empty() {
                    self.shared
                        .cut_off(self.context(&response, violations), piece, words)
                        .await?;
                }
                return self.broken(failure(failed), true).await;
            }
            Body::TooLong(piece) => {
                let words = "the body is longer than any message we take";
                self.shared
                    .cut_off(self.context(&response, violations), piece, words)
                    .await?;
                let cause = format!("The answer is longer than {}.", size(limit));
                return self.broken(Failure::new(READ, cause, SEE_LOG), true).await;
            }
        };
        let fits = self.fits(&body);
        if body.is_empty() || (!is_ok(&response) && matches!(fits, None | Some(Fit::Other))) {
            return self.status(&response, &body, false).await;
        }
        self.shared
            .frame(self.context(&response, violations), body)
            .await?;
        if fits == Some(Fit::Other) {
            let cause = "The answer holds no JSON-RPC response to the request.";
            return self.broken(Failure::new(READ, cause, SEE_LOG), true).await;
        }
        Ok(())
    }

    /// A body that should not contain a message: it is shown to the user.
    async fn other(
        &self,
        mut response: Box<Response>,
        mut violations: Vec<Violation>,
        session_lost: bool,
        shown_only: bool,
    ) -> Result<(), Cause> {
        if session_lost {
            self.shared.lose_session().await;
        }
        let patience = self.patience(&response);
        let body = answer::read(&mut response, READ_LIMIT, patience)
            .await
            .into_bytes();
        // JSON with another content type is accepted, with a violation.
        if !shown_only && self.fits(&body) == Some(Fit::Ours) {
            let found = media_type(&response.headers);
            let found = if found.is_empty() { "missing" } else { &*found };
            if found != JSON {
                let words =
                    format!("the Content-Type of this answer is {found}; it must be application/json");
                violations.push(Violation::new(Rule::ContentType, words));
            }
            self.shared
                .frame(self.context(&response, violations), body)
                .await?;
            return Ok(());
        }
        if self.comes_elsewhere(&response) {
            return Ok(());
        }
        self.status(&response, &body, session_lost).await
    }

    /// Whether the answer to the request is in the event stream of the link.
    fn comes_elsewhere(&self, response: &Response) -> bool {
        self.shared.dialect == Dialect::HttpSse && is_ok(response)
    }

    /// How long the body may take; without a time limit if the answer to the request is in it, because the caller has one.
    fn patience(&self, response: &Response) -> Option<Duration> {
        (!self.is_awaited_in(response)).then(|| self.linger(response))
    }

    /// How long a response may continue from which nothing is awaited. That to a batch may have the answers to its requests, for
    /// which nobody has a timeout.
    fn linger(&self, response: &Response) -> Duration {
        match self.post.message.kind {
            OutgoingKind::Batch if !self.comes_elsewhere(response) => A_DAY,
            _ => LINGER,
        }
    }

    /// Whether the response contains the answer to the request.
    fn is_awaited_in(&self, response: &Response) -> bool {
        self.post.message.kind.request_id().is_some() && !self.comes_elsewhere(response)
    }

    fn fits(&self, body: &[u8]) -> Option<Fit> {
        let limits = self.shared.tap.limits();
        let id = self.post.message.kind.request_id();
        id.map(|id| fit(body, id, limits))
    }

    fn context(&self, response: &Response, violations: Vec<Violation>) -> ResponseContext<'_> {
        ResponseContext {
            exchange: response.exchange,
            operation: self.post.message.operation,
            status: response.status,
            reply_to: self.post.message.kind.request_id(),
            violations,
        }
    }

    // ---- a stream

    async fn stream(&self, response: Box<Response>, violations: Vec<Violation>) -> Result<(), Cause> {
        let mut cursor = Cursor::default();
        let mut tries = Tries::new(&self.shared.reconnect, self.shared.tap.limits());
        let (mut response, mut violations) = (response, violations);
        loop {
            let before = cursor.messages;
            tries.opened();
            let end = match self
                .read(response, std::mem::take(&mut violations), &mut cursor)
                .await
            {
                Ok(()) => return Ok(()),
                // The response came elsewhere: nothing is left to be resumed.
                Err(ReadEnd::Closed | ReadEnd::Broken(_)) if self.shared.was_answered(self.post.seq) => {
                    return Ok(());
                }
                Err(end) => end,
            };
            if cursor.messages > before {
                tries.useful();
            }
            let (failure, may_resume) = match end {
                ReadEnd::Store(cause) => return Err(cause),
                ReadEnd::TooLong(failure) => (failure, false),
                ReadEnd::Broken(failure) => (failure, true),
                ReadEnd::Closed => (no_answer(), true),
            };
            if !may_resume || self.shared.dialect != Dialect::Legacy || cursor.id.is_none() {
                return self.broken(failure, true).await;
            }
            let wait = tries.ended(cursor.retry);
            response = match Box::pin(self.resume(&cursor, &mut tries, wait)).await {
                Ok(response) => response,
                Err(why) => return self.unanswered(why.into_resuming()).await,
            };
        }
    }

    /// Reads until the response was received, if one is awaited, and the stream is over.
    async fn read(
        &self,
        response: Box<Response>,
        violations: Vec<Violation>,
        cursor: &mut Cursor,
    ) -> Result<(), ReadEnd> {
        let request = self.post.message.kind.request_id();
        let mut is_awaited = self.is_awaited_in(&response);
        let linger = self.linger(&response);
        let mut events = Events::new(
            self.shared,
            response,
            cursor,
            self.post.message.operation,
            violations,
        );
        while is_awaited {
            let event = events.next().await?;
            is_awaited = !events.deliver(event, request).await?;
        }
        self.shared.is_answered(self.post.seq);
        // The server should end the stream now; further messages are recorded.
        let rest = async {
            loop {
                let event = match events.next().await {
                    Ok(event) => event,
                    Err(end) => break end,
                };
                if let Err(end) = events.deliver(event, None).await {
                    break end;
                }
            }
        };
        match timeout(linger, rest).await {
            Ok(end @ ReadEnd::Store(_)) => Err(end),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Resumes the stream after `wait`.
    async fn resume(
        &self,
        cursor: &Cursor,
        tries: &mut Tries<'_>,
        mut wait: Duration,
    ) -> Result<Box<Response>, Unanswered> {
        loop {
            self.shared.step(
                self.post.seq,
                OpenStep::Resuming {
                    attempt: tries.fruitless(),
                    until: SystemTime::now() + wait,
                },
            );
            sleep(wait).await;
            let request = self.post.message.kind.request_id();
            let got = self
                .shared
                .get_stream(cursor.id.as_deref(), request, self.post.message.operation)
                .await;
            let (why, asked) = match got {
                Ok(Answered {
                    response,
                    refused: Some((body, failure)),
                }) => return Err(status_of(self.shared, &response, &body, false, Some(failure))),
                Ok(Answered { response, .. })
                    if is_ok(&response) && media_type(&response.headers) == EVENT_STREAM =>
                {
                    self.shared.step(self.post.seq, OpenStep::Answering);
                    return Ok(response);
                }
                Ok(Answered { mut response, .. }) => {
                    let session_lost = response.status == 404 && self.shared.state().session.is_some();
                    if session_lost {
                        self.shared.lose_session().await;
                    }
                    let asked = PeerDelay::retry_after(&response.headers);
                    // 409: the server has not noticed yet that the stream was interrupted.
                    let passing = matches!(response.status, 408 | 409 | 425 | 429 | 500..=599);
                    let why = status(self.shared, &mut response, session_lost).await;
                    if !passing {
                        return Err(why);
                    }
                    (why, asked)
                }
                Err(failed) => (gone(failure(failed)), None),
            };
            wait = tries.failed(asked.or(cursor.retry)).ok_or(why)?;
        }
    }

    // ---- no answer

    async fn status(&self, response: &Response, body: &Bytes, session_lost: bool) -> Result<(), Cause> {
        if is_ok(response) && self.post.message.kind.request_id().is_none() {
            return Ok(());
        }
        self.unanswered(status_of(self.shared, response, body, session_lost, None))
            .await
    }

    async fn broken(&self, failure: Failure, may_have_run: bool) -> Result<(), Cause> {
        self.unanswered(Unanswered::Broken {
            failure,
            may_have_run,
        })
        .await
    }

    async fn unanswered(&self, why: Unanswered) -> Result<(), Cause> {
        let event = match self.post.message.kind.request_id() {
            Some(id) => Event::Unanswered { id: id.clone(), why },
            None => Event::Refused {
                frame: self.post.seq,
                why,
            },
        };
        self.shared.tell(event).await;
        Ok(())
    }
}

fn is_ok(response: &Response) -> bool {
    (200..300).contains(&response.status)
}

fn gone(failure: Failure) -> Unanswered {
    Unanswered::Broken {
        failure,
        may_have_run: true,
    }
}

fn no_answer() -> Failure {
    Failure::new(
        READ,
        "The stream ended without an answer to the request.",
        SEE_LOG,
    )
}
