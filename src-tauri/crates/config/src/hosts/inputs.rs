//! What VS Code asks its user for: `inputs`, named by `${input:ID}` in its servers.

use indexmap::IndexMap;
use patchbay_contract::{HostInput, HostServer};
use serde_json::Value;

use crate::secrets::{input_ids, is_secret_name};

/// Says for each server what it asks for, with what is declared about it in `list`. An input that runs a command of the editor is
/// asked for like a text, and so is one that is not declared.
pub(super) fn assign(servers: &mut [HostServer], list: Option<&Value>) {
    let items = list.and_then(Value::as_array);
    let mut declared = IndexMap::new();
    for input in items.into_iter().flatten().filter_map(input) {
        declared.entry(input.id.clone()).or_insert(input);
    }
    for server in servers {
        let mut ids: Vec<String> = input_ids(&server.draft.transport).into_iter().collect();
        ids.sort_by_key(|id| declared.get_index_of(id).unwrap_or(usize::MAX));
        let asked = ids.into_iter().map(|id| match declared.get(&id) {
            Some(input) => input.clone(),
            None => undeclared(id),
        });
        server.inputs = asked.collect();
        // They are asked for: nothing to be filled in later.
        server.problems.retain(|problem| !problem.contains("${input:"));
    }
}

fn undeclared(id: String) -> HostInput {
    HostInput {
        description: String::new(),
        password: is_secret_name(&id),
        default: None,
        options: Vec::new(),
        id,
    }
}

fn input(item: &Value) -> Option<HostInput> {
    let text = |name: &str| item.get(name)?.as_str().map(str::to_owned);
    let options = item.get("options").and_then(Value::as_array);
    let option = |value: &Value| {
        let value = value.get("value").unwrap_or(value);
        value.as_str().map(str::to_owned)
    };
    Some(HostInput {
        id: text("id").filter(|id| !id.is_empty())?,
        description: text("description").unwrap_or_default(),
        password: item.get("password").and_then(Value::as_bool).unwrap_or_default(),
        default: text("default"),
        options: options.into_iter().flatten().filter_map(option).collect(),
    })
}
