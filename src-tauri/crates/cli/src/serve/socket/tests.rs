use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::{
    sync::{Semaphore, mpsc, oneshot},
    task::JoinSet,
};

use super::{MOST_CALLS, Page, QUEUE};
use crate::serve::tests::serving;

#[tokio::test]
async fn running_calls_are_completed_whatever_ends_their_page() {
    let (serving, _folder) = serving().await;
    let engine = serving.engine.clone();
    let mut page = Page {
        serving: Arc::new(serving),
        sender: mpsc::channel(QUEUE).0,
        streams: HashMap::new(),
        calls: JoinSet::new(),
        room: Arc::new(Semaphore::new(MOST_CALLS)),
    };
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
