use super::*;

#[tokio::test]
async fn a_wait_for_a_reply_that_dies_is_not_taken_for_a_withdrawal() {
    let mut inputs = PendingInputs::default();
    let target = || ReplyTarget::Later { exchange: 1 };
    let killed = async { panic!("the wait is killed") };
    inputs.spawn(killed, target(), 0, InputWatch::default());
    let next = tokio::spawn(async move { inputs.next().await });
    let panic = next.await.unwrap_err().into_panic();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"the wait is killed"));
}

#[tokio::test]
async fn lowered_limits_of_what_waits_hold() {
    let limits = Limits {
        waiting_inputs: 2,
        waiting_input_bytes: 100,
        ..Limits::default()
    };
    let mut inputs = PendingInputs::default();
    let mut senders = Vec::new();
    let mut wait = |inputs: &mut PendingInputs, bytes| {
        let (sender, reply) = oneshot::channel();
        senders.push(sender);
        let target = ReplyTarget::Later { exchange: 1 };
        inputs.wait(reply, target, bytes, InputWatch::default());
    };
    assert!(inputs.has_room(100, &limits) && !inputs.has_room(101, &limits));
    wait(&mut inputs, 60);
    assert!(inputs.has_room(40, &limits) && !inputs.has_room(41, &limits));
    wait(&mut inputs, 1);
    assert!(!inputs.has_room(1, &limits));
}

/// A server may ask and withdraw any number of times in one read.
#[tokio::test]
async fn withdrawn_waits_are_cleared_away() {
    let mut inputs = PendingInputs::default();
    let mut senders = Vec::new();
    for exchange in 0..1000 {
        let (sender, reply) = oneshot::channel();
        senders.push(sender);
        let target = ReplyTarget::Later { exchange };
        inputs.wait(reply, target, 1, InputWatch::default());
        assert_eq!(inputs.withdraw(None, |_| true).len(), 1);
    }
    // As the actor waits: only while there is something to wait for.
    let waits = async {
        while !inputs.is_empty() {
            tokio::select! {
                _ = inputs.next() => panic!("a withdrawn wait was replied to"),
                () = tokio::task::yield_now() => {}
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), waits)
        .await
        .expect("they are still there");
    assert_eq!(inputs.replies.len(), 0);
}
