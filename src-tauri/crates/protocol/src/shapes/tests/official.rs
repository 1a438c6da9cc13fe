//! Compares the tables with the official schemas, member by member, and accuses no official example.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::methods::all;
use super::super::table::{Field, Record, Shape};
use super::*;
use crate::{spec_examples, spec_folder};

/// Members that other rules check, or that every message has.
const ELSEWHERE: [&str; 9] = [
    "_meta",
    "jsonrpc",
    "method",
    "type",
    "resultType",
    "ttlMs",
    "cacheScope",
    "id",
    "$schema",
];

/// Where a table differs from the schema on purpose.
const DIFFERENT: [(&str, &str); 2] = [
    // Its presence selects the record.
    ("LegacyTitledEnumSchema", "enum"),
    // Any value in the modern era.
    ("ToolResultContent", "structuredContent"),
];

struct Schema(Value);

impl Schema {
    fn of(revision: Revision) -> Option<Self> {
        let path = spec_folder()?.join(revision.as_str()).join("schema.json");
        Some(Self(
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap(),
        ))
    }

    fn definition(&self, name: &str) -> Option<&Value> {
        self.0
            .get("definitions")
            .or_else(|| self.0.get("$defs"))?
            .get(name)
    }

    /// Without references and `allOf`.
    fn flat(&self, schema: &Value) -> Value {
        if let Some(target) = schema["$ref"].as_str() {
            let name = target.rsplit('/').next().unwrap();
            return self.flat(self.definition(name).unwrap());
        }
        let Some(parts) = schema["allOf"].as_array() else {
            return schema.clone();
        };
        let mut merged = serde_json::json!({"type": "object", "properties": {}, "required": []});
        for part in parts {
            let part = self.flat(part);
            for (name, value) in part["properties"].as_object().into_iter().flatten() {
                merged["properties"][name] = value.clone();
            }
            let required = part["required"].as_array().cloned().unwrap_or_default();
            merged["required"].as_array_mut().unwrap().extend(required);
        }
        merged
    }

    /// The definition of a record: `Name`, `Name/member/…`. Older revisions write params and a few others in place.
    fn find(&self, name: &str) -> Option<Value> {
        let mut parts = name.split('/');
        let first = parts.next().unwrap();
        let mut found = match (self.definition(first), first) {
            (Some(definition), _) => self.flat(definition),
            (None, "ElicitRequestFormParams") => self.find("ElicitRequest/params")?,
            (None, "Annotations") => self.find("Annotated/annotations")?,
            (None, "ResourceTemplateReference") => self.find("ResourceReference")?,
            // The enumeration of 2025-06-18.
            (None, "LegacyTitledEnumSchema") => self.find("EnumSchema")?,
            (None, params) => self.find(&format!("{}/params", params.strip_suffix("Params")?))?,
        };
        for part in parts {
            found = self.flat(found["properties"].get(part)?);
            if found["type"] == "array" {
                found = self.flat(&found["items"]);
            }
        }
        Some(found)
    }

    /// The methods in a union of messages.
    fn methods(&self, union: &str) -> BTreeSet<String> {
        let Some(union) = self.definition(union) else {
            return BTreeSet::new();
        };
        let one = std::slice::from_ref(union);
        let all = union["anyOf"].as_array().map_or(one, Vec::as_slice);
        let name = |message: &Value| {
            self.flat(message)["properties"]["method"]["const"]
                .as_str()
                .map(str::to_owned)
        };
        all.iter().filter_map(name).collect()
    }
}

/// All records that a shape leads to.
fn records(shape: &Shape, found: &mut BTreeMap<&'static str, &'static Record>) {
    match shape {
        Shape::Record(record) => of_record(record, found),
        Shape::List(of) | Shape::Most(_, of) | Shape::Map(of) | Shape::OneOrList(_, of) => records(of, found),
        Shape::Tagged(tags) => tags.iter().for_each(|(.., record)| of_record(record, found)),
        Shape::Contents => {
            of_record(&super::super::content::TEXT_CONTENTS, found);
            of_record(&super::super::content::BLOB_CONTENTS, found);
        }
        Shape::Elicitation => {
            of_record(&inputs::FORM, found);
            of_record(&inputs::URL, found);
        }
        _ => {}
    }
}

