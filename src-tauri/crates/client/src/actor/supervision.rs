//! A panic anywhere in a connection (in the actor, in its link, in a future that the link polls) ends that connection as
//! failed, with its cause in the status and in the log. Without this its status would stay as it was for ever.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
};

use patchbay_transport::Failure;

use super::Actor;
use crate::events::DeferredWakes;

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
        let failure = Failure::new(
            "Run the connection",
            format!("Patchbay ended this connection because of an internal error: {cause}"),
            "Connect again. If it happens again, report it together with the recorded traffic.",
        );
        self.publisher.fail(failure.clone());
        // Ends the process group or closes the sockets: nobody polls the link any more.
        self.link = None;
        self.fail(failure);
        self.link_gone().await;
    }
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
                Poll::Ready(Err(message(&*panic)))
            }
        }
    })
    .await
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
