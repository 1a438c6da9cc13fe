//! A link wrapper: an [`Interceptor`] passes, edits, drops, delays or holds each frame. Breakpoints, fault injection and
//! rewriting rules are implementations of it.
//!
//! The log stays accurate. Sent frames are recorded in the form in which they are sent. Received frames are recorded as
//! received, and an edited form is recorded as a separate frame before it is read. Every action other than passing is
//! noted.
//!
//! Nothing waits in [`Link::send`]: a held frame is recorded and sent later, while [`Link::next`] is awaited.

use std::{collections::VecDeque, future::pending, ops::Range, sync::Arc, time::Duration};

use bytes::Bytes;
use patchbay_protocol::{Era, RequestId};
use patchbay_traffic::{Description, FrameContext, OperationId, Seq};
use tokio::time::Instant;

use crate::{
    About, BoxFuture, Connector, Dialect, Ended, Event, Failure, Link, NotRecorded, NotStarted, Outgoing,
    Received, Tap, at,
};

/// With more bytes held than this, the oldest held frame is released unchanged.
const HELD_LIMIT: usize = 16 << 20;
/// The maximum delay.
const LONGEST_DELAY: Duration = Duration::from_secs(60 * 60);

/// Decides about the frames of one link. The deciding methods must not block.
pub trait Interceptor: Send {
    /// Decides about a frame to be sent, which is not recorded yet.
    fn outgoing(&mut self, message: &Outgoing) -> Action {
        let _ = message;
        Action::Pass
    }

    /// Decides about a received frame, which is recorded but not read yet.
    fn incoming(&mut self, received: &Received) -> Action {
        let _ = received;
        Action::Pass
    }

    /// Called with a held frame and its record, before [`Interceptor::released`] is awaited again.
    fn held(&mut self, frame: Seq) {
        let _ = frame;
    }

    /// Waits for the decision about a held frame: its record and the action. Must be cancel safe.
    fn released(&mut self) -> BoxFuture<'_, (Seq, Action)> {
        Box::pin(pending())
    }
}

/// An action on a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// It is passed unchanged.
    Pass,
    /// It is replaced with these bytes.
    Edit(Bytes),
    /// It is dropped. A dropped request gets no response, as from a silent server.
    Drop,
    /// It is passed unchanged after this time; at most an hour.
    Delay(Duration),
    /// It is held until [`Interceptor::released`] returns a decision.
    Hold,
}

/// Makes links with an interceptor.
pub struct Intercepted {
    connector: Arc<dyn Connector>,
    interceptor: Box<dyn Fn() -> Box<dyn Interceptor> + Send + Sync>,
}

impl Intercepted {
    /// Wraps the links of a connector, each with an interceptor made by `make`.
    pub fn new<I: Interceptor + 'static>(
        connector: Arc<dyn Connector>,
        make: impl Fn() -> I + Send + Sync + 'static,
    ) -> Self {
        Self {
            connector,
            interceptor: Box::new(move || Box::new(make())),
        }
    }
}

impl Connector for Intercepted {
    fn connect(&self, dialect: Dialect, tap: Tap) -> Result<Box<dyn Link>, Box<NotStarted>> {
        Ok(Box::new(InterceptedLink {
            link: self.connector.connect(dialect, tap.clone())?,
            interceptor: (self.interceptor)(),
            tap,
            held: VecDeque::new(),
            decided: VecDeque::new(),
            ended: None,
        }))
    }

    fn dialects(&self) -> &'static [Dialect] {
        self.connector.dialects()
    }

    fn own_thread(&self) -> bool {
        self.connector.own_thread()
    }
}

/// A frame in either direction.
enum Frame {
    Outgoing(Seq, Outgoing),
    Incoming(Received),
}

impl Frame {
    fn seq(&self) -> Seq {
        match self {
            Self::Outgoing(seq, _) => *seq,
            Self::Incoming(received) => received.seq,
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Outgoing(_, message) => message.frame.len(),
            Self::Incoming(received) => received.frame.len(),
        }
    }

    fn operation(&self) -> Option<OperationId> {
        match self {
            Self::Outgoing(_, message) => message.operation,
            Self::Incoming(_) => None,
        }
    }
}

struct Held {
    frame: Frame,
    /// When it is released; none: when the interceptor decides.
    until: Option<Instant>,
}

