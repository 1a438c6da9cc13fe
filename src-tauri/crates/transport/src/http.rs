//! MCP over HTTP: Streamable HTTP of both eras, and HTTP+SSE.
//!
//! ```text
//! HttpLink::send -> record -> line -> post ──┐ one future per message, all polled by HttpLink::next: no tasks
//!                                     listen ├─> events (bounded) -> HttpLink::next
//!                                        sse ┘
//! ```
//!
//! - `post`: one message's exchange, from its POST to its answer, over as many GETs as a server makes of it.
//! - `listen`: the GET stream of a legacy session. `sse_stream`: the one stream of HTTP+SSE.
//! - `events`: an event stream's messages, recorded. `answer`: other bodies.
//! - `requests`: headers, and requests without a message.
//! - `shared`: what all of them know, and what [`crate::Link::about`] tells.
//!
//! - `authorized`: what the server refuses without a token, and sending it again with one.
//!
//! A message is sent again in one case only: refused with 401, or with 403 and `insufficient_scope`, it did not run.
//! (`patchbay-http` may choose another connection as long as not a byte of a request was written.) Streams are taken up again where they broke off, by GET, which runs nothing.

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

#[cfg(test)]
mod tests;
