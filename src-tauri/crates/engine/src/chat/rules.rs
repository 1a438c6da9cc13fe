//! Whether a call runs without asking. The user decides unless a rule covers the call; a call of a tool that the server
//! marks as destructive, or one that looks like a loop, is covered by no rule. A rule by what a server says about its tools
//! applies only while the user trusts that server's annotations.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use patchbay_contract::{ChatRule, ChatRuleScope, ChatSettings, CommandError, ServerId, ToolHints};

use crate::files::json_file::{JsonFile, lock};

/// From this many equal calls in a row on, the user is asked.
pub(super) const REPEATS: usize = 3;
/// From this many calls in one answer on, the user is asked about all of them.
pub(super) const CROWD: usize = 25;

/// The rules for all conversations.
#[derive(Debug)]
pub(super) struct Rules {
    /// None: they hold for this run only. As long as it cannot be read, no rule holds.
    file: Option<JsonFile>,
    rules: Arc<Mutex<Vec<ChatRule>>>,
}

/// A call, and what rules depend on.
#[derive(Debug)]
pub(super) struct CallContext<'a> {
    pub(super) server: &'a ServerId,
    pub(super) server_name: &'a str,
    pub(super) tool: &'a str,
    pub(super) hints: ToolHints,
    /// Whether the user trusts what the server says about its tools.
    pub(super) trusted: bool,
    /// How many equal calls were made before it in this turn, one after the other.
    pub(super) repeats: usize,
    /// How many calls its answer makes.
    pub(super) calls: usize,
    /// Whether the tool's definition changed since the user reviewed it.
    pub(super) changed: bool,
    /// Why its arguments may carry data of another server, in a sentence; none if they do not.
    pub(super) carries: Option<String>,
}

/// What is done with a call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It runs by a rule.
    Run(String),
    /// The user decides; the reason if a rule covers the call nevertheless.
    Ask(Option<String>),
}

/// Decides about a call by the rules of its conversation and those for all.
pub(super) fn decide(settings: &ChatSettings, always: &[ChatRule], call: &CallContext<'_>) -> Verdict {
    let here = settings.rules.iter().map(|rule| (rule, "in this conversation"));
    let all = always.iter().map(|rule| (rule, "in all conversations"));
    let mut covering = here.chain(all).filter(|(rule, _)| covers(rule, call)).peekable();
    if covering.peek().is_none() {
        return Verdict::Ask(None);
    }
    let name = call.server_name;
    // What a server says about its tools runs nothing unless the user trusts it.
    let applies = |rule: &ChatRule| call.trusted || rule.covers != ChatRuleScope::ReadOnly {};
    let Some((rule, place)) = covering.find(|(rule, _)| applies(rule)) else {
        return Verdict::Ask(Some(format!(
            "The rule for read-only tools of {name} does not apply: you do not trust what the server says about its tools (a setting of the server)."
        )));
    };
    let because = if call.hints.destructive == Some(true) {
        Some(format!(
            "{name} marks {} as destructive. Such calls always ask.",
            call.tool
        ))
    } else if call.changed {
        Some(format!(
            "The definition of {} has changed since you reviewed it (Explore > Tools). Until you accept the change, no rule runs it.",
            call.tool
        ))
    } else if call.carries.is_some() {
        call.carries.clone()
    } else if call.repeats >= REPEATS {
        let times = call.repeats + 1;
        Some(format!(
            "The model makes the same call for the {times}th time in a row."
        ))
    } else if call.calls >= CROWD {
        Some(format!("The model makes {} calls at once.", call.calls))
    } else {
        None
    };
    match because {
        Some(because) => Verdict::Ask(Some(because)),
        None => Verdict::Run(match &rule.covers {
            ChatRuleScope::Tool { tool } => format!("rule: run {tool} of {name} {place}"),
            ChatRuleScope::ReadOnly {} => format!("rule: run read-only tools of {name} {place}"),
            ChatRuleScope::Server {} => format!("rule: run all tools of {name} {place}"),
        }),
    }
}

fn covers(rule: &ChatRule, call: &CallContext<'_>) -> bool {
    rule.server_id == *call.server
        && match &rule.covers {
            ChatRuleScope::Tool { tool } => tool == call.tool,
            ChatRuleScope::ReadOnly {} => call.hints.read_only == Some(true),
            ChatRuleScope::Server {} => true,
        }
}

/// Adds a rule in place of an equal one.
pub(super) fn add(rules: &mut Vec<ChatRule>, rule: ChatRule) {
    rules.retain(|known| known.server_id != rule.server_id || known.covers != rule.covers);
    rules.push(rule);
}

impl Rules {
    /// Reads the file if it exists.
    pub(super) fn open(path: Option<PathBuf>) -> Self {
        let opened = path.map(|path| JsonFile::open(path, true, "rules of conversations"));
        let (file, rules) = opened.map_or_else(Default::default, |(file, rules)| (Some(file), rules));
        Self {
            file,
            rules: Arc::new(Mutex::new(rules)),
        }
    }

    /// Fails if the file cannot be read.
    fn check(&self) -> Result<(), CommandError> {
        match &self.file {
            None => Ok(()),
            Some(file) => file.check(|rules| *self.lock() = rules),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ChatRule>> {
        lock(&self.rules)
    }

    /// The rules; none if the file cannot be read, so that everything asks.
    pub(super) fn all(&self) -> Vec<ChatRule> {
        let _ = self.check();
        self.lock().clone()
    }

    /// Changes the rules and writes them. If they cannot be written, nothing changes.
    pub(super) async fn change(&self, change: impl FnOnce(&mut Vec<ChatRule>)) -> Result<(), CommandError> {
        let Some(file) = &self.file else {
            change(&mut self.lock());
            return Ok(());
        };
        let writing = file.begin().await;
        self.check()?;
        let mut after = self.all();
        change(&mut after);
        let (rules, new) = (self.rules.clone(), after.clone());
        let put = move || *lock(&rules) = new;
        file.write(writing, after, put).await.map(drop)
    }
}
