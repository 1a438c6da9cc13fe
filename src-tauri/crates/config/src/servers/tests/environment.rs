use super::{Servers, draft, new_id, place, text};

#[test]
fn programs_of_earlier_versions_keep_the_environment_and_new_ones_get_a_short_list() {
    let place = place(Some(
        r#"{"mcpServers": {"old": {"command": "x", "id": "1"}, "also": {"command": "y", "id": "2"}, "hand": {"command": "z"},
            "web": {"url": "https://h", "id": "3"}, "off": {"command": "w", "id": "4", "inheritEnvironment": false},
            "wrong": {"command": "v", "id": "5", "inheritEnvironment": "yes"}}}"#,
    ));
    let inheriting = |servers: &Servers| -> Vec<String> {
        let all = servers.all().into_iter();
        let all = all.filter(|server| server.draft.inherit_environment == Some(true));
        all.map(|server| server.draft.name).collect()
    };
    // A reader that must not write sees the same and does not say it: the app will.
    let reader = Servers::open(place.file.clone(), false).unwrap();
    assert_eq!(inheriting(&reader), ["old", "also"]);
    assert_eq!(reader.notices().len(), 1);

    let servers = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(inheriting(&servers), ["old", "also"]);
    let [wrong, told] = &servers.notices()[..] else {
        panic!("{:?}", servers.notices())
    };
    assert!(
        wrong.contains("`inheritEnvironment` is not true or false"),
        "{wrong}"
    );
    assert!(
        told.contains("\"old\", \"also\" still get all of Patchbay's environment"),
        "{told}"
    );
    assert!(
        told.contains("without secrets but the password in a proxy's address"),
        "{told}"
    );
    servers.add(new_id(), draft("new")).unwrap();

    let later = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(inheriting(&later), ["old", "also"]);
    assert_eq!(later.notices(), Vec::<String>::new());
    assert!(!text(&place.file).contains("\"yes\""));
}

/// The member is removed while the file is open here: what the program then gets is said at once, and written.
#[test]
fn a_program_that_gets_the_whole_environment_again_is_said_when_the_file_is_read_again() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = servers.add(new_id(), draft("a")).unwrap();
    servers.add(new_id(), draft("b")).unwrap();
    let without = text(&place.file).replacen("\"inheritEnvironment\": false", "\"note\": 1", 1);
    std::fs::write(&place.file, without).unwrap();
    servers.update(&id, draft("b")).unwrap_err();
    let told = servers.notices();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("\"a\" still gets all of Patchbay's environment"),
        "{told:?}"
    );
    assert!(text(&place.file).contains("\"inheritEnvironment\": true"));
    let later = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(later.notices(), Vec::<String>::new());
}
