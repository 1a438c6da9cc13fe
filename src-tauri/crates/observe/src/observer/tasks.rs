//! Tasks in both directions: the server's for tool calls, and the client's for sampling and elicitation (2025-11-25).

use patchbay_protocol::{
    Direction, Era, RequestId, Rule, Violation,
    json::Object,
    meta, methods,
    views::{RELATED_TASK, TaskView},
};

use super::Observer;
use crate::requests::Request;

impl Observer {
    /// A task of the receiver's changed.
    pub(super) fn task_notified(&mut self, sender: Direction, params: Option<&str>) {
        let era = self.agreement.era.unwrap_or(Era::Legacy);
        let view = TaskView::parse(era, params.unwrap_or("{}"));
        if view.status.is_some_and(|status| status.is_final()) {
            self.pairing.task_ended(sender.reverse(), &view.id);
        }
    }

    /// A request of `requester` was answered with a task: its progress token stays valid.
    pub(super) fn became_task(
        &mut self,
        requester: Direction,
        request: Option<&RequestId>,
        task: Option<&str>,
    ) {
        if let (Some(request), Some(task)) = (request, task) {
            self.pairing.became_task(requester, request, task);
        }
    }

    /// The client answered a request of the server, perhaps with a task.
    pub(super) fn created_by_client(
        &mut self,
        direction: Direction,
        id: Option<&RequestId>,
        request: &Request,
        result: &str,
    ) {
        let may_be =
            direction == Direction::ClientToServer && request.asked_for_task && !self.agreement.is_modern();
        if may_be && let Some(task) = TaskView::created(Era::Legacy, result) {
            self.became_task(Direction::ServerToClient, id, Some(&task.id));
        }
    }
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
