use patchbay_protocol::json::Object;

use super::*;

#[test]
fn names_in_the_table_match_the_definitions() {
    let mut names = Vec::new();
    for tool in all() {
        let definition = Object::parse(tool.definition).expect("an object");
        assert_eq!(definition.string("name").as_deref(), Some(tool.name));
        assert!(definition.duplicates().is_empty(), "{}", tool.name);
        assert!(
            definition.get("annotations").is_some(),
            "{} says nothing about what it does",
            tool.name
        );
        assert!(!names.contains(&tool.name), "{} twice", tool.name);
        names.push(tool.name);
    }
}

#[test]
fn only_tools_that_wait_or_send_run_concurrently() {
    assert!(takes_time(Some(r#"{"name":"count_slowly"}"#)));
    assert!(!takes_time(Some(r#"{"name":"greet"}"#)));
    assert!(!takes_time(Some(r#"{"name":"no_such_tool"}"#)));
    assert!(!takes_time(None));
}
