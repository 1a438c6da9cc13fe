//! The search tool: it is given in place of the tools when there are more than the conversation gives at once. What it
//! finds is given from then on, as a definition like any other, so that approval, aliases and changed definitions hold as ever.

use std::collections::{HashMap, HashSet};

use patchbay_contract::*;
use patchbay_protocol::json;

use super::{OfferedTool, Toolbox};
use crate::{chat::item::text_block, convert};

/// How many tools a search finds at most.
const FOUND: usize = 10;
/// The longest query, in bytes.
const LONGEST_QUERY: usize = 1_000;
/// How much of a description is in the words of a result, in characters.
const DESCRIPTION: usize = 200;
/// About how many bytes are a token.
const BYTES_OF_TOKEN: u64 = 4;

/// What a search found.
#[derive(Debug)]
pub(crate) struct SearchResult {
    /// A `CallToolResult`: JSON text.
    pub(crate) result: String,
    pub(crate) tools: Vec<ChatToolRef>,
}

/// What tools there is room for beside the search tool.
#[derive(Debug, Clone, Copy)]
struct Room {
    tools: u32,
    bytes: u64,
}

impl Room {
    /// All that a conversation gives at once, but for this definition of the search tool.
    fn beside(search: &str, settings: &ChatSettings) -> Self {
        let most = settings
            .max_tool_tokens
            .map_or(u64::MAX, |tokens| u64::from(tokens) * BYTES_OF_TOKEN);
        Self {
            tools: settings.max_tools.saturating_sub(1),
            bytes: most.saturating_sub(search.len() as u64),
        }
    }

    fn has(self, tool: &OfferedTool) -> bool {
        self.tools > 0 && u64::from(tool.view.bytes) <= self.bytes
    }

    fn take(&mut self, tool: &OfferedTool) {
        self.tools = self.tools.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(tool.view.bytes.into());
    }
}

/// Takes from the model what is more than the settings give at once, and puts the search tool in its place.
///
/// `found` is what was found in the conversation, the newest first.
pub(crate) fn limit(toolbox: &mut Toolbox, settings: &ChatSettings, found: &[ChatToolRef]) {
    let usable = || toolbox.tools.iter().filter(|tool| tool.is_usable());
    let (count, bytes) = (
        usable().count(),
        usable().map(|tool| u64::from(tool.view.bytes)).sum(),
    );
    let Some(because) = because(settings, count, bytes) else {
        return;
    };
    let alias = free_name(&settings.aliases);
    let given_json = definition(&alias, count);
    let mut room = Room::beside(&given_json, settings);
    let mut given = HashSet::new();
    let places: HashMap<(&ServerId, &str), usize> = (0..)
        .zip(&toolbox.tools)
        .map(|(at, tool)| ((&tool.view.server_id, &*tool.view.tool), at))
        .collect();
    // What was found long ago makes room for what was found now.
    for found in found {
        let Some(&at) = places.get(&(&found.server_id, &*found.tool)) else {
            continue;
        };
        let tool = &toolbox.tools[at];
        if !room.has(tool) || !tool.is_usable() || !given.insert(at) {
            continue;
        }
        room.take(tool);
    }
    for (at, tool) in toolbox.tools.iter_mut().enumerate() {
        tool.view.offered = given.contains(&at);
    }
    toolbox.search = Some(ChatToolSearch {
        alias,
        because,
        bytes: convert::count(given_json.len()),
        given_json,
        searched: convert::count(count),
    });
}

/// Why not all tools are given, in a sentence; none if they are.
fn because(settings: &ChatSettings, count: usize, bytes: u64) -> Option<String> {
    if count > settings.max_tools as usize {
        return Some(format!(
            "{count} tools are more than the {} that this conversation gives at once.",
            settings.max_tools
        ));
    }
    let tokens = bytes / BYTES_OF_TOKEN;
    let most = settings
        .max_tool_tokens
        .filter(|most| tokens > u64::from(*most))?;
    Some(format!(
        "The definitions of {count} tools have about {tokens} tokens, more than the {most} that this conversation gives at once."
    ))
}