struct InterceptedLink {
    link: Box<dyn Link>,
    interceptor: Box<dyn Interceptor>,
    tap: Tap,
    /// Oldest first.
    held: VecDeque<Held>,
    /// Decided, but not carried out yet.
    decided: VecDeque<(Frame, Action)>,
    /// None while the link is open.
    ended: Option<State>,
}

enum State {
    /// The link has ended; earlier frames are returned first.
    Ending(Ended),
    /// The end was returned.
    Over,
}

impl InterceptedLink {
    /// Sends a frame, or holds it. Only an edited frame is recorded in another form than given.
    async fn send(&mut self, mut message: Outgoing) -> Result<Seq, Failure> {
        match self.interceptor.outgoing(&message) {
            Action::Pass => self.link.send(message).await,
            Action::Edit(frame) => {
                let before = std::mem::replace(&mut message.frame, frame);
                let operation = message.operation;
                let seq = self.link.send(message).await?;
                let text = format!("Frame #{seq} was edited before it was sent");
                self.note(text, Some(&before), operation);
                Ok(seq)
            }
            action => {
                let seq = self.link.record(&message).await?;
                self.decided.push_back((Frame::Outgoing(seq, message), action));
                Ok(seq)
            }
        }
    }

    async fn next(&mut self) -> Option<Event> {
        loop {
            while !self.decided.is_empty() {
                match self.carry_out().await {
                    Ok(None) => {}
                    Ok(Some(received)) => return Some(Event::Frame(received)),
                    Err(cause) => return Some(self.broke_off(cause)),
                }
            }
            match self.ended.take() {
                Some(State::Ending(ended)) => {
                    self.ended = Some(State::Over);
                    return Some(Event::Ended(ended));
                }
                Some(State::Over) => {
                    self.ended = Some(State::Over);
                    while self.link.next().await.is_some() {}
                    return None;
                }
                None => {}
            }
            let due = self.held.iter().filter_map(|held| held.until).min();
            tokio::select! {
                biased;
                () = at(due) => self.take_due(),
                (seq, action) = self.interceptor.released(), if !self.held.is_empty() => self.release(seq, action),
                event = self.link.next() => match event {
                    Some(Event::Frame(received)) => {
                        let action = self.interceptor.incoming(&received);
                        self.decided.push_back((Frame::Incoming(received), action));
                    }
                    Some(Event::Ended(ended)) => self.end(ended),
                    other => return other,
                },
            }
        }
    }

    /// Carries out the oldest decision. Returns a frame to hand out, if any. Cancel safe: only recording waits.
    async fn carry_out(&mut self) -> Result<Option<Received>, NotRecorded> {
        let edited = match self.decided.front_mut() {
            Some((Frame::Outgoing(_, message), Action::Edit(edited))) => {
                message.frame = edited.clone();
                Some(self.link.record(message).await.ok())
            }
            Some((Frame::Incoming(received), Action::Edit(edited))) => {
                let context = FrameContext {
                    exchange: received.http,
                    read_at_ns: Some(received.at_ns),
                    ..FrameContext::default()
                };
                Some(Some(self.tap.received(edited.clone(), context).await?))
            }
            _ => None,
        };
        let Some((frame, action)) = self.decided.pop_front() else {
            return Ok(None);
        };
        let (seq, operation) = (frame.seq(), frame.operation());
        match (frame, action) {
            (Frame::Outgoing(seq, message), Action::Pass) => self.link.queue(seq, message),
            (Frame::Incoming(received), Action::Pass) => return Ok(Some(received)),
            (Frame::Outgoing(_, message), Action::Edit(_)) => match edited.flatten() {
                Some(edited) => {
                    self.link.queue(edited, message);
                    self.note(
                        format!("Frame #{seq} was edited; #{edited} was sent in its place"),
                        None,
                        operation,
                    );
                }
                None => self.note(format!("Frame #{seq} could not be sent"), None, operation),
            },
            (Frame::Incoming(received), Action::Edit(frame)) => {
                let edited = edited.flatten().unwrap_or(seq);
                self.note(
                    format!("Frame #{seq} was edited; #{edited} was read in its place"),
                    None,
                    None,
                );
                return Ok(Some(Received {
                    seq: edited,
                    frame,
                    ..received
                }));
            }
            (_, Action::Drop) => self.note(format!("Frame #{seq} was dropped"), None, operation),
            (frame, Action::Delay(time)) => {
                let time = time.min(LONGEST_DELAY);
                let text = format!("Frame #{seq} is delayed by {} ms", time.as_millis());
                self.note(text, None, operation);
                self.hold(frame, Some(Instant::now() + time));
            }
            (frame, Action::Hold) => {
                self.note(format!("Frame #{seq} is held"), None, operation);
                self.interceptor.held(seq);
                self.hold(frame, None);
            }
        }
        Ok(None)
    }

