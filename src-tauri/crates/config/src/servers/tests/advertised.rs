use patchbay_contract::{AdvertisedDraft, ServerDraft};

use super::{Servers, draft, new_id, place, text};

#[test]
fn what_is_advertised_is_stored_as_json_where_it_differs() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let own = ServerDraft {
        advertised: Some(AdvertisedDraft {
            sampling_tools: false,
            tasks: false,
            experimental_json: Some(r#"{"price":1.10,"big":9007199254740993}"#.to_owned()),
            revision: Some(" 2025-06-18 ".to_owned()),
            any_revision: true,
            ..AdvertisedDraft::default()
        }),
        ..draft("a")
    };
    let id = servers.add(new_id(), own).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    let stored = again.all()[0].draft.advertised.clone().unwrap();
    // The file is indented; every number keeps its text.
    let experimental = stored.experimental_json.unwrap().replace(char::is_whitespace, "");
    assert_eq!(experimental, r#"{"price":1.10,"big":9007199254740993}"#);
    assert!(!stored.sampling_tools && !stored.tasks && stored.sampling && stored.any_revision);
    assert_eq!(stored.revision.as_deref(), Some("2025-06-18"));
    let file = text(&place.file);
    for part in [
        r#""samplingTools": false"#,
        r#""tasks": false"#,
        r#""price": 1.10"#,
        r#""revision": "2025-06-18""#,
        r#""anyRevision": true"#,
    ] {
        assert!(file.contains(part), "{part} in {file}");
    }
    assert!(!file.contains("samplingContext"), "{file}");
    assert!(!again.export(&id).unwrap().contains("advertised"));
    // Everything as by default is not stored.
    let by_default = ServerDraft {
        advertised: Some(AdvertisedDraft::default()),
        ..draft("a")
    };
    servers.update(&id, by_default).unwrap();
    assert!(!text(&place.file).contains("advertised"));
}

#[test]
fn what_is_advertised_is_checked() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    for (advertised, problem) in [
        (
            AdvertisedDraft {
                extensions_json: Some("[1]".to_owned()),
                ..AdvertisedDraft::default()
            },
            "`extensions` must be a JSON object",
        ),
        (
            AdvertisedDraft {
                experimental_json: Some("{\"a\":}".to_owned()),
                ..AdvertisedDraft::default()
            },
            "`experimental` must be a JSON object",
        ),
        (
            AdvertisedDraft {
                revision: Some("a\nb".to_owned()),
                ..AdvertisedDraft::default()
            },
            "no line breaks",
        ),
    ] {
        let wrong = ServerDraft {
            advertised: Some(advertised),
            ..draft("a")
        };
        let refused = servers.add(new_id(), wrong).unwrap_err();
        assert!(refused.message.contains(problem), "{refused:?}");
    }
}
