use super::*;

const MODERN: &str = r#"{"resultType":"task","taskId":"t1","status":"working","statusMessage":"soon",
    "createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:01Z","ttlMs":null,"pollIntervalMs":500}"#;

#[test]
fn both_dialects_read_alike() {
    let modern = TaskView::created(Era::Modern, MODERN).unwrap();
    assert_eq!((&*modern.id, modern.status), ("t1", Some(TaskStatus::Working)));
    assert_eq!((modern.ttl_ms, modern.poll_interval_ms), (None, Some(500.0)));
    assert_eq!(modern.violations, []);
    let legacy = r#"{"task":{"taskId":"t1","status":"completed","createdAt":"a","lastUpdatedAt":"b","ttl":60000,"pollInterval":5}}"#;
    let legacy = TaskView::created(Era::Legacy, legacy).unwrap();
    assert_eq!(
        (legacy.ttl_ms, legacy.poll_interval_ms),
        (Some(60000.0), Some(5.0))
    );
    assert_eq!(legacy.violations, []);
    assert!(legacy.status.unwrap().is_final());
    assert_eq!(TaskView::created(Era::Legacy, r#"{"content":[]}"#), None);
    assert_eq!(
        TaskView::created(Era::Modern, r#"{"resultType":"complete"}"#),
        None
    );
}

fn rules(view: &TaskView<'_>) -> Vec<String> {
    let place = |violation: &Violation| {
        format!(
            "{} {}",
            violation.rule.id(),
            violation.pointer.as_deref().unwrap_or_default()
        )
    };
    view.violations.iter().map(place).collect()
}

#[test]
fn each_status_has_its_members() {
    let head = r#""taskId":"t","createdAt":"a","lastUpdatedAt":"b","ttlMs":1"#;
    let task = |rest: &str| format!("{{{head},{rest}}}");
    let asking = task(r#""status":"input_required","inputRequests":{"k":{"method":"roots/list"}}"#);
    let view = TaskView::parse(Era::Modern, &asking);
    assert_eq!((view.input_requests.len(), rules(&view).len()), (1, 0));
    let done = task(r#""status":"completed","result":{"content":[]}"#);
    assert_eq!(
        TaskView::parse(Era::Modern, &done).result,
        Some(r#"{"content":[]}"#)
    );
    let failed = task(r#""status":"failed""#);
    assert_eq!(
        rules(&TaskView::parse(Era::Modern, &failed)),
        ["member-missing /error"]
    );
    let odd = task(r#""status":"dancing""#);
    assert_eq!(
        rules(&TaskView::parse(Era::Modern, &odd)),
        ["member-type /status"]
    );
    assert_eq!(rules(&TaskView::parse(Era::Legacy, "7")), ["member-type "]);
}

#[test]
fn a_page_keeps_its_malformed_tasks() {
    let page = crate::views::ListPage::parse(r#"{"tasks":[{"taskId":"a"},7],"nextCursor":"n"}"#, "tasks");
    assert_eq!((page.elements.len(), page.next_cursor.as_deref()), (2, Some("n")));
    assert_eq!(crate::views::ListPage::parse("{}", "tasks").violations.len(), 1);
    for status in ["working", "input_required", "completed", "failed", "cancelled"] {
        assert_eq!(TaskStatus::parse(status).unwrap().as_str(), status);
    }
}
