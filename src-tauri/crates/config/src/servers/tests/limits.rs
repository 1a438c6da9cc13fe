use std::collections::BTreeMap;

use patchbay_contract::ServerDraft;

use super::{Servers, draft, new_id, place, text};

fn limits(changes: &[(&str, u32)]) -> BTreeMap<String, u32> {
    let owned = changes.iter().map(|(name, value)| ((*name).to_owned(), *value));
    owned.collect()
}

#[test]
fn changed_limits_are_stored_where_they_differ() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let own = ServerDraft {
        limits: limits(&[("listPages", 20), ("redirects", 5)]),
        ..draft("a")
    };
    let id = servers.add(new_id(), own).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all()[0].draft.limits, limits(&[("listPages", 20)]));
    assert!(
        text(&place.file).contains(r#""listPages": 20"#),
        "{}",
        text(&place.file)
    );
    // Other hosts have no such limits.
    assert!(!again.export(&id).unwrap().contains("limits"));
    servers.update(&id, draft("a")).unwrap();
    assert!(!text(&place.file).contains("limits"));
}

#[test]
fn limits_are_checked_and_one_that_is_not_understood_is_said() {
    let place = place(Some(
        r#"{"mcpServers":{"a":{"command":"c","limits":{"listPages":7,"listRows":"many","frameBytes":1,"speed":3}}}}"#,
    ));
    let servers = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(servers.all()[0].draft.limits, limits(&[("listPages", 7)]));
    for (changes, why) in [
        (limits(&[("speed", 3)]), "There is no limit `speed`"),
        (limits(&[("listPages", 0)]), "must be from 1 to 100000, not 0"),
    ] {
        let error = servers
            .add(
                new_id(),
                ServerDraft {
                    limits: changes,
                    ..draft("b")
                },
            )
            .unwrap_err();
        assert!(format!("{error:?}").contains(why), "{error:?}");
    }
}
