use patchbay_contract::{EnvVar, ServerDraft, TransportDraft};

use super::{file_or_text, review};
use crate::output::visible;
use patchbay_engine::quoted;

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

#[test]
fn a_file_is_read_or_refused_and_never_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let settings = "// mine\n{\"a\":{\"command\":\"x\"}}";
    assert_eq!(file_or_text(&write("a.json", settings)).unwrap(), settings);
    let with_comments = "{\"a\":{\"command\":\"x\"}, // mine\n}";
    assert_eq!(
        file_or_text(&write("a.jsonc", with_comments)).unwrap(),
        with_comments
    );
    let bundle = write("a.mcpb", "zip");
    assert_eq!(file_or_text(&bundle).unwrap(), bundle);
    for text in [
        "npx -y server --config x.json",
        "https://a.example/server.json",
        "localhost:3000/server.json",
        "a.example:8443/config.yaml",
        "patchbay://add?command=x.toml",
        "server",
        "{\"command\":\"x\"}",
    ] {
        assert_eq!(file_or_text(text).unwrap(), text);
    }
    let said = |text: &str| {
        serde_json::to_value(file_or_text(text).unwrap_err()).unwrap()["message"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    for ending in ["json", "jsonc", "mcpb", "dxt", "toml", "yaml", "YML"] {
        let missing = format!("missing.{ending}");
        assert!(said(&missing).contains("cannot be read"), "{missing}");
    }
    assert!(said(&write("lines.json", "npx a\nnpx b")).contains("it is not JSON"));
    let long = format!("{{\"mcpServers\":{{}}}}{}", " ".repeat(4 << 20));
    assert!(said(&write("long.json", &long)).contains("it is larger than 4 MiB"));
    let file = write("my config.toml", "");
    let config = said(&file);
    assert!(
        config.contains(&format!("`patchbay import {}`", visible(&quoted(&file)))),
        "{config}"
    );
}
