//! `tasks/list` (2025-11-25).

use std::collections::HashSet;

use patchbay_client::{Notices, Status};
use patchbay_contract::{ServerId, TaskItem};
use patchbay_protocol::{Era, Rule, json, methods, views::TaskView};

use super::primitive::{Context, Duplicate, Entry, Primitive};
use crate::{calls::tasks::task_item, connections::ConnectionHandle, dispatch::nudges::Topic};

/// Tasks.
#[derive(Debug, Clone)]
pub(crate) struct Tasks;

impl Primitive for Tasks {
    type Item = TaskItem;

    const COMMAND: &'static str = "task_list";
    const METHOD: &'static str = methods::TASKS_LIST;
    const MEMBER: &'static str = "tasks";
    const NOUN: &'static str = "tasks";
    const DUPLICATE: Duplicate = Duplicate {
        rule: Rule::ListItemDuplicate,
        member: "taskId",
        noun: "task",
    };

    fn is_declared(status: &Status) -> bool {
        let capabilities = status
            .handshake
            .as_ref()
            .and_then(|handshake| handshake.capabilities_json.as_deref());
        status.era.unwrap_or(Era::Legacy) == Era::Legacy
            && capabilities
                .and_then(|raw| json::Object::parse(raw).ok())
                .and_then(|all| json::Object::parse(all.get("tasks")?).ok())
                .is_some_and(|tasks| tasks.get("list").is_some())
    }

    fn changes(_: &Notices) -> u64 {
        // A task's change is a change of its row.
        0
    }

    fn topic(server: ServerId) -> Option<Topic> {
        Some(Topic::Tasks(server))
    }

    fn row(raw: &str, _: u32, context: Context) -> Entry<TaskItem> {
        let view = TaskView::parse(context.era, raw);
        Entry {
            identity: view.id.to_string(),
            item: task_item(&view, Some(context.seq), None),
            violations: |item| &mut item.violations,
        }
    }

    fn description(raw: &str) -> Option<String> {
        TaskView::parse(Era::Legacy, raw).message.map(Into::into)
    }
}

/// The tasks that the server has reported since it last listed them and that are not in that list; none if it never did.
pub(crate) fn reported_since(live: &ConnectionHandle) -> Vec<TaskItem> {
    let Some(list) = live.lists.get::<Tasks>().current() else {
        return Vec::new();
    };
    let mut newer = live.tasks.newer_than(list.first_record());
    if !newer.is_empty() {
        let listed: HashSet<&str> = list.rows().iter().map(|row| &*row.item.task_id).collect();
        newer.retain(|item| !listed.contains(&*item.task_id));
    }
    newer
}
