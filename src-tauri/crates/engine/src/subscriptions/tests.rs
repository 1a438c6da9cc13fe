use patchbay_contract::SubscriptionFilter;

use super::{refused, to_json};

fn filter() -> SubscriptionFilter {
    SubscriptionFilter {
        tools_list_changed: true,
        resources_list_changed: true,
        resource_uris: vec!["demo://\"a\"".to_owned(), "demo://b".to_owned()],
        task_ids: vec!["t".to_owned()],
        ..SubscriptionFilter::default()
    }
}

#[test]
fn only_what_is_wanted_is_asked_for() {
    assert_eq!(to_json(&SubscriptionFilter::default()), "{}");
    assert_eq!(
        to_json(&filter()),
        r#"{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["demo://\"a\"","demo://b"],"taskIds":["t"]}"#
    );
}

#[test]
fn what_was_not_granted_is_said() {
    assert_eq!(refused(&filter(), &filter()), [""; 0]);
    let granted = SubscriptionFilter {
        tools_list_changed: true,
        resource_uris: vec!["demo://b".to_owned()],
        ..SubscriptionFilter::default()
    };
    assert_eq!(
        refused(&filter(), &granted),
        [
            "changes of the list of resources",
            "the resource demo://\"a\"",
            "the task t"
        ]
    );
}