fn of_record(record: &'static Record, found: &mut BTreeMap<&'static str, &'static Record>) {
    if found.insert(record.name, record).is_none() {
        for field in record.fields {
            records(&field.shape, found);
        }
    }
}

fn all_records() -> Vec<&'static Record> {
    let mut found = BTreeMap::new();
    for method in all() {
        for shape in method.params.iter().chain(&method.result) {
            records(shape, &mut found);
        }
    }
    for record in [
        &inputs::INPUT_REQUIRED,
        &inputs::URL_REQUIRED,
        &inputs::TEXT_FIELD,
        &inputs::CHOICE_FIELD,
        &inputs::TITLED_CHOICE_FIELD,
        &inputs::NUMBER_FIELD,
        &inputs::BOOLEAN_FIELD,
        &inputs::CHOICES_FIELD,
        &inputs::TITLED_CHOICES_FIELD,
        &handshake::UNSUPPORTED_VERSION,
        &handshake::MISSING_CAPABILITY,
    ] {
        of_record(record, &mut found);
    }
    for field in handshake::META {
        records(&field.shape, &mut found);
    }
    found.into_values().collect()
}

/// Whether the schema of a member allows what the shape allows, as far as the kind of its value.
fn agrees(schema: &Schema, revision: Revision, member: &Value, shape: &Shape) -> bool {
    let member = schema.flat(member);
    let is = |kind: &str| member["type"] == kind;
    let has_types = |kinds: &[&str]| {
        let listed = member["type"].as_array().cloned().unwrap_or_default();
        listed.len() == kinds.len() && kinds.iter().all(|kind| listed.contains(&Value::from(*kind)))
    };
    match shape {
        Shape::Any => member.get("type").is_none() || is("object"),
        Shape::Text | Shape::Base64 | Shape::IconSource | Shape::FileUri => is("string"),
        Shape::Word(words) => {
            let listed = member["enum"].as_array().cloned();
            let listed = listed.unwrap_or_else(|| vec![member["const"].clone()]);
            let listed: BTreeSet<_> = listed.iter().filter_map(Value::as_str).collect();
            listed == words.iter().copied().collect()
        }
        // One official schema writes an integer where its TypeScript source has a number.
        Shape::Number => is("number") || is("integer"),
        Shape::Fraction => is("number") && member["minimum"] == 0 && member["maximum"] == 1,
        Shape::Integer => is("integer"),
        Shape::IntegerOrNull => has_types(&["integer", "null"]),
        Shape::Boolean => is("boolean"),
        Shape::Id => has_types(&["string", "integer"]),
        Shape::Object | Shape::Record(_) | Shape::Map(_) | Shape::RequestedSchema => is("object"),
        Shape::List(of) | Shape::Most(_, of) => is("array") && agrees(schema, revision, &member["items"], of),
        Shape::OneOrList(since, of) if revision < *since => agrees(schema, revision, &member, of),
        Shape::OneOrList(..) => member["anyOf"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["type"] == "array")),
        Shape::Tagged(tags) => {
            let allowed = tags.iter().filter(|(_, within, _)| within.has(revision));
            let types = |one: &Value| {
                schema.flat(one)["properties"]["type"]["const"]
                    .as_str()
                    .map(str::to_owned)
            };
            let listed: BTreeSet<_> = member["anyOf"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(types)
                .collect();
            listed == allowed.map(|(name, ..)| (*name).to_owned()).collect()
        }
        Shape::Contents => member["anyOf"].as_array().is_some_and(|all| all.len() == 2),
        Shape::Elicitation | Shape::FormValue | Shape::InputRequest | Shape::InputResponse => true,
    }
}

