//! `skills/list` (extension `io.modelcontextprotocol/skills`).

use patchbay_client::{Notices, Status};
use patchbay_contract::{ServerId, SkillItem};
use patchbay_protocol::{
    Rule, methods,
    views::{SKILLS_EXTENSION, SkillView},
};

use super::primitive::{Context, Duplicate, Entry, Primitive, row_description};
use crate::{connections::extensions, convert, dispatch::nudges::Topic};

/// Skills.
#[derive(Debug, Clone)]
pub(crate) struct Skills;

impl Primitive for Skills {
    type Item = SkillItem;

    const COMMAND: &'static str = "skill_list";
    const METHOD: &'static str = methods::SKILLS_LIST;
    const MEMBER: &'static str = "skills";
    const NOUN: &'static str = "skills";
    const DUPLICATE: Duplicate = Duplicate {
        rule: Rule::ListItemDuplicate,
        member: "uri",
        noun: "skill",
    };

    fn is_declared(status: &Status) -> bool {
        extensions(status).any(|name| name == SKILLS_EXTENSION)
    }

    fn changes(_: &Notices) -> u64 {
        // The extension has no notification of changes, only `ttlMs`.
        0
    }

    fn topic(_: ServerId) -> Option<Topic> {
        None
    }

    fn row(raw: &str, index: u32, _: Context) -> Entry<SkillItem> {
        let view = SkillView::parse(raw);
        let files = view.files;
        Entry {
            identity: view.uri.to_string(),
            item: SkillItem {
                index,
                uri: view.uri.into_owned(),
                name: view.name.into_owned(),
                description: row_description(view.description.as_deref()),
                file_count: files.map(|files| convert::count(files.count as u64)),
                total_size: files.map(|files| files.total_size),
                violations: convert::violations(&view.violations),
            },
            violations: |item| &mut item.violations,
        }
    }

    fn description(raw: &str) -> Option<String> {
        SkillView::parse(raw).description.map(Into::into)
    }
}
