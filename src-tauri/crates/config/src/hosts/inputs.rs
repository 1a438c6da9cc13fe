//! What VS Code asks its user for: `inputs`, named by `${input:ID}` in its servers.

use patchbay_contract::{HostFile, HostInput};
use serde_json::Value;

use crate::secrets::is_secret_name;

/// The inputs of a configuration. One that runs a command of the editor is asked for like a text.
pub(super) fn read(list: Option<&Value>) -> Vec<HostInput> {
    let items = list.and_then(Value::as_array);
    items.into_iter().flatten().filter_map(input).collect()
}

/// Adds the inputs that a server refers to and that are not declared.
pub(super) fn add_undeclared(file: &mut HostFile) {
    for server in &mut file.servers {
        let text = serde_json::to_string(&server.draft.transport).unwrap_or_default();
        for rest in text.split("${input:").skip(1) {
            let Some((id, _)) = rest.split_once('}') else {
                continue;
            };
            if !file.inputs.iter().any(|input| input.id == id) {
                file.inputs.push(HostInput {
                    id: id.to_owned(),
                    description: String::new(),
                    password: is_secret_name(id),
                    default: None,
                    options: Vec::new(),
                });
            }
        }
        // They are asked for: nothing to be filled in later.
        server.problems.retain(|problem| !problem.contains("${input:"));
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
