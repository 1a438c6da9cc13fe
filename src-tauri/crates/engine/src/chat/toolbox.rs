//! What the model is given: the tools of the chosen servers under their aliases, and the system prompt.

mod search;

use std::collections::{HashMap, HashSet};

use patchbay_contract::*;
use patchbay_protocol::{json, views::ToolView};
use patchbay_traffic::OperationId;

pub(super) use self::search::Searches;
#[cfg(test)]
pub(super) use self::search::limit;
use super::conversation::Conversation;
use crate::{convert, lists, lists::definitions::handlers::tool_definitions_get, state::Engine};

/// The length of the longest name that all providers take.
const LONGEST_ALIAS: usize = 64;
/// The longest number after a name, with what separates it.
const NUMBER: usize = "_999999".len();
/// The maximum number of names in an error about an unknown tool.
const MOST_NAMES: usize = 50;

/// What the model is given.
#[derive(Debug)]
pub(super) struct Toolbox {
    pub(super) servers: Vec<ChatServer>,
    pub(super) tools: Vec<OfferedTool>,
    pub(super) system_prompt: String,
    /// The search tool, if it is given in place of the others.
    pub(super) search: Option<ChatToolSearch>,
}

/// A tool that a model may get.
#[derive(Debug)]
pub(super) struct OfferedTool {
    pub(super) view: ChatTool,
    pub(super) server_name: String,
    /// Its `inputSchema`; none if it has none that can be used.
    pub(super) input_schema: Option<String>,
}

/// A tool before it has its alias.
struct FoundTool {
    server: ServerId,
    server_name: String,
    item: ToolItem,
    definition: String,
    is_refused: bool,
}

impl Toolbox {
    /// The tool that the model gets under this name.
    pub(super) fn find(&self, alias: &str) -> Option<&OfferedTool> {
        self.given().find(|tool| tool.view.alias == alias)
    }

    /// The tools that the model gets.
    pub(super) fn given(&self) -> impl Iterator<Item = &OfferedTool> {
        let tools = self.tools.iter();
        tools.filter(|tool| tool.is_usable() && tool.view.offered)
    }

    /// The definitions that the model gets, with that of the search tool.
    pub(super) fn definitions(&self) -> Vec<&str> {
        let search = self.search.iter().map(|search| &*search.given_json);
        search
            .chain(self.given().map(|tool| &*tool.view.given_json))
            .collect()
    }
}

impl OfferedTool {
    /// Whether the model may call it, now or once it has found it.
    fn is_usable(&self) -> bool {
        self.view.included && self.view.blocked.is_none()
    }
}

/// Why a call under this name cannot be sent, for the model. `known`: the names that tools of the conversation have or had.
pub(super) fn unknown_tool(tools: &Toolbox, known: &[ChatAlias], alias: &str) -> String {
    let blocked = tools.tools.iter().find(|tool| tool.view.alias == alias);
    if let Some(why) = blocked.and_then(|tool| tool.view.blocked.as_ref()) {
        return format!("{} was not called. {why}", json::quote(alias));
    }
    if blocked.is_none()
        && let Some(why) = known.iter().find_map(|known| not_listed(tools, known, alias))
    {
        return format!("{} was not called. {why}", json::quote(alias));
    }
    if let Some(search) = &tools.search
        && blocked.is_some()
    {
        return format!(
            "{} is not given yet. Find it with {} first.",
            json::quote(alias),
            search.alias
        );
    }
    let names: Vec<&str> = tools
        .given()
        .map(|tool| &*tool.view.alias)
        .take(MOST_NAMES)
        .collect();
    match names.is_empty() {
        true => format!("There is no tool {}. No tools are given.", json::quote(alias)),
        false => format!(
            "There is no tool {}. The tools are {}.",
            json::quote(alias),
            names.join(", ")
        ),
    }
}

/// Why the tool with this name, which its server listed before, is not among the tools: the server is not connected, or its list has
/// changed. None if it is another tool, or one of a server that was not chosen.
fn not_listed(tools: &Toolbox, known: &ChatAlias, alias: &str) -> Option<String> {
    let is_server = |server: &&ChatServer| server.server_id == known.server_id;
    let server = tools
        .servers
        .iter()
        .find(is_server)
        .filter(|_| known.alias == alias)?;
    let name = json::quote(&server.name);
    Some(match &server.problem {
        Some(problem) => format!("Its server {name} gives no tools now. {problem}"),
        None => format!("Its server {name} does not offer it any more."),
    })
}

