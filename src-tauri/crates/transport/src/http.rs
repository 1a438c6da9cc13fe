//! MCP over HTTP: Streamable HTTP of both eras, and HTTP+SSE.
//!
//! ```text
//! HttpLink::send -> record -> lane -> post ──┐ one future per message, all polled by HttpLink::next: no tasks
//!                                     listen ├─> events (bounded) -> HttpLink::next
//!                                        sse ┘
//! ```
//!
//! - `post`: the exchange of one message, from its POST to its response, over any number of resuming GETs.
//! - `listen`: the GET stream of a legacy session. `sse_stream`: the one stream of HTTP+SSE.
//! - `events`: the messages of an event stream, recorded. `answer`: other bodies.
//! - `requests`: headers, and requests without a message.
//! - `shared`: the state that all of them share, including [`crate::Link::about`].
//!
//! - `authorized`: requests that are refused without a token, and their repetition with one.
//!
//! A message is repeated in one case only: refused with 401, or with 403 and `insufficient_scope`, it did not run.
//! (`patchbay-http` may choose another connection as long as no byte of a request was written.) Interrupted streams are
//! resumed with GET, which has no side effects.

mod answer;
mod authorized;
mod config;
mod events;
mod link;
mod listen;
mod post;
mod reconnect;
mod requests;
mod shared;
mod sse_stream;

pub use config::{HttpConfig, HttpKind};
pub use reconnect::Reconnect;

/// The notification before which a server may refuse all other messages.
const INITIALIZED: &str = "notifications/initialized";

#[cfg(test)]
mod tests;
