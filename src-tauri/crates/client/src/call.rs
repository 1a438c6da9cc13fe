//! What somebody asked for, over all the legs it takes.

use std::time::Duration;

use patchbay_protocol::Revision;
use patchbay_traffic::Seq;
use tokio::{sync::watch, time::Instant};

use crate::{
    Answer, CallEnd, ExchangeEvent, Finished, Outcome, Request, Timeouts,
    events::{DeferredWakes, EventSender},
};

/// How many places for events are kept free for those that must not be missed.
const RESERVED: usize = 16;

/// A request that somebody asked for.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) exchange: u64,
    pub(crate) request: Request,
    pub(crate) timeouts: Timeouts,
    /// The record of the first leg.
    pub(crate) first: Option<Seq>,
    /// The record of the latest leg.
    pub(crate) latest: Option<Seq>,
    pub(crate) legs: u32,
    /// Rounds of input so far.
    pub(crate) rounds: u32,
    pub(crate) human_wait: Duration,
    /// What the latest round adds to the params.
    pub(crate) given: Option<RoundInput>,
    /// The parameters that were sent in the headers of the latest leg.
    pub(crate) param_values: Vec<(String, String)>,
    /// Whether the list of tools was read again for it already.
    pub(crate) relisted: bool,
    /// The revision that the server demanded for it.
    pub(crate) revision: Option<Revision>,
    /// Of `subscriptions/listen`: how many notifications came on the stream.
    pub(crate) stream_notifications: u64,
    began: Instant,
    events: EventSender,
    /// Told how it ended; none until somebody watches.
    end: Option<watch::Sender<CallEnd>>,
}

/// What a round of input adds to the params. It belongs to one call and to no other request.
#[derive(Debug)]
pub(crate) struct RoundInput {
    /// Keys as they were written, and JSON texts.
    pub(crate) responses: Vec<(String, String)>,
    /// `requestState`, byte for byte.
    pub(crate) state: Option<String>,
}

impl Call {
    pub(crate) fn new(request: Request, exchange: u64, events: EventSender, timeouts: Timeouts) -> Self {
        Self {
            exchange,
            request,
            timeouts,
            first: None,
            latest: None,
            legs: 0,
            rounds: 0,
            human_wait: Duration::ZERO,
            given: None,
            param_values: Vec::new(),
            relisted: false,
            revision: None,
            stream_notifications: 0,
            began: Instant::now(),
            events,
            end: None,
        }
    }

    /// A leg was sent.
    pub(crate) fn sent(&mut self, seq: Seq) {
        self.first.get_or_insert(seq);
        self.latest = Some(seq);
        self.legs += 1;
        self.send(ExchangeEvent::Sent { seq });
    }

    /// How long it took so far, without the time in which people were asked, unless that counts.
    pub(crate) fn served(&self) -> Duration {
        let waited = match self.timeouts.count_input_wait {
            true => Duration::ZERO,
            false => self.human_wait,
        };
        self.began.elapsed().saturating_sub(waited)
    }

    /// The timeouts of a further request for it: what is left of the total.
    pub(crate) fn timeouts_left(&self) -> Timeouts {
        Timeouts {
            max_total: self.timeouts.max_total.saturating_sub(self.served()),
            ..self.timeouts
        }
    }

    /// Sends an event that happens a bounded number of times.
    pub(crate) fn send(&self, event: ExchangeEvent) {
        self.events.send(event);
    }

    /// Sends an event that a slow reader may miss.
    pub(crate) fn send_if_room(&self, event: impl FnOnce() -> ExchangeEvent) {
        if self.events.room() > RESERVED {
            self.events.send(event());
        }
    }

    /// Closed when it has ended, with how.
    pub(crate) fn watch_end(&mut self) -> watch::Receiver<CallEnd> {
        let end = self.end.get_or_insert_with(|| watch::Sender::new(CallEnd::Ended));
        end.subscribe()
    }

    /// Sends how it ended.
    pub(crate) fn finish(
        self,
        wakes: &DeferredWakes,
        outcome: Outcome,
        response: Option<Answer>,
        advice: Option<String>,
    ) {
        if let Some(end) = &self.end {
            end.send_replace(match outcome {
                Outcome::Cancelled => CallEnd::Cancelled,
                Outcome::TimedOut { .. } => CallEnd::TimedOut,
                _ => CallEnd::Ended,
            });
        }
        let finished = Finished {
            outcome,
            request_seq: self.first,
            response,
            duration: if self.first.is_some() {
                self.began.elapsed()
            } else {
                Duration::ZERO
            },
            human_wait: self.human_wait,
            legs: self.legs,
            advice,
        };
        self.events.finish(finished, wakes);
    }
}
