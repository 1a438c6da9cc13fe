use patchbay_contract::ServerId;

use super::{Nudges, Topic};

#[test]
fn changes_of_the_same_topic_merge_and_none_is_lost() {
    let nudges = Nudges::new();
    let a = || Topic::Tools(ServerId("a".to_owned()));
    nudges.changed(a());
    nudges.changed(Topic::Servers);
    nudges.changed(a());
    let (events, seen) = nudges.since(0);
    insta::assert_snapshot!(serde_json::to_string(&events).unwrap(), @r#"[{"topic":"servers","serverId":null,"revision":2},{"topic":"tools","serverId":"a","revision":3}]"#);
    assert_eq!(nudges.since(seen).0.len(), 0);
    nudges.connection_changed(&ServerId("a".to_owned()));
    insta::assert_snapshot!(serde_json::to_string(&nudges.since(seen).0).unwrap(), @r#"[{"topic":"servers","serverId":null,"revision":4},{"topic":"connection","serverId":"a","revision":5}]"#);
}