/// Collects what the model is given. Tools that have no alias yet get one, which the conversation keeps. For a turn of this
/// operation, servers whose tools may have changed list them again.
pub(super) async fn collect(
    engine: &Engine,
    conversation: &Conversation,
    turn: Option<OperationId>,
) -> Result<Toolbox, CommandError> {
    let settings = conversation.settings();
    let (mut servers, mut found) = (Vec::new(), Vec::new());
    let mut system = settings.system_prompt.trim().to_owned();
    for id in &settings.servers {
        let (server, tools) = tools_of(engine, id, turn).await;
        if settings.instructions_of.contains(id)
            && let Some(text) = instructions(engine, id)
        {
            let name = json::quote(&server.name);
            system = format!("{system}\n\n<instructions server={name}>\n{text}\n</instructions>");
        }
        servers.push(server);
        found.extend(tools);
    }
    // The settings may have changed while servers listed their tools.
    let settings = conversation
        .change_settings(|settings| assign(&mut settings.aliases, &found))
        .await?;
    let names = Names::of(&settings);
    let tools = found.into_iter().map(|tool| offered(tool, &names)).collect();
    let mut toolbox = Toolbox {
        servers,
        tools,
        system_prompt: system.trim().to_owned(),
        search: None,
    };
    let before = conversation.lock().found();
    self::search::limit(&mut toolbox, &settings, &before);
    Ok(toolbox)
}

/// The aliases and the excluded tools of a conversation; there may be thousands.
struct Names<'a> {
    aliases: HashMap<(&'a ServerId, &'a str), &'a str>,
    tools: HashMap<&'a str, (&'a ServerId, &'a str)>,
    excluded: HashSet<&'a ChatToolRef>,
}

impl<'a> Names<'a> {
    fn of(settings: &'a ChatSettings) -> Self {
        let known = || settings.aliases.iter();
        Self {
            aliases: known()
                .map(|known| ((&known.server_id, &*known.tool), &*known.alias))
                .collect(),
            tools: known()
                .map(|known| (&*known.alias, (&known.server_id, &*known.tool)))
                .collect(),
            excluded: settings.excluded.iter().collect(),
        }
    }
}

/// A server with the tools that a model may call.
async fn tools_of(engine: &Engine, id: &ServerId, turn: Option<OperationId>) -> (ChatServer, Vec<FoundTool>) {
    let configured = engine.state.servers.get(id);
    let name = configured.map_or_else(|_| "a removed server".to_owned(), |server| server.draft.name);
    let listed = lists::tools_of(engine, id, turn).await;
    let refused = refused(engine, id).await;
    let (problem, tools) = match (listed, refused) {
        (Ok(tools), Ok(refused)) => (None, found(id, &name, tools, &refused)),
        (Err(error), _) | (_, Err(error)) => (Some(error.message), Vec::new()),
    };
    let server = ChatServer {
        server_id: id.clone(),
        problem: problem.or_else(|| {
            let none = tools.is_empty();
            none.then(|| "It has no tools that a model may call.".to_owned())
        }),
        instructions_bytes: instructions(engine, id).map(|text| convert::count(text.len())),
        name,
    };
    (server, tools)
}

fn found(
    id: &ServerId,
    name: &str,
    tools: Vec<(ToolItem, String)>,
    refused: &HashSet<String>,
) -> Vec<FoundTool> {
    let mut names = HashSet::new();
    let usable = tools.into_iter().filter(|(item, _)| {
        item.callable && item.app.as_ref().is_none_or(|app| app.for_models) && names.insert(item.name.clone())
    });
    usable
        .map(|(item, definition)| FoundTool {
            server: id.clone(),
            server_name: name.to_owned(),
            is_refused: refused.contains(&item.name),
            item,
            definition,
        })
        .collect()
}

/// The tools whose definitions changed and are not accepted: a model does not get them, since the change may be meant for it.
async fn refused(engine: &Engine, id: &ServerId) -> Result<HashSet<String>, CommandError> {
    let mut names = HashSet::new();
    let mut cursor = None;
    loop {
        let params = ToolDefinitionsGetParams {
            server_id: id.clone(),
            cursor,
        };
        let page = tool_definitions_get(engine, params).await?;
        let tools = page.tools.into_iter().filter(|tool| tool.refused);
        names.extend(tools.map(|tool| tool.name));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(names);
        }
    }
}

/// The instructions of a connected server.
fn instructions(engine: &Engine, id: &ServerId) -> Option<String> {
    let (live, _) = engine.state.ready(id).ok()?;
    let status = live.status();
    let text = status.handshake.as_ref()?.instructions.clone()?;
    (!text.trim().is_empty()).then(|| engine.state.masked(text))
}

