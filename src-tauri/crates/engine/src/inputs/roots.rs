//! The responders for `roots/list`: folders given on the command line, and those in the settings of a server, which can change
//! while it is connected.

use std::path::PathBuf;

use patchbay_client::{InputKind, InputReply};
use patchbay_contract::FolderState;

use super::responder::{Answers, InputQuestion, Responder, Response};
use crate::servers::roots::{LiveRoots, checks::FolderChecks, entries::root};

/// Answers `roots/list` with these folders, which may be none. One that cannot be read is left out.
#[derive(Debug, Default)]
pub struct Roots {
    /// With the names that the user gave them.
    folders: Vec<(PathBuf, Option<String>)>,
    checks: FolderChecks,
}

impl Roots {
    /// The folders given with `--root`.
    #[must_use]
    pub fn of_command_line(folders: Vec<PathBuf>) -> Self {
        Self {
            folders: folders.into_iter().map(|folder| (folder, None)).collect(),
            checks: FolderChecks::default(),
        }
    }

    /// The folders, and those of the shared sets with these names.
    pub(super) fn with_sets(folders: &[PathBuf], names: &[String], live: &LiveRoots) -> Self {
        let mut roots = Self::of_command_line(folders.to_vec());
        // A file that cannot be read was reported when the names were checked.
        let sets = live.store.sets().unwrap_or_default();
        for set in sets.into_iter().filter(|set| names.contains(&set.name)) {
            let shared = set.folders.into_iter();
            roots
                .folders
                .extend(shared.map(|folder| (PathBuf::from(folder.path), folder.name)));
        }
        roots
    }

    async fn result(&self) -> String {
        let paths = self.folders.iter().map(|(folder, _)| folder.clone()).collect();
        let states = self.checks.states(paths).await;
        let mut roots: Vec<String> = Vec::new();
        for ((folder, name), state) in self.folders.iter().zip(states) {
            let root = root(folder, name.as_deref()).filter(|_| state == FolderState::Ready);
            roots.extend(root.filter(|root| !roots.contains(root)));
        }
        format!("{{\"roots\":[{}]}}", roots.join(","))
    }
}

impl Responder for Roots {
    fn rule(&self) -> Option<String> {
        Some("--root".to_owned())
    }

    fn answers(&self) -> Vec<Answers> {
        vec![Answers {
            kind: InputKind::Roots,
            capability: "{}",
            always: true,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        Box::pin(async {
            match question.input.kind {
                InputKind::Roots => Some(InputReply::Result(self.result().await)),
                InputKind::Sampling | InputKind::Elicitation => None,
            }
        })
    }
}

impl Responder for LiveRoots {
    fn rule(&self) -> Option<String> {
        LiveRoots::rule(self)
    }

    fn answers(&self) -> Vec<Answers> {
        vec![Answers {
            kind: InputKind::Roots,
            capability: "{\"listChanged\":true}",
            always: true,
        }]
    }

    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a> {
        Box::pin(async {
            if question.input.kind != InputKind::Roots {
                return None;
            }
            let answer = self.answer().await?;
            // Set once: what was left out can change until the rule is recorded.
            let _ = question.decision.set(Some(answer.rule));
            Some(InputReply::Result(answer.json))
        })
    }
}
