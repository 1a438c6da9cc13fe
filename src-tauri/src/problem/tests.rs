use std::path::PathBuf;

use patchbay_engine::{EngineError, FileError};
use tauri::Url;

use super::{ADDRESS, Choice, Problem, choice};

#[test]
fn a_locked_store_names_its_holder_and_offers_a_separate_folder() {
    let error = EngineError::Locked {
        holder: "patchbay serve (process 42)".into(),
        folder: "/data/patchbay".into(),
    };
    let html = Problem::new(&error, Some("/data/patchbay-2".into())).html();
    for part in [
        "patchbay serve (process 42)",
        "/data/patchbay",
        "href=\"separate\"",
        "/data/patchbay-2",
    ] {
        assert!(html.contains(part), "{part} is missing in {html}");
    }
    assert!(!html.contains("{{"), "{html}");
}

#[test]
fn system_errors_are_escaped() {
    let path = PathBuf::from("/tmp/<script>&\"{{title}}");
    let source = std::io::Error::other("no space left");
    let html = Problem::new(
        &EngineError::File(FileError {
            step: "Open",
            path,
            source,
        }),
        None,
    )
    .html();
    assert!(!html.contains("<script>"), "{html}");
    assert!(html.contains("&lt;script&gt;"), "{html}");
    assert!(html.contains("no space left"), "{html}");
    assert!(html.contains("href=\"retry\""), "{html}");
    assert!(!html.contains("href=\"separate\""), "{html}");
}

#[test]
fn only_the_pages_own_links_are_choices() {
    let of = |address: &str| Url::parse(address).ok().as_ref().and_then(choice);
    assert_eq!(of(&format!("{ADDRESS}retry")), Some(Choice::Retry));
    assert_eq!(of(&format!("{ADDRESS}separate")), Some(Choice::Separate));
    assert_eq!(of(&format!("{ADDRESS}quit")), Some(Choice::Quit));
    assert_eq!(of(ADDRESS), None);
    assert_eq!(of("https://example.com/retry"), None);
}
