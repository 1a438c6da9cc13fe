use super::*;

fn new() -> NewTask {
    NewTask {
        connection: 7,
        ..NewTask::default()
    }
}

fn status(tasks: &mut ServedTasks, id: &str) -> &'static str {
    tasks.get_mut(id).unwrap().status().as_str()
}

#[tokio::test(start_paused = true)]
async fn a_task_ends_once_and_is_listed_until_it_expires() {
    let mut tasks = ServedTasks::default();
    let task = tasks.create(NewTask {
        ttl_ms: Some(5_000.0),
        ..new()
    });
    let id = task.unwrap().id.clone();
    assert_eq!(id, "patchbay-7-1");
    assert_eq!(status(&mut tasks, &id), "working");
    assert_eq!(tasks.get_mut(&id).unwrap().outcome(), None);
    let done = TaskOutcome::Completed("{}".to_owned());
    assert!(tasks.end(&id, done.clone()).is_some());
    assert!(tasks.end(&id, TaskOutcome::Cancelled).is_none(), "it has ended");
    assert_eq!(tasks.get_mut(&id).unwrap().outcome(), Some(&done));
    assert_eq!(status(&mut tasks, &id), "completed");
    let page = tasks.page(None).unwrap();
    assert!(
        page.contains(r#""taskId":"patchbay-7-1","status":"completed""#),
        "{page}"
    );
    assert!(
        page.contains(r#""ttl":5000,"pollInterval":1000"#) && !page.contains("nextCursor"),
        "{page}"
    );
    assert!(tasks.take_expired(Instant::now()).is_empty());
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(tasks.next_expiry(), Some(Instant::now()));
    assert_eq!(tasks.take_expired(Instant::now()).len(), 1);
    assert!(tasks.get_mut(&id).is_none() && tasks.next_expiry().is_none());
}

#[tokio::test(start_paused = true)]
async fn the_time_to_live_is_bounded() {
    let mut tasks = ServedTasks::default();
    for (wanted, given) in [
        (None, 3_600_000),
        (Some(f64::INFINITY), 3_600_000),
        (Some(-1.0), 1_000),
        (Some(1e300), 86_400_000),
        (Some(1_234.0), 1_234),
    ] {
        let task = tasks.create(NewTask {
            ttl_ms: wanted,
            ..new()
        });
        let text = task.unwrap().to_json();
        assert!(text.contains(&format!("\"ttl\":{given},")), "{wanted:?}: {text}");
    }
    assert_eq!(
        wanted_ttl(Some(r#"{"task":{"ttl":60000}}"#)),
        Some(Some(60_000.0))
    );
    assert_eq!(wanted_ttl(Some(r#"{"task":{}}"#)), Some(None));
    assert_eq!(wanted_ttl(Some(r#"{"task":true}"#)), None);
    assert_eq!(wanted_ttl(Some("{}")), None);
}

#[tokio::test(start_paused = true)]
async fn there_are_pages_and_limits() {
    let mut tasks = ServedTasks::default();
    for _ in 0..MOST {
        assert!(tasks.create(new()).is_ok());
    }
    assert!(tasks.create(new()).is_err(), "too many");
    let (mut cursor, mut ids) = (None, Vec::new());
    loop {
        let page = tasks.page(cursor.as_deref()).unwrap();
        let object = Object::parse(&page).unwrap();
        let listed = json::array(object.get("tasks").unwrap()).unwrap();
        assert!(listed.len() <= PAGE);
        ids.extend(listed.iter().map(|task| {
            let task = Object::parse(task).unwrap();
            task.string("taskId").unwrap().into_owned()
        }));
        match object.string("nextCursor") {
            Some(next) => cursor = Some(next.into_owned()),
            None => break,
        }
    }
    let expected: Vec<String> = (1..=MOST).map(|number| format!("patchbay-7-{number}")).collect();
    assert_eq!(ids, expected);
    for wrong in ["", "after-", "after-x", "after-9999", "50"] {
        assert_eq!(tasks.page(Some(wrong)), None, "{wrong}");
    }
}

#[tokio::test(start_paused = true)]
async fn results_that_the_server_has_give_way_to_new_ones() {
    let mut tasks = ServedTasks::default();
    let large = TaskOutcome::Completed("x".repeat(MOST_BYTES / 2 - 100));
    let ids: Vec<String> = (0..4).map(|_| tasks.create(new()).unwrap().id.clone()).collect();
    for id in &ids[..2] {
        tasks.end(id, large.clone()).unwrap();
    }
    // Neither was fetched: the third fails, and says why.
    tasks.end(&ids[2], large.clone()).unwrap();
    assert_eq!(status(&mut tasks, &ids[2]), "failed");
    tasks.get_mut(&ids[0]).unwrap().outcome();
    tasks.end(&ids[3], large).unwrap();
    assert_eq!(status(&mut tasks, &ids[3]), "completed");
    assert!(tasks.get_mut(&ids[0]).is_none());
}

#[tokio::test(start_paused = true)]
async fn results_are_waited_for_by_a_limited_number() {
    let mut tasks = ServedTasks::default();
    let id = tasks.create(new()).unwrap().id.clone();
    for number in 0..MOST_WAITING {
        assert!(tasks.may_wait());
        let request = RequestId::Int(i64::try_from(number).unwrap());
        tasks.get_mut(&id).unwrap().waiting.push((request, 1));
    }
    assert!(!tasks.may_wait());
    assert_eq!(tasks.stop_waiting(&RequestId::Int(3)), Some(1));
    assert_eq!(tasks.stop_waiting(&RequestId::Int(3)), None);
    assert!(tasks.may_wait());
}
