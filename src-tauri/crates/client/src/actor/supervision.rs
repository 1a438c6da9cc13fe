//! A panic anywhere in a connection (in the actor, in its link, in a future that the link polls) ends that connection as
//! failed, with its cause in the status and in the log. Without this its status would stay as it was for ever.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
};

use patchbay_transport::Failure;

use super::{Actor, Phase};
use crate::{connection::panics, events::DeferredWakes};

impl Actor {
    /// Runs until nothing is left of the server.
    pub(crate) async fn run(mut self) {
        let wakes = Arc::clone(&self.wakes);
        let lived = caught(&wakes, pin!(self.live())).await;
        if let Err(cause) = lived {
            // What the panic left behind may make this panic too; the status is published first.
            let _ = caught(&wakes, pin!(self.crashed(&cause))).await;
        }
        let _ = caught(&wakes, pin!(self.answer_the_rest())).await;
    }

    /// Ends the connection because of a panic.
    async fn crashed(&mut self, cause: &str) {
        let failure = internal_error(cause);
        self.publisher.fail(failure.clone());
        // Ends the process group or closes the sockets: nobody polls the link any more.
        self.link = None;
        self.fail(failure);
        self.link_gone().await;
    }

    /// Ends the connection because a task that works for it has panicked.
    pub(super) fn task_died(&mut self, task: &str, cause: &str) {
        if !matches!(self.phase, Phase::Ending(_) | Phase::Over) {
            self.fail(internal_error(&format!("{task} stopped: {cause}")));
        }
    }
}

fn internal_error(cause: &str) -> Failure {
    Failure::new(
        "Run the connection",
        format!("Patchbay ended this connection because of an internal error: {cause}"),
        "Connect again. If it happens again, report it together with the recorded traffic.",
    )
}

/// The output of a future; an error with the message if it panics. It must not be polled again then. Whenever it waits, those
/// who were given something to read meanwhile are woken.
async fn caught<T>(
    wakes: &DeferredWakes,
    mut future: Pin<&mut impl Future<Output = T>>,
) -> Result<T, String> {
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        match polled {
            Ok(Poll::Pending) => {
                wakes.actor_waits();
                Poll::Pending
            }
            Ok(Poll::Ready(output)) => {
                wakes.wake_all();
                Poll::Ready(Ok(output))
            }
            Err(panic) => {
                wakes.wake_all();
                Poll::Ready(Err(panics::message(&*panic)))
            }
        }
    })
    .await
}
