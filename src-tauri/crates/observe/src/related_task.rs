//! Which messages belong to a task of 2025-11-25, and must name it.

use patchbay_protocol::{Rule, Violation, json, json::Object, meta, methods, views::RELATED_TASK};

/// Whether a request of 2025-11-25 asks to be run as a task.
pub(crate) fn asks(params: Option<&str>) -> bool {
    params.is_some_and(|params| json::member(params, "task").is_some())
}

/// The task that a request of 2025-11-25 names.
pub(crate) fn task_id(params: Option<&str>) -> Option<String> {
    let params = Object::parse(params?).ok()?;
    params.string("taskId").map(std::borrow::Cow::into_owned)
}

/// Whether a task may need what a request of the server asks for. The requests about tasks name theirs in their params
/// ("Requestors SHOULD NOT include" it in `_meta`), and `ping` is about the connection.
pub(crate) fn may_need(method: &str) -> bool {
    matches!(
        method,
        methods::SAMPLING_CREATE_MESSAGE | methods::ELICITATION_CREATE | methods::ROOTS_LIST
    )
}

/// What is wrong if a message of a task does not name it: `params` of a request or a result, at `place`.
pub(crate) fn unrelated(place: &str, text: Option<&str>, task: &str) -> Option<Violation> {
    let related = meta::member(text, RELATED_TASK);
    let named = related.and_then(|related| task_id(Some(related)));
    (named.as_deref() != Some(task)).then(|| {
        let message = match &named {
            Some(_) => format!("`{RELATED_TASK}` names another task than the requested one"),
            None => format!("it belongs to a task, but its `_meta` has no `{RELATED_TASK}`"),
        };
        Violation::at(Rule::RelatedTaskMissing, format!("{place}/_meta"), message)
    })
}