/// A name that no tool has.
fn free_name(aliases: &[ChatAlias]) -> String {
    let taken: HashSet<&str> = aliases.iter().map(|known| &*known.alias).collect();
    let numbered = (2_u32..).map(|number| format!("search_tools_{number}"));
    let mut names = std::iter::once("search_tools".to_owned()).chain(numbered);
    names
        .find(|name| !taken.contains(&**name))
        .unwrap_or_else(|| "search_tools".to_owned())
}

fn definition(alias: &str, count: usize) -> String {
    let description = format!(
        "Finds tools by what they do. {count} tools exist; only those that you have found can be called. Search first, with words that a tool's name or description may have, then call what you found."
    );
    format!(
        "{{\"name\":{},\"description\":{},\"inputSchema\":{{\"type\":\"object\",\"properties\":{{\"query\":{{\"type\":\"string\",\"description\":\"Words for what the tool should do\"}}}},\"required\":[\"query\"]}}}}",
        json::quote(alias),
        json::quote(&description)
    )
}

/// The searches of one answer. What one finds takes its part of the room, and the next has the rest.
pub(crate) struct Searches<'a> {
    toolbox: &'a Toolbox,
    /// The room before the first search.
    all: Room,
    left: Room,
}

impl<'a> Searches<'a> {
    pub(crate) fn new(toolbox: &'a Toolbox, settings: &ChatSettings) -> Self {
        let search = toolbox.search.as_ref().map(|search| &*search.given_json);
        let all = Room::beside(search.unwrap_or_default(), settings);
        Self {
            toolbox,
            all,
            left: all,
        }
    }

    /// Searches the tools that a model may call.
    ///
    /// # Errors
    /// The arguments have no query; in a sentence for the model.
    pub(crate) fn search(&mut self, arguments: &str) -> Result<SearchResult, String> {
        let wanted = wanted(arguments)?;
        let tools = self.toolbox.tools.iter().filter(|tool| tool.is_usable());
        let tools: Vec<&OfferedTool> = tools.collect();
        let best = ranked(&tools, &wanted);
        let (mut given, mut without_room) = (Vec::new(), Vec::new());
        for tool in &best {
            if given.len() == FOUND {
                break;
            }
            if self.left.has(tool) {
                self.left.take(tool);
                given.push(*tool);
            } else if !self.all.has(tool) && without_room.len() < FOUND {
                without_room.push(&*tool.view.alias);
            }
        }
        let text = found_words(tools.len(), best.len(), &given, &without_room);
        let definitions: Vec<&str> = given.iter().map(|tool| &*tool.view.given_json).collect();
        let result = format!(
            "{{\"content\":[{}],\"structuredContent\":{{\"tools\":[{}]}}}}",
            text_block(&text),
            definitions.join(",")
        );
        let tools = given.iter().map(|tool| ChatToolRef {
            server_id: tool.view.server_id.clone(),
            tool: tool.view.tool.clone(),
        });
        Ok(SearchResult {
            result,
            tools: tools.collect(),
        })
    }
}

/// The words that a search is for.
fn wanted(arguments: &str) -> Result<HashSet<String>, String> {
    let query = json::Object::parse(arguments)
        .map_err(|error| format!("The arguments are not a JSON object: {error}."))?
        .string("query")
        .map(std::borrow::Cow::into_owned)
        .ok_or("The arguments have no string `query`.")?;
    if query.len() > LONGEST_QUERY {
        return Err(format!("The query has more than {LONGEST_QUERY} bytes."));
    }
    let wanted: HashSet<String> = words(&query).collect();
    if wanted.is_empty() {
        return Err("The query has no words.".to_owned());
    }
    Ok(wanted)
}

