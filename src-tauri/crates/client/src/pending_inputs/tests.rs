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
