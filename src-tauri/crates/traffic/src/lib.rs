//! The traffic log: every byte that crosses is recorded here before anybody else sees it.
//!
//! ```text
//! Recorder (masks secrets) -> bounded queue (numbers) -> writer thread -> SQLite (WAL, one transaction a batch)
//!                                                          `-> index in memory -> views and tails
//! ```
//!
//! Deliberately not here: decoding and pairing (`patchbay-protocol`), and what a row looks like to the window
//! (`patchbay-contract`, converted in `patchbay-engine`).

mod error;
mod filter;
mod record;
mod recorder;
mod redact;
mod store;
mod tail;

pub use error::{StoreClosed, StoreError};
pub use filter::Filter;
pub use record::{
    Answer, ConnectionRef, Description, Direction, Kind, NewConnection, Record, RecordedViolation, Row, Seq,
    Severity, Status, Violation,
};
pub use recorder::{Problem, Recorder};
pub use redact::Secret;
pub use store::{Store, StoreOptions, set_aside};
pub use tail::{Delta, Tail};
