use super::*;

fn tool(meta: &str) -> Option<(Option<String>, bool, bool)> {
    let tool = format!(r#"{{"name":"t","_meta":{meta}}}"#);
    let app = ToolApp::of_tool(&tool)?;
    Some((app.resource_uri.map(Into::into), app.for_models, app.for_apps))
}

#[test]
fn a_tool_names_its_app_and_who_may_call_it() {
    let uri = |uri: &str| Some(uri.to_owned());
    assert_eq!(
        tool(r#"{"ui":{"resourceUri":"ui://a/b"}}"#),
        Some((uri("ui://a/b"), true, true))
    );
    assert_eq!(
        tool(r#"{"ui":{"visibility":["app"]}}"#),
        Some((None, false, true))
    );
    assert_eq!(
        tool(r#"{"ui":{"resourceUri":"ui://a","visibility":["model",7]},"ui/resourceUri":"ui://old"}"#),
        Some((uri("ui://a"), true, false))
    );
    assert_eq!(
        tool(r#"{"ui/resourceUri":"ui://old"}"#),
        Some((uri("ui://old"), true, true))
    );
    assert_eq!(tool(r#"{"ui":{"visibility":[]}}"#), Some((None, false, false)));
}

#[test]
fn a_tool_without_an_app_or_with_a_malformed_one_has_none() {
    assert_eq!(tool("{}"), None);
    assert_eq!(tool("7"), None);
    assert_eq!(tool(r#"{"ui":"ui://a"}"#), None);
    assert_eq!(ToolApp::of_tool("[]"), None);
    assert_eq!(
        tool(r#"{"ui":{"resourceUri":7,"visibility":"app"}}"#),
        Some((None, true, true))
    );
}

#[test]
fn a_resource_declares_origins_and_permissions() {
    let app = ResourceApp::of_resource(
        r#"{"uri":"ui://a","_meta":{"ui":{
            "csp":{"connectDomains":["https://a.example",7],"resourceDomains":["https://b.example"],"frameDomains":"x"},
            "permissions":{"camera":{},"clipboardWrite":{}},"domain":"d.example","prefersBorder":false}}}"#,
    )
    .unwrap();
    assert_eq!(app.connect, ["https://a.example"]);
    assert_eq!(app.resource, ["https://b.example"]);
    assert_eq!((app.frame.len(), app.base_uri.len()), (0, 0));
    assert_eq!(app.permissions, ["camera", "clipboardWrite"]);
    assert_eq!(
        (app.domain.as_deref(), app.prefers_border),
        (Some("d.example"), Some(false))
    );
    assert_eq!(
        ResourceApp::of_resource(r#"{"_meta":{"ui":{}}}"#),
        Some(ResourceApp::default())
    );
    assert_eq!(ResourceApp::of_resource(r#"{"uri":"ui://a"}"#), None);
}
