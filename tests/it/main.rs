//! Tests across crates: rules for the whole tree, and our programs as a user runs them.
//!
//! One program, so that it is linked once. Deliberately not here: tests of a single crate (beside its code), and the UI in
//! a browser or a window (tests/e2e).
#![allow(
    clippy::disallowed_methods,
    reason = "a program of the tests or of the build, not of the product"
)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod authorization;
mod client;
mod differential;
mod docs;
mod engine;
mod harness;
mod http;
mod observe;
mod programs;
mod source;
