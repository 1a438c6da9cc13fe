//! Checks a recording against the specification, without a store or a server.

use std::collections::BTreeMap;
use std::io::BufRead;

use patchbay_observe::{Exported, RecordedConnection, TranscriptFrame};
use patchbay_protocol::Severity;
use patchbay_traffic::recording::{self, RecordingError};

/// A violation in a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingViolation {
    /// The number of the record.
    pub seq: u64,
    /// Whether a MUST was broken (or the message cannot be decoded); otherwise a SHOULD.
    pub is_error: bool,
    /// The rule's id.
    pub rule: &'static str,
    /// The problem, in a sentence.
    pub message: String,
    /// JSON pointer to the location in the message, if there is a single one.
    pub pointer: Option<String>,
    /// The clause of the negotiated revision: a URL of the specification.
    pub spec: String,
}

/// What was checked of a recording.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedRecording {
    /// The number of frames; stderr lines are not counted.
    pub frames: u64,
    /// The connections that begin in the middle or have gaps, as in an export of some rows: rules that need earlier messages were
    /// left out.
    pub incomplete: Vec<i64>,
}

/// Checks a recording (`--record`, or an export of the log), connection by connection, in order of its lines. Calls `found`
/// with each violation.
///
/// # Errors
/// A line cannot be read; the error names it.
pub fn check_recording(
    recording: impl BufRead,
    mut found: impl FnMut(RecordingViolation),
) -> Result<CheckedRecording, RecordingError> {
    let mut connections: BTreeMap<i64, RecordedConnection> = BTreeMap::new();
    let mut frames = 0;
    for frame in recording::read(recording) {
        let frame = frame?;
        let Some(direction) = frame.direction else {
            continue;
        };
        frames += 1;
        let connection = connections.entry(frame.connection).or_default();
        let exported = Exported {
            is_masked: frame.is_masked,
            is_filtered: frame.is_filtered,
        };
        let sent = TranscriptFrame {
            seq: frame.seq,
            direction,
            at_ns: frame.at_ns,
            bytes: &frame.bytes,
            http: frame.http.map(|http| (http.exchange, http.status, http.reply_to)),
            operation: frame.operation,
            members: &frame.members,
        };
        let violations = connection.frame(&sent, exported);
        for (seq, violation) in violations {
            found(RecordingViolation {
                seq,
                is_error: violation.rule.severity() == Severity::Error,
                rule: violation.rule.id(),
                spec: violation.spec(),
                message: violation.message,
                pointer: violation.pointer,
            });
        }
    }
    let partial = connections
        .into_iter()
        .filter(|(_, connection)| connection.is_incomplete());
    Ok(CheckedRecording {
        frames,
        incomplete: partial.map(|(number, _)| number).collect(),
    })
}
