use std::path::{Path, PathBuf};

use patchbay_contract::{EraChoice, ServerDraft, ServerId, TransportDraft};

use super::Servers;

fn draft(name: &str) -> ServerDraft {
    ServerDraft {
        name: name.to_owned(),
        transport: TransportDraft::Stdio {
            command: "x".to_owned(),
            args: vec!["1".to_owned()],
            env: Vec::new(),
            cwd: None,
        },
        era: EraChoice::Auto,
        timeouts: Default::default(),
        health_ping_ms: None,
    }
}

fn names(servers: &Servers) -> Vec<String> {
    servers
        .all()
        .into_iter()
        .map(|server| server.draft.name)
        .collect()
}

struct Place {
    _dir: tempfile::TempDir,
    file: PathBuf,
}

fn place(text: Option<&str>) -> Place {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("servers.json");
    if let Some(text) = text {
        std::fs::write(&file, text).unwrap();
    }
    Place { _dir: dir, file }
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn what_was_added_is_there_after_a_restart_in_order() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let b = servers.add(draft("b")).unwrap();
    let a = servers.add(draft("a")).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all(), servers.all());
    again.reorder(&[a.clone(), b.clone()]).unwrap();
    assert_eq!(
        names(&Servers::open(place.file.clone(), true).unwrap()),
        ["a", "b"]
    );
    assert!(again.reorder(std::slice::from_ref(&a)).is_err());
    again.remove(&a).unwrap();
    assert!(again.remove(&a).is_err());
    assert_eq!(names(&Servers::open(place.file.clone(), true).unwrap()), ["b"]);
}

#[test]
fn fields_we_do_not_know_stay_as_they_were_written() {
    let place = place(Some(
        r#"{"theme": 1.10, "mcpServers": {"z": {"disabled": true, "command": "old", "big": 9007199254740993, "id": "z1"},
           "web": {"url": "https://x"}, "a": {"command": "y", "id": "a1"}}, "after": {"b": 1, "a": 2}}"#,
    ));
    let servers = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(names(&servers), ["z", "a"]);
    assert_eq!(
        servers.notices(),
        ["\"web\" in servers.json is not shown: an HTTP server; not supported yet. It was left as it is."]
    );
    let mut renamed = draft("new");
    renamed.era = EraChoice::Legacy;
    servers.update(&ServerId("z1".to_owned()), renamed).unwrap();
    insta::assert_snapshot!(text(&place.file), @r#"
    {
      "theme": 1.10,
      "mcpServers": {
        "new": {
          "disabled": true,
          "command": "x",
          "big": 9007199254740993,
          "id": "z1",
          "args": [
            "1"
          ],
          "era": "legacy"
        },
        "web": {
          "url": "https://x"
        },
        "a": {
          "command": "y",
          "id": "a1",
          "args": []
        }
      },
      "after": {
        "b": 1,
        "a": 2
      }
    }
    "#);
}

#[test]
fn a_server_written_by_hand_gets_an_id_that_stays() {
    let place = place(Some(r#"{"mcpServers": {"hand": {"command": "x"}}}"#));
    let first = Servers::open(place.file.clone(), true).unwrap().all();
    assert_eq!(first, Servers::open(place.file.clone(), true).unwrap().all());
    assert!(!first[0].id.0.is_empty());
}

#[test]
fn a_file_that_is_not_understood_is_set_aside_and_told() {
    for broken in ["{\"mcpServers\": {", "[]", "{\"mcpServers\": []}", "\u{0}"] {
        let place = place(Some(broken));
        std::fs::write(place.file.with_extension("json.broken-1"), "older").unwrap();
        let servers = Servers::open(place.file.clone(), true).unwrap();
        let aside = place.file.with_extension("json.broken-2");
        assert_eq!(text(&aside), broken);
        assert!(
            servers.notices()[0].contains("servers.json.broken-2"),
            "{:?}",
            servers.notices()
        );
        servers.add(draft("a")).unwrap();
        assert_eq!(names(&Servers::open(place.file.clone(), true).unwrap()), ["a"]);
    }
}

#[test]
fn a_reader_touches_nothing() {
    for content in ["{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}", "{broken"] {
        let place = place(Some(content));
        let servers = Servers::open(place.file.clone(), false).unwrap();
        servers.add(draft("b")).unwrap();
        assert_eq!(names(&servers).last().map(String::as_str), Some("b"));
        assert_eq!(text(&place.file), content);
        assert_eq!(
            std::fs::read_dir(place.file.parent().unwrap()).unwrap().count(),
            1
        );
    }
}

#[test]
fn a_change_made_by_hand_meanwhile_is_kept() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    servers.add(draft("a")).unwrap();
    let edited = text(&place.file).replace(
        "\"mcpServers\": {",
        "\"mcpServers\": {\n \"hand\": {\"command\": \"h\"},",
    );
    std::fs::write(&place.file, edited).unwrap();
    servers.add(draft("b")).unwrap();
    assert_eq!(names(&servers), ["hand", "a", "b"]);
    assert!(text(&place.file).contains("hand"));
}

#[test]
fn the_demo_server_is_there_once_and_keeps_its_command() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    servers.add(draft("Demo server")).unwrap();
    let id = servers.add_demo().unwrap();
    assert_eq!(servers.add_demo().unwrap(), id);
    let demo = servers.get(&id).unwrap();
    assert_eq!(demo.draft.name, "Demo server 2");
    servers.update(&id, draft("Mine")).unwrap();
    let changed = servers.get(&id).unwrap();
    assert_eq!(
        (changed.draft.name.as_str(), &changed.draft.transport),
        ("Mine", &demo.draft.transport)
    );
}

#[test]
fn drafts_that_cannot_work_are_refused() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    servers.add(draft("a")).unwrap();
    let stdio = |command: &str, env: &[&str]| TransportDraft::Stdio {
        command: command.to_owned(),
        args: Vec::new(),
        env: env
            .iter()
            .map(|name| patchbay_contract::EnvVar {
                name: (*name).to_owned(),
                value: "v".to_owned(),
            })
            .collect(),
        cwd: None,
    };
    let with = |transport| ServerDraft {
        transport,
        ..draft("b")
    };
    for (bad, why) in [
        (draft(" "), "needs a name"),
        (draft(" a "), "already"),
        (draft(&"x".repeat(101)), "100 characters"),
        (draft("a\nb"), "line breaks"),
        (with(stdio(" ", &[])), "needs a command"),
        (with(stdio("a\0b", &[])), "NUL"),
        (with(stdio("a", &["K", "K"])), "twice"),
        (with(stdio("a", &["A=B"])), "cannot be the name"),
    ] {
        let error = servers.add(bad).unwrap_err();
        assert!(error.message.contains(why), "{}", error.message);
    }
    assert_eq!(names(&servers), ["a"]);
}

#[test]
fn an_export_is_what_other_hosts_read() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = servers.add(draft("a")).unwrap();
    insta::assert_snapshot!(servers.export(&id).unwrap(), @r#"
    {
      "mcpServers": {
        "a": {
          "command": "x",
          "args": [
            "1"
          ]
        }
      }
    }
    "#);
}
