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
    let mut tools_left = settings.max_tools.saturating_sub(1);
    let most = settings
        .max_tool_tokens
        .map_or(u64::MAX, |tokens| u64::from(tokens) * BYTES_OF_TOKEN);
    let mut bytes_left = most.saturating_sub(given_json.len() as u64);
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
        let size = u64::from(toolbox.tools[at].view.bytes);
        if tools_left == 0 || size > bytes_left || !toolbox.tools[at].is_usable() || !given.insert(at) {
            continue;
        }
        (tools_left, bytes_left) = (tools_left - 1, bytes_left - size);
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

/// Searches the tools that a model may call.
///
/// # Errors
/// The arguments have no query; in a sentence for the model.
pub(crate) fn search(toolbox: &Toolbox, arguments: &str) -> Result<SearchResult, String> {
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
    let tools: Vec<&OfferedTool> = toolbox.tools.iter().filter(|tool| tool.is_usable()).collect();
    let best = ranked(&tools, &wanted);
    let lines = best.iter().take(FOUND).map(|tool| line(tool));
    let lines: Vec<String> = lines.collect();
    let text = match lines.is_empty() {
        true => format!("No tool of {} matches. Try other words.", tools.len()),
        false => format!(
            "{} of {} tools match. These can be called now:\n{}",
            best.len(),
            tools.len(),
            lines.join("\n")
        ),
    };
    let definitions = best.iter().take(FOUND).map(|tool| &*tool.view.given_json);
    let definitions: Vec<&str> = definitions.collect();
    let result = format!(
        "{{\"content\":[{}],\"structuredContent\":{{\"tools\":[{}]}}}}",
        text_block(&text),
        definitions.join(",")
    );
    let tools = best.iter().take(FOUND).map(|tool| ChatToolRef {
        server_id: tool.view.server_id.clone(),
        tool: tool.view.tool.clone(),
    });
    Ok(SearchResult {
        result,
        tools: tools.collect(),
    })
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
