//! What is written back as the user wrote it.

use super::*;

/// The entry of the first server, on one line.
fn entry(place: &Place) -> serde_json::Value {
    let file: serde_json::Value = serde_json::from_str(&text(&place.file)).unwrap();
    let list = file["mcpServers"].as_object().unwrap();
    list.values().next().unwrap().clone()
}

/// A server written by hand, or by a newer version: nothing in it is understood but its command.
const ODD: &str = r#"{"mcpServers": {"odd": {
    "command": "x", "args": ["1"], "env": {"A": "b", "LIST": ["c"]},
    "authorization": {"clientId": "id", "clientSecret": "s", "redirectPort": "8080"},
    "roots": {"mode": "new"}, "fileWatch": 1, "debugger": 1, "simulator": 1, "advertised": 1, "automatic": 1,
    "limits": {"openRequests": "many"}, "timeouts": {"requestMs": "long"}, "era": "new", "healthPingMs": "often",
    "definitionTrust": "new", "trustAnnotations": "yes", "listPaging": "new", "disabled": "yes", "groups": "Work"
    }, "other": {"command": "y"}}, "serverGroups": {"Work": 1}}"#;

#[test]
fn what_is_not_understood_is_kept_when_the_file_is_written() {
    let place = place(Some(ODD));
    let before = entry(&place);
    // The missing id is written at once.
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let all = servers.all();
    servers
        .set_disabled(std::slice::from_ref(&all[1].id), true)
        .unwrap();
    let mut after = entry(&place);
    let added = after.as_object_mut().unwrap();
    assert_eq!(added.remove("id").unwrap(), *all[0].id.0);
    assert_eq!(added.remove("inheritEnvironment").unwrap(), false);
    assert_eq!(after, before);
    assert!(text(&place.file).contains(r#""Work": 1"#));
}

#[test]
fn a_change_replaces_only_what_it_changes() {
    let place = place(Some(ODD));
    let before = entry(&place);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let server = servers.all().remove(0);
    let mut draft = server.draft;
    draft.era = EraChoice::Legacy;
    servers.update(&server.id, draft.clone()).unwrap();
    let after = entry(&place);
    assert_eq!(after["era"], "legacy");
    for name in ["env", "authorization", "limits", "simulator"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    // The program as a whole.
    let TransportDraft::Stdio { command, .. } = &mut draft.transport else {
        panic!("a program")
    };
    "z".clone_into(command);
    servers.update(&server.id, draft).unwrap();
    let after = entry(&place);
    assert_eq!(after["command"], "z");
    assert_eq!(after["env"], serde_json::json!({"A": "b"}));
}

#[test]
fn another_format_is_kept_until_the_program_changes() {
    let nested = r#"{"command": {"path": "x", "args": ["1"]}, "id": "n", "inheritEnvironment": false}"#;
    let place = place(Some(&format!(r#"{{"mcpServers": {{"n": {nested}}}}}"#)));
    let before = entry(&place);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = ServerId("n".to_owned());
    servers.set_disabled(std::slice::from_ref(&id), true).unwrap();
    assert_eq!(entry(&place)["command"], before["command"]);
    servers.update(&id, draft("n")).unwrap();
    assert_eq!(entry(&place)["command"], before["command"]);
    let mut changed = draft("n");
    let TransportDraft::Stdio { args, .. } = &mut changed.transport else {
        panic!("a program")
    };
    *args = vec!["2".to_owned()];
    servers.update(&id, changed.clone()).unwrap();
    assert_eq!(entry(&place)["command"], "x");
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all()[0].draft.transport, changed.transport);
}

/// What is not known is exported without what its names say to be secret.
#[test]
fn secrets_in_members_that_are_not_known_are_not_exported() {
    let place = place(Some(
        r#"{"mcpServers": {
            "a": {"command": "x", "args": ["1"], "id": "1", "inheritEnvironment": false, "headers": {"X-Team": "of-a-header"},
                "oauth": {"clientId": "c", "clientSecret": "s", "n": 1.10, "list": [{"apiKey": "k"}]},
                "credentials": ["u", {"value": "v", "on": true}], "note": "seen", "simulator": {"sampling": "accept"}},
            "b": {"serverUrl": "https://b.example", "id": "2", "auth": {"value": "v"}, "trust": true}
        }}"#,
    ));
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let exported = |id: &str| servers.export(&ServerId(id.to_owned())).unwrap();
    insta::assert_snapshot!(exported("1"), @r#"
    {
      "mcpServers": {
        "a": {
          "command": "x",
          "args": [
            "1"
          ],
          "oauth": {
            "clientId": "c",
            "clientSecret": "${CLIENT_SECRET}",
            "n": 1.10,
            "list": [
              {
                "apiKey": "${API_KEY}"
              }
            ]
          },
          "credentials": [
            "${CREDENTIALS}",
            {
              "value": "${VALUE}",
              "on": true
            }
          ],
          "note": "seen"
        }
      }
    }
    "#);
    insta::assert_snapshot!(exported("2"), @r#"
    {
      "mcpServers": {
        "b": {
          "serverUrl": "https://b.example",
          "auth": {
            "value": "${VALUE}"
          },
          "trust": true,
          "type": "http"
        }
      }
    }
    "#);
    assert!(text(&place.file).contains("of-a-header"));
}
