use serde_json::Value;

use super::*;

/// The cases are shared with the UI's tests.
const CASES: &str = include_str!("../../../../../../tests/fixtures/secret-names.json");

fn names(of: &str, answer: &str) -> Vec<String> {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let names: Vec<String> = cases[of][answer]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    assert!(!names.is_empty());
    names
}

fn check(of: &str, is_one: fn(&str) -> bool) {
    for name in names(of, "secret") {
        assert!(is_one(&name), "{of}: {name} is a secret's");
    }
    for name in names(of, "plain") {
        assert!(!is_one(&name), "{of}: {name} does not hold a secret");
    }
}

#[test]
fn names_that_indicate_a_credential() {
    check("fields", is_credential_field);
    check("parameters", is_secret_parameter);
}
