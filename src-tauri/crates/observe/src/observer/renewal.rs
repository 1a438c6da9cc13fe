//! A handshake on a connection that is in use: of a new session, or sent by hand to see what the server says. Until the client
//! goes on with it, all other messages belong to the first handshake.

use patchbay_protocol::{
    Direction, Era, RequestId, Violation,
    checks::Conversation,
    limits::Limits,
    message::{Message, Outcome},
    methods,
    pairing::Pending,
};

use super::Observer;
use crate::{Crossing, agreement::Agreement};

/// Whether a connection is in use, and a handshake that may begin it once more.
#[derive(Debug, Default)]
pub(super) struct Renewal {
    /// The client goes on with what was negotiated.
    in_use: bool,
    /// Observes a later `initialize` and its response.
    aside: Option<Box<Observer>>,
}

impl Renewal {
    /// Whether the client goes on with what it declared in the handshake.
    pub(super) fn is_in_use(&self) -> bool {
        self.in_use
    }

    /// The observer of the connection from a later handshake on, which the client now goes on with.
    pub(super) fn adopted(&mut self, direction: Direction, message: &Message<'_>) -> Option<Observer> {
        let goes_on = direction == Direction::ClientToServer
            && matches!(message, Message::Notification { method, .. } if *method == methods::INITIALIZED);
        let is_agreed = |aside: &mut Box<Observer>| goes_on && aside.era().is_some();
        self.aside.take_if(is_agreed).map(|aside| *aside)
    }

    /// The observer for a message of a later handshake. None for all others.
    pub(super) fn aside(
        &mut self,
        crossing: &Crossing<'_>,
        message: &Message<'_>,
        limits: Limits,
    ) -> Option<&mut Observer> {
        match (crossing.direction, message) {
            (Direction::ClientToServer, Message::Request { method, .. })
                if self.in_use && *method == methods::INITIALIZE =>
            {
                let aside = self
                    .aside
                    .get_or_insert_with(|| Box::new(Observer::within(limits)));
                Some(&mut **aside)
            }
            (Direction::ServerToClient, Message::Response { id, .. }) => {
                self.of(id.as_ref().or_else(|| crossing.reply_to())?)
            }
            _ => None,
        }
    }

    /// The observer of a later handshake whose request has this id.
    pub(super) fn of(&mut self, id: &RequestId) -> Option<&mut Observer> {
        let is_open = |aside: &&mut Box<Observer>| aside.pairing.is_open(Direction::ClientToServer, id);
        self.aside.as_mut().filter(is_open).map(|aside| &mut **aside)
    }

    /// After a message, with the era then.
    pub(super) fn seen(&mut self, direction: Direction, message: &Message<'_>, era: Option<Era>) {
        if direction != Direction::ClientToServer {
            return;
        }
        let handshake = [methods::INITIALIZE, methods::SERVER_DISCOVER];
        self.in_use |= match (era, message) {
            (Some(Era::Legacy), Message::Notification { method, .. }) => *method == methods::INITIALIZED,
            (Some(Era::Modern), Message::Request { method, .. }) => !handshake.contains(&&**method),
            _ => false,
        };
    }

    /// Removes the pending requests of a later handshake.
    pub(super) fn drain(&mut self) -> Vec<Pending> {
        self.aside
            .take()
            .map(|mut aside| aside.drain())
            .unwrap_or_default()
    }
}

impl Observer {
    /// Reads the response to a handshake request and returns its violations. A client that is in a legacy session goes on with
    /// that. A modern client may ask what the server offers by now.
    pub(super) fn handshake_answered(&mut self, method: &str, outcome: &Outcome<'_>) -> Vec<Violation> {
        if self.renewal.in_use && self.agreement.era == Some(Era::Legacy) {
            let (mut other, mut conversation) = (Agreement::default(), Conversation::new());
            return other.answered(method, outcome, &mut conversation);
        }
        self.agreement.answered(method, outcome, &mut self.conversation)
    }
}

#[cfg(test)]
mod tests;
