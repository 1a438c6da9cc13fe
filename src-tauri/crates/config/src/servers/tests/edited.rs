//! What another program does to the file while it is open here.

use super::*;

#[test]
fn an_unreadable_edit_costs_no_server() {
    type Change = fn(&Servers, &ServerId) -> bool;
    let changes: [(&str, Change); 3] = [
        ("nothing is changed", |servers, id| {
            servers.update(id, draft("a")).is_ok()
        }),
        ("the change is refused", |servers, id| {
            servers.update(id, draft("b")).is_err()
        }),
        ("something is changed", |servers, id| {
            servers.set_disabled(std::slice::from_ref(id), true).is_ok()
        }),
    ];
    for (what, change) in changes {
        let place = place(None);
        let servers = Servers::open(place.file.clone(), true).unwrap();
        let id = servers.add(new_id(), draft("a")).unwrap();
        servers.add(new_id(), draft("b")).unwrap();
        let edited = text(&place.file).replace("\"command\"", "\"comm");
        std::fs::write(&place.file, &edited).unwrap();
        assert!(change(&servers, &id), "{what}");
        assert_eq!(
            text(&place.file.with_extension("json.broken-1")),
            edited,
            "{what}"
        );
        assert_eq!(names(&servers), ["a", "b"], "{what}");
        let notices = servers.notices().concat();
        assert!(
            notices.ends_with("the list from before was written again."),
            "{notices}"
        );
        let again = Servers::open(place.file.clone(), true).unwrap();
        assert_eq!(again.all(), servers.all(), "{what}");
    }
}

/// Also if there was none when Patchbay was started.
#[test]
fn a_file_that_is_no_text_is_set_aside() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    std::fs::write(&place.file, b"{\"mcpServers\": {}} \xff").unwrap();
    servers.add(new_id(), draft("a")).unwrap();
    let aside = place.file.with_extension("json.broken-1");
    assert_eq!(std::fs::read(aside).unwrap(), b"{\"mcpServers\": {}} \xff");
    let notices = servers.notices().concat();
    assert!(notices.contains("(it is not UTF-8)"), "{notices}");
    assert_eq!(names(&Servers::open(place.file.clone(), true).unwrap()), ["a"]);
}

/// What is wrong with a file is said once, however often it is read.
#[test]
fn a_notice_is_given_once() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = servers.add(new_id(), draft("a")).unwrap();
    let with_bad = |name: &str| {
        let now =
            text(&place.file).replace("\"mcpServers\": {", &format!("\"mcpServers\": {{\"{name}\": 1,"));
        std::fs::write(&place.file, now).unwrap();
        servers.set_disabled(std::slice::from_ref(&id), true).unwrap();
        servers.notices().len()
    };
    assert_eq!([with_bad("x"), with_bad("y")], [1, 2]);
    std::fs::write(&place.file, text(&place.file) + "\n").unwrap();
    servers.set_disabled(std::slice::from_ref(&id), false).unwrap();
    assert_eq!(servers.notices().len(), 2);
}

#[test]
fn a_deleted_file_is_written_again() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = servers.add(new_id(), draft("a")).unwrap();
    std::fs::remove_file(&place.file).unwrap();
    servers.update(&id, draft("a")).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all(), servers.all());
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let place = place(Some(
        "\u{feff}{\"mcpServers\": {\"a\": {\"command\": \"x\", \"args\": [\"1\"]}}}",
    ));
    let servers = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(
        (names(&servers), servers.notices()),
        (vec!["a".to_owned()], vec![])
    );
    servers.add(new_id(), draft("b")).unwrap();
    assert_eq!(
        names(&Servers::open(place.file.clone(), true).unwrap()),
        ["a", "b"]
    );
    std::fs::write(&place.file, "\u{feff}\n").unwrap();
    let empty = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!((names(&empty), empty.notices()), (vec![], vec![]));
}

/// A copied block of which only the arguments were changed.
#[test]
fn two_servers_of_one_name_are_both_kept() {
    let place = place(Some(
        r#"{"mcpServers": {
            "a": {"command": "first", "id": "1"}, "a 2": {"command": "second", "id": "2"},
            "a": {"command": "third", "id": "1"}, "bad": 1, "bad": 2, "a": {"command": "fourth", "id": "4"}
        }}"#,
    ));
    let commands = |servers: &Servers| -> Vec<String> {
        let line = |server: crate::Server| match server.draft.transport {
            TransportDraft::Stdio { command, .. } => format!("{}: {command}", server.draft.name),
            TransportDraft::Http { .. } => unreachable!("all are programs"),
        };
        servers.all().into_iter().map(line).collect()
    };
    let all = ["a: first", "a 2: second", "a 3: third", "a 4: fourth"];
    let servers = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(commands(&servers), all);
    let notices = servers.notices().join("\n");
    for name in ["a 3", "a 4", "bad 2"] {
        assert!(
            notices.contains(&format!(
                "One of them is shown as \"{name}\"; rename or remove it."
            )),
            "{notices}"
        );
    }
    let ids: std::collections::BTreeSet<_> = servers.all().into_iter().map(|server| server.id).collect();
    assert_eq!(ids.len(), 4);
    servers.add(new_id(), draft("b")).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(commands(&again)[..4], all);
    assert!(text(&place.file).contains("\"bad\": 1") && text(&place.file).contains("\"bad 2\": 2"));
    assert!(!again.notices().join("").contains("more than one"));
}