fn compare(schema: &Schema, revision: Revision, record: &Record, complaints: &mut Vec<String>) {
    let Some(official) = schema.find(record.name) else {
        return;
    };
    let required = |name: &str| {
        official["required"]
            .as_array()
            .is_some_and(|all| all.contains(&name.into()))
    };
    let different = |name: &str| DIFFERENT.contains(&(record.name, name));
    let mut complain =
        |field: &str, what: &str| complaints.push(format!("{revision} {}.{field}: {what}", record.name));
    for field in record.fields.iter().filter(|field| !different(field.name)) {
        let Field { name, shape, .. } = field;
        match official["properties"].get(*name) {
            None if field.exists(revision) => complain(name, "the schema has no such member"),
            None => {}
            Some(_) if !field.exists(revision) => complain(name, "the schema has it"),
            Some(member) => {
                if field.is_required(revision) != required(name) {
                    complain(name, "required in one of the two only");
                }
                if !agrees(schema, revision, member, shape) {
                    complain(name, &format!("{shape:?} differs from {member}"));
                }
            }
        }
    }
    for name in official["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, _)| name)
    {
        let known = record.fields.iter().any(|field| field.name == name);
        if !known && !ELSEWHERE.contains(&&**name) && !different(name) {
            complain(name, "the table has no such member");
        }
    }
}

#[test]
fn the_tables_agree_with_the_official_schemas() {
    let mut complaints = Vec::new();
    for revision in Revision::ALL {
        let Some(schema) = Schema::of(revision) else {
            return;
        };
        for record in all_records() {
            compare(&schema, revision, record, &mut complaints);
        }
        for (direction, request, notification) in [
            (Direction::ClientToServer, "ClientRequest", "ClientNotification"),
            (Direction::ServerToClient, "ServerRequest", "ServerNotification"),
        ] {
            for (kind, union) in [
                (MethodKind::Request, request),
                (MethodKind::Notification, notification),
            ] {
                let ours: BTreeSet<String> = all()
                    .iter()
                    .filter(|method| {
                        method.exists(revision) && method.kind == kind && method.may_be_sent(direction)
                    })
                    // Those of the tasks extension are not in the schema of the modern era.
                    .filter(|method| revision.era() == crate::Era::Legacy || !method.name.contains("tasks"))
                    .map(|method| method.name.to_owned())
                    .collect();
                let official = schema.methods(union);
                if ours != official {
                    let different: Vec<_> = ours.symmetric_difference(&official).collect();
                    complaints.push(format!("{revision} {union}: {different:?}"));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn no_official_example_is_accused() {
    let Some(examples) = spec_examples() else { return };
    let mut checked = BTreeSet::new();
    for (path, text) in examples {
        let kind = path.split(['/', '\\']).next().unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        let method_of = |suffix: &str| {
            let definition = kind.strip_suffix(suffix)?;
            let schema = Schema::of(MODERN)?;
            let request = schema
                .find(&format!("{definition}Request"))
                .or_else(|| schema.find(&format!("{definition}Notification")))?;
            request["properties"]["method"]["const"]
                .as_str()
                .map(str::to_owned)
        };
        let found = if let Some(method) = value["method"].as_str() {
            let given = value.get("params").map(Value::to_string);
            params(MODERN, method, given.as_deref())
        } else if let Some(method) = method_of("RequestParams").or_else(|| method_of("NotificationParams")) {
            params(MODERN, &method, Some(&text))
        } else if kind == "InputRequiredResult" {
            input_required(MODERN, "/result", &text)
        } else if let Some(method) = method_of("ResultResponse") {
            result(MODERN, &method, &value["result"].to_string())
        } else if let Some(method) = method_of("Result") {
            result(MODERN, &method, &text)
        } else if value.get("error").is_some() {
            error(MODERN, &RpcError::parse(&value["error"].to_string()))
        } else {
            let Some(record) = all_records().into_iter().find(|record| record.name == kind) else {
                continue;
            };
            check::Walk::of(MODERN, "", &text, &Shape::Record(record))
        };
        checked.insert(kind.to_owned());
        assert_eq!(said(found), NOTHING, "{path}");
    }
    assert!(checked.len() >= 50, "{} kinds: {checked:?}", checked.len());
}
