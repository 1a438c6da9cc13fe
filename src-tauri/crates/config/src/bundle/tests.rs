mod hostile;
mod manifests;

use std::{
    convert::Infallible,
    io::Write as _,
    path::{Path, PathBuf},
};

use patchbay_contract::{ServerDraft, TransportDraft};
use serde_json::json;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::*;

/// A bundle in a file, with its folder.
pub(super) struct Made {
    pub(super) folder: tempfile::TempDir,
    pub(super) path: PathBuf,
}

impl Made {
    /// Where bundles are unpacked.
    pub(super) fn bundles(&self) -> PathBuf {
        self.folder.path().join("bundles")
    }

    pub(super) fn open(&self) -> Result<Bundle, BundleError> {
        Bundle::open(&self.path)
    }

    /// The message with which opening it fails.
    pub(super) fn refusal(&self) -> String {
        self.open().unwrap_err().to_string()
    }
}

pub(super) fn bytes(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .unix_permissions(if name.ends_with(".sh") { 0o755 } else { 0o644 });
        zip.start_file(*name, options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(super) fn file(bytes: &[u8]) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mcpb");
    std::fs::write(&path, bytes).unwrap();
    Made { folder, path }
}

/// A bundle of this manifest with `server/index.js` and `run.sh`.
pub(super) fn made(manifest: &serde_json::Value) -> Made {
    file(&bytes(&[
        ("manifest.json", manifest.to_string().as_bytes()),
        ("server/index.js", b"console.log(1)"),
        ("run.sh", b"#!/bin/sh\n"),
    ]))
}

pub(super) fn manifest() -> serde_json::Value {
    json!({
        "manifest_version": "0.3",
        "name": "hello-world",
        "display_name": "Hello World",
        "version": "1.2.0",
        "description": "Says hello.",
        "author": { "name": "Ada" },
        "server": {
            "type": "node",
            "entry_point": "server/index.js",
            "mcp_config": {
                "command": "node",
                "args": ["${__dirname}/server/index.js", "${user_config.folders}", "--level=${user_config.level}", "${user_config.extra}"],
                "env": { "API_KEY": "${user_config.api_key}", "PLAIN": "${user_config.api_key}", "EXTRA": "${user_config.extra}", "AT": "${HOME}${/}x" },
            },
        },
        "user_config": {
            "folders": { "type": "directory", "title": "Folders", "description": "Which", "multiple": true, "required": true, "default": ["${HOME}/Desktop"] },
            "api_key": { "type": "string", "title": "API key", "description": "Yours", "sensitive": true, "required": true },
            "level": { "type": "number", "title": "Level", "description": "", "default": 3, "min": 1, "max": 5 },
            "extra": { "type": "string", "title": "Extra", "description": "" },
        },
    })
}

#[test]
fn a_bundle_is_read_without_being_unpacked() {
    let made = made(&manifest());
    let bundle = made.open().unwrap();
    assert_eq!(bundle.manifest.title(), "Hello World");
    assert_eq!(bundle.manifest.format_version(), "0.3");
    assert_eq!((bundle.file_count(), bundle.signature), (3, Signature::None));
    assert_eq!(bundle.needs_in_path().as_deref(), Some("node"));
    assert_eq!(bundle.sha256.len(), 64);
    assert!(!made.bundles().exists());
}

#[test]
fn the_settings_are_a_schema_with_their_defaults() {
    let bundle = made(&manifest()).open().unwrap();
    let places = Places::below("/h");
    let schema: serde_json::Value = serde_json::from_str(&bundle.manifest.schema(&places).unwrap()).unwrap();
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "folders": { "type": "array", "items": { "type": "string", "format": "directory" }, "minItems": 1,
                    "title": "Folders", "description": "Which", "default": ["/h/Desktop"] },
                "api_key": { "type": "string", "format": "password", "minLength": 1, "title": "API key", "description": "Yours" },
                "level": { "type": "number", "minimum": 1, "maximum": 5, "title": "Level", "default": 3 },
                "extra": { "type": "string", "title": "Extra" },
            },
            "required": ["api_key", "folders"],
            "additionalProperties": false,
        })
    );
    assert_eq!(
        bundle.manifest.defaults(&places).unwrap(),
        r#"{"folders":["/h/Desktop"],"level":3}"#
    );
}

#[test]
fn the_settings_have_the_order_of_the_manifest() {
    let text = manifest().to_string();
    let front = text.split("\"user_config\"").next().unwrap();
    let setting =
        |name: &str| format!("\"{name}\":{{\"type\":\"string\",\"title\":\"{name}\",\"description\":\"\"}}");
    let text = format!(
        "{front}\"user_config\":{{{},{}}},\"version\":\"1\"}}",
        setting("zebra"),
        setting("ape")
    );
    let bundle = file(&bytes(&[
        ("manifest.json", text.as_bytes()),
        ("server/index.js", b"x"),
    ]))
    .open()
    .unwrap();
    let schema = bundle.manifest.schema(&Places::below("/h")).unwrap();
    assert!(
        schema.find("zebra").unwrap() < schema.find("ape").unwrap(),
        "{schema}"
    );
}

/// The launch of a bundle in `/b/x`.
fn launched(bundle: &Bundle, values: &serde_json::Value) -> Result<Launch, String> {
    let count = std::cell::Cell::new(0);
    let new_name = || {
        count.set(count.get() + 1);
        Ok::<_, Infallible>(format!("{:032x}", count.get()))
    };
    let launch = bundle.launch(
        Path::new("/b/x"),
        &Places::below("/h"),
        &values.to_string(),
        new_name,
    );
    launch.map_err(|error| match error {
        LaunchError::Bundle(error) => error.to_string(),
        LaunchError::Name(never) => match never {},
    })
}

