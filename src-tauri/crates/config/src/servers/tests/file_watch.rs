use patchbay_contract::{BuildDraft, FileWatchDraft, HttpKind, ProxyDraft, ServerDraft, TransportDraft};

use super::{Servers, draft, new_id, place, text};
use crate::{checked, secrets};

fn watch() -> FileWatchDraft {
    FileWatchDraft {
        on: true,
        paths: vec!["src".to_owned()],
        build: Some(BuildDraft {
            command: "make".to_owned(),
            args: vec!["--token=hush-hush-123".to_owned()],
            ..BuildDraft::default()
        }),
        ..FileWatchDraft::default()
    }
}

fn with(watch: FileWatchDraft) -> ServerDraft {
    ServerDraft {
        file_watch: Some(watch),
        ..draft("a")
    }
}

#[test]
fn what_is_watched_is_stored_and_never_exported_or_taken_from_pasted_text() {
    let place = place(None);
    let servers = Servers::open(place.file.clone(), true).unwrap();
    let id = servers.add(new_id(), with(watch())).unwrap();
    let again = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(again.all()[0].draft.file_watch, Some(watch()));
    assert!(!again.export(&id).unwrap().contains("fileWatch"));
    let pasted = crate::parse(&text(&place.file), |_| false);
    assert_eq!(pasted.drafts[0].file_watch, None);
    let problems = pasted.problems.concat();
    assert!(problems.contains("`fileWatch` is left out"), "{problems}");
    // A value of a later version runs nothing.
    std::fs::write(
        &place.file,
        text(&place.file).replace(r#""on": true"#, r#""on": "always""#),
    )
    .unwrap();
    let later = Servers::open(place.file.clone(), true).unwrap();
    assert_eq!(later.all()[0].draft.file_watch, None);
    assert!(later.notices()[0].contains("fileWatch"), "{:?}", later.notices());
}

#[test]
fn what_is_watched_is_tidied_and_checked() {
    let untidy = FileWatchDraft {
        paths: vec![" src ".to_owned(), String::new()],
        build: Some(BuildDraft {
            command: "npm run build".to_owned(),
            ..BuildDraft::default()
        }),
        ..watch()
    };
    let tidy = checked(with(untidy)).unwrap().file_watch.unwrap();
    assert_eq!(tidy.paths, ["src"]);
    let build = tidy.build.unwrap();
    assert_eq!((build.command.as_str(), build.args.len()), ("npm", 2));
    let nothing = FileWatchDraft {
        build: Some(BuildDraft::default()),
        ..FileWatchDraft::default()
    };
    assert_eq!(checked(with(nothing)).unwrap().file_watch, None);

    let build = |args: &[&str], timeout_ms| {
        Some(BuildDraft {
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            timeout_ms,
            ..BuildDraft::default()
        })
    };
    let late = Some(BuildDraft {
        command: "make".to_owned(),
        timeout_ms: 1,
        ..BuildDraft::default()
    });
    for (wrong, why) in [
        (
            FileWatchDraft {
                paths: Vec::new(),
                ..watch()
            },
            "file or folder",
        ),
        (
            FileWatchDraft {
                paths: vec!["x".to_owned(); 101],
                ..watch()
            },
            "100 paths",
        ),
        (
            FileWatchDraft {
                quiet_ms: 1,
                ..watch()
            },
            "50 ms",
        ),
        (
            FileWatchDraft {
                paths: vec!["a\0".to_owned()],
                ..watch()
            },
            "NUL",
        ),
        (
            FileWatchDraft {
                build: build(&["x"], 300_000),
                ..watch()
            },
            "needs a command",
        ),
        (
            FileWatchDraft {
                build: late,
                ..watch()
            },
            "1 s and 1 h",
        ),
    ] {
        let error = checked(with(wrong)).unwrap_err();
        assert!(error.message.contains(why), "{}", error.message);
    }
    // A server that is reached over HTTP is not ours to restart.
    let url = TransportDraft::Http {
        url: "https://example.com/mcp".to_owned(),
        kind: HttpKind::Auto,
        headers: Vec::new(),
        proxy: ProxyDraft::System,
        ca_file: None,
        client_certificate: None,
        accepted_fingerprint: None,
    };
    let http = ServerDraft {
        file_watch: Some(watch()),
        ..ServerDraft::new("h", url)
    };
    assert_eq!(checked(http).unwrap().file_watch, None);
}

#[test]
fn secrets_in_the_arguments_of_a_build_go_into_the_vault() {
    let mut draft = with(watch());
    let named = |draft: &ServerDraft| secrets::plain(None, draft).len();
    assert_eq!(named(&draft), 1);
    let name = "0123456789abcdef0123456789abcdef".to_owned();
    let taken = secrets::take(&mut draft, None, || Ok::<_, ()>(name.clone())).unwrap();
    assert_eq!(taken[0].1.expose(), "hush-hush-123");
    assert_eq!(secrets::names_of(&draft).len(), 1);
    let foreign = secrets::unknown(&draft, &std::collections::BTreeSet::new()).unwrap();
    assert!(foreign.contains("of the build"), "{foreign}");
    secrets::fill_in(&mut draft, &taken.into_iter().collect());
    assert_eq!(draft.file_watch, Some(watch()));
}
