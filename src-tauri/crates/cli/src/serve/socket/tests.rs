use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    task::JoinSet,
};

use super::{MOST_CALLS, MOST_UNANSWERED, Message, Page, QUEUE, UNBLOCKING};
use crate::serve::{Serving, tests::serving};

fn page(serving: Serving, sender: mpsc::Sender<Message>) -> Page {
    Page {
        serving: Arc::new(serving),
        sender,
        streams: HashMap::new(),
        calls: JoinSet::new(),
        room: Arc::new(Semaphore::new(MOST_CALLS)),
    }
}

#[tokio::test]
async fn running_calls_are_completed_whatever_ends_their_page() {
    let (serving, _folder) = serving().await;
    let engine = serving.engine.clone();
    let mut page = page(serving, mpsc::channel(QUEUE).0);
    let (answer, answered) = oneshot::channel::<()>();
    let (complete, completed) = oneshot::channel();
    page.calls.spawn(async move {
        let _ = answered.await;
        let _ = complete.send(());
    });
    drop(page);
    // Nobody is there to take it if the call was ended.
    let _ = answer.send(());
    let completed = tokio::time::timeout(Duration::from_secs(10), completed).await;
    assert_eq!(completed.unwrap(), Ok(()));
    engine.shutdown().await;
}

#[tokio::test]
async fn a_page_whose_calls_are_slow_can_still_unblock_them_and_is_refused_too_many() {
    let (serving, _folder) = serving().await;
    let engine = serving.engine.clone();
    let (sender, mut frames) = mpsc::channel(QUEUE);
    let mut page = page(serving, sender);
    let slow = u32::try_from(MOST_CALLS).unwrap();
    let slow = page.room.clone().acquire_many_owned(slow).await.unwrap();
    let mut next = async || {
        let frame = tokio::time::timeout(Duration::from_secs(10), frames.recv()).await;
        frame.unwrap().unwrap().into_text().unwrap().to_string()
    };

    let call = async |page: &mut Page, id, name: &str| {
        let called = page.call(id, name.to_owned(), "{}".to_owned());
        tokio::time::timeout(Duration::from_secs(10), called)
            .await
            .expect("the page is read on");
    };
    call(&mut page, 1, "server_list").await;
    let answers = [
        "authorization_answer",
        "chat_decide",
        "input_answer",
        "vault_unlock",
    ];
    assert!(answers.iter().all(|name| UNBLOCKING.contains(name)));
    for (id, name) in (2..).zip(UNBLOCKING) {
        call(&mut page, id, name).await;
        // Known, but without params.
        let answer = next().await;
        let start = format!("{{\"id\":{id},\"error\":{{\"code\":\"invalidParams\"");
        assert!(answer.starts_with(&start), "{name}: {answer}");
        assert!(!answer.contains("There is no command"), "{name}: {answer}");
    }
    while page.calls.len() < MOST_UNANSWERED {
        page.calls.spawn(std::future::pending());
    }
    call(&mut page, 100, "server_list").await;
    assert!(next().await.contains("Try again when some have ended."));

    drop(slow);
    assert_eq!(next().await, "{\"id\":1,\"ok\":{\"items\":[]}}");
    engine.shutdown().await;
}
