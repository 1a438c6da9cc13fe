//! The state that the futures of one link share: the client, the session, and the progress of exchanges.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use patchbay_http::{
    Authorizer, Client, Failed, HeaderMap, HeaderName, HeaderValue, OnWire, Request, Response, Url, header,
};
use patchbay_protocol::{RequestId, Rule, Violation, methods};
use patchbay_traffic::{Description, FrameContext, HttpStage, Kind, OperationId, Seq};
use tokio::sync::{mpsc, oneshot};

use super::{answer::LINGER, reconnect::Reconnect};
use crate::{
    About, Dialect, Event, Failure, HttpPeer, OpenExchange, OpenStep, OutgoingKind, Peer, Received,
    StreamState, Tap, ended::Cause,
};

/// The maximum number of open exchanges in [`crate::Link::about`].
const OPEN_SHOWN: usize = 100;
/// The bytes of a cut message in which its summary is looked for.
const HEAD: usize = 4096;

pub(crate) const SESSION_ID: HeaderName = HeaderName::from_static("mcp-session-id");
pub(crate) const EVENT_STREAM: &str = "text/event-stream";
pub(crate) const JSON: &str = "application/json";

/// When an exchange must end early.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ending {
    /// Immediately.
    Now,
    /// After this time, in which it may still yield messages.
    Within(Duration),
}

pub(crate) struct Shared {
    pub(crate) client: Client,
    pub(crate) url: Url,
    pub(crate) dialect: Dialect,
    /// Cloned for each use, because each future has a separate time limit for the store.
    pub(crate) tap: Tap,
    pub(crate) reconnect: Reconnect,
    pub(crate) events: mpsc::Sender<Event>,
    /// The user's headers.
    pub(crate) headers: HeaderMap,
    /// Provides credentials; none if the user configured one, or disabled authorization.
    pub(crate) authorizer: Option<Arc<dyn Authorizer>>,
    /// The operation of connecting.
    pub(crate) connecting: Option<OperationId>,
    pub(crate) state: Mutex<State>,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) session: Option<HeaderValue>,
    pub(crate) session_lost: bool,
    /// The agreed one, which need not be one that is known.
    pub(crate) revision: Option<String>,
    pub(crate) protocol: Option<Cow<'static, str>>,
    pub(crate) stream: StreamState,
    /// The endpoint for messages of HTTP+SSE.
    pub(crate) endpoint: Option<Url>,
    /// By the record of the message.
    pub(crate) open: HashMap<Seq, Open>,
}

/// An exchange in progress.
pub(crate) struct Open {
    pub(crate) request: Option<RequestId>,
    pub(crate) method: Cow<'static, str>,
    pub(crate) since: SystemTime,
    pub(crate) step: OpenStep,
    /// Its response was received; the rest only matters for the log.
    pub(crate) answered: bool,
    /// Ends it early; none once used, or while it is queued.
    pub(crate) end: Option<oneshot::Sender<Ending>>,
    /// Whether it may have reached the server.
    pub(crate) on_wire: OnWire,
}

impl Open {
    pub(crate) fn new(kind: &OutgoingKind) -> Self {
        Self {
            request: kind.request_id().cloned(),
            method: kind.name(),
            since: SystemTime::now(),
            step: OpenStep::Queued,
            answered: false,
            end: None,
            on_wire: OnWire::default(),
        }
    }

