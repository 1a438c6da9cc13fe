//! Checks a transcript: finds all violations of a recorded connection.

mod recorded;

use patchbay_protocol::{Direction, RequestId, message::Message, message::Text};

pub use recorded::{Exported, RecordedConnection};

use crate::{Answer, Crossing, Description, HttpContext, Meaning, Observer, OperationId, ResultKind, Seq};

/// One frame of a transcript.
#[derive(Debug, Clone)]
pub struct TranscriptFrame<'a> {
    /// Its number. Numbers increase.
    pub seq: Seq,
    /// The direction.
    pub direction: Direction,
    /// The time, in nanoseconds.
    pub at_ns: u64,
    /// The bytes: a line without its newline, an HTTP body, the data of an SSE event.
    pub bytes: &'a [u8],
    /// The HTTP exchange that carried it, the status of its response, and the frame in its request.
    pub http: Option<(Seq, Option<u16>, Option<Seq>)>,
    /// The operation, for a sent frame.
    pub operation: Option<OperationId>,
    /// For a frame with several messages: their numbers, in order. Messages without a number take the next ones.
    pub members: &'a [Seq],
}

/// A message of a transcript, or a frame with several.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its number.
    pub seq: Seq,
    /// Its description, with violations.
    pub description: Description,
    /// The request that it completes, and the answer.
    pub completes: Option<(Seq, Answer)>,
}

/// Observes one connection of a transcript, frame by frame, as a live connection would.
#[derive(Debug, Default)]
pub struct Transcript {
    observer: Observer,
    /// The request in a client's frame, by the frame's number. All are kept: a response may go on after its answer, and be resumed.
    sent: std::collections::HashMap<Seq, RequestId>,
}

impl Transcript {
    /// Creates the state before the first frame.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    #[cfg(test)]
    pub(crate) fn observer(&mut self) -> &mut Observer {
        &mut self.observer
    }

    /// Observes the next frame and returns the findings for it and its messages.
    pub fn frame(&mut self, frame: &TranscriptFrame<'_>) -> Vec<Finding> {
        let text = Text::of(frame.bytes);
        let reply_to = frame
            .http
            .and_then(|(_, _, reply_to)| self.sent.get(&reply_to?).cloned());
        let crossing = Crossing {
            http: frame.http.map(|_| HttpContext {
                reply_to: reply_to.as_ref(),
            }),
            operation: frame.operation,
            ..Crossing::new(frame.direction, frame.at_ns)
        };
        let observed = self.observer.frame(&text, &crossing, Vec::new());
        let mut findings = Vec::with_capacity(1);
        let several = observed.whole.is_some();
        findings.extend(observed.whole.map(|whole| Finding {
            seq: frame.seq,
            description: whole,
            completes: None,
        }));
        for (index, located) in observed.messages.into_iter().enumerate() {
            let seq = match (several, frame.members.get(index)) {
                (false, _) => frame.seq,
                (true, Some(member)) => *member,
                (true, None) => frame.seq + 1 + index as u64,
            };
            let message = self.observer.message(seq, &crossing, text.as_str(), located);
            let mut description = message.description;
            if let (Message::Response { outcome, .. }, Meaning::Result(ResultKind::Complete)) =
                (&message.message, &message.meaning)
                && let (patchbay_protocol::message::Outcome::Result(result), Some(method)) =
                    (outcome, message.pairing.method.as_deref())
                && !message.pairing.late
                && frame.direction == Direction::ServerToClient
            {
                let examined = self.observer.examine(method, result);
                description.violations.extend(examined.violations);
            }
            if let (Message::Request { id, .. }, Direction::ClientToServer) =
                (&message.message, frame.direction)
                && frame.http.is_some()
                // What answers one of several does not say which.
                && !several
            {
                self.sent.insert(frame.seq, id.clone());
            }
            findings.push(Finding {
                seq,
                description,
                completes: message.completes,
            });
        }
        findings
    }
}

/// Checks a whole transcript of one connection.
pub fn check<'a>(frames: impl IntoIterator<Item = TranscriptFrame<'a>>) -> Vec<Finding> {
    let mut transcript = Transcript::new();
    frames
        .into_iter()
        .flat_map(|frame| transcript.frame(&frame))
        .collect()
}

#[cfg(test)]
mod tests;
