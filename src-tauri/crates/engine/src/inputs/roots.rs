//! The responder for `roots/list`: folders given on the command line or in the settings of a server.

use std::path::PathBuf;

use patchbay_client::{InputKind, InputReply};
use patchbay_contract::RootsRule;
use patchbay_protocol::json;

use super::responder::{Answers, InputQuestion, Responder, Response};

/// Answers `roots/list` with these folders, which may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roots {
    folders: Vec<PathBuf>,
    rule: &'static str,
}

impl Roots {
    /// The folders given with `--root`.
    #[must_use]
    pub fn of_command_line(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            rule: "--root",
        }
    }

    /// The rule of a server's settings; none if the user is to be asked.
    pub(super) fn of_setting(setting: &RootsRule) -> Option<Self> {
        let (folders, rule) = match setting {
            RootsRule::Ask {} => return None,
            RootsRule::None {} => (Vec::new(), "no roots (server settings)"),
            RootsRule::Folders { paths } => (
                paths.iter().map(PathBuf::from).collect(),
                "these roots (server settings)",
            ),
        };
        Some(Self { folders, rule })
    }

    fn result(&self) -> String {
        let roots: Vec<String> = self
            .folders
            .iter()
            .filter_map(|folder| {
                let uri = url::Url::from_directory_path(folder).ok()?;
                let uri = uri.as_str().trim_end_matches('/');
                let name = folder
                    .file_name()
                    .map(|name| format!(",\"name\":{}", json::quote(&name.to_string_lossy())))
                    .unwrap_or_default();
                Some(format!("{{\"uri\":{}{name}}}", json::quote(uri)))
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
