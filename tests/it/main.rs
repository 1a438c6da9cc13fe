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

mod architecture;
mod authorization;
mod circles;
mod client;
mod command_line;
mod contract;
mod dependencies;
mod differential;
mod engine;
mod harness;
mod http;
mod leftovers;
mod observe;
mod page;
mod programs;
mod proxy;
mod real_peers;
mod recordings;
mod secure;
mod shape;
mod tidy;
mod tree;
