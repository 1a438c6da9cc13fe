use super::*;

#[test]
fn every_revision_has_a_name_and_an_era() {
    let told: Vec<String> = Revision::ALL
        .iter()
        .map(|revision| format!("{revision} {:?} {}", revision.era(), revision.allows_batches()))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @"
    2024-11-05 Legacy false
    2025-03-26 Legacy true
    2025-06-18 Legacy false
    2025-11-25 Legacy false
    2026-07-28 Modern false
    ");
    for revision in Revision::ALL {
        assert_eq!(Revision::parse(revision.as_str()), Some(revision));
    }
    assert_eq!(Revision::parse("2099-01-01"), None);
    assert_eq!(Revision::LATEST_MODERN.era(), Era::Modern);
    assert_eq!(Revision::LATEST_LEGACY.era(), Era::Legacy);
}

#[test]
fn negotiation_chooses_the_newest_of_the_era_or_fails() {
    let check = |era: Era, offered: &[&str], expected: Option<&str>| match (negotiate(era, offered), expected)
    {
        (Negotiated::Agreed(revision), Some(name)) => assert_eq!(revision.as_str(), name),
        (Negotiated::Refused { offered: told }, None) => assert_eq!(told, offered),
        (other, _) => panic!("{other:?} of {offered:?}"),
    };
    check(Era::Legacy, &["2024-11-05"], Some("2024-11-05"));
    check(Era::Legacy, &["2099-01-01"], None);
    check(Era::Legacy, &["2026-07-28"], None);
    check(
        Era::Modern,
        &["2025-11-25", "2026-07-28", "2030-01-01"],
        Some("2026-07-28"),
    );
    check(Era::Modern, &["2025-11-25"], None);
    check(Era::Modern, &[], None);
}

#[test]
fn a_server_responds_with_the_requested_revision_or_its_latest() {
    assert_eq!(server_answer("2024-11-05"), Revision::V2024_11_05);
    assert_eq!(server_answer("2099-01-01"), Revision::V2025_11_25);
    assert_eq!(
        server_answer("2026-07-28"),
        Revision::V2025_11_25,
        "initialize is legacy"
    );
}