/// Gives each tool without an alias one that no other tool has or had.
fn assign(aliases: &mut Vec<ChatAlias>, tools: &[FoundTool]) {
    let mut taken: HashSet<String> = aliases.iter().map(|known| known.alias.clone()).collect();
    let known = aliases
        .iter()
        .map(|known| (known.server_id.clone(), known.tool.clone()));
    let known: HashSet<(ServerId, String)> = known.collect();
    let mut numbers = HashMap::new();
    for tool in tools {
        if known.contains(&(tool.server.clone(), tool.item.name.clone())) {
            continue;
        }
        let plain = usable(&tool.item.name);
        let long = usable(&format!("{}_{plain}", usable(&tool.server_name)));
        aliases.push(ChatAlias {
            server_id: tool.server.clone(),
            tool: tool.item.name.clone(),
            alias: free([plain, long], &mut taken, &mut numbers),
        });
    }
}

/// The first name that is not taken, or else the first with a number. `numbers` has the next number of each beginning: a server may
/// list a hundred thousand tools with one name.
pub(super) fn free(
    [plain, long]: [String; 2],
    taken: &mut HashSet<String>,
    numbers: &mut HashMap<String, u32>,
) -> String {
    for alias in [&plain, &long] {
        if taken.insert(alias.clone()) {
            return alias.clone();
        }
    }
    let start: String = plain.chars().take(LONGEST_ALIAS - NUMBER).collect();
    let next = numbers.entry(start.clone()).or_insert(2);
    loop {
        let alias = format!("{start}_{next}");
        *next += 1;
        if taken.insert(alias.clone()) {
            return alias;
        }
    }
}

/// A name with the characters that all providers take.
pub(super) fn usable(name: &str) -> String {
    let keep = |c: char| match c.is_ascii_alphanumeric() || c == '_' || c == '-' {
        true => c,
        false => '_',
    };
    let alias: String = name.chars().map(keep).take(LONGEST_ALIAS).collect();
    match alias.is_empty() {
        true => "tool".to_owned(),
        false => alias,
    }
}

fn offered(tool: FoundTool, names: &Names<'_>) -> OfferedTool {
    let FoundTool {
        server,
        server_name,
        item,
        definition,
        is_refused,
    } = tool;
    let known = names.aliases.get(&(&server, &*item.name));
    let alias = known.map_or_else(|| usable(&item.name), |alias| (*alias).to_owned());
    let view = ToolView::parse(&definition);
    let mut given = format!("{{\"name\":{}", json::quote(&alias));
    if let Some(description) = &view.description {
        given += &format!(",\"description\":{}", json::quote(description));
    }
    // Every provider needs a schema.
    let schema = view.input_schema.unwrap_or(r#"{"type":"object"}"#);
    given += &format!(",\"inputSchema\":{schema}}}");
    let renamed = (alias != item.name).then(|| why_renamed(&alias, &item.name, &server, names));
    let reference = ChatToolRef {
        server_id: server.clone(),
        tool: item.name.clone(),
    };
    OfferedTool {
        input_schema: view.input_schema.map(str::to_owned),
        view: ChatTool {
            included: !names.excluded.contains(&reference),
            offered: true,
            blocked: is_refused.then(|| {
                "Its definition changed. The model does not get it until you accept the change in Explore > Tools."
                    .to_owned()
            }),
            alias,
            renamed,
            bytes: convert::count(given.len()),
            given_json: given,
            description: item.description,
            hints: item.hints,
            tool: item.name,
            server_id: server,
        },
        server_name,
    }
}

fn why_renamed(alias: &str, tool: &str, server: &ServerId, names: &Names<'_>) -> String {
    let plain = usable(tool);
    let other = names.tools.get(&*plain).filter(|other| **other != (server, tool));
    if alias == plain {
        "Providers take letters, digits, _ and - only, at most 64.".to_owned()
    } else if other.is_some() {
        format!("Another tool of this conversation is named {plain}.")
    } else {
        "You named it.".to_owned()
    }
}

/// Checks the aliases that the user set.
///
/// # Errors
/// One cannot be used, or is used twice.
pub(super) fn check(aliases: &[ChatAlias]) -> Result<(), String> {
    let mut seen = HashSet::new();
    for ChatAlias { alias, tool, .. } in aliases {
        if *alias != usable(alias) || alias.is_empty() {
            return Err(format!(
                "{tool:?} cannot be named {alias:?}: a name has 1 to 64 letters, digits, _ and -."
            ));
        }
        if !seen.insert(alias) {
            return Err(format!(
                "Two tools would be named {alias:?}. The model could not tell them apart."
            ));
        }
    }
    Ok(())
}
