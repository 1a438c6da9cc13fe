//! Our violations compared with a JSON Schema validator: neither reports a problem in the official examples of 2026-07-28,
//! and both report problems in the same mutations of them. `disagreements.json` explains the differences.
//!
//! Deliberately not here: rules that a schema cannot express (duplicate keys, ids, order), which are tested with the
//! decoders.

mod mutations;
mod subjects;

use std::collections::BTreeMap;
use std::path::PathBuf;

use jsonschema::Validator;
use patchbay_protocol::{Severity, Violation};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{programs::skipped, source::tree};
use mutations::Mutation;
use subjects::{SUBJECTS, Subject};

/// An intended difference.
#[derive(Deserialize)]
struct Meant {
    /// Folders of examples; `*` matches any.
    examples: Vec<String>,
    /// The location: a JSON pointer or its prefix; `*` matches any part.
    at: String,
    /// `we accept` what the schema rejects, or `we refuse` what it accepts.
    who: String,
    /// The reason.
    why: String,
}

impl Meant {
    fn covers(&self, difference: &Difference) -> bool {
        let mut parts = difference.at.split('/');
        let below = self
            .at
            .split('/')
            .all(|part| parts.next().is_some_and(|there| part == "*" || part == there));
        let named = |name: &String| name == "*" || *name == difference.example;
        below && self.who == difference.who && self.examples.iter().any(named)
    }
}

/// A mutation on which the two disagree.
struct Difference {
    example: String,
    at: String,
    who: &'static str,
    what: String,
}

fn spec() -> Option<PathBuf> {
    let named = std::env::var_os("PATCHBAY_SPEC_DIR").map(PathBuf::from);
    let folder = named
        .unwrap_or_else(|| tree::root().join("../shared/spec"))
        .join("2026-07-28");
    if folder.join("examples").is_dir() {
        return Some(folder);
    }
    skipped("the official examples are not there; PATCHBAY_SPEC_DIR says where they are");
    None
}

/// The official schema, as a validator of one definition.
fn validator(schema: &Value, definition: &str) -> Validator {
    let defs = &schema["$defs"];
    let root = json!({"$schema": schema["$schema"], "$ref": format!("#/$defs/{definition}"), "$defs": defs});
    jsonschema::validator_for(&root).unwrap()
}

/// The examples of one kind.
fn examples(folder: &std::path::Path, kind: &str) -> Vec<Value> {
    let mut files: Vec<_> = std::fs::read_dir(folder.join("examples").join(kind))
        .unwrap_or_else(|error| panic!("{kind}: {error}"))
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let read = |file: PathBuf| serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    files.into_iter().map(read).collect()
}

/// Violations of a MUST. Warnings go beyond the schema.
fn faults(subject: &Subject, value: &Value) -> Vec<Violation> {
    let mut found = (subject.violations)(&value.to_string());
    found.retain(|violation| violation.rule.severity() == Severity::Error);
    found
}

fn compare(subject: &Subject, validator: &Validator, value: &Value) -> Option<(&'static str, String)> {
    let found = faults(subject, value);
    match (found.first(), validator.is_valid(value)) {
        (None, false) => Some(("we accept", value.to_string())),
        (Some(violation), true) => Some(("we refuse", format!("{} in {value}", violation.message))),
        _ => None,
    }
}

#[test]
fn official_examples_have_no_violations() {
    let Some(folder) = spec() else { return };
    for subject in SUBJECTS {
        for example in examples(&folder, subject.example) {
            let found = faults(subject, &example);
            assert!(found.is_empty(), "{}: {found:?} in {example}", subject.example);
        }
    }
}

/// Each kind of example is either checked or explicitly excluded.
#[test]
fn every_kind_of_example_is_listed() {
    let Some(folder) = spec() else { return };
    let mut missing = Vec::new();
    for kind in std::fs::read_dir(folder.join("examples")).unwrap() {
        let kind = kind.unwrap().file_name().into_string().unwrap();
        let known = SUBJECTS.iter().any(|subject| subject.example == kind);
        if !known && !subjects::NOT_OURS_TO_JUDGE.contains(&&*kind) {
            missing.push(kind);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn mutations_are_classified_like_the_schema_does() {
    let Some(folder) = spec() else { return };
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("schema.json")).unwrap()).unwrap();
    let meant: Vec<Meant> = serde_json::from_str(include_str!("differential/disagreements.json")).unwrap();
    let mut used = vec![false; meant.len()];
    let mut unexplained: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    for subject in SUBJECTS {
        let validator = validator(&schema, subject.definition);
        for example in examples(&folder, subject.example) {
            for Mutation { at, what, value } in mutations::of(&example) {
                count += 1;
                let Some((who, text)) = compare(subject, &validator, &value) else {
                    continue;
                };
                let difference = Difference {
                    example: subject.example.to_owned(),
                    at,
                    who,
                    what: format!("{what}: {text}"),
                };
                match meant.iter().position(|meant| meant.covers(&difference)) {
                    Some(at) => used[at] = true,
                    None => {
                        let Difference {
                            example,
                            at,
                            who,
                            what,
                        } = difference;
                        unexplained
                            .entry(format!("{example} {at}: {who}"))
                            .or_insert(what);
                    }
                }
            }
        }
    }
    let stale: Vec<_> = meant
        .iter()
        .zip(&used)
        .filter(|(_, used)| !**used)
        .map(|(meant, _)| &meant.why)
        .collect();
    assert!(count > 3_000, "only {count} mutations");
    assert!(
        unexplained.is_empty(),
        "{} of {count}: {unexplained:#?}",
        unexplained.len()
    );
    assert!(stale.is_empty(), "nothing disagrees any more about {stale:#?}");
}
