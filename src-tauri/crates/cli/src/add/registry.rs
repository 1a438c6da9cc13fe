//! `patchbay add server.json`: shows how a server of the MCP registry is run or reached, asks for its settings, and adds it.

use patchbay_contract::{
    RegistryAddParams, RegistryOption, RegistryReadParams, RegistryReadResponse, RegistryServer,
    RegistrySource, ServerAddResponse,
};
use patchbay_engine::Engine;

use super::{
    form::agreed,
    terminal::{report, show},
};
use crate::{
    args::AddArgs,
    exit::{Exit, Problem},
    oneshot::{passphrase::with_vault, server::call},
    output::visible,
};

/// Shows the server, asks, and adds it.
pub(super) async fn add(
    engine: &Engine,
    args: &AddArgs,
    source: RegistrySource,
    json: bool,
) -> Result<Exit, Problem> {
    let read: RegistryReadResponse = call(engine, "registry_read", &RegistryReadParams { source }).await?;
    // Lists of versions begin with the newest.
    let Some(server) = read.servers.first() else {
        return Err(Problem::usage("There is no server in it."));
    };
    let (index, option) = chosen(server, args.package)?;
    show(&words(server, option), &option.notes, !args.yes, json);
    if let Some(blocker) = &option.blocker {
        return Err(Problem::usage(visible(blocker)));
    }
    let Some(values) = agreed(args, option.schema_json.as_deref(), &option.values_json).await? else {
        return Ok(Exit::Usage);
    };
    let name = args.name.clone().unwrap_or_else(|| server.proposed_name.clone());
    let params = RegistryAddParams {
        text: read.text.clone(),
        server: 0,
        option: u32::try_from(index).unwrap_or(u32::MAX),
        name: name.clone(),
        values_json: values.to_string(),
        plain_secrets: false,
    };
    let added: ServerAddResponse = with_vault(engine, "registry_add", &params).await?;
    report("Added", &name, &added.server_id, json).await?;
    Ok(Exit::Ok)
}

/// The package or address of `--package`, or the only one that can be added.
fn chosen(server: &RegistryServer, number: Option<usize>) -> Result<(usize, &RegistryOption), Problem> {
    let list = || {
        let lines = server.options.iter().enumerate();
        let lines = lines.map(|(index, option)| format!("  {}  {}", index + 1, visible(&option.label)));
        lines.collect::<Vec<_>>().join("\n")
    };
    if let Some(number) = number {
        let found = number
            .checked_sub(1)
            .and_then(|index| Some((index, server.options.get(index)?)));
        return found
            .ok_or_else(|| Problem::usage(format!("There is no package {number}. There are:\n{}", list())));
    }
    let usable: Vec<(usize, &RegistryOption)> = server
        .options
        .iter()
        .enumerate()
        .filter(|(_, option)| option.blocker.is_none())
        .collect();
    match (usable.as_slice(), server.options.first()) {
        ([one], _) => Ok(*one),
        // Its reason is said.
        ([], Some(first)) => Ok((0, first)),
        ([], None) => Err(Problem::usage(
            "The server has neither a package nor an address. Look at its pages for how to run it.",
        )),
        _ => Err(Problem::usage(format!(
            "The server can be run or reached in several ways. Choose one with `--package NUMBER`:\n{}",
            list()
        ))),
    }
}

/// What the server is, and what would be started or contacted, one member a line.
fn words(server: &RegistryServer, option: &RegistryOption) -> String {
    let mut lines = vec![format!("{} {}", visible(&server.title), visible(&server.version))];
    let mut add = |name: &str, text: &str| lines.push(format!("  {name:<10} {}", visible(text)));
    add("name", &server.name);
    add("about", &server.description);
    if let Some(status) = &server.status {
        add("status", status);
    }
    if let Some(command) = &option.command {
        add("starts", command);
        option.args.iter().for_each(|arg| add("argument", arg));
    }
    if let Some(url) = &option.url {
        add("contacts", url);
    }
    let kind = if option.url.is_none() {
        "variable"
    } else {
        "header"
    };
    option.members.iter().for_each(|member| add(kind, &member.name));
    lines.extend(option.notes.iter().map(|note| format!("Note: {}", visible(note))));
    lines.push("Nothing is started until you connect.".to_owned());
    lines.join("\n")
}
