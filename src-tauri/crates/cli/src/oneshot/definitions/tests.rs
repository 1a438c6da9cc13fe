use patchbay_contract::ToolDefinitionDiffResponse;

use super::words;

/// A line break in what a server names cannot add a line that it was not given.
#[test]
fn the_name_of_a_tool_is_on_one_line() {
    let tool: ToolDefinitionDiffResponse = serde_json::from_value(serde_json::json!({
        "tool": { "name": "a: added\nb", "change": "changed", "refused": true },
        "before": [], "after": [], "more": false, "listing": "l",
        "changes": [{
            "part": "inputSchema", "pointer": "/x", "words": "the parameter p\n    + q changed",
            "before": "one\ntwo", "after": "three",
        }],
    }))
    .unwrap();
    assert_eq!(
        words(&tool),
        "a: added\\nb: changed, not accepted\n  the parameter p\\n    + q changed\n    - one\n    - two\n    + three"
    );
}
