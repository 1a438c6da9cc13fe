//! Observation in three ways: the records of a live connection, the recording read back, and a check of the bare frames
//! agree about every message: its kind, its pair, its violations.
//!
//! The live connection observes while it exchanges messages; it has its own code around `Observer`. The other two share
//! theirs: `check` is a wrapper around `Transcript`, and both get the frames of the same recording. They differ only in how
//! they are driven, frame by frame or all frames at once.
//!
//! There is a session with every script, behaviour and tool of `patchbay-test-server`, none excluded: the names are from the
//! tables that it serves them from, so a new one is compared without a change here. Deliberately not here: the variants of
//! its OAuth mode, whose own traffic is not JSON-RPC.

mod comparison;
mod sessions;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use patchbay_client::EraChoice;
use patchbay_test_server as servers;
use tokio::{sync::Semaphore, task::JoinSet, time::timeout};

use crate::client::{run_test, session::Session};
use comparison::compare;
use sessions::User;

/// How many sessions are open at a time: most of them wait for timeouts.
const AT_A_TIME: usize = 24;
/// The limit of one session.
const PATIENCE: Duration = Duration::from_secs(40);

/// Drives a session with each of these names in each of these ways, and compares its traffic. Returns the rules that are
/// violated.
fn every<W, F>(
    names: impl Iterator<Item = &'static str>,
    ways: &[W],
    drive: impl Fn(&'static str, W) -> F,
) -> BTreeSet<String>
where
    W: Copy + std::fmt::Debug,
    F: Future<Output = Session> + Send + 'static,
{
    run_test(async {
        let places = Arc::new(Semaphore::new(AT_A_TIME));
        let mut sessions = JoinSet::new();
        for name in names {
            for way in ways {
                let places = Arc::clone(&places);
                let (session, what) = (drive(name, *way), format!("{name}, {way:?}"));
                sessions.spawn(async move {
                    let _place = places.acquire().await.unwrap();
                    let session = timeout(PATIENCE, session).await;
                    let session = session.unwrap_or_else(|_| {
                        panic!("{what} did not end: if it does not respond, add it to the silent ones")
                    });
                    compare(&session, &what).await
                });
            }
        }
        sessions.join_all().await.into_iter().flatten().collect()
    })
}

const ERAS: &[EraChoice] = &[EraChoice::Auto, EraChoice::Modern, EraChoice::Legacy];
const CALLS: &[(EraChoice, User)] = &[
    (EraChoice::Modern, User::Nobody),
    (EraChoice::Modern, User::Accepts),
    (EraChoice::Legacy, User::Nobody),
    (EraChoice::Legacy, User::Accepts),
];

#[test]
fn every_script_over_stdio_is_reported_equally() {
    every(servers::scripts(), ERAS, sessions::script);
}

#[test]
fn every_tool_over_stdio_is_reported_equally() {
    let rules = every(servers::tools(), CALLS, |name, (era, user)| {
        sessions::tool(name, era, user)
    });
    // The misbehavior is really reported, not only equally.
    assert!(rules.len() > 20, "only {rules:?}");
}

#[test]
fn every_behaviour_over_http_is_reported_equally() {
    every(servers::http::behaviours(), ERAS, sessions::behaviour);
}

#[test]
fn every_tool_over_http_is_reported_equally() {
    let rules = every(servers::http::tools(), CALLS, |name, (era, user)| {
        sessions::http_tool(name, era, user)
    });
    assert!(rules.len() > 6, "only {rules:?}");
}

#[test]
fn the_silent_ones_exist() {
    let none: &[&str] = &[];
    let gone = |silent: &[&[&'static str]], names: Vec<&str>| {
        let gone = silent.concat().into_iter().filter(|name| !names.contains(name));
        gone.collect::<Vec<_>>()
    };
    let (scripts, tools) = (servers::scripts(), servers::tools());
    assert_eq!(gone(&[sessions::SILENT_SCRIPTS], scripts.collect()), none);
    let silent = [sessions::SILENT_TOOLS, sessions::WAITING_TOOLS];
    assert_eq!(gone(&silent, tools.collect()), none);
    let (behaviours, tools) = (servers::http::behaviours(), servers::http::tools());
    assert_eq!(gone(&[sessions::SILENT_BEHAVIOURS], behaviours.collect()), none);
    let silent = [sessions::SILENT_HTTP_TOOLS, sessions::UNHEARD_HTTP_TOOLS];
    assert_eq!(gone(&silent, tools.collect()), none);
}
