//! Recordings: the log as JSON lines, one per frame and per line of stderr.
//!
//! [`crate::Store::export_jsonl`] writes them and [`read`] reads them. Deliberately not here: decoding. Recorded frames are
//! observed in the same way as those of a live connection.

use std::borrow::Cow;
use std::io::{BufRead, Read};
use std::ops::Not;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::{Direction, OperationId, Seq};

/// The maximum length of a line, in bytes: the longest frame, with every byte escaped.
const LONGEST: u64 = 1 << 30;

/// One line of a recording.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Line<'a> {
    pub(crate) seq: Seq,
    pub(crate) at_ms: f64,
    pub(crate) connection: i64,
    #[serde(borrow)]
    pub(crate) dir: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) raw_base64: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) http: Option<RecordedHttp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) operation: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) members: Vec<Seq>,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(crate) masked: bool,
    #[serde(default, skip_serializing_if = "Not::not")]
    pub(crate) filtered: bool,
}

/// The HTTP exchange that carried a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordedHttp {
    /// The number of the exchange. Frames of the same exchange have the same number.
    pub exchange: Seq,
    /// The response's status code; `None` for a sent frame, and without a response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The frame in the exchange's request; `None` for that frame itself, and for a stream that no frame opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<Seq>,
}

/// A frame or a line of stderr in a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedFrame {
    /// Its number in the log it was exported from.
    pub seq: Seq,
    /// The number of its connection in that log.
    pub connection: i64,
    /// The direction; `None` for a line of stderr.
    pub direction: Option<Direction>,
    /// The time, in ns since the Unix epoch, with microsecond precision.
    pub at_ns: u64,
    /// The bytes.
    pub bytes: Bytes,
    /// The HTTP exchange that carried it.
    pub http: Option<RecordedHttp>,
    /// The operation it belongs to.
    pub operation: Option<OperationId>,
    /// For a frame with several messages: their numbers, in order.
    pub members: Vec<Seq>,
    /// Whether secrets in it were masked.
    pub is_masked: bool,
    /// Whether other frames of its connection may have been left out, because a filter did not match them.
    pub is_filtered: bool,
}

/// Why a line of a recording cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// The rest of the file cannot be read.
    #[error("cannot read the recording: {0}")]
    Read(#[from] std::io::Error),
    /// The line is not a frame of a recording. The following lines can still be read.
    #[error("line {line} of the recording is not a frame: {cause}")]
    Line {
        /// The line number, starting at 1.
        line: u64,
        /// The problem.
        cause: String,
    },
}

/// Reads a recording line by line. Empty lines are skipped; an unreadable line yields an error.
pub fn read(from: impl BufRead) -> impl Iterator<Item = Result<RecordedFrame, RecordingError>> {
    let mut from = from;
    let mut line = 0;
    let mut ended = false;
    let mut buffer = Vec::new();
    std::iter::from_fn(move || {
        while !ended {
            buffer.clear();
            line += 1;
            match (&mut from).take(LONGEST).read_until(b'\n', &mut buffer) {
                Ok(0) => ended = true,
                Ok(_) if buffer.len() as u64 == LONGEST && !buffer.ends_with(b"\n") => {
                    ended = true;
                    let cause = format!("it is longer than {LONGEST} bytes");
                    return Some(Err(RecordingError::Line { line, cause }));
                }
                Ok(_) if buffer.trim_ascii().is_empty() => {}
                Ok(_) => {
                    return Some(
                        frame(buffer.trim_ascii()).map_err(|cause| RecordingError::Line { line, cause }),
                    );
                }
                Err(error) => {
                    ended = true;
                    return Some(Err(error.into()));
                }
            }
        }
        None
    })
}

fn frame(line: &[u8]) -> Result<RecordedFrame, String> {
    let line: Line<'_> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let direction = match &*line.dir {
        "clientToServer" => Some(Direction::ClientToServer),
        "serverToClient" => Some(Direction::ServerToClient),
        "stderr" => None,
        other => return Err(format!("\"{other}\" is not a direction")),
    };
    let bytes = match (line.raw, line.raw_base64) {
        (Some(text), None) => Bytes::from(text.into_owned()),
        (None, Some(text)) => STANDARD.decode(text).map_err(|error| error.to_string())?.into(),
        _ => return Err("it needs either \"raw\" or \"rawBase64\"".to_owned()),
    };
    Ok(RecordedFrame {
        seq: line.seq,
        connection: line.connection,
        direction,
        at_ns: ((line.at_ms * 1000.0).round() as u64).saturating_mul(1000),
        bytes,
        http: line.http,
        operation: line.operation.map(OperationId),
        members: line.members,
        is_masked: line.masked,
        is_filtered: line.filtered,
    })
}

#[cfg(test)]
mod tests;
