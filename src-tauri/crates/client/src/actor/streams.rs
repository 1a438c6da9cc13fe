//! Streams of notifications (2026-07-28, `basic/patterns/subscriptions`), several at once.

use patchbay_protocol::{
    RequestId, Rule, Violation, meta, methods,
    views::{Cancelled, SubscriptionAcknowledged, SubscriptionFilter},
};
use patchbay_traffic::{Seq, Status as RecordStatus};

use super::Actor;
use crate::{
    ExchangeEvent, Outcome,
    call::Stream,
    pending::{Entry, Purpose},
};

impl Actor {
    /// Gives a notification to the stream it belongs to, and says what is wrong with it. Answers the record of the
    /// stream's request.
    pub(super) fn streamed(
        &mut self,
        method: &str,
        params: Option<&str>,
        seq: Seq,
        reply_to: Option<&RequestId>,
        violations: &mut Vec<Violation>,
    ) -> Option<Seq> {
        let named = meta::subscription_id(params);
        let id = named.as_ref().or(reply_to)?;
        let entry = match id {
            RequestId::Int(id) => self.pending.get_mut(*id),
            _ => None,
        };
        let Some((entry, seq_of)) = entry.and_then(|entry| {
            let seq = entry.seq;
            stream_of(entry).is_some().then_some((entry, seq))
        }) else {
            if named.is_some() {
                let message = format!("no subscription {id} is open");
                violations.push(Violation::new(Rule::SubscriptionUnknown, message));
            }
            return None;
        };
        if method == methods::SUBSCRIPTIONS_ACKNOWLEDGED {
            acknowledge(entry, params, seq, violations);
        } else {
            deliver(entry, method, params, seq, violations);
        }
        Some(seq_of)
    }

    /// The server cancels a request of ours: only a subscription may be ended so.
    pub(super) fn ended_by_server(&mut self, params: Option<&str>, violations: &mut Vec<Violation>) {
        let view = Cancelled::parse(params);
        let number = match view.request_id {
            Some(RequestId::Int(number)) => number,
            _ => return,
        };
        let is_stream = self
            .pending
            .get_mut(number)
            .is_some_and(|entry| stream_of(entry).is_some());
        if !is_stream {
            if self.pending.get_mut(number).is_some() {
                let message = "a server may cancel nothing but a subscription";
                violations.push(Violation::new(Rule::ServerCancelled, message));
            }
            return;
        }
        let Some(entry) = self.pending.remove(number) else {
            return;
        };
        let reason = view.reason.map(std::borrow::Cow::into_owned);
        self.give_up(number, entry, Outcome::EndedByServer(reason), RecordStatus::Ok);
    }
}

fn stream_of(entry: &mut Entry) -> Option<&mut Stream> {
    match &mut entry.purpose {
        Purpose::Exchange(call) => call.stream.as_deref_mut(),
        _ => None,
    }
}

fn acknowledge(entry: &mut Entry, params: Option<&str>, seq: Seq, violations: &mut Vec<Violation>) {
    let view = SubscriptionAcknowledged::parse(params);
    violations.extend(view.violations);
    let text = view.granted.unwrap_or("{}");
    let mut granted = SubscriptionFilter::parse(text);
    violations.append(&mut granted.violations);
    entry.stays_open();
    let Purpose::Exchange(call) = &mut entry.purpose else {
        return;
    };
    if let Some(stream) = call.stream.as_deref_mut() {
        let beyond = granted.beyond(&stream.asked);
        if !beyond.is_empty() {
            let message = format!("it grants more than was asked for: {}", beyond.join(", "));
            let pointer = "/params/notifications";
            violations.push(Violation::at(Rule::SubscriptionBeyondFilter, pointer, message));
        }
        stream.granted = Some(granted.into_owned());
    }
    call.tell(ExchangeEvent::Acknowledged {
        seq,
        granted: text.into(),
    });
}

fn deliver(entry: &mut Entry, method: &str, params: Option<&str>, seq: Seq, violations: &mut Vec<Violation>) {
    let Purpose::Exchange(call) = &mut entry.purpose else {
        return;
    };
    let Some(stream) = call.stream.as_deref_mut() else {
        return;
    };
    stream.count += 1;
    let count = stream.count;
    match &stream.granted {
        None => {
            let message = format!("{method} before the subscription was acknowledged");
            violations.push(Violation::new(Rule::SubscriptionBeforeAcknowledged, message));
        }
        Some(granted) if !(stream.asked.covers(method, params) && granted.covers(method, params)) => {
            let message = format!("{method} is not among what this subscription asked for and was granted");
            violations.push(Violation::new(Rule::SubscriptionUninvited, message));
        }
        Some(_) => {}
    }
    call.mention(|| ExchangeEvent::Notified {
        seq,
        method: method.into(),
        count,
    });
}
