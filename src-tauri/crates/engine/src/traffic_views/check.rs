//! A recording checked against the specification, without a store and without a server.

use std::collections::BTreeMap;
use std::io::BufRead;

use patchbay_observe::{Transcript, TranscriptFrame};
use patchbay_protocol::Severity;
use patchbay_traffic::recording::{self, RecordingError};

/// A violation in a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingViolation {
    /// The number of the record.
    pub seq: u64,
    /// Whether a MUST was broken (or the message cannot be decoded); if not, a SHOULD.
    pub is_error: bool,
    /// The rule's id.
    pub rule: &'static str,
    /// What is wrong, in a sentence.
    pub message: String,
    /// JSON pointer to the place in the message, if it is in one place.
    pub pointer: Option<String>,
    /// The clause of the agreed revision: an address on the specification's site.
    pub spec: String,
}

/// Checks a recording (`--record`, or an export of the log), connection by connection, in the order of its lines. Each violation
/// is handed to `found`. Returns how many frames were checked; lines of stderr are not.
///
/// # Errors
/// A line cannot be read, which the error names.
pub fn check_recording(
    recording: impl BufRead,
    mut found: impl FnMut(RecordingViolation),
) -> Result<u64, RecordingError> {
    let mut connections: BTreeMap<i64, Transcript> = BTreeMap::new();
    let mut frames = 0;
    for frame in recording::read(recording) {
        let frame = frame?;
        let Some(direction) = frame.direction else {
            continue;
        };
        frames += 1;
        let transcript = connections.entry(frame.connection).or_default();
        let findings = transcript.frame(&TranscriptFrame {
            seq: frame.seq,
            direction,
            at_ns: frame.at_ns,
            bytes: &frame.bytes,
            http: frame.http.map(|http| (http.exchange, http.status, http.reply_to)),
            operation: frame.operation,
            members: &frame.members,
        });
        for finding in findings {
            for violation in finding.description.violations {
                found(RecordingViolation {
                    seq: finding.seq,
                    is_error: violation.rule.severity() == Severity::Error,
                    rule: violation.rule.id(),
                    spec: violation.spec(),
                    message: violation.message,
                    pointer: violation.pointer,
                });
            }
        }
    }
    Ok(frames)
}
