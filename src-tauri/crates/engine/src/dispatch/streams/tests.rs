use super::*;

fn text(ended: Result<(), CommandError>) -> String {
    ended.map_or_else(|error| error.message, |()| "ended".to_owned())
}

#[tokio::test]
async fn a_stream_that_dies_ends_with_the_cause() {
    let (sink, mut events) = mpsc::channel(1);
    let stream = |events: Events<String>| async move {
        let _ = events.send("first".to_owned()).await;
        panic!("the stream is killed")
    };
    let _handle = spawn(
        "traffic_tail",
        sink,
        stream,
        |event: &String| Some(event.clone()),
        text,
    );
    assert_eq!(events.recv().await.as_deref(), Some("first"));
    let end = events.recv().await.unwrap();
    assert!(
        end.contains("`traffic_tail`") && end.contains("the stream is killed"),
        "{end}"
    );
    assert_eq!(events.recv().await, None);
}
