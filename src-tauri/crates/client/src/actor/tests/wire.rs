//! A link that looks like HTTP and does what a test says, event by event.

use std::ops::Range;

use patchbay_protocol::RequestId;
use patchbay_traffic::{Description, Direction};
use patchbay_transport::{
    About, BoxFuture, Dialect, Ended, Event as LinkEvent, Failure, HttpPeer, NotStarted, Outgoing,
    OutgoingKind, Peer as Side, Received, StreamState, Tap, Unanswered,
};

use super::*;

/// What a test lets happen.
pub(super) enum Happens {
    /// A message, and in whose answer with which status.
    Frame(String, Option<(i64, u16)>),
    Unanswered(i64, Unanswered),
    /// This frame is not accepted.
    Refused(Seq, Unanswered),
    /// A request (0: a stream of the link) starts or stops waiting for an authorization.
    Authorizing(i64, bool),
    SessionLost,
    /// Replies are refused from now on, or accepted again.
    Full(bool),
    Ended(Failure),
}

/// The server's side of one link.
pub(super) struct Wire {
    pub(super) dialect: Dialect,
    sent: mpsc::UnboundedReceiver<Outgoing>,
    events: mpsc::UnboundedSender<Happens>,
    abandoned: mpsc::UnboundedReceiver<RequestId>,
    answered: mpsc::UnboundedReceiver<RequestId>,
}

impl Wire {
    /// The next message of the client: its id (0 of a notification), its text, its headers.
    pub(super) async fn heard(&mut self) -> (i64, String, Vec<String>) {
        let Some(sent) = self.sent.recv().await else {
            return (0, "(end)".to_owned(), Vec::new());
        };
        let id = match sent.kind {
            OutgoingKind::Request {
                id: RequestId::Int(id),
                ..
            } => id,
            _ => 0,
        };
        let headers = sent
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        (id, String::from_utf8(sent.frame.to_vec()).unwrap(), headers)
    }

    /// What the next message of the client is to the transport.
    pub(super) async fn heard_kind(&mut self) -> OutgoingKind {
        self.sent.recv().await.unwrap().kind
    }

    pub(super) fn let_happen(&self, event: Happens) {
        self.events.send(event).ok().unwrap();
    }

    pub(super) fn answers(&self, id: i64, result: &str) {
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
        self.let_happen(Happens::Frame(frame, Some((id, 200))));
    }

