//! What the bytes on a connection mean.
//!
//! Pure: no I/O, no clock, no runtime. A live connection, a recording that is read back and a check of a transcript drive the
//! same [`Observer`], so the same bytes give the same descriptions, pairing and violations. Deliberately not here: what
//! follows from a message (answers, timeouts, retries), which is the client's.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod agreement;
mod check;
mod crossing;
mod description;
mod observer;
mod requests;
mod results;
mod streams;

pub use check::{Finding, Transcript, TranscriptFrame, check};
pub use crossing::{Crossing, HttpContext};
pub use description::{Answer, Description, Kind, LogClass, OperationId, Seq, Status};
pub use observer::{Meaning, Observed, ObservedFrame, Observer};
pub use results::{Examination, InputRound, ResultKind};
pub use streams::StreamEvent;