    /// Ends it, because its response came elsewhere.
    pub(crate) fn end_answered(&mut self) {
        let ending = match self.step {
            OpenStep::Resuming { .. } => Ending::Now,
            _ => Ending::Within(LINGER),
        };
        if let Some(end) = self.end.take() {
            let _ = end.send(ending);
        }
    }
}

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // ---- what is sent

    pub(crate) async fn send(&self, request: Request) -> Result<Box<Response>, Failed> {
        let response = self.client.send(self.tap.connection(), request).await?;
        let known = self.state().protocol.as_ref() == Some(&response.version);
        if !known {
            self.state().protocol = Some(response.version.clone());
            self.tell(Event::Changed).await;
        }
        Ok(response)
    }

    // ---- what comes

    /// Passes an event on. Waits while the link's user is slow.
    pub(crate) async fn tell(&self, event: Event) {
        // Without a receiver the link is gone, and this future is about to be dropped.
        let _ = self.events.send(event).await;
    }

    /// Records a received message and passes it on.
    pub(crate) async fn frame(&self, context: ResponseContext<'_>, frame: Bytes) -> Result<Seq, Cause> {
        let at_ns = self.tap.recorder().now_ns();
        // A slot is reserved first: if this future is dropped meanwhile, nothing may be recorded that is never described.
        let place = self.events.reserve().await;
        let seq = self.record(&context, frame.clone(), at_ns).await?;
        // Without a receiver the link is gone, and this future is about to be dropped.
        if let Ok(place) = place {
            place.send(Event::Frame(Received {
                seq,
                at_ns,
                frame,
                terminated: true,
                http: Some(context.exchange),
                reply_to: context.reply_to.cloned(),
                status: Some(context.status),
                violations: context.violations,
            }));
        }
        Ok(seq)
    }

    /// Records the start of an incomplete message. It is not passed on.
    pub(crate) async fn cut_off(
        &self,
        context: ResponseContext<'_>,
        piece: Bytes,
        words: &str,
    ) -> Result<(), Cause> {
        let at_ns = self.tap.recorder().now_ns();
        let seq = self.record(&context, piece.clone(), at_ns).await?;
        let mut description = Description::new(Kind::Invalid);
        // As an observer describes what is not a message.
        let head = String::from_utf8_lossy(piece.get(..HEAD).unwrap_or(&piece));
        description.summary = Some(methods::clip(&head));
        description.violations = context.violations;
        description
            .violations
            .push(Violation::new(Rule::MessageCutOff, words));
        self.tap.recorder().describe(seq, description);
        Ok(())
    }

    async fn record(&self, context: &ResponseContext<'_>, frame: Bytes, at_ns: u64) -> Result<Seq, Cause> {
        let context = FrameContext {
            exchange: Some(context.exchange),
            operation: context.operation,
            read_at_ns: Some(at_ns),
        };
        Ok(self.tap.clone().received(frame, context).await?)
    }

    /// Records the parts of a stream besides messages. Waits while the store is slow.
    pub(crate) async fn stage(&self, exchange: Seq, stage: HttpStage) -> Result<(), Cause> {
        Ok(self.tap.clone().http_event(exchange, stage).await?)
    }

    // ---- how far everything is

    pub(crate) fn step(&self, message: Seq, step: OpenStep) {
        if let Some(open) = self.state().open.get_mut(&message) {
            open.step = step;
        }
    }

    pub(crate) fn is_answered(&self, message: Seq) {
        if let Some(open) = self.state().open.get_mut(&message) {
            open.answered = true;
        }
    }

    pub(crate) fn was_answered(&self, message: Seq) -> bool {
        self.state().open.get(&message).is_some_and(|open| open.answered)
    }

    pub(crate) async fn stream(&self, stream: StreamState) {
        self.state().stream = stream;
        self.tell(Event::Changed).await;
    }

    pub(crate) async fn lose_session(&self) {
        self.state().session_lost = true;
        self.tell(Event::Changed).await;
    }

    pub(crate) fn about(&self) -> About {
        let state = self.state();
        let mut open: Vec<_> = state.open.iter().filter(|(_, open)| !open.answered).collect();
        open.sort_unstable_by_key(|(frame, _)| **frame);
        let open = open
            .into_iter()
            .take(OPEN_SHOWN)
            .map(|(frame, open)| OpenExchange {
                request: open.request.clone(),
                method: open.method.clone().into_owned(),
                frame: *frame,
                since: open.since,
                step: open.step.clone(),
            });
        let endpoint = match self.dialect {
            Dialect::HttpSse => state.endpoint.as_ref(),
            Dialect::Modern | Dialect::Legacy => Some(&self.url),
        };
        About::new(Peer::Http(HttpPeer {
            url: self.url.to_string(),
            endpoint: endpoint.map(Url::to_string),
            dialect: self.dialect,
            protocol: state.protocol.as_deref().map(str::to_owned),
            session_id: state
                .session
                .as_ref()
                .and_then(|id| id.to_str().ok())
                .map(str::to_owned),
            session_lost: state.session_lost,
            stream: state.stream.clone(),
            open: open.collect(),
        }))
    }
}

/// The context of a message from the response it arrived in.
pub(crate) struct ResponseContext<'a> {
    pub(crate) exchange: Seq,
    /// The operation of the answered request.
    pub(crate) operation: Option<OperationId>,
    pub(crate) status: u16,
    /// The request whose response carried it.
    pub(crate) reply_to: Option<&'a RequestId>,
    pub(crate) violations: Vec<Violation>,
}

/// The media type of a body, in lower case and without parameters; empty if missing.
pub(crate) fn media_type(headers: &HeaderMap) -> String {
    let value = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let text = String::from_utf8_lossy(value.unwrap_or_default()).to_ascii_lowercase();
    text.split(';').next().unwrap_or_default().trim().to_owned()
}

/// Converts a failure.
pub(crate) fn failure(failed: Failed) -> Failure {
    let mut failure = Failure::new(failed.step.title(), failed.cause, failed.next);
    failure.detail = failed.tls.as_ref().map(|tls| {
        format!(
            "Certificate of {}, issued by {}, valid from {} to {}\nSHA-256: {}",
            tls.subject, tls.issuer, tls.not_before, tls.not_after, tls.fingerprint
        )
    });
    failure.certificate = failed.tls;
    failure
}
