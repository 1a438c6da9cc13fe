//! What a connected server gets when it asks for its roots: the folders of its settings as they are now.
//!
//! A folder is sent if the user chose or allowed it for this server, and if it can be read: "validate root accessibility
//! before exposing" (client/roots, implementation guidelines). One that is gone is therefore left out, not sent: a server
//! would fail with it at some later time, and could not tell a typing error from a drive that is not connected. The answer
//! never waits for a person.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use patchbay_config::Server;
use patchbay_contract::{FolderState, RootConsent, RootItem, RootsGetResponse, RootsRule, ServerId};

use super::{checks::FolderChecks, entries, entries::Entry, store::RootStore};
use crate::{convert, dispatch::nudges::Topic};

/// The roots of a server, during one connection.
#[derive(Debug)]
pub(crate) struct LiveRoots {
    server: ServerId,
    pub(crate) store: Arc<RootStore>,
    checks: FolderChecks,
    state: Mutex<State>,
    /// Held from looking at the folders until what was found is the known list, so that the newest is known last.
    looking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    /// None if the settings have no rule.
    rule: Option<RootsRule>,
    /// The list that the server was given, or that it would have been given when it could last know of a change.
    known: Option<String>,
    asked_at: Option<SystemTime>,
    /// The folders as last seen.
    seen: Vec<(Entry, FolderState)>,
}

/// An answer to `roots/list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RootsAnswer {
    /// The result.
    pub(crate) json: String,
    /// The rule, with what was left out.
    pub(crate) rule: String,
}

impl LiveRoots {
    pub(crate) fn new(server: ServerId, rule: Option<RootsRule>, store: Arc<RootStore>) -> Self {
        Self {
            server,
            store,
            checks: FolderChecks::default(),
            state: Mutex::new(State {
                rule,
                ..State::default()
            }),
            looking: tokio::sync::Mutex::default(),
        }
    }

    /// The roots of a server that is being connected.
    pub(crate) fn of(server: &Server, store: &Arc<RootStore>) -> Arc<Self> {
        let rule = server.draft.roots.clone();
        Arc::new(Self::new(server.id.clone(), rule, store.clone()))
    }

    /// Replaces the rule. [`LiveRoots::recheck`] says whether the roots are others now.
    pub(crate) fn set(&self, rule: Option<RootsRule>) {
        self.lock().rule = rule;
    }

    /// Whether it answers without a person.
    pub(crate) fn is_configured(&self) -> bool {
        let state = self.lock();
        let rule = state.rule.as_ref();
        rule.is_some_and(|rule| *rule != RootsRule::Ask {})
    }

    /// The rule that answers, with what was left out of the last answer; none if the user is asked.
    pub(crate) fn rule(&self) -> Option<String> {
        let state = self.lock();
        rule_of(state.rule.as_ref(), &state.seen)
    }

    /// The answer to the server, which asks now; none if the user is asked.
    pub(crate) async fn answer(&self) -> Option<RootsAnswer> {
        let answer = self.look(|state| {
            state.asked_at = Some(SystemTime::now());
            let rule = rule_of(state.rule.as_ref(), &state.seen)?;
            let json = list(&state.seen);
            state.known = Some(json.clone());
            Some(RootsAnswer { json, rule })
        });
        let answer = answer.await;
        // The time at which it asked is another one.
        self.store.nudges().changed(Topic::Roots);
        answer
    }

    /// Looks at the folders; whether the list is another one than the server knows. The first time it is not: before, the
    /// server knew nothing.
    pub(crate) async fn recheck(&self) -> bool {
        let changed = self.look(|state| {
            let now = list(&state.seen);
            let before = state.known.replace(now.clone());
            before.is_some_and(|before| before != now)
        });
        changed.await
    }

    /// Whether there is anything to look at.
    pub(super) fn has_folders(&self) -> bool {
        matches!(self.lock().rule, Some(RootsRule::Folders { .. }))
    }

    /// Whether it uses one of these sets, or any.
    pub(super) fn uses(&self, set: &patchbay_contract::RootSetId) -> bool {
        matches!(&self.lock().rule, Some(RootsRule::Folders { sets, .. }) if sets.contains(set))
    }

