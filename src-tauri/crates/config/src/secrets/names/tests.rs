use std::collections::BTreeMap;

use super::*;

/// The cases are shared with the UI's tests.
const CASES: &str = include_str!("../../../../../../tests/fixtures/secret-names.json");

#[test]
fn names_that_indicate_a_secret() {
    let cases: BTreeMap<String, BTreeMap<String, Vec<String>>> = serde_json::from_str(CASES).unwrap();
    let cases = &cases["settings"];
    for (answer, is_secret) in [("secret", true), ("plain", false)] {
        assert!(!cases[answer].is_empty());
        for name in &cases[answer] {
            assert_eq!(is_secret_name(name), is_secret, "{name}");
        }
    }
}

#[test]
fn a_name_is_split_into_words() {
    let split = |name| words(name).collect::<Vec<_>>().join(" ");
    assert_eq!(split("GITHUB_TOKEN"), "GITHUB TOKEN");
    assert_eq!(split("--db-password"), "DB PASSWORD");
    assert_eq!(split("myApiKey2"), "MY API KEY2");
    assert_eq!(split(""), "");
}
