//! The traffic log: every byte is recorded here before anything else processes it.
//!
//! ```text
//! Recorder (masks secrets) -> bounded queue (numbers) -> writer thread -> SQLite (WAL, one transaction per batch)
//!                                                          `-> index in memory -> views and tails
//! ```
//!
//! Deliberately not here: decoding and pairing (`patchbay-protocol`), and the presentation of rows (`patchbay-contract`,
//! converted in `patchbay-engine`).
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests end with their runtime")
)]

mod disk;
mod error;
mod http;
mod intake;
mod opened;
mod operation;
mod query;
mod record;
mod recorder;
pub mod recording;
mod redact;
mod shared;
mod store;
mod tail;

pub use disk::export::{ExportCursor, ExportPart};
pub use disk::open::set_aside;
pub use disk::quota::{Quota, Usage};
pub use error::{StoreClosed, StoreError, problem_words};
pub use http::{HttpFields, HttpHead, HttpMoment, HttpRecord, HttpStage, HttpTiming, HttpTls};
pub use operation::{FrameContext, NewOperation, Operation};
pub use query::filter::{Filter, FilterError};
pub use record::{
    Answer, ConnectionRef, Description, Direction, Kind, LogClass, NewConnection, OperationId, Origin,
    Record, RecordedViolation, Row, Seq, Severity, Status, Violation,
};
pub use recorder::{HttpBody, LongLine, Recorder};
pub use redact::{has_secret, is_credential_field};
pub use shared::Problem;
pub use store::{Store, StoreOptions};
pub use tail::{Delta, Tail};