    /// The folders for the UI, as last seen.
    pub(crate) fn response(&self) -> RootsGetResponse {
        let state = self.lock();
        let folders: Vec<RootItem> = state
            .seen
            .iter()
            .map(|(entry, found)| entry.item(*found))
            .collect();
        RootsGetResponse {
            folders,
            asked_at_ms: state.asked_at.map(convert::at_ms),
        }
    }

    /// How many folders the server asked for and did not get because the user has not decided.
    pub(crate) fn withheld(&self) -> u32 {
        withheld(&self.lock())
    }

    /// Looks at the folders and then reads or changes the state.
    async fn look<T>(&self, then: impl FnOnce(&mut State) -> T) -> T {
        let _looking = self.looking.lock().await;
        let rule = self.lock().rule.clone();
        let entries = entries::entries(rule.as_ref(), &self.store, &self.server);
        let paths = entries.iter().map(|entry| PathBuf::from(&entry.path)).collect();
        let states = self.checks.states(paths).await;
        let mut state = self.lock();
        let seen: Vec<(Entry, FolderState)> = entries.into_iter().zip(states).collect();
        let is_changed = state.seen != seen;
        let was_withheld = withheld(&state);
        state.seen = seen;
        let answer = then(&mut state);
        let is_withheld = withheld(&state);
        drop(state);
        if is_changed {
            self.store.nudges().changed(Topic::Roots);
        }
        if was_withheld != is_withheld {
            self.store.nudges().changed(Topic::Servers);
        }
        answer
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn withheld(state: &State) -> u32 {
    if state.asked_at.is_none() {
        return 0;
    }
    let open = |(entry, found): &&(Entry, FolderState)| {
        entry.consent == RootConsent::Open && *found == FolderState::Ready
    };
    convert::count(state.seen.iter().filter(open).count())
}

/// The result with the folders that are sent.
fn list(seen: &[(Entry, FolderState)]) -> String {
    let sent = seen.iter().filter(|(entry, found)| entry.is_sent(*found));
    let roots: Vec<String> = sent.filter_map(|(entry, _)| entry.root()).collect();
    format!("{{\"roots\":[{}]}}", roots.join(","))
}

/// The name of a rule for the log.
fn rule_of(rule: Option<&RootsRule>, seen: &[(Entry, FolderState)]) -> Option<String> {
    match rule {
        Some(RootsRule::Ask {}) => None,
        None | Some(RootsRule::None {}) => Some("no roots (server settings)".to_owned()),
        Some(RootsRule::Folders { .. }) => {
            let mut rule = "these roots (server settings)".to_owned();
            let count = |is: &dyn Fn(&Entry, FolderState) -> bool| {
                seen.iter().filter(|(entry, found)| is(entry, *found)).count()
            };
            let open = count(&|entry, _| entry.consent == RootConsent::Open);
            let declined = count(&|entry, _| entry.consent == RootConsent::Declined);
            let unusable =
                count(&|entry, found| entry.consent == RootConsent::Allowed && found != FolderState::Ready);
            let left_out: Vec<String> = [
                (open, "not allowed yet"),
                (declined, "declined"),
                (unusable, "that cannot be read"),
            ]
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, why)| format!("{number} {why}"))
            .collect();
            if !left_out.is_empty() {
                rule.push_str(&format!(", without {}", left_out.join(", ")));
            }
            Some(rule)
        }
    }
}

#[cfg(test)]
impl LiveRoots {
    /// Without files; what the rule names is allowed.
    pub(crate) fn for_test(rule: Option<RootsRule>) -> Self {
        let nudges = Arc::new(crate::dispatch::nudges::Nudges::new());
        let store = RootStore::open(std::path::Path::new(""), false, &nudges);
        let server = ServerId("s".to_owned());
        if let Some(RootsRule::Folders { paths, .. }) = &rule {
            let paths = paths.clone();
            let allowed = store.decide(&server, &paths, true);
            futures_util::FutureExt::now_or_never(allowed).unwrap().unwrap();
        }
        Self::new(server, rule, store)
    }
}

#[cfg(test)]
mod tests;
