//! What the bytes on a connection mean.
//!
//! Pure: no I/O, no clock, no runtime. A live connection, a recording that is read back and a check of a transcript use the
//! same code, so the same bytes give the same descriptions, pairing and violations.

mod description;

pub use description::{Answer, Description, Kind, OperationId, Seq, Status};
