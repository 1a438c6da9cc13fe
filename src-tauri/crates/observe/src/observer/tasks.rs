//! Tasks in both directions: the server's for tool calls, and the client's for sampling and elicitation (2025-11-25).

use patchbay_protocol::{Direction, Era, RequestId, views::TaskView};

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