    pub(super) fn refuses(&self, id: i64, status: u16, error: &str) {
        let frame = format!(r#"{{"jsonrpc":"2.0","error":{error}}}"#);
        self.let_happen(Happens::Frame(frame, Some((id, status))));
    }

    pub(super) fn status(&self, id: i64, status: u16) {
        self.let_happen(Happens::Unanswered(id, with_status(status)));
    }

    pub(super) async fn abandoned(&mut self) -> RequestId {
        self.abandoned.recv().await.unwrap()
    }

    /// The next request whose end the client told its link.
    pub(super) fn answered(&mut self) -> Option<RequestId> {
        self.answered.try_recv().ok()
    }

    /// The legacy handshake.
    pub(super) async fn initialized(&mut self) {
        let (id, text, _) = self.heard().await;
        assert!(text.contains(r#""method":"initialize""#), "{text}");
        self.answers(id, r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"m","version":"1"}}"#);
        assert!(self.heard().await.1.contains("notifications/initialized"));
    }
}

pub(super) fn with_status(status: u16) -> Unanswered {
    Unanswered::Status {
        exchange: 1,
        status,
        body_text: "<html>".to_owned(),
        session_lost: false,
        www_authenticate: (status == 401).then(|| "Bearer realm=\"x\"".to_owned()),
        retry_after: (status == 429).then(|| Duration::from_secs(7)),
        authorization: None,
        resuming: false,
    }
}

/// Makes such links.
pub(super) struct Wires {
    made: mpsc::UnboundedSender<Wire>,
}

/// A connector, and the links it makes.
pub(super) fn wires() -> (Arc<Wires>, mpsc::UnboundedReceiver<Wire>) {
    let (made, links) = mpsc::unbounded_channel();
    (Arc::new(Wires { made }), links)
}

impl Connector for Wires {
    fn connect(&self, dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        let (to_server, sent) = mpsc::unbounded_channel();
        let (events, happening) = mpsc::unbounded_channel();
        let (abandons, abandoned) = mpsc::unbounded_channel();
        let (answers, answered) = mpsc::unbounded_channel();
        let wire = Wire {
            dialect,
            sent,
            events,
            abandoned,
            answered,
        };
        self.made.send(wire).ok().unwrap();
        Ok(Box::new(FakeLink {
            recorder: tap.recorder().clone(),
            connection: tap.connection(),
            dialect,
            to_server,
            happening,
            abandons,
            answers,
            full: false,
            lost: false,
            closed: false,
            over: false,
        }))
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::Modern, Dialect::Legacy, Dialect::HttpSse]
    }
}

struct FakeLink {
    recorder: Recorder,
    connection: ConnectionRef,
    dialect: Dialect,
    to_server: mpsc::UnboundedSender<Outgoing>,
    happening: mpsc::UnboundedReceiver<Happens>,
    abandons: mpsc::UnboundedSender<RequestId>,
    answers: mpsc::UnboundedSender<RequestId>,
    full: bool,
    lost: bool,
    closed: bool,
    over: bool,
}

impl Link for FakeLink {
    fn record<'a>(&'a mut self, message: &'a Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(async move {
            if self.full && matches!(message.kind, OutgoingKind::Response { .. }) {
                return Err(Failure::new("Send", "Too many messages wait.", ""));
            }
            let frame = message.frame.clone();
            let recorded = self
                .recorder
                .frame(self.connection, Direction::ClientToServer, frame);
            Ok(recorded.await.unwrap())
        })
    }

    fn queue(&mut self, _: Seq, message: Outgoing) {
        let _ = self.to_server.send(message);
    }

    fn next<'a>(&'a mut self) -> BoxFuture<'a, Option<LinkEvent>> {
        Box::pin(async move {
            if self.over {
                return None;
            }
            if self.closed {
                self.over = true;
                return Some(LinkEvent::Ended(Ended::closed()));
            }
            let Some(event) = self.happening.recv().await else {
                return std::future::pending().await;
            };
            Some(match event {
                Happens::Frame(text, answer) => {
                    let frame = Bytes::from(text);
                    let at_ns = self.recorder.now_ns();
                    let recorded =
                        self.recorder
                            .frame(self.connection, Direction::ServerToClient, frame.clone());
                    LinkEvent::Frame(Received {
                        seq: recorded.await.unwrap(),
                        at_ns,
                        frame,
                        terminated: true,
                        http: Some(1),
                        reply_to: answer.map(|(id, _)| RequestId::Int(id)),
                        status: Some(answer.map_or(200, |(_, status)| status)),
                        violations: Vec::new(),
                    })
                }
                Happens::Unanswered(id, why) => LinkEvent::Unanswered {
                    id: RequestId::Int(id),
                    why,
                },
                Happens::Refused(frame, why) => LinkEvent::Refused { frame, why },
                Happens::Authorizing(id, on) => LinkEvent::Authorizing {
                    id: (id != 0).then_some(RequestId::Int(id)),
                    on,
                },
                Happens::SessionLost => {
                    self.lost = true;
                    LinkEvent::Changed
                }
                Happens::Full(on) => {
                    self.full = on;
                    LinkEvent::Changed
                }
                Happens::Ended(failure) => {
                    self.over = true;
                    LinkEvent::Ended(Ended::failed(failure))
                }
            })
        })
    }

    fn member<'a>(
        &'a mut self,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(async move {
            let recorded = self.recorder.member(self.connection, frame, span, description);
            Ok(recorded.await.unwrap())
        })
    }

    fn abandon(&mut self, id: &RequestId) -> bool {
        let _ = self.abandons.send(id.clone());
        self.dialect == Dialect::Modern
    }

    fn answered(&mut self, id: &RequestId) {
        let _ = self.answers.send(id.clone());
    }

    fn close(&mut self, _patience: Option<Duration>) {
        self.closed = true;
    }

    fn about(&self) -> About {
        About::new(Side::Http(HttpPeer {
            url: "http://x/mcp".to_owned(),
            endpoint: None,
            dialect: self.dialect,
            protocol: None,
            session_id: None,
            session_lost: self.lost,
            stream: StreamState::None,
            open: Vec::new(),
        }))
    }
}