#[test]
#[cfg(unix)]
fn variables_are_filled_in_and_lists_become_arguments() {
    let bundle = made(&manifest()).open().unwrap();
    let values = json!({ "folders": ["/a", "/b ${HOME}"], "api_key": "s3cret", "level": 4 });
    let launch = launched(&bundle, &values).unwrap();
    let TransportDraft::Stdio {
        command,
        args,
        env,
        cwd,
    } = launch.transport
    else {
        panic!("a program");
    };
    assert_eq!(command, "node");
    // What was entered is not looked at again.
    assert_eq!(args, ["/b/x/server/index.js", "/a", "/b ${HOME}", "--level=4"]);
    assert_eq!(cwd.as_deref(), Some("/b/x"));
    let env: Vec<(&str, &str)> = env
        .iter()
        .map(|var| (var.name.as_str(), var.value.as_str()))
        .collect();
    let reference = format!("${{vault:{:032x}}}", 1);
    // Secret whatever the variable is called, and once in the vault; what was not entered sets no variable.
    assert_eq!(
        env,
        [("API_KEY", &*reference), ("AT", "/h/x"), ("PLAIN", &*reference)]
    );
    assert_eq!(launch.secrets.len(), 1);
    assert_eq!(launch.secrets[0].1.expose(), "s3cret");
}

#[test]
fn each_of_several_secrets_becomes_a_reference() {
    let mut asking = manifest();
    asking["user_config"]["folders"] =
        json!({ "type": "string", "title": "Keys", "description": "", "multiple": true, "sensitive": true });
    asking["server"]["mcp_config"]["env"] = json!({ "KEYS": "${user_config.folders}" });
    let bundle = made(&asking).open().unwrap();
    let launch = launched(
        &bundle,
        &json!({ "folders": ["one-secret", "another"], "api_key": "k" }),
    )
    .unwrap();
    let TransportDraft::Stdio { args, env, .. } = launch.transport else {
        panic!("a program");
    };
    let reference = |number: u8| format!("${{vault:{number:032x}}}");
    assert_eq!(args[1..3], [reference(1), reference(2)]);
    let separator = if cfg!(windows) { ";" } else { ":" };
    assert_eq!(env[0].value, [reference(1), reference(2)].join(separator));
    let values: Vec<&str> = launch.secrets.iter().map(|(_, value)| value.expose()).collect();
    assert_eq!(values, ["one-secret", "another"]);
}

#[test]
fn wrong_values_are_refused_by_name() {
    let bundle = made(&manifest()).open().unwrap();
    let good = json!({ "folders": ["/a"], "api_key": "k" });
    let with = |name: &str, value: serde_json::Value| {
        let mut values = good.clone();
        values[name] = value;
        launched(&bundle, &values).unwrap_err()
    };
    assert!(launched(&bundle, &good).is_ok());
    assert!(with("api_key", json!("")).contains("`API key` is required"));
    assert!(with("folders", json!([""])).contains("`Folders` is required"));
    assert!(with("folders", json!("/a")).contains("`Folders` is not a list"));
    assert!(with("level", json!(9)).contains("`Level` is not within its bounds"));
    assert!(with("level", json!("3")).contains("`Level` is not a number"));
    assert!(with("other", json!(1)).contains("does not ask for `other`"));
}

#[test]
fn it_is_unpacked_for_its_owner_and_found_again_by_its_server() {
    let made = made(&manifest());
    let mut bundle = made.open().unwrap();
    let folder = new_folder(&made.bundles(), "Hello World", "1.2.0");
    bundle.unpack(&folder).unwrap();
    assert_eq!(
        std::fs::read_to_string(folder.join("server/index.js")).unwrap(),
        "console.log(1)"
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &str| std::fs::metadata(folder.join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(
            [mode(""), mode("server"), mode("server/index.js"), mode("run.sh")],
            [0o700, 0o700, 0o600, 0o700]
        );
    }
    let name = folder.file_name().unwrap().to_string_lossy().into_owned();
    assert!(name.starts_with("hello-world-1-2-0-"), "{name}");
    let launch = bundle.launch(
        &folder,
        &Places::below("/h"),
        r#"{"folders":["/a"],"api_key":"k"}"#,
        || Ok::<_, Infallible>("0".repeat(32)),
    );
    let Ok(launch) = launch else { panic!("launched") };
    let draft = ServerDraft::new("a", launch.transport);
    assert_eq!(folder_of(&draft, &made.bundles()), Some(folder.clone()));
    assert_eq!(folder_of(&draft, &made.folder.path().join("other")), None);
    remove_folder(&folder).unwrap();
    assert!(!folder.exists());
    remove_folder(&folder).unwrap();
}

#[test]
fn what_was_being_unpacked_when_it_was_killed_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join(".patchbay-a.tmp/x")).unwrap();
    std::fs::write(folder.path().join(".patchbay-b.tmp"), "x").unwrap();
    std::fs::create_dir(folder.path().join("kept")).unwrap();
    remove_unfinished_bundles(folder.path());
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["kept"]);
}

#[test]
fn a_file_that_changed_since_the_review_is_not_unpacked() {
    let made = made(&manifest());
    let mut bundle = made.open().unwrap();
    let mut other = manifest();
    other["description"] = json!("Something else.");
    std::fs::write(
        &made.path,
        bytes(&[("manifest.json", other.to_string().as_bytes())]),
    )
    .unwrap();
    let refused = bundle.unpack(&made.bundles().join("x")).unwrap_err().to_string();
    assert!(refused.contains("has changed since it was shown"), "{refused}");
    assert!(!made.bundles().exists());
}
