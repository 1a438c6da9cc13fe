//! What is remembered of a server's tools, and how a listing differs from it.

use std::collections::BTreeMap;

use patchbay_contract::{ChangedToolItem, DefinitionTrust, ToolChange};

use super::snapshot::{Definitions, Snapshot};

/// The remembered definitions of one server.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Remembered {
    /// When the tools were listed for the first time, in ms since the Unix epoch.
    pub(super) first_at_ms: f64,
    /// When the user last accepted a change.
    pub(super) accepted_at_ms: Option<f64>,
    pub(super) tools: BTreeMap<String, RememberedTool>,
}

/// A remembered tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RememberedTool {
    pub(super) definitions: Definitions,
    /// Why the user should look at it, although it can be called.
    pub(super) review: Option<Review>,
}

/// A remembered definition that the user has not reviewed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Review {
    /// The tool is new since the first listing.
    Added,
    /// Its change was accepted because the server is trusted. The definitions that were reviewed last.
    Changed(Definitions),
}

impl Remembered {
    /// What is remembered of a server at first sight: everything.
    pub(super) fn first(listed: &Snapshot, now_ms: f64) -> Self {
        let tools = listed.tools.iter().map(|tool| {
            let definitions = tool.definitions.clone();
            let kept = RememberedTool {
                definitions,
                review: None,
            };
            (tool.name.clone(), kept)
        });
        Self {
            first_at_ms: now_ms,
            accepted_at_ms: None,
            tools: tools.collect(),
        }
    }

    /// What is remembered of a server whose file was damaged: a definition of each tool that no listing matches.
    pub(super) fn unreadable(listed: &Snapshot, now_ms: f64) -> Self {
        let mut known = Self::first(listed, now_ms);
        for tool in known.tools.values_mut() {
            tool.definitions = Definitions::default();
        }
        known
    }

    /// Remembers new tools, and if the server is trusted, changes. Otherwise a tool that appears and then changes before
    /// anybody looks would stay callable. None if there is nothing to remember.
    pub(super) fn observed(&self, listed: &Snapshot, trust: DefinitionTrust) -> Option<Self> {
        let mut next = self.clone();
        let mut any = false;
        for tool in &listed.tools {
            let new = &tool.definitions;
            let kept = match self.tools.get(&tool.name) {
                None => RememberedTool {
                    definitions: new.clone(),
                    review: Some(Review::Added),
                },
                Some(known) if trust == DefinitionTrust::Accept && !known.definitions.same(new) => {
                    let review = match &known.review {
                        Some(Review::Added) => Some(Review::Added),
                        Some(Review::Changed(reviewed)) if reviewed.same(new) => None,
                        Some(Review::Changed(reviewed)) => Some(Review::Changed(reviewed.clone())),
                        None => Some(Review::Changed(known.definitions.clone())),
                    };
                    RememberedTool {
                        definitions: new.clone(),
                        review,
                    }
                }
                Some(_) => continue,
            };
            next.tools.insert(tool.name.clone(), kept);
            any = true;
        }
        any.then_some(next)
    }

    /// Accepts these tools as they are listed. A name that is not listed is forgotten.
    pub(super) fn accept(&mut self, listed: &Snapshot, names: &[String], now_ms: f64) {
        for name in names {
            match listed.get(name) {
                Some(definitions) => {
                    let kept = RememberedTool {
                        definitions: definitions.clone(),
                        review: None,
                    };
                    self.tools.insert(name.clone(), kept);
                }
                // In an incomplete list the tool may only be missing.
                None if listed.complete => drop(self.tools.remove(name)),
                None => {}
            }
        }
        self.accepted_at_ms = Some(now_ms);
    }

    /// The memory of all definitions, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let each = |(name, tool): (&String, &RememberedTool)| {
            let earlier = match &tool.review {
                Some(Review::Changed(earlier)) => earlier.bytes(),
                Some(Review::Added) | None => 0,
            };
            name.len() + tool.definitions.bytes() + earlier
        };
        self.tools.iter().map(each).sum()
    }

    /// How one tool differs. None if it does not.
    pub(super) fn difference(
        &self,
        listed: &Snapshot,
        name: &str,
        trust: DefinitionTrust,
    ) -> Option<ChangedToolItem> {
        let known = self.tools.get(name);
        let (change, refused) = match (known, listed.get(name)) {
            (None, None) => return None,
            (Some(_), None) if listed.complete => (ToolChange::Removed, false),
            (Some(_), None) => return None,
            (None, Some(_)) => (ToolChange::Added, false),
            (Some(known), Some(new)) if !known.definitions.same(new) => {
                (ToolChange::Changed, trust == DefinitionTrust::Ask)
            }
            (Some(known), Some(_)) => match known.review {
                Some(Review::Added) => (ToolChange::Added, false),
                Some(Review::Changed(_)) => (ToolChange::Changed, false),
                None => return None,
            },
        };
        let name = name.to_owned();
        Some(ChangedToolItem {
            name,
            change,
            refused,
        })
    }

    /// All tools that differ, in the order of the list; removed ones last.
    pub(super) fn differences(&self, listed: &Snapshot, trust: DefinitionTrust) -> Vec<ChangedToolItem> {
        let names = listed.names();
        let removed = self.tools.keys().filter(|name| !names.contains(name.as_str()));
        let all = listed.tools.iter().map(|tool| &tool.name).chain(removed);
        all.filter_map(|name| self.difference(listed, name, trust))
            .collect()
    }

    /// The definitions that the user knows of a tool.
    pub(super) fn reviewed(&self, name: &str) -> Definitions {
        match self.tools.get(name) {
            None => Definitions::default(),
            Some(tool) => match &tool.review {
                Some(Review::Changed(earlier)) => earlier.clone(),
                Some(Review::Added) | None => tool.definitions.clone(),
            },
        }
    }
}
