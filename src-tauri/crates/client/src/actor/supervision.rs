//! A panic anywhere in a connection (in the actor, in its link, in a future that the link polls) ends that connection as
//! failed, with its cause in the status and in the log. Without this its status would stay as it was for ever.

use std::{
    any::Any,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

use patchbay_transport::Failure;

use super::Actor;

impl Actor {
    /// Runs until nothing is left of the server.
    pub(crate) async fn run(mut self) {
        if let Err(cause) = caught(self.live()).await {
            // What the panic left behind may make this panic too; the status is published first.
            let _ = caught(self.crashed(&cause)).await;
        }
        let _ = caught(self.answer_the_rest()).await;
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

/// The output of a future; an error with the message if it panics. It must not be polled again then.
async fn caught<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let mut future = pin!(future);
    poll_fn(
        |context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(message(&*panic))),
        },
    )
    .await
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
