//! Valid messages from the official JSON Schemas.

use std::collections::HashMap;
use std::path::Path;

use serde_json::Value;

use super::{REVISIONS, json::Node};
use crate::random::Random;

/// Below this depth only what is required is made.
const DEEP: usize = 7;

/// The schemas of all revisions.
#[derive(Debug)]
pub(crate) struct Schemas(HashMap<&'static str, Value>);

impl Schemas {
    /// Reads them from `folder/REVISION/schema.json`.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        let all = REVISIONS.iter().map(|revision| {
            let text = std::fs::read_to_string(folder.join(revision).join("schema.json")).ok()?;
            let whole: Value = serde_json::from_str(&text).ok()?;
            let definitions = whole.get("definitions").or_else(|| whole.get("$defs"))?;
            Some((*revision, definitions.clone()))
        });
        all.collect::<Option<_>>().map(Self)
    }

    /// A value of this type.
    pub(crate) fn make(&self, revision: &str, name: &str, random: &mut Random) -> Node {
        let definitions = &self.0[revision];
        let Some(schema) = definitions.get(name) else {
            panic!("{revision} has no {name}")
        };
        Maker { definitions }.make(schema, 0, random)
    }

    pub(crate) fn has(&self, revision: &str, name: &str) -> bool {
        self.0[revision].get(name).is_some()
    }

    /// One of the alternatives of a type, by name.
    pub(crate) fn alternative(&self, revision: &str, name: &str, random: &mut Random) -> Option<String> {
        let all = self.0[revision].get(name)?["anyOf"].as_array()?;
        let chosen = all[random.below(all.len())]["$ref"].as_str()?;
        Some(chosen.rsplit('/').next()?.to_owned())
    }
}

struct Maker<'a> {
    definitions: &'a Value,
}

impl Maker<'_> {
    fn make(&self, schema: &Value, depth: usize, random: &mut Random) -> Node {
        if depth > 2 * DEEP {
            return Node::Raw("{}".to_owned());
        }
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.rsplit('/').next().unwrap_or_default();
            return self.make(&self.definitions[name], depth + 1, random);
        }
        if let Some(value) = schema.get("const") {
            return Node::of(value);
        }
        if let Some(values) = schema["enum"].as_array() {
            return Node::of(&values[random.below(values.len())]);
        }
        if let Some(values) = schema["anyOf"].as_array() {
            let number = if depth > DEEP {
                0
            } else {
                random.below(values.len())
            };
            return self.make(&values[number], depth + 1, random);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let mut whole = Vec::new();
            for part in parts {
                if let Node::Map(members) = self.make(part, depth + 1, random) {
                    whole.extend(members);
                }
            }
            return Node::Map(whole);
        }
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds[random.below(kinds.len())].as_str(),
            kind => kind.as_str(),
        };
        match kind {
            Some("object") => self.object(schema, depth, random),
            Some("array") => {
                let count = if depth > DEEP { 0 } else { random.below(4) };
                let most = schema["maxItems"].as_u64().map_or(count, |most| most as usize);
                let items = (0..count.min(most)).map(|_| self.make(&schema["items"], depth + 1, random));
                Node::List(items.collect())
            }
            Some("string") => Node::text(&string(schema["format"].as_str(), random)),
            Some("integer" | "number") => {
                let least = schema["minimum"].as_i64().unwrap_or(0);
                let most = schema["maximum"].as_i64().unwrap_or(least + 1000);
                Node::Raw((least + random.below((most - least) as usize + 1) as i64).to_string())
            }
            Some("boolean") => Node::Raw(random.chance(50).to_string()),
            Some("null") => Node::Raw("null".to_owned()),
            _ => Node::Raw(random.pick(&["{}", "1", "\"any\"", "{\"a\":[1,2]}"]).to_owned()),
        }
    }

    fn object(&self, schema: &Value, depth: usize, random: &mut Random) -> Node {
        let required: Vec<&str> = schema["required"]
            .as_array()
            .map(|names| names.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let mut members = Vec::new();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            // Their names and values have rules that a schema does not say.
            let optional = !["_meta", "$schema", "requestState"].contains(&&**name)
                && depth <= DEEP
                && random.chance(50);
            if required.contains(&&**name) || optional {
                members.push((super::json::quoted(name), self.make(member, depth + 1, random)));
            }
        }
        if let Some(more) = schema.get("additionalProperties").filter(|more| more.is_object()) {
            for number in 0..random.below(3) {
                members.push((format!("\"more{number}\""), self.make(more, depth + 1, random)));
            }
        }
        Node::Map(members)
    }
}

fn string(format: Option<&str>, random: &mut Random) -> String {
    match format {
        Some("byte") => random.pick(&["", "aGVsbG8=", "AAECAwQ="]).to_owned(),
        Some("uri") => format!("https://example.test/{}", random.below(1000)),
        Some("uri-template") => format!("https://example.test/{{name}}/{}", random.below(1000)),
        _ => match random.below(6) {
            0 => "Größe 漢字 🧰".to_owned(),
            1 => "two words".to_owned(),
            _ => format!("name-{}", random.below(100_000)),
        },
    }
}

#[cfg(test)]
mod tests;
