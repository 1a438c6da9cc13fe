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
