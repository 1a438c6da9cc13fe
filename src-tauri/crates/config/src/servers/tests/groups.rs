//! Disabled servers and groups, in the file and changed.

use patchbay_contract::ErrorCode;

use super::*;

fn opened(text: &str) -> (Place, Servers) {
    let place = place(Some(text));
    let servers = Servers::open(place.file.clone(), true).unwrap();
    (place, servers)
}

fn id(name: &str) -> ServerId {
    ServerId(name.to_owned())
}

/// The groups of each server, by name.
fn members(servers: &Servers) -> Vec<String> {
    let all = servers.all().into_iter();
    all.map(|server| format!("{}: {}", server.draft.name, server.draft.groups.join(", ")))
        .collect()
}

const THREE: &str = r#"{"mcpServers": {
    "a": {"command": "x", "id": "a", "inheritEnvironment": false, "groups": ["Work", " Demo "]},
    "b": {"command": "x", "id": "b", "inheritEnvironment": false, "groups": ["Work", "work"]},
    "c": {"command": "x", "id": "c", "inheritEnvironment": false, "disabled": true}},
  "serverGroups": ["Empty", "Work"]}"#;

#[test]
fn groups_and_disabled_servers_are_read_and_survive_a_restart() {
    let (place, servers) = opened(THREE);
    assert_eq!(servers.notices(), [""; 0]);
    assert_eq!(servers.groups(), ["Empty", "Work", "Demo"]);
    assert_eq!(members(&servers), ["a: Work, Demo", "b: Work", "c: "]);
    assert!(servers.get(&id("c")).unwrap().draft.disabled);
    servers.set_disabled(&[id("a"), id("b")], true).unwrap();
    servers.set_disabled(&[id("c")], false).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all(), servers.all());
    assert_eq!(again.groups(), servers.groups());
    let text = text(&place.file);
    assert_eq!(text.matches("\"disabled\": true").count(), 2, "{text}");
    // All or none.
    let error = again.set_disabled(&[id("a"), id("gone")], false).unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(again.get(&id("a")).unwrap().draft.disabled);
}

#[test]
fn a_group_is_added_renamed_reordered_and_removed() {
    let (place, servers) = opened(THREE);
    servers.save_group(None, " Night ", &[id("c"), id("a")]).unwrap();
    servers
        .save_group(Some("Work"), "Office", &[id("a"), id("c")])
        .unwrap();
    assert_eq!(servers.groups(), ["Empty", "Office", "Demo", "Night"]);
    assert_eq!(
        members(&servers),
        ["a: Office, Demo, Night", "b: ", "c: Night, Office"]
    );
    let order = ["Night", "Office", "Demo", "Empty"].map(str::to_owned);
    servers.reorder_groups(&order).unwrap();
    assert!(servers.reorder_groups(&order[1..]).is_err());
    servers.remove_group("Office").unwrap();
    assert_eq!(members(&servers), ["a: Demo, Night", "b: ", "c: Night"]);
    assert_eq!(
        servers.remove_group("Office").unwrap_err().code,
        ErrorCode::NotFound
    );
    // A removed server leaves nothing behind, and its group stays.
    servers.remove(&id("c")).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.groups(), ["Night", "Demo", "Empty"]);
    assert_eq!(members(&again), ["a: Demo, Night", "b: "]);
    again.remove_group("Night").unwrap();
    again.remove_group("Demo").unwrap();
    again.remove_group("Empty").unwrap();
    assert!(!text(&place.file).contains("roups"));
}

#[test]
fn names_that_no_group_can_have_are_refused() {
    let (_place, servers) = opened(THREE);
    let long = "x".repeat(101);
    for (name, why) in [
        ("  ", "needs a name"),
        (long.as_str(), "at most 100 characters"),
        ("two\nlines", "no line breaks"),
        ("WORK", "already"),
    ] {
        let error = servers.save_group(None, name, &[]).unwrap_err();
        assert!(error.message.contains(why), "{}", error.message);
    }
    let error = servers.save_group(None, "New", &[id("gone")]).unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert_eq!(servers.groups(), ["Empty", "Work", "Demo"]);
    // Its own name in other letters is not another group.
    servers.save_group(Some("Work"), "WORK", &[id("b")]).unwrap();
    assert_eq!(members(&servers), ["a: Demo", "b: WORK", "c: "]);
}

#[test]
fn a_servers_groups_are_set_and_a_group_stays_when_its_last_server_leaves() {
    let (_place, servers) = opened(THREE);
    let set = |names: &[&str]| {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        servers.set_groups_of(&id("a"), names)
    };
    set(&["work", "New", "new"]).unwrap();
    assert_eq!(members(&servers)[0], "a: Work, New");
    assert_eq!(servers.groups(), ["Empty", "Work", "Demo", "New"]);
    let many: Vec<String> = (0..51).map(|n| format!("g{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(set(&many).unwrap_err().message.contains("at most 50"));
    set(&many[..50]).unwrap();
    let mut draft = draft("d");
    draft.groups = vec!["EMPTY".to_owned()];
    servers.add(new_id(), draft).unwrap();
    assert_eq!(members(&servers)[3], "d: Empty");
}

#[test]
fn two_hundred_servers_are_in_a_group() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let ids: Vec<ServerId> = (0..200)
        .map(|n| servers.add(new_id(), draft(&format!("s{n}"))).unwrap())
        .collect();
    servers.save_group(None, "All", &ids).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert!(again.all().iter().all(|server| server.draft.groups == ["All"]));
}

#[test]
fn what_is_not_understood_is_said_and_changes_nothing_else() {
    let (_place, servers) = opened(
        r#"{"mcpServers": {"a": {"command": "x", "groups": "Work", "disabled": "yes"}, "b": {"command": "x", "groups": ["", "ok"]}},
            "serverGroups": {"Work": 1}}"#,
    );
    assert_eq!(members(&servers), ["a: ", "b: "]);
    let notices = servers.notices().join("\n");
    for said in [
        "`serverGroups` in servers.json is not used: it is not a list of names.",
        "`groups` is not a list of names",
        "`groups` is not used: The group needs a name.",
        "`disabled` is not true or false; the server is enabled.",
    ] {
        assert!(notices.contains(said), "{notices}");
    }
}
