//! The rules of servers for sampling: what they are now, and how much was sent automatically.
//!
//! A rule for one connection is kept in memory beside that connection, and means `ask` on any other.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use patchbay_contract::{
    CommandError, ErrorCode, SamplingAnswerRule, SamplingRequestRule, SamplingRules, ServerId,
};
use patchbay_traffic::ConnectionRef;

use crate::{dispatch::error::fail, inputs::models::Models};

/// The window of the rate limit.
const MINUTE: Duration = Duration::from_secs(60);
/// The highest rate limit.
const MOST_PER_MINUTE: u32 = 1_000;
/// The maximum number of connections of one server whose rules and tokens are remembered.
const MOST_CONNECTIONS: usize = 8;

/// The rules of all servers.
#[derive(Debug)]
pub(crate) struct SamplingState {
    models: Arc<Models>,
    usage: Mutex<HashMap<String, ServerUsage>>,
}

/// What belongs to one server.
#[derive(Debug, Default)]
struct ServerUsage {
    /// When requests were sent automatically, within the last minute, on any connection.
    sent: VecDeque<Instant>,
    /// The one that was used last is at the end. A check of a server is a connection beside the one that the user has.
    connections: Vec<ConnectionUsage>,
}

/// What belongs to one connection of a server.
#[derive(Debug)]
struct ConnectionUsage {
    connection: ConnectionRef,
    sends: bool,
    answers: bool,
    /// The tokens used automatically, with those reserved for requests that a model has.
    used: u64,
}

impl ServerUsage {
    /// What belongs to this connection. If too many are known, the one that was not used for the longest time is forgotten, with
    /// its rules: the user is asked again.
    fn on(&mut self, connection: ConnectionRef) -> &mut ConnectionUsage {
        let known = self
            .connections
            .iter()
            .position(|usage| usage.connection == connection);
        let usage = match known {
            Some(at) => self.connections.remove(at),
            None => ConnectionUsage {
                connection,
                sends: false,
                answers: false,
                used: 0,
            },
        };
        if self.connections.len() >= MOST_CONNECTIONS {
            self.connections.remove(0);
        }
        self.connections.push(usage);
        let last = self.connections.len() - 1;
        &mut self.connections[last]
    }

    /// What is known of this connection.
    fn known(&mut self, connection: ConnectionRef) -> Option<&mut ConnectionUsage> {
        let mut all = self.connections.iter_mut();
        all.find(|usage| usage.connection == connection)
    }
}

impl SamplingState {
    pub(crate) fn new(models: Arc<Models>) -> Self {
        Self {
            models,
            usage: Mutex::default(),
        }
    }

    pub(super) fn models(&self) -> &Arc<Models> {
        &self.models
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, ServerUsage>> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rules as they hold on a connection, and the tokens used on it.
    pub(super) fn get(&self, server: &str, connection: Option<ConnectionRef>) -> (SamplingRules, u64) {
        let mut rules = self.models.rules(server).unwrap_or_else(unset);
        let mut all = self.lock();
        let usage = connection.and_then(|connection| all.get_mut(server)?.known(connection));
        let Some(usage) = usage else {
            return (rules, 0);
        };
        if usage.sends {
            rules.request = SamplingRequestRule::ThisConnection;
        }
        if usage.answers {
            rules.answer = SamplingAnswerRule::ThisConnection;
        }
        (rules, usage.used)
    }

    /// Sets the rules. Those for one connection need one.
    pub(super) async fn set(
        &self,
        server: &ServerId,
        connection: Option<ConnectionRef>,
        mut rules: SamplingRules,
    ) -> Result<(), CommandError> {
        let sends = rules.request == SamplingRequestRule::ThisConnection;
        let answers = rules.answer == SamplingAnswerRule::ThisConnection;
        if (sends || answers) && connection.is_none() {
            return Err(fail(
                ErrorCode::NotConnected,
                "A rule for this connection needs one. Connect the server first.",
            ));
        }
        if rules.per_minute == 0 || rules.per_minute > MOST_PER_MINUTE || rules.token_budget == 0 {
            return Err(fail(
                ErrorCode::InvalidParams,
                format!("Set a limit of 1 to {MOST_PER_MINUTE} requests a minute and at least one token."),
            ));
        }
        if sends {
            rules.request = SamplingRequestRule::Ask;
        }
        if answers {
            rules.answer = SamplingAnswerRule::Ask;
        }
        self.models.set_rules(server, Some(rules)).await?;
        if let Some(connection) = connection {
            let mut all = self.lock();
            let usage = all.entry(server.0.clone()).or_default().on(connection);
            usage.sends = sends;
            usage.answers = answers;
        }
        Ok(())
    }

    /// Forgets the rules of a removed server.
    pub(crate) async fn forget(&self, server: &ServerId) {
        self.lock().remove(&server.0);
        // Rules of an id that is never used again are harmless.
        if let Err(error) = self.models.set_rules(server, None).await {
            tracing::warn!(%error.message, "the sampling rules of a removed server are still stored");
        }
    }

    /// Counts an automatic request, if the limits allow it; otherwise the reason. Returns how many of these tokens, which it may
    /// use, are reserved: not more than are left. They stay used unless [`Self::count`] says what it really used, because a
    /// request that is dropped is paid for too.
    pub(super) fn admit(
        &self,
        server: &str,
        connection: ConnectionRef,
        rules: &SamplingRules,
        tokens: u64,
        now: Instant,
    ) -> Result<u64, String> {
        let mut all = self.lock();
        let of_server = all.entry(server.to_owned()).or_default();
        let sent = &mut of_server.sent;
        while sent.front().is_some_and(|at| now.duration_since(*at) >= MINUTE) {
            sent.pop_front();
        }
        if sent.len() >= rules.per_minute as usize {
            return Err(format!(
                "The limit of {} automatic requests a minute is reached.",
                rules.per_minute
            ));
        }
        let usage = of_server.on(connection);
        let left = u64::from(rules.token_budget).saturating_sub(usage.used);
        if left == 0 {
            return Err(format!(
                "The budget of {} tokens for this connection is used up ({} used).",
                rules.token_budget, usage.used
            ));
        }
        let reserved = tokens.min(left);
        usage.used += reserved;
        of_server.sent.push_back(now);
        Ok(reserved)
    }

    /// Counts the tokens that an automatic request used, instead of those reserved for it.
    pub(super) fn count(&self, server: &str, connection: ConnectionRef, reserved: u64, tokens: u64) {
        let mut all = self.lock();
        // Another connection has a budget of its own.
        if let Some(usage) = all.get_mut(server).and_then(|usage| usage.known(connection)) {
            usage.used = usage.used.saturating_sub(reserved).saturating_add(tokens);
        }
    }
}

/// The rules of a server for which none were set.
fn unset() -> SamplingRules {
    SamplingRules {
        request: SamplingRequestRule::Ask,
        answer: SamplingAnswerRule::Ask,
        provider_id: None,
        model: None,
        per_minute: 10,
        token_budget: 100_000,
    }
}
