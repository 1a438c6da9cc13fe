//! Each task of a page dies once.

use super::{Message, Served, next, say};

/// The ids of frames whose task dies.
const DOOMED: [(&str, u64); 3] = [("call", 901), ("pass", 902), ("read", 903)];

/// Where a task of a page may die.
pub(in crate::serve) fn strike(task: &str, id: u64) {
    assert!(!DOOMED.contains(&(task, id)), "the {task} task is killed");
}

/// What dies is told by name, and the page goes on; when its reader dies, the page is closed with the cause, and a new socket
/// works at once.
#[tokio::test]
async fn each_task_of_a_page_that_dies_is_told_with_its_cause() {
    let served = Served::start().await;
    let (cookie, page) = served.open_link().await;
    let origin = format!("http://{}", served.host());
    let mut socket = served.socket(&cookie, &origin).await.unwrap();
    say(&mut socket, format!("{{\"page\":\"{page}\"}}")).await;
    for (frame, id, cause) in [
        (
            "{\"id\":901,\"call\":\"server_list\"}",
            901,
            "the call task is killed",
        ),
        (
            "{\"id\":902,\"open\":\"app_watch\"}",
            902,
            "the pass task is killed",
        ),
    ] {
        say(&mut socket, frame.to_owned()).await;
        let Message::Text(text) = next(&mut socket).await else {
            panic!("a text for {frame}")
        };
        let expected = format!("{{\"id\":{id},\"error\":{{\"code\":\"internal\"");
        assert!(text.starts_with(&expected) && text.contains(cause), "{text}");
    }
    say(&mut socket, "{\"id\":903,\"call\":\"server_list\"}".to_owned()).await;
    let Message::Close(Some(frame)) = next(&mut socket).await else {
        panic!("closed")
    };
    assert_eq!(u16::from(frame.code), 1011);
    assert!(
        frame.reason.contains("internal error: the read task is killed"),
        "{}",
        frame.reason
    );
    let mut again = served.socket(&cookie, &origin).await.unwrap();
    say(&mut again, format!("{{\"page\":\"{page}\"}}")).await;
    say(&mut again, "{\"id\":1,\"call\":\"server_list\"}".to_owned()).await;
    let Message::Text(text) = next(&mut again).await else {
        panic!("a text")
    };
    assert!(text.starts_with("{\"id\":1,\"ok\":"), "{text}");
    served.engine.shutdown().await;
}
