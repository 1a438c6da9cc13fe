//! The responders for `roots/list`: folders given on the command line, and those in the settings of a server, which can change
//! while it is connected.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use patchbay_client::{InputKind, InputReply};
use patchbay_contract::RootsRule;
use patchbay_protocol::json;

use super::responder::{Answers, InputQuestion, Responder, Response};
use crate::servers::folders;

/// Answers `roots/list` with these folders, which may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    folders: Vec<PathBuf>,
    /// By path; a root without one is named after its folder.
    names: BTreeMap<String, String>,
    rule: &'static str,
}

impl Roots {
    /// The folders given with `--root`.
    #[must_use]
    pub fn of_command_line(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            names: BTreeMap::new(),
            rule: "--root",
        }
    }

    /// The rule of a server's settings; none if the user is to be asked.
    fn of_setting(setting: &RootsRule) -> Option<Self> {
        let (folders, names, rule) = match setting {
            RootsRule::Ask {} => return None,
            RootsRule::None {} => (Vec::new(), BTreeMap::new(), "no roots (server settings)"),
            RootsRule::Folders { paths, names } => (
                paths.iter().map(PathBuf::from).collect(),
                names.clone(),
                "these roots (server settings)",
            ),
        };
        Some(Self { folders, names, rule })
    }

    fn result(&self) -> String {
        let roots: Vec<String> = self
            .folders
            .iter()
            .filter_map(|folder| {
                let uri = folders::uri_of(folder)?;
                let given = self.names.get(folder.to_string_lossy().as_ref());
                let name = given
                    .cloned()
                    .or_else(|| Some(folder.file_name()?.to_string_lossy().into_owned()))
                    .map(|name| format!(",\"name\":{}", json::quote(&name)))
                    .unwrap_or_default();
                Some(format!("{{\"uri\":{}{name}}}", json::quote(&uri)))
            })
            .collect();
        format!("{{\"roots\":[{}]}}", roots.join(","))
    }
}

impl Responder for Roots {
    fn rule(&self) -> Option<String> {
        Some(self.rule.to_owned())
    }

    fn answers(&self) -> Vec<Answers> {
        vec![Answers {
            kind: InputKind::Roots,
            capability: "{}",
            always: true,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        let reply = (question.kind == InputKind::Roots).then(|| InputReply::Result(self.result()));
        Box::pin(std::future::ready(reply))
    }
}

/// The roots of a server while it is connected: the rule of its settings, as it is now.
#[derive(Debug, Default)]
pub(crate) struct LiveRoots {
    /// None if the settings have no rule.
    rule: Mutex<Option<RootsRule>>,
}

impl LiveRoots {
    pub(crate) fn new(rule: Option<RootsRule>) -> Self {
        Self {
            rule: Mutex::new(rule),
        }
    }

    /// Replaces the rule; whether the roots are others now.
    pub(crate) fn set(&self, rule: Option<RootsRule>) -> bool {
        let mut current = self.lock();
        let is_changed =
            current.as_ref().unwrap_or(&RootsRule::None {}) != rule.as_ref().unwrap_or(&RootsRule::None {});
        *current = rule;
        is_changed
    }

    /// Whether it answers without a person.
    pub(super) fn is_configured(&self) -> bool {
        self.lock()
            .as_ref()
            .is_some_and(|rule| *rule != RootsRule::Ask {})
    }

    /// The result with the roots of the settings, also where another responder answers; an empty list if the user is to be asked.
    pub(super) fn result(&self) -> String {
        match self.now() {
            Some(roots) => roots.result(),
            None => "{\"roots\":[]}".to_owned(),
        }
    }

    /// The roots now; none if the user is to be asked.
    fn now(&self) -> Option<Roots> {
        Roots::of_setting(self.lock().as_ref().unwrap_or(&RootsRule::None {}))
    }

    fn lock(&self) -> MutexGuard<'_, Option<RootsRule>> {
        self.rule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Responder for LiveRoots {
    fn rule(&self) -> Option<String> {
        Some(self.now()?.rule.to_owned())
    }

    fn answers(&self) -> Vec<Answers> {
        vec![Answers {
            kind: InputKind::Roots,
            capability: "{\"listChanged\":true}",
            always: true,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        let roots = (question.kind == InputKind::Roots).then(|| self.now()).flatten();
        Box::pin(std::future::ready(
            roots.map(|roots| InputReply::Result(roots.result())),
        ))
    }
}
