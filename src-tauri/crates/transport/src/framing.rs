//! Splits bytes into frames: lines of a pipe, events of a `text/event-stream`. Independent of connections and the store, so
//! that live links, taps and imports share it.

pub mod lines;
pub mod sse;
