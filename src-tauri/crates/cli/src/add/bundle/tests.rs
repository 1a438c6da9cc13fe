use serde_json::json;

use super::*;
use crate::add::form::Form;

fn review() -> BundleReview {
    serde_json::from_value(json!({
        "bundleId": "1", "name": "Hello", "title": "Hello\u{202e}", "version": "1.0.0", "manifestVersion": "0.3",
        "description": "Says hello.\nAnd more.", "longDescription": null, "author": "Ada", "license": null, "links": [],
        "serverType": "node", "command": "node", "args": ["${__dirname}/index.js"], "env": [{ "name": "KEY", "value": "${user_config.key}" }],
        "tools": [{ "name": "greet", "description": "" }], "toolsGenerated": false, "prompts": [], "promptsGenerated": false,
        "platforms": [], "runtimes": [{ "name": "node", "versions": ">=18" }], "program": null, "signature": "unverified",
        "sha256": "ab", "size": 10, "files": 1, "unpackedSize": 10, "folder": "/data/bundles",
        "schemaJson": json!({ "type": "object", "properties": {
            "key": { "type": "string", "format": "password", "title": "Key" },
            "level": { "type": "number" }, "on": { "type": "boolean" },
            "folders": { "type": "array", "items": { "type": "string" } },
        }, "required": ["key"] }).to_string(),
        "valuesJson": r#"{"folders":["/default"],"level":3}"#, "blockers": [], "notes": ["A note."],
    }))
    .unwrap()
}

#[test]
fn the_review_names_what_would_run() {
    assert_eq!(
        words(&review()),
        "Hello⟨U+202E⟩ 1.0.0 by Ada\n  about      Says hello.\\nAnd more.\n  starts     node\n  argument   ${__dirname}/index.js\n  \
         variable   KEY\n  needs      node >=18\n  tools      greet\n  signature  present, not verified\n  sha256     ab\n  \
         unpacked   below /data/bundles\nNote: A note.\nNothing is started until you connect."
    );
}

#[test]
fn values_have_the_type_of_their_setting() {
    let review = review();
    let form = Form::new(review.schema_json.as_deref(), &review.values_json);
    let Ok(form) = form else { panic!("a form") };
    let set = [
        ("level", "5"),
        ("on", "true"),
        ("folders", "/a"),
        ("folders", "/b"),
        ("key", "5"),
    ];
    let set: Vec<(String, String)> = set
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let values = form.values(&set).unwrap_or_default();
    assert_eq!(
        values,
        json!({ "level": 5, "on": true, "folders": ["/a", "/b"], "key": "5" })
    );
    assert!(form.values(&[("other".to_owned(), String::new())]).is_err());
}
