//! The inputs that servers asked for and whose replies are awaited.

use std::{borrow::Cow, collections::HashMap, time::Duration};

use patchbay_protocol::RequestId;
use patchbay_traffic::Seq;
use tokio::{
    sync::oneshot,
    task::{AbortHandle, JoinSet},
};

use crate::InputReply;

/// The inputs that are waited for. Dropping it withdraws all of them.
#[derive(Default)]
pub(crate) struct PendingInputs {
    replies: JoinSet<(u64, InputReply)>,
    waiting: HashMap<u64, (ReplyTarget, AbortHandle)>,
    next_key: u64,
}

/// For what a reply is waited.
pub(crate) enum ReplyTarget {
    /// A request of the server (legacy era).
    Request {
        id: RequestId,
        method: Cow<'static, str>,
        seq: Seq,
        /// The requests of ours whose timeouts are paused meanwhile.
        held: Vec<i64>,
    },
    /// A round of a call (modern era).
    Round { exchange: u64, index: usize },
    /// Nothing but time, before a call is sent again (modern era).
    Later { exchange: u64 },
}

impl PendingInputs {
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next reply. Cancel safe.
    pub(crate) async fn next(&mut self) -> (u64, InputReply) {
        loop {
            match self.replies.join_next().await {
                Some(Ok(replied)) => return replied,
                // One that was withdrawn.
                Some(Err(_)) => {}
                None => std::future::pending().await,
            }
        }
    }

    pub(crate) fn wait(&mut self, reply: oneshot::Receiver<InputReply>, wanted: ReplyTarget) {
        self.spawn(
            async move { reply.await.unwrap_or(InputReply::Cancelled) },
            wanted,
        );
    }

    /// Comes back after this long.
    pub(crate) fn pause(&mut self, pause: Duration, exchange: u64) {
        let over = async move {
            tokio::time::sleep(pause).await;
            InputReply::Cancelled
        };
        self.spawn(over, ReplyTarget::Later { exchange });
    }

    fn spawn(&mut self, reply: impl Future<Output = InputReply> + Send + 'static, wanted: ReplyTarget) {
        let key = self.next_key;
        self.next_key += 1;
        let handle = self.replies.spawn(async move { (key, reply.await) });
        self.waiting.insert(key, (wanted, handle));
    }

    pub(crate) fn take(&mut self, key: u64) -> Option<ReplyTarget> {
        self.waiting.remove(&key).map(|(wanted, _)| wanted)
    }

    /// Withdraws what fits.
    pub(crate) fn withdraw(&mut self, fits: impl Fn(&ReplyTarget) -> bool) -> Vec<ReplyTarget> {
        let keys: Vec<u64> = self
            .waiting
            .iter()
            .filter(|(_, (wanted, _))| fits(wanted))
            .map(|(key, _)| *key)
            .collect();
        keys.into_iter()
            .filter_map(|key| {
                let (wanted, handle) = self.waiting.remove(&key)?;
                handle.abort();
                Some(wanted)
            })
            .collect()
    }
}
