use super::{GetPromptResult, PromptView};

#[test]
fn a_malformed_argument_has_a_violation() {
    let prompt =
        PromptView::parse(r#"{"name":"p","arguments":[{"name":"a","required":true},{"title":"b"},3]}"#);
    let required: Vec<_> = prompt
        .arguments
        .iter()
        .map(|argument| (&*argument.name, argument.required))
        .collect();
    assert_eq!(required, [("a", true), ("", false), ("", false)]);
    let found: Vec<_> = prompt
        .violations
        .iter()
        .map(|found| found.pointer.as_deref().unwrap_or_default())
        .collect();
    assert_eq!(found, ["/arguments/1/name", "/arguments/2"]);
}

#[test]
fn the_messages_of_a_prompt_are_read_in_order() {
    let result = GetPromptResult::parse(
        r#"{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"hi"}},{"role":"assistant"}]}"#,
    );
    let roles: Vec<_> = result.messages.iter().map(|(role, _)| &**role).collect();
    assert_eq!(roles, ["user", "assistant"]);
    assert_eq!(
        result.violations[0].pointer.as_deref(),
        Some("/messages/1/content")
    );
    assert_eq!(GetPromptResult::parse("{}").violations.len(), 1);
}
