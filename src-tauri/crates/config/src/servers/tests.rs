use std::path::{Path, PathBuf};

use patchbay_contract::{
    DefinitionTrust, EraChoice, HttpHeader, HttpKind, ListPaging, ProxyDraft, ServerDraft, ServerId,
    TransportDraft,
};

mod advertised;
mod edited;
mod environment;
mod file_watch;
mod groups;
mod kept;
mod limits;
mod timeouts;

use super::{Servers, new_id};

fn draft(name: &str) -> ServerDraft {
    ServerDraft::new(
        name,
        TransportDraft::Stdio {
            command: "x".to_owned(),
            args: vec!["1".to_owned()],
            env: Vec::new(),
            cwd: None,
        },
    )
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
fn added_servers_are_kept_in_order_after_a_restart() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let b = servers.add(new_id(), draft("b")).unwrap();
    let a = servers.add(new_id(), draft("a")).unwrap();
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
fn unknown_fields_are_preserved() {
    let place = place(Some(
        r#"{"theme": 1.10, "mcpServers": {"z": {"note": true, "command": "old", "big": 9007199254740993, "id": "z1", "inheritEnvironment": false},
           "web": {"socket": "/run/x"}, "a": {"command": "y", "id": "a1", "inheritEnvironment": false}}, "after": {"b": 1, "a": 2}}"#,
    ));
    let servers = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(names(&servers), ["z", "a"]);
    assert_eq!(
        servers.notices(),
        [
            "\"web\" in servers.json is not shown: it has neither a `command` nor a `url`. It was left as it is."
        ]
    );
    let mut renamed = draft("new");
    renamed.era = EraChoice::Legacy;
    servers.update(&ServerId("z1".to_owned()), renamed).unwrap();
    insta::assert_snapshot!(text(&place.file), @r#"
    {
      "theme": 1.10,
      "mcpServers": {
        "new": {
          "note": true,
          "command": "x",
          "big": 9007199254740993,
          "id": "z1",
          "inheritEnvironment": false,
          "args": [
            "1"
          ],
          "era": "legacy"
        },
        "web": {
          "socket": "/run/x"
        },
        "a": {
          "command": "y",
          "id": "a1",
          "inheritEnvironment": false
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
fn a_server_written_by_hand_gets_a_permanent_id() {
    let place = place(Some(r#"{"mcpServers": {"hand": {"command": "x"}}}"#));
    let first = Servers::open(place.file.clone(), true).unwrap().all();
    assert_eq!(first, Servers::open(place.file.clone(), true).unwrap().all());
    assert!(!first[0].id.0.is_empty());
}

#[test]
fn an_unreadable_file_is_set_aside_with_a_notice() {
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
        servers.add(new_id(), draft("a")).unwrap();
        assert_eq!(names(&Servers::open(place.file.clone(), true).unwrap()), ["a"]);
    }
}

#[test]
fn a_reader_writes_nothing() {
    for content in ["{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}", "{broken"] {
        let place = place(Some(content));
        let servers = Servers::open(place.file.clone(), false).unwrap();
        servers.add(new_id(), draft("b")).unwrap();
        assert_eq!(names(&servers).last().map(String::as_str), Some("b"));
        assert_eq!(text(&place.file), content);
        assert_eq!(
            std::fs::read_dir(place.file.parent().unwrap()).unwrap().count(),
            1
        );
    }
}

#[test]
fn a_concurrent_manual_change_is_kept() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    servers.add(new_id(), draft("a")).unwrap();
    let edited = text(&place.file).replace(
        "\"mcpServers\": {",
        "\"mcpServers\": {\n \"hand\": {\"command\": \"h\"},",
    );
    std::fs::write(&place.file, edited).unwrap();
    servers.add(new_id(), draft("b")).unwrap();
    assert_eq!(names(&servers), ["hand", "a", "b"]);
    assert!(text(&place.file).contains("hand"));
}

#[test]
fn the_demo_server_is_added_once_and_keeps_its_command() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    servers.add(new_id(), draft("Demo server")).unwrap();
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
fn invalid_drafts_are_rejected() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    servers.add(new_id(), draft("a")).unwrap();
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
        let error = servers.add(new_id(), bad).unwrap_err();
        assert!(error.message.contains(why), "{}", error.message);
    }
    assert_eq!(names(&servers), ["a"]);
}

fn http(url: &str) -> TransportDraft {
    TransportDraft::Http {
        url: url.to_owned(),
        kind: HttpKind::Auto,
        headers: Vec::new(),
        proxy: ProxyDraft::System,
        ca_file: None,
        client_certificate: None,
        accepted_fingerprint: None,
    }
}

fn header(name: &str, value: &str, is_secret: bool) -> HttpHeader {
    HttpHeader {
        name: name.to_owned(),
        value: value.to_owned(),
        is_secret,
    }
}

#[test]
fn invalid_addresses_are_rejected() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let with = |change: &dyn Fn(&mut TransportDraft)| {
        let mut transport = http("https://example.com/mcp");
        change(&mut transport);
        ServerDraft {
            transport,
            ..draft("h")
        }
    };
    let headers = |given: Vec<HttpHeader>| {
        with(&|transport| {
            if let TransportDraft::Http { headers, .. } = transport {
                headers.clone_from(&given);
            }
        })
    };
    for (bad, why) in [
        (with(&|transport| *transport = http(" ")), "needs an address"),
        (
            with(&|transport| *transport = http("example.com/mcp")),
            "is not an address",
        ),
        (
            with(&|transport| *transport = http("ftp://example.com")),
            "not ftp:",
        ),
        (
            with(&|transport| *transport = http("http://")),
            "is not an address",
        ),
        (
            with(&|transport| *transport = http("https://me:pw@example.com")),
            "Authorization: Basic",
        ),
        (headers(vec![header("a b", "1", false)]), "cannot be the name"),
        (
            headers(vec![header("Content-Length", "1", false)]),
            "HTTP client itself",
        ),
        (headers(vec![header("X", "a\r\nY: b", false)]), "line breaks"),
        (
            headers(vec![header("X-a", "1", false), header("x-A", "2", false)]),
            "twice",
        ),
        (
            with(&|transport| {
                if let TransportDraft::Http { proxy, .. } = transport {
                    *proxy = ProxyDraft::Url {
                        url: "socks9://x".to_owned(),
                    };
                }
            }),
            "not socks9:",
        ),
        (
            with(&|transport| {
                if let TransportDraft::Http { ca_file, .. } = transport {
                    *ca_file = Some("/no/such/file.pem".to_owned());
                }
            }),
            "is not there",
        ),
        (
            with(&|transport| {
                if let TransportDraft::Http {
                    accepted_fingerprint, ..
                } = transport
                {
                    *accepted_fingerprint = Some("abc".to_owned());
                }
            }),
            "64 hexadecimal",
        ),
    ] {
        let error = servers.add(new_id(), bad).unwrap_err();
        assert!(error.message.contains(why), "{}", error.message);
    }
    assert_eq!(names(&servers), [""; 0]);
}

#[test]
fn an_http_server_survives_a_restart_and_is_exported_without_secrets() {
    let place = place(Some(
        r#"{"mcpServers": {"h": {"note": true, "serverUrl": "https://old", "type": "http", "id": "h1"}}}"#,
    ));
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = ServerId("h1".to_owned());
    let kind = |servers: &Servers| match servers.get(&id).unwrap().draft.transport {
        TransportDraft::Http { kind, .. } => Some(kind),
        TransportDraft::Stdio { .. } => None,
    };
    assert_eq!(kind(&servers), Some(HttpKind::StreamableHttp));
    let mut changed = draft("h");
    changed.health_ping_ms = Some(30_000);
    changed.transport = TransportDraft::Http {
        url: " https://example.com/mcp?api_key=0123456789&x=1#top ".to_owned(),
        kind: HttpKind::Auto,
        headers: vec![
            header("Authorization", " Bearer abcdefgh ", false),
            header("X-Team", "red", true),
            header("X-Plain", "seen", false),
            header("", "", false),
        ],
        proxy: ProxyDraft::Url {
            url: "http://me:p-a-s-s@proxy:3128".to_owned(),
        },
        ca_file: None,
        client_certificate: None,
        accepted_fingerprint: Some("AB:".repeat(31) + "CD"),
    };
    servers.update(&id, changed).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all(), servers.all());
    assert_eq!(kind(&again), Some(HttpKind::Auto));
    insta::assert_snapshot!(text(&place.file), @r#"
    {
      "mcpServers": {
        "h": {
          "note": true,
          "serverUrl": "https://example.com/mcp?api_key=0123456789&x=1",
          "id": "h1",
          "headers": {
            "Authorization": "Bearer abcdefgh",
            "X-Team": "red",
            "X-Plain": "seen"
          },
          "secretHeaders": [
            "X-Team"
          ],
          "proxy": "http://me:p-a-s-s@proxy:3128",
          "acceptedFingerprint": "abababababababababababababababababababababababababababababababcd",
          "healthPingMs": 30000
        }
      }
    }
    "#);
    insta::assert_snapshot!(servers.export(&id).unwrap(), @r#"
    {
      "mcpServers": {
        "h": {
          "note": true,
          "serverUrl": "https://example.com/mcp?api_key=${API_KEY}&x=1",
          "type": "http",
          "headers": {
            "Authorization": "Bearer ${AUTHORIZATION}",
            "X-Team": "${X_TEAM}",
            "X-Plain": "seen"
          },
          "healthPingMs": 30000
        }
      }
    }
    "#);
    // A program again: nothing of the address is left.
    servers.update(&id, draft("h")).unwrap();
    insta::assert_snapshot!(text(&place.file), @r#"
    {
      "mcpServers": {
        "h": {
          "note": true,
          "id": "h1",
          "command": "x",
          "args": [
            "1"
          ],
          "inheritEnvironment": false
        }
      }
    }
    "#);
}

#[test]
fn an_export_is_what_other_hosts_read() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = servers.add(new_id(), draft("a")).unwrap();
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

#[test]
fn how_lists_are_requested_is_stored() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let by_page = ServerDraft {
        list_paging: Some(ListPaging::PageByPage),
        ..draft("a")
    };
    let id = servers.add(new_id(), by_page).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all(), servers.all());
    assert!(text(&place.file).contains(r#""listPaging": "pageByPage""#));
    assert!(!again.export(&id).unwrap().contains("listPaging"));
    std::fs::write(&place.file, text(&place.file).replace("pageByPage", "2")).unwrap();
    let later = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(later.all()[0].draft.list_paging, None);
    assert!(later.notices()[0].contains("listPaging"), "{:?}", later.notices());
}

#[test]
fn whom_the_user_trusts_is_stored_and_never_taken_from_pasted_text() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let trusted = ServerDraft {
        definition_trust: Some(DefinitionTrust::Accept),
        trust_annotations: Some(true),
        automatic: serde_json::from_str(r#"{"connect":true}"#).ok(),
        ..draft("a")
    };
    let id = servers.add(new_id(), trusted).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all(), servers.all());
    assert!(text(&place.file).contains(r#""definitionTrust": "accept""#));
    let exported = again.export(&id).unwrap();
    assert!(!exported.contains("definitionTrust") && !exported.contains("trustAnnotations"));
    let pasted = crate::parse(&text(&place.file), |_| false).drafts.remove(0);
    assert_eq!((pasted.definition_trust, pasted.trust_annotations), (None, None));
    assert_eq!(pasted.automatic, None);
    // A value of a later version never trusts.
    let changed = text(&place.file).replace("accept", "always");
    let changed = changed.replace(r#"trustAnnotations": true"#, r#"trustAnnotations": "some""#);
    std::fs::write(&place.file, changed).unwrap();
    let later = Servers::open(place.file.clone(), true).unwrap();
    let draft = later.all().remove(0).draft;
    assert_eq!((draft.definition_trust, draft.trust_annotations), (None, None));
    let notices = later.notices().concat();
    assert!(
        notices.contains("definitionTrust") && notices.contains("trustAnnotations"),
        "{notices}"
    );
}
