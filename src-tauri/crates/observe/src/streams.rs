//! Notification streams of the modern era (2026-07-28, `basic/patterns/subscriptions`): what each requested and was
//! granted, and notifications that match neither.

use std::collections::HashMap;

use patchbay_protocol::{
    RequestId, Rule, Violation, meta, methods,
    pairing::Pairing,
    views::{SubscriptionAcknowledged, SubscriptionFilter},
};

use crate::Seq;

/// The meaning of a notification for its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamEvent<'a> {
    /// The server opened the stream; JSON text of the granted notifications.
    Acknowledged {
        /// `notifications`, as received.
        granted: &'a str,
    },
    /// A notification of the stream.
    Notified,
}

/// The open streams of a connection, by the id of their request.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    open: HashMap<RequestId, Stream>,
}

#[derive(Debug)]
struct Stream {
    seq: Seq,
    asked: SubscriptionFilter<'static>,
    /// Known after the acknowledgement.
    granted: Option<SubscriptionFilter<'static>>,
}

impl Streams {
    pub(crate) fn open(&mut self, id: &RequestId, seq: Seq, params: Option<&str>) {
        let asked = SubscriptionFilter::of_request(params).into_owned();
        let stream = Stream {
            seq,
            asked,
            granted: None,
        };
        self.open.insert(id.clone(), stream);
    }

    /// Ends a stream. Returns whether it was open.
    pub(crate) fn close(&mut self, id: &RequestId) -> bool {
        self.open.remove(id).is_some()
    }

    /// Finds the stream of a notification and adds its violations. `reply_to` is the request whose HTTP response carried
    /// it.
    pub(crate) fn notified<'a>(
        &mut self,
        (method, params): (&str, Option<&'a str>),
        reply_to: Option<&RequestId>,
        pairing: &Pairing,
        violations: &mut Vec<Violation>,
    ) -> Option<(Seq, RequestId, StreamEvent<'a>)> {
        let named = meta::subscription_id(params);
        let id = named.as_ref().or(reply_to)?;
        let Some(stream) = self.open.get_mut(id) else {
            if named.is_some() && !pairing.is_unsubscribed(id) {
                let message = format!("no subscription {id} is open");
                violations.push(Violation::new(Rule::SubscriptionUnknown, message));
            }
            return None;
        };
        let event = if method == methods::SUBSCRIPTIONS_ACKNOWLEDGED {
            stream.acknowledge(params, violations)
        } else {
            stream.check(method, params, violations);
            StreamEvent::Notified
        };
        Some((stream.seq, id.clone(), event))
    }
}

impl Stream {
    fn acknowledge<'a>(
        &mut self,
        params: Option<&'a str>,
        violations: &mut Vec<Violation>,
    ) -> StreamEvent<'a> {
        let view = SubscriptionAcknowledged::parse(params);
        violations.extend(view.violations);
        let text = view.granted.unwrap_or("{}");
        let mut granted = SubscriptionFilter::parse(text);
        violations.append(&mut granted.violations);
        let beyond = granted.beyond(&self.asked);
        if !beyond.is_empty() {
            let message = format!("it grants more than was requested: {}", beyond.join(", "));
            let pointer = "/params/notifications";
            violations.push(Violation::at(Rule::SubscriptionBeyondFilter, pointer, message));
        }
        self.granted = Some(granted.into_owned());
        StreamEvent::Acknowledged { granted: text }
    }

    fn check(&self, method: &str, params: Option<&str>, violations: &mut Vec<Violation>) {
        match &self.granted {
            None => {
                let message = format!("{method} before the subscription was acknowledged");
                violations.push(Violation::new(Rule::SubscriptionBeforeAcknowledged, message));
            }
            Some(granted) if !(self.asked.covers(method, params) && granted.covers(method, params)) => {
                let message = format!(
                    "{method} is not among the notifications this subscription requested and was granted"
                );
                violations.push(Violation::new(Rule::SubscriptionUninvited, message));
            }
            Some(_) => {}
        }
    }
}
