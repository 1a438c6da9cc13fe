use patchbay_contract::{EnvVar, ServerDraft, TransportDraft};

use super::review;
use crate::output::visible;

#[test]
fn the_review_names_what_would_run_and_no_values() {
    let program: ServerDraft = serde_json::from_value(serde_json::json!({
        "name": "files",
        "transport": {"type": "stdio", "command": "npx", "args": ["-y", "a\u{202e}gpj.exe"], "env": [], "cwd": null},
        "era": "auto",
        "timeouts": {"requestMs": 60000, "maxTotalMs": 600000, "resetOnProgress": true},
    }))
    .unwrap();
    let mut draft = program;
    if let TransportDraft::Stdio { env, .. } = &mut draft.transport {
        env.push(EnvVar {
            name: "API_KEY".to_owned(),
            value: "hidden".to_owned(),
        });
    }
    let shown = review(&[draft], &["a note".to_owned()]);
    assert_eq!(
        shown,
        "files\n  starts     npx\n  argument   -y\n  argument   a⟨U+202E⟩gpj.exe\n  variable   API_KEY\nNote: a note\n\
         Nothing is started until you connect."
    );
}

#[test]
fn an_argument_cannot_pretend_to_be_another_line() {
    assert_eq!(
        visible("a\n  starts     x\u{1b}[2J"),
        "a\\n  starts     x⟨U+001B⟩[2J"
    );
}
