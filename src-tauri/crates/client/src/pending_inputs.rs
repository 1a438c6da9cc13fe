//! The inputs that servers asked for and whose replies are awaited.

pub(crate) mod served_tasks;

use std::{borrow::Cow, collections::HashMap, panic::resume_unwind, time::Duration};

use patchbay_protocol::{RequestId, limits::Limits};
use patchbay_traffic::Seq;
use tokio::{
    sync::oneshot,
    task::{AbortHandle, JoinSet},
};

use crate::{InputReply, InputWatch};

/// The inputs that are waited for. Dropping it withdraws all of them.
#[derive(Default)]
pub(crate) struct PendingInputs {
    replies: JoinSet<(u64, InputReply)>,
    waiting: HashMap<u64, Waiting>,
    /// The total size of what is waited for.
    bytes: usize,
    next_key: u64,
}

struct Waiting {
    target: ReplyTarget,
    handle: AbortHandle,
    bytes: usize,
    watch: InputWatch,
}

/// For what a reply is waited.
pub(crate) enum ReplyTarget {
    /// A request of the server (legacy era).
    Request {
        id: RequestId,
        method: Cow<'static, str>,
        seq: Seq,
        /// The task of the server that it belongs to, raw.
        related: Option<String>,
        /// The requests of ours whose timeouts are paused meanwhile.
        held: Vec<i64>,
    },
    /// A task of the server's that is worked off here (2025-11-25).
    Task { task: String, method: Cow<'static, str> },
    /// A round of a call (modern era).
    Round { exchange: u64, index: usize },
    /// Nothing but time, before a call is sent again (modern era).
    Later { exchange: u64 },
}

impl PendingInputs {
    /// Whether nothing is left that [`Self::next`] would return or clear away.
    pub(crate) fn is_empty(&self) -> bool {
        self.replies.is_empty()
    }

    /// The next reply. Cancel safe.
    pub(crate) async fn next(&mut self) -> (u64, InputReply) {
        loop {
            match self.replies.join_next().await {
                Some(Ok(replied)) => return replied,
                Some(Err(ended)) => {
                    // A panic takes the connection with it: its server would wait for ever. Any other was withdrawn.
                    if let Ok(panic) = ended.try_into_panic() {
                        resume_unwind(panic);
                    }
                }
                None => std::future::pending().await,
            }
        }
    }

    /// Whether one more of this size may be waited for.
    pub(crate) fn has_room(&self, bytes: usize, limits: &Limits) -> bool {
        self.waiting.len() < limits.waiting_inputs && self.bytes + bytes <= limits.waiting_input_bytes
    }

    /// Waits for the reply to params of this size.
    pub(crate) fn wait(
        &mut self,
        reply: oneshot::Receiver<InputReply>,
        target: ReplyTarget,
        bytes: usize,
        watch: InputWatch,
    ) {
        let reply = async move { reply.await.unwrap_or(InputReply::Cancelled) };
        self.spawn(reply, target, bytes, watch);
    }

    /// Comes back after this long.
    pub(crate) fn pause(&mut self, pause: Duration, exchange: u64) {
        let over = async move {
            tokio::time::sleep(pause).await;
            InputReply::Cancelled
        };
        self.spawn(over, ReplyTarget::Later { exchange }, 0, InputWatch::default());
    }

    fn spawn(
        &mut self,
        reply: impl Future<Output = InputReply> + Send + 'static,
        target: ReplyTarget,
        bytes: usize,
        watch: InputWatch,
    ) {
        let key = self.next_key;
        self.next_key += 1;
        self.bytes += bytes;
        let handle = self.replies.spawn(async move { (key, reply.await) });
        let waiting = Waiting {
            target,
            handle,
            bytes,
            watch,
        };
        self.waiting.insert(key, waiting);
    }

    pub(crate) fn take(&mut self, key: u64) -> Option<ReplyTarget> {
        let waiting = self.waiting.remove(&key)?;
        self.bytes -= waiting.bytes;
        Some(waiting.target)
    }

    /// Withdraws what fits, for the reason that the server gives.
    pub(crate) fn withdraw(
        &mut self,
        reason: Option<&str>,
        fits: impl Fn(&ReplyTarget) -> bool,
    ) -> Vec<ReplyTarget> {
        let keys: Vec<u64> = self
            .waiting
            .iter()
            .filter(|(_, waiting)| fits(&waiting.target))
            .map(|(key, _)| *key)
            .collect();
        keys.into_iter()
            .filter_map(|key| {
                let waiting = self.waiting.remove(&key)?;
                if let Some(reason) = reason {
                    waiting.watch.withdraw(reason);
                }
                waiting.handle.abort();
                self.bytes -= waiting.bytes;
                Some(waiting.target)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
