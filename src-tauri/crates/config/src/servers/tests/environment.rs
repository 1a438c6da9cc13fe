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
