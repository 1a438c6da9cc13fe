//! The filter of a `subscriptions/listen` stream (2026-07-28, `basic/patterns/subscriptions`).

use std::borrow::Cow;

use super::reader::Reader;
use crate::json::{self, Object};
use crate::{Rule, Violation, methods};

/// A filter: what a client requests, or what a server grants.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SubscriptionFilter<'a> {
    /// `toolsListChanged`
    pub tools: bool,
    /// `promptsListChanged`
    pub prompts: bool,
    /// `resourcesListChanged`
    pub resources: bool,
    /// `resourceSubscriptions`: URIs of resources.
    pub uris: Vec<Cow<'a, str>>,
    /// `taskIds` (tasks extension).
    pub tasks: Vec<Cow<'a, str>>,
    /// Its violations. Pointers are into the filter.
    pub violations: Vec<Violation>,
}

impl<'a> SubscriptionFilter<'a> {
    /// Parses the object.
    #[must_use]
    pub fn parse(text: &'a str) -> Self {
        let mut reader = Reader::new(text);
        Self {
            tools: reader.boolean("toolsListChanged").unwrap_or(false),
            prompts: reader.boolean("promptsListChanged").unwrap_or(false),
            resources: reader.boolean("resourcesListChanged").unwrap_or(false),
            uris: strings(&mut reader, "resourceSubscriptions"),
            tasks: strings(&mut reader, "taskIds"),
            violations: reader.violations,
        }
    }

    /// Parses the filter of a `subscriptions/listen` request.
    #[must_use]
    pub fn of_request(params: Option<&'a str>) -> Self {
        let filter = params
            .and_then(|params| Object::parse(params).ok())
            .and_then(|params| params.get("notifications"));
        Self::parse(filter.unwrap_or("{}"))
    }

    /// Converts it to owned data.
    #[must_use]
    pub fn into_owned(self) -> SubscriptionFilter<'static> {
        let owned = |list: Vec<Cow<'a, str>>| -> Vec<Cow<'static, str>> {
            list.into_iter()
                .map(|text| Cow::Owned(text.into_owned()))
                .collect()
        };
        SubscriptionFilter {
            tools: self.tools,
            prompts: self.prompts,
            resources: self.resources,
            uris: owned(self.uris),
            tasks: owned(self.tasks),
            violations: self.violations,
        }
    }

    /// The parts of this filter that another one lacks, by their names on the wire.
    #[must_use]
    pub fn beyond(&self, other: &SubscriptionFilter<'_>) -> Vec<String> {
        let mut beyond = Vec::new();
        for (mine, theirs, name) in [
            (self.tools, other.tools, "toolsListChanged"),
            (self.prompts, other.prompts, "promptsListChanged"),
            (self.resources, other.resources, "resourcesListChanged"),
        ] {
            if mine && !theirs {
                beyond.push(name.to_owned());
            }
        }
        let list = |mine: &[Cow<'_, str>], theirs: &[Cow<'_, str>], beyond: &mut Vec<String>| {
            let more = mine.iter().filter(|text| !theirs.contains(text));
            beyond.extend(more.map(ToString::to_string));
        };
        list(&self.uris, &other.uris, &mut beyond);
        list(&self.tasks, &other.tasks, &mut beyond);
        beyond
    }

    /// Whether a notification matches the filter. Methods unknown to filters match.
    ///
    /// For a resource, `uri` may be a sub-resource of a requested one, which only the server can tell, so any requested URI
    /// is enough.
    #[must_use]
    pub fn covers(&self, method: &str, params: Option<&str>) -> bool {
        match method {
            methods::TOOLS_LIST_CHANGED => self.tools,
            methods::PROMPTS_LIST_CHANGED => self.prompts,
            methods::RESOURCES_LIST_CHANGED => self.resources,
            methods::RESOURCES_UPDATED => !self.uris.is_empty(),
            methods::TASKS => {
                let id = params
                    .and_then(|params| Object::parse(params).ok())
                    .and_then(|params| params.string("taskId"));
                id.is_none_or(|id| self.tasks.contains(&id))
            }
            _ => true,
        }
    }
}

fn strings<'a>(reader: &mut Reader<'a>, name: &str) -> Vec<Cow<'a, str>> {
    let mut found = Vec::new();
    for (index, element) in reader.array(name).unwrap_or_default().into_iter().enumerate() {
        match json::string(element) {
            Some(text) => found.push(text),
            None => {
                let message = format!("{} instead of a string", json::kind(element).name());
                let pointer = format!("{}/{index}", reader.pointer(name));
                reader
                    .violations
                    .push(Violation::at(Rule::MemberType, pointer, message));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
