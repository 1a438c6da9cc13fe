//! The meaning of the bytes on a connection.
//!
//! Pure: no I/O, no clock, no runtime. Live connections, recordings and transcript checks use the same [`Observer`], so the
//! same bytes yield the same descriptions, pairing and violations. Deliberately not here: reactions to messages (responses,
//! timeouts, retries), which are the client's task.
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod agreement;
mod check;
mod crossing;
mod description;
mod observer;
mod related_task;
mod requests;
mod results;
mod streams;

pub use check::{Exported, Finding, RecordedConnection, Transcript, TranscriptFrame, check};
pub use crossing::{Crossing, HttpContext};
pub use description::{Answer, Description, Kind, LogClass, OperationId, Seq, Status};
pub use observer::{Meaning, Observed, ObservedFrame, Observer};
pub use results::{Examination, InputRound, ResultKind};
pub use streams::StreamEvent;
