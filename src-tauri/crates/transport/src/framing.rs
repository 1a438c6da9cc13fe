//! Bytes cut into frames: lines of a pipe, events of a `text/event-stream`. Neither knows a connection or a store, so that
//! whatever has the bytes (a link, a tap, an import) cuts them in the same way.

pub mod lines;
pub mod sse;
