//! Tasks in both directions: the server's for tool calls, and the client's for sampling and elicitation (2025-11-25).

use patchbay_protocol::{Direction, Era, RequestId, methods, views::TaskView};

use super::Observer;
use crate::Description;
use crate::requests::Request;
use crate::results::{below, of_task};

impl Observer {
    /// A task of the receiver's changed. Adds the violations of one of the modern era, whose shape no table has.
    pub(super) fn task_notified(
        &mut self,
        sender: Direction,
        method: &str,
        params: Option<&str>,
        description: &mut Description,
    ) {
        let era = self.agreement.era.unwrap_or(Era::Legacy);
        let view = TaskView::parse(era, params.unwrap_or("{}"));
        if view.status.is_some_and(|status| status.is_final()) {
            self.pairing.task_ended(sender.reverse(), &view.id);
        }
        if method == methods::TASKS && self.agreement.is_modern() {
            let found = of_task(&self.agreement, view);
            description.violations.extend(below("/params", found));
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
