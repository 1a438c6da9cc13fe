//! Splits the bytes of a pipe into frames: lines. Independent of connections and the store, so that live links, taps and
//! imports share it. The events of a `text/event-stream` are parsed by `patchbay_http::sse`.

pub mod lines;
