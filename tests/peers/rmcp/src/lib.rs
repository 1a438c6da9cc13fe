//! A server and a client based on rmcp, the official Rust SDK: an independent peer for tests and benchmarks.
//!
//! Deliberately not here: any code of ours. A reference must not share code with what it is compared to.
#![allow(
    clippy::disallowed_methods,
    reason = "a program of the tests or of the build, not of the product"
)]

mod client;
mod http;
mod listeners;
mod server;

pub use client::{Caller, Failure};
pub use http::{Answers, serve_http};
pub use server::{Server, serve};