/// The result of a search in words. Only what there is room for can be called.
fn found_words(all: usize, matching: usize, given: &[&OfferedTool], without_room: &[&str]) -> String {
    if matching == 0 {
        return format!("No tool of {all} matches. Try other words.");
    }
    let mut text = format!("{matching} of {all} tools match.");
    if !given.is_empty() {
        let lines: Vec<String> = given.iter().map(|tool| line(tool)).collect();
        text += &format!(" These can be called now:\n{}", lines.join("\n"));
    } else if without_room.is_empty() {
        text += " What the other searches of this answer found takes all the room. Call that first, then search again.";
    }
    if !without_room.is_empty() {
        text += &format!(
            "\nThis conversation has too little room for {}. They cannot be called unless the user raises the limit of tools in the settings.",
            without_room.join(", ")
        );
    }
    text
}

fn line(tool: &OfferedTool) -> String {
    let description = tool.view.description.as_deref().unwrap_or_default();
    let first: String = description.chars().take(DESCRIPTION).collect();
    let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{} (of {}): {first}", tool.view.alias, tool.server_name)
}

/// The tools that match, the best first. A word counts the more the fewer tools have it, and most in a name.
fn ranked<'a>(tools: &[&'a OfferedTool], wanted: &HashSet<String>) -> Vec<&'a OfferedTool> {
    let texts: Vec<(HashSet<String>, HashSet<String>)> = tools.iter().map(|tool| texts(tool)).collect();
    let weight = |word: &String| {
        let has = texts
            .iter()
            .filter(|(name, text)| has(name, word) || has(text, word));
        (tools.len() as f64 / (1.0 + has.count() as f64)).ln_1p()
    };
    let weights: HashMap<&String, f64> = wanted.iter().map(|word| (word, weight(word))).collect();
    let score = |(name, text): &(HashSet<String>, HashSet<String>)| -> f64 {
        let of = |(word, weight): (&&String, &f64)| {
            let place = match (has(name, word), has(text, word)) {
                (true, _) => 3.0,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
            place * weight
        };
        weights.iter().map(of).sum()
    };
    let mut scored: Vec<(f64, &OfferedTool)> = texts.iter().map(score).zip(tools.iter().copied()).collect();
    scored.retain(|(score, _)| *score > 0.0);
    // Stable: equal ones stay in the order of their servers.
    scored.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    scored.into_iter().map(|(_, tool)| tool).collect()
}

/// The words of a tool's names, and those of its description with the names of its arguments.
fn texts(tool: &OfferedTool) -> (HashSet<String>, HashSet<String>) {
    let view = &tool.view;
    let names = words(&view.alias)
        .chain(words(&view.tool))
        .chain(words(&tool.server_name));
    let schema = tool
        .input_schema
        .as_deref()
        .and_then(|schema| json::Object::parse(schema).ok());
    let properties = schema.and_then(|schema| json::Object::parse(schema.get("properties")?).ok());
    let arguments: Vec<String> = match &properties {
        Some(properties) => properties
            .iter()
            .flat_map(|(name, _)| words(name).collect::<Vec<_>>())
            .collect(),
        None => Vec::new(),
    };
    let text = words(view.description.as_deref().unwrap_or_default()).chain(arguments);
    (names.collect(), text.collect())
}

/// Whether a word is there, or one that begins with it: `file` finds `files`.
fn has(words: &HashSet<String>, word: &str) -> bool {
    words.contains(word) || (word.len() > 2 && words.iter().any(|other| other.starts_with(word)))
}

/// The words of a text in lower case; `readFile` and `read_file` are two words each.
fn words(text: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::with_capacity(text.len() + 8);
    let mut before_is_small = false;
    for c in text.chars() {
        if c.is_uppercase() && before_is_small {
            spaced.push(' ');
        }
        before_is_small = c.is_lowercase();
        spaced.extend(c.to_lowercase());
    }
    let all: Vec<String> = spaced
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    all.into_iter()
}
