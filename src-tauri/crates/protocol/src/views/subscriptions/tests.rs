use super::*;

#[test]
fn a_filter_covers_notifications_and_is_compared() {
    let asked = SubscriptionFilter::of_request(Some(
        r#"{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///a"],"taskIds":["t"]}}"#,
    ))
    .into_owned();
    assert!(asked.covers(methods::TOOLS_LIST_CHANGED, None));
    assert!(!asked.covers(methods::PROMPTS_LIST_CHANGED, None));
    assert!(asked.covers(methods::RESOURCES_UPDATED, Some(r#"{"uri":"file:///a/b"}"#)));
    assert!(asked.covers(methods::TASKS, Some(r#"{"taskId":"t"}"#)));
    assert!(!asked.covers(methods::TASKS, Some(r#"{"taskId":"u"}"#)));
    assert!(asked.covers("notifications/of/an/extension", None));
    let granted =
        SubscriptionFilter::parse(r#"{"promptsListChanged":true,"resourceSubscriptions":["file:///a","x"]}"#);
    assert_eq!(granted.beyond(&asked), ["promptsListChanged", "x"]);
    assert_eq!(asked.beyond(&granted), ["toolsListChanged", "t"]);
}

#[test]
fn malformed_members_count_as_not_requested() {
    let filter = SubscriptionFilter::parse(r#"{"toolsListChanged":"yes","resourceSubscriptions":["a",7]}"#);
    assert!(!filter.tools);
    assert_eq!((filter.uris.len(), filter.violations.len()), (1, 2));
    assert_eq!(
        SubscriptionFilter::of_request(None),
        SubscriptionFilter::default()
    );
}
