//! A connection of a recording. It may begin in the middle or have gaps, if the recording is an export of selected or filtered
//! rows: then valid messages look wrong, because those that they belong to are missing.

use patchbay_protocol::{
    Direction, Era, Revision, Rule, Violation, json,
    message::{Message, Text},
    meta, methods,
};

use super::{Transcript, TranscriptFrame};
use crate::Seq;

/// The maximum number of violations that are held back until it is known how the connection begins.
const HELD: usize = 10_000;

/// How a frame was exported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exported {
    /// Secrets in it were masked, so that some values are not those that were sent.
    pub is_masked: bool,
    /// Frames between others of the connection may have been left out.
    pub is_filtered: bool,
}

/// Checks one connection of a recording, frame by frame. Without the beginning of the connection, and where a filter left out
/// others, rules that need earlier messages are left out.
#[derive(Debug, Default)]
pub struct RecordedConnection {
    transcript: Transcript,
    beginning: Beginning,
    /// Whether frames may be missing after the beginning too.
    is_filtered: bool,
    /// What is wrong only if nothing is missing, in frames before the first one of the client.
    held: Vec<(Seq, Violation)>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// The client has sent nothing yet.
    #[default]
    Unknown,
    Handshake,
    Missing,
}

impl RecordedConnection {
    /// Creates the state before the first frame.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks the next frame. Returns the violations that are known now, each with the number of its message; some may be in
    /// frames before the first one of the client.
    pub fn frame(&mut self, frame: &TranscriptFrame<'_>, exported: Exported) -> Vec<(Seq, Violation)> {
        if frame.direction == Direction::ClientToServer {
            self.begin(frame.bytes);
        }
        if exported.is_filtered {
            self.is_filtered = true;
            self.held.clear();
        }
        let mut found = match self.beginning {
            Beginning::Handshake => std::mem::take(&mut self.held),
            Beginning::Unknown | Beginning::Missing => Vec::new(),
        };
        for finding in self.transcript.frame(frame) {
            let as_sent = |violation: &Violation| !(exported.is_masked && is_of_characters(violation.rule));
            for violation in finding.description.violations.into_iter().filter(as_sent) {
                let is_whole = self.beginning == Beginning::Handshake && !self.is_filtered;
                let is_certain = is_whole || !needs_more(&violation, self.transcript.observer.revision());
                match self.beginning {
                    _ if is_certain => found.push((finding.seq, violation)),
                    Beginning::Unknown if !self.is_filtered => self.held.push((finding.seq, violation)),
                    Beginning::Unknown | Beginning::Handshake | Beginning::Missing => {}
                }
            }
        }
        if self.held.len() > HELD {
            self.beginning = Beginning::Missing;
            self.held.clear();
        }
        found
    }

    /// After the last frame: whether it begins in the middle or has gaps, so that rules were left out.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        match self.beginning {
            _ if self.is_filtered => true,
            Beginning::Unknown => !self.held.is_empty(),
            Beginning::Handshake => false,
            Beginning::Missing => true,
        }
    }

    /// Learns from a frame of the client how the connection began.
    fn begin(&mut self, bytes: &[u8]) {
        let is_settled = match self.beginning {
            Beginning::Unknown => false,
            Beginning::Handshake => true,
            Beginning::Missing => self.transcript.observer.revision().is_some(),
        };
        if is_settled {
            return;
        }
        let text = Text::of(bytes);
        let messages = text.decode().messages;
        let requests = || {
            messages.iter().filter_map(|located| match &located.message {
                Message::Request { method, params, .. } => Some((method, *params)),
                _ => None,
            })
        };
        let is_handshake = |method: &str| matches!(method, methods::INITIALIZE | methods::SERVER_DISCOVER);
        if self.beginning == Beginning::Unknown {
            if requests().next().is_some_and(|(method, _)| is_handshake(method)) {
                self.beginning = Beginning::Handshake;
                return;
            }
            self.beginning = Beginning::Missing;
            self.held.clear();
        }
        // Every request of the modern era says its revision.
        if let Some(revision) = requests().find_map(|(_, params)| modern(params)) {
            self.transcript.observer.assume(revision);
        }
    }
}

/// The modern revision that a request is of.
fn modern(params: Option<&str>) -> Option<Revision> {
    let name = json::string(meta::member(params, meta::PROTOCOL_VERSION)?)?;
    Revision::parse(&name).filter(|revision| revision.era() == Era::Modern)
}

/// Whether a rule judges the characters of a value, which are others where a secret was masked.
fn is_of_characters(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::ContentBase64
            | Rule::MemberValue
            | Rule::IconSource
            | Rule::MetaKeyName
            | Rule::ToolNameCharacters
            | Rule::ToolHeaderInvalid
    )
}

/// Whether something is wrong only if no earlier message is missing.
fn needs_more(violation: &Violation, revision: Option<Revision>) -> bool {
    match violation.rule {
        // What it belongs to may be missing: a request (also one that could not be read), a subscription, an acknowledgement.
        Rule::UnknownResponse
        | Rule::ResponseWithoutId
        | Rule::CancelUnknown
        | Rule::ProgressUnknownToken
        | Rule::SubscriptionUnknown
        | Rule::SubscriptionBeforeAcknowledged
        // The response that made the id free again.
        | Rule::DuplicateId
        | Rule::IdReused
        | Rule::ProgressTokenReused
        // The handshake, with what was declared in it.
        | Rule::BeforeInitialized
        | Rule::UndeclaredCapability
        // The level that was asked for.
        | Rule::LogBelowLevel
        | Rule::LogUninvited => true,
        // Without a handshake nobody knows whether the revision has the rule.
        rule => revision.is_none() && !Revision::ALL.into_iter().all(|revision| rule.applies(revision)),
    }
}

#[cfg(test)]
mod tests;