    /// Nothing may be handed out that is not recorded.
    fn broke_off(&mut self, cause: NotRecorded) -> Event {
        self.link.close(Some(Duration::ZERO));
        self.held.clear();
        self.decided.clear();
        self.ended = Some(State::Over);
        Event::Ended(Ended::of(cause.into()))
    }

    fn hold(&mut self, frame: Frame, until: Option<Instant>) {
        self.held.push_back(Held { frame, until });
        let mut size: usize = self.held.iter().map(|held| held.frame.size()).sum();
        while size > HELD_LIMIT
            && let Some(oldest) = self.held.pop_front()
        {
            size -= oldest.frame.size();
            self.decided.push_back((oldest.frame, Action::Pass));
        }
    }

    fn take_due(&mut self) {
        let now = Instant::now();
        let (due, held) = self
            .held
            .drain(..)
            .partition::<VecDeque<_>, _>(|held| held.until.is_some_and(|until| until <= now));
        self.held = held;
        self.decided
            .extend(due.into_iter().map(|held| (held.frame, Action::Pass)));
    }

    fn release(&mut self, seq: Seq, action: Action) {
        if let Some(at) = self.held.iter().position(|held| held.frame.seq() == seq)
            && let Some(held) = self.held.remove(at)
        {
            self.decided.push_back((held.frame, action));
        }
    }

    /// Received frames are handed out before the end; unsent ones are counted.
    fn end(&mut self, mut ended: Ended) {
        for held in self.held.drain(..) {
            match held.frame {
                Frame::Incoming(_) => self.decided.push_back((held.frame, Action::Pass)),
                Frame::Outgoing(..) => ended.unwritten += 1,
            }
        }
        self.ended = Some(State::Ending(ended));
    }

    fn note(&self, text: String, detail: Option<&[u8]>, operation: Option<OperationId>) {
        let detail = detail.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        // A closed store is noticed by the next frame.
        let recorder = self.tap.recorder();
        let _ = recorder.lifecycle(self.tap.connection(), text, detail, operation);
    }
}

impl Link for InterceptedLink {
    fn record<'a>(&'a mut self, message: &'a Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        self.link.record(message)
    }

    fn queue(&mut self, seq: Seq, message: Outgoing) {
        let action = self.interceptor.outgoing(&message);
        self.decided.push_back((Frame::Outgoing(seq, message), action));
    }

    fn send<'a>(&'a mut self, message: Outgoing) -> BoxFuture<'a, Result<Seq, Failure>> {
        Box::pin(self.send(message))
    }

    fn next<'a>(&'a mut self) -> BoxFuture<'a, Option<Event>> {
        Box::pin(self.next())
    }

    fn member<'a>(
        &'a mut self,
        frame: Seq,
        span: Range<usize>,
        description: Description,
    ) -> BoxFuture<'a, Result<Seq, Failure>> {
        self.link.member(frame, span, description)
    }

    fn agreed(&mut self, era: Era, revision: &str) {
        self.link.agreed(era, revision);
    }

    fn abandon(&mut self, id: &RequestId) -> bool {
        let is_it = |frame: &Frame| matches!(frame, Frame::Outgoing(_, message) if message.kind.request_id() == Some(id));
        let before = self.held.len() + self.decided.len();
        self.held.retain(|held| !is_it(&held.frame));
        self.decided.retain(|(frame, _)| !is_it(frame));
        // The server has not seen a held request.
        before > self.held.len() + self.decided.len() || self.link.abandon(id)
    }

    fn answered(&mut self, id: &RequestId) {
        self.link.answered(id);
    }

    fn close(&mut self, patience: Option<Duration>) {
        self.link.close(patience);
    }

    fn about(&self) -> About {
        self.link.about()
    }
}

#[cfg(test)]
mod tests;
