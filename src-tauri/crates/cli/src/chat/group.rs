//! The servers of `--group`.

use patchbay_contract::{ServerListParams, ServerListResponse};
use patchbay_engine::Engine;

use crate::{
    exit::Problem,
    oneshot::server::{call, with_notices},
};

/// The names of the servers in these groups that are not disabled, each once.
///
/// # Errors
/// There is no such group, or no server in it can be used.
pub(super) async fn servers(engine: &Engine, groups: &[String], json: bool) -> Result<Vec<String>, Problem> {
    let mut names = Vec::new();
    if groups.is_empty() {
        return Ok(names);
    }
    let list: ServerListResponse = call(engine, "server_list", &ServerListParams {}).await?;
    for group in groups {
        if !list.groups.contains(group) {
            return Err(unknown(engine, group, &list.groups));
        }
        let is_in = |item: &&patchbay_contract::ServerItem| item.draft.groups.contains(group);
        let (disabled, usable): (Vec<_>, Vec<_>) = list
            .items
            .iter()
            .filter(is_in)
            .partition(|item| item.draft.disabled);
        if usable.is_empty() {
            let why = match disabled.is_empty() {
                true => "has no servers. Add some to it in Patchbay",
                false => "has disabled servers only. Enable them in Patchbay",
            };
            let why = format!("The group \"{group}\" {why}.");
            return Err(Problem::usage(with_notices(engine, why)));
        }
        for item in disabled {
            let words = format!("\"{}\" is disabled and not used.", item.draft.name);
            Problem::notice(words).say(json);
        }
        for item in usable {
            if !names.contains(&item.draft.name) {
                names.push(item.draft.name.clone());
            }
        }
    }
    Ok(names)
}

fn unknown(engine: &Engine, group: &str, groups: &[String]) -> Problem {
    let known = match groups.is_empty() {
        true => "There are no groups yet.".to_owned(),
        false => {
            let quoted: Vec<String> = groups.iter().map(|name| format!("\"{name}\"")).collect();
            format!("There are: {}.", quoted.join(", "))
        }
    };
    let known = format!("There is no group named \"{group}\". {known}");
    Problem::new("notFound", with_notices(engine, known))
}
