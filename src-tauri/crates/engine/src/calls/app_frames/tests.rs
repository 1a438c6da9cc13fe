use std::borrow::Cow;

use super::*;

fn policy(declared: &str) -> Policy {
    let resource = format!(r#"{{"_meta":{{"ui":{declared}}}}}"#);
    Policy::of(&ResourceApp::of_resource(&resource).unwrap())
}

#[test]
fn nothing_is_allowed_by_default() {
    let policy = Policy::of(&ResourceApp::default());
    assert_eq!(
        policy.header,
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
         media-src data: blob:; font-src data:; connect-src 'none'; frame-src 'none'; base-uri 'none'; \
         worker-src blob:; object-src 'none'; form-action 'none'; sandbox allow-scripts allow-forms"
    );
    assert_eq!(
        (policy.permissions.len(), policy.refused.len()),
        (0, 0),
        "{policy:?}"
    );
}

#[test]
fn declared_origins_are_allowed_for_their_purpose_only() {
    let policy = policy(
        r#"{"csp":{"connectDomains":["https://api.example.com","wss://live.example.com:8443"],
            "resourceDomains":["https://*.cdn.example.com/lib/","fonts.example.com"],
            "frameDomains":["https://player.example.com"],"baseUriDomains":["https://base.example.com/"]},
            "permissions":{"camera":{},"clipboardWrite":{}},"domain":"x.example","prefersBorder":true}"#,
    );
    let has = |directive: &str| {
        let mut directives = policy.header.split("; ");
        assert!(
            directives.any(|one| one == directive),
            "{directive}: {}",
            policy.header
        );
    };
    has("connect-src https://api.example.com wss://live.example.com:8443");
    has("script-src 'unsafe-inline' https://*.cdn.example.com/lib/ https://fonts.example.com");
    has("img-src data: blob: https://*.cdn.example.com/lib/ https://fonts.example.com");
    has("frame-src https://player.example.com");
    has("base-uri https://base.example.com");
    assert_eq!(policy.permissions, ["camera", "clipboard-write"]);
    assert_eq!(policy.refused, Vec::<String>::new());
    assert_eq!(
        (policy.domain.as_deref(), policy.prefers_border),
        (Some("x.example"), Some(true))
    );
}

#[test]
fn an_entry_cannot_widen_the_policy() {
    for entry in [
        "*",
        "https:",
        "https://*",
        "data:",
        "'unsafe-eval'",
        "'self'",
        "https://a.example; script-src *",
        "https://a.example script-src",
        "https://a.example,https://b.example",
        "https://a.example\nsandbox",
        "https://a.example/x;y",
        "https://a.example/?q",
        "https://a.example:*",
        "https://user@a.example",
        "javascript://a.example",
        "tauri://localhost",
        "ipc://localhost",
        "http://ipc.localhost",
        "http://*.localhost",
        "https://ä.example",
        "https://[::1]",
        "",
    ] {
        let app = ResourceApp {
            connect: vec![Cow::Borrowed(entry)],
            ..ResourceApp::default()
        };
        let policy = Policy::of(&app);
        assert_eq!(
            policy.header,
            Policy::of(&ResourceApp::default()).header,
            "{entry}"
        );
        assert_eq!(policy.refused.len(), 1, "{entry}");
    }
    let many = (0..60).map(|n| format!("https://a{n}.example").into()).collect();
    let policy = Policy::of(&ResourceApp {
        frame: many,
        ..ResourceApp::default()
    });
    assert_eq!((policy.origins.frame.len(), policy.refused.len()), (50, 1));
}

#[test]
fn an_unknown_permission_is_refused() {
    let policy = policy(r#"{"permissions":{"usb":{},"geolocation":{}}}"#);
    assert_eq!(policy.permissions, ["geolocation"]);
    assert_eq!(
        policy.refused,
        [r#"permissions "usb": not a permission of MCP Apps."#]
    );
}

fn response(content: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"contents":[{content}]}}}}"#)
}

fn made(content: &str) -> Result<String, String> {
    make(response(content).as_bytes(), "ui://a", None)
        .map(|(document, _, _)| String::from_utf8(document.html.to_vec()).unwrap())
        .map_err(|error| error.message)
}

#[test]
fn the_reporter_runs_first_and_keeps_standards_mode() {
    let html = made(
        r#"{"uri":"ui://a","mimeType":"text/html; profile=\"mcp-app\"","text":"<!-- x --><!DOCTYPE html><p>Hi"}"#,
    )
    .unwrap();
    assert!(html.starts_with("<!-- x --><!DOCTYPE html><script>"), "{html}");
    assert!(html.ends_with("</script><p>Hi"), "{html}");
    assert!(document::with_reporter("<p>Hi").starts_with("<script>"));
    assert!(document::with_reporter("<!-- open <!doctype html>").starts_with("<script>"));
}

#[test]
fn text_and_blob_are_read() {
    let blob = made(r#"{"uri":"ui://b","mimeType":"TEXT/HTML;profile=mcp-app","blob":"PHA+\nSGk="}"#);
    assert!(blob.unwrap().ends_with("<p>Hi"));
}

#[test]
fn a_resource_that_is_no_app_is_refused_with_the_reason() {
    let app = r#""uri":"ui://a","mimeType":"text/html;profile=mcp-app""#;
    let cases = [
        (
            r#"{"uri":"ui://a","mimeType":"text/html","text":"x"}"#.to_owned(),
            "MIME type \"text/html\"",
        ),
        (r#"{"uri":"ui://a","text":"x"}"#.to_owned(), "MIME type \"\""),
        (format!("{{{app}}}"), "neither `text` nor `blob`"),
        (format!(r#"{{{app},"blob":"***"}}"#), "not base64"),
        (format!(r#"{{{app},"blob":"/w=="}}"#), "not UTF-8"),
        (format!(r#"{{{app},"text":" "}}"#), "empty"),
        (
            format!(r#"{{{app},"text":"{}"}}"#, "x".repeat(document::MOST_HTML + 1)),
            "8388609 bytes of HTML; at most 8388608",
        ),
        (
            r#"{"uri":"ui://other","mimeType":"text/plain","text":"x"}"#.to_owned(),
            "no item with the URI",
        ),
    ];
    for (content, why) in cases {
        let message = made(&content).unwrap_err();
        assert!(message.contains(why), "{message}");
    }
    let message = make(b"{}", "ui://a", None).unwrap_err().message;
    assert!(message.contains("no `contents`"), "{message}");
}

#[test]
fn the_content_takes_precedence_over_the_list() {
    let listed = r#"{"uri":"ui://a","_meta":{"ui":{"csp":{"connectDomains":["https://listed.example"]}}}}"#;
    let policy_of = |meta: &str| {
        let content =
            format!(r#"{{"uri":"ui://a","mimeType":"text/html;profile=mcp-app","text":"x"{meta}}}"#);
        make(response(&content).as_bytes(), "ui://a", Some(listed))
            .unwrap()
            .1
    };
    assert_eq!(policy_of("").origins.connect, ["https://listed.example"]);
    assert_eq!(
        policy_of(r#","_meta":{"ui":{}}"#).origins.connect,
        Vec::<String>::new()
    );
}
