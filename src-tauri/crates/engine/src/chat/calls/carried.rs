//! What a call carries from the conversation: which parts of its arguments are in a message or in the result of another call,
//! so that nothing of one server goes to another unseen. Compared off the turn's task, within bounds of bytes and time.

mod search;

use std::sync::Arc;

use patchbay_contract::{ChatCallState, ServerId};
use patchbay_protocol::json;

use self::search::{Hit, Parts, each_value};
use super::super::{
    item::{Call, Carried, Item, Origin},
    view::start,
};

/// The maximum number of bytes of the conversation that are compared with a call, the newest first.
const MOST_BYTES: usize = 8 << 20;
/// The maximum number of items that a call names as its sources.
const MOST_ITEMS: usize = 20;
/// The length in bytes from which the encoded bytes of images and audio are not compared.
const LARGE_MEDIA: usize = 64 << 10;
/// The maximum length of an excerpt, in bytes.
const EXCERPT: usize = 160;

/// The texts that the arguments of a call may be from.
#[derive(Debug, Default)]
pub(in crate::chat) struct Sources {
    /// The newest first.
    texts: Vec<Source>,
    /// Whether all of the conversation is in it.
    is_whole: bool,
}

#[derive(Debug)]
struct Source {
    /// The id of the item; none of the system prompt.
    item: Option<String>,
    /// The server that said it; none: the user.
    from: Option<(ServerId, String)>,
    text: String,
}

impl Sources {
    /// What the user and the servers said so far.
    pub(in crate::chat) fn of(items: &[Item], system_prompt: &str) -> Self {
        let mut sources = Self {
            texts: vec![Source {
                item: None,
                from: None,
                text: system_prompt.to_owned(),
            }],
            is_whole: true,
        };
        let mut left = MOST_BYTES;
        for item in items.iter().rev() {
            for (from, raw) in said(item) {
                let mut text = String::new();
                each_value(&raw, |value| collect(value, &mut text));
                if text.len() > left {
                    sources.is_whole = false;
                    return sources;
                }
                left -= text.len();
                sources.texts.push(Source {
                    item: Some(item.id().to_owned()),
                    from,
                    text,
                });
            }
        }
        sources
    }

    /// What the arguments of a call have in common with them. What the user wrote, what the server said itself and what is in
    /// the tool's own definition may go to it.
    fn carried(&self, server: &ServerId, definition: &str, arguments: &str) -> (Vec<Carried>, bool) {
        let parts = Parts::of(arguments);
        if parts.is_empty() {
            return (Vec::new(), !parts.is_cut);
        }
        let mut own = String::new();
        each_value(definition, |value| collect(value, &mut own));
        let texts = self.texts.iter().map(|source| &*source.text);
        // The definition is the text after the last.
        let (hits, is_all) = parts.find(texts.chain([&*own]));
        let may_go = |number: usize| match self.texts.get(number) {
            None => true,
            Some(Source { from: None, .. }) => true,
            Some(Source {
                from: Some((id, _)), ..
            }) => id == server,
        };
        let mut free = vec![false; hits.iter().map(|(part, _)| part + 1).max().unwrap_or(0)];
        for (part, number) in &hits {
            free[*part] |= may_go(*number);
        }
        let carried = self.by_item(&parts, &hits, |part, number| !free[part] && !may_go(number));
        (carried, is_all && self.is_whole && !parts.is_cut)
    }

    /// The longest part in each item, those that cross from one server to another first.
    fn by_item(&self, parts: &Parts, hits: &[Hit], crosses: impl Fn(usize, usize) -> bool) -> Vec<Carried> {
        let mut carried: Vec<(usize, Carried)> = Vec::new();
        for (part, number) in hits {
            let Some(Source {
                item: Some(item),
                from,
                ..
            }) = self.texts.get(*number)
            else {
                continue;
            };
            let (text, crosses) = (parts.text(*part), crosses(*part, *number));
            let known = carried
                .iter_mut()
                .find(|(at, one)| at == number && one.crosses == crosses);
            match known {
                Some((_, known)) if known.excerpt.len() >= text.len().min(EXCERPT) => {}
                Some((_, known)) => known.excerpt = excerpt(text),
                None => carried.push((
                    *number,
                    Carried {
                        item: item.clone(),
                        server_id: from.as_ref().map(|(id, _)| id.clone()),
                        server_name: from.as_ref().map(|(_, name)| name.clone()).unwrap_or_default(),
                        excerpt: excerpt(text),
                        crosses,
                    },
                )),
            }
        }
        carried.sort_by_key(|(_, one)| !one.crosses);
        carried.into_iter().map(|(_, one)| one).take(MOST_ITEMS).collect()
    }
}

fn excerpt(text: &str) -> String {
    match text.len() > EXCERPT {
        true => format!("{}…", start(text, EXCERPT)),
        false => text.to_owned(),
    }
}

/// A value, and those of a text that is JSON itself.
fn collect(value: &str, text: &mut String) {
    text.push_str(value);
    text.push('\n');
    if value.trim_start().starts_with(['{', '[']) {
        each_value(value, |inner| {
            text.push_str(inner);
            text.push('\n');
        });
    }
}

/// Who said what in an item: JSON texts. What a model said is not from anybody else by itself.
fn said(item: &Item) -> Vec<(Option<(ServerId, String)>, String)> {
    let of = |origin: &Origin| Some((origin.server_id.clone(), origin.server_name.clone()));
    match item {
        Item::User(user) => {
            let blocks = json::array(&user.blocks).unwrap_or_default();
            let from = |at: usize| {
                let origins = user.origins.iter();
                let mut of_block = origins.filter(|origin| origin.has(at));
                of_block.next().and_then(of)
            };
            let blocks = blocks.into_iter().enumerate();
            blocks
                .map(|(at, block)| (from(at), without_media(block, true).concat()))
                .collect()
        }
        Item::Answer(answer) => {
            let origin = answer.origins.first();
            origin
                .map(|origin| (of(origin), json::quote(&answer.text)))
                .into_iter()
                .collect()
        }
        Item::Call(call) => {
            let Some(server) = &call.server_id else {
                return Vec::new();
            };
            let from = Some((server.clone(), call.server_name.clone()));
            let error = match call.state {
                ChatCallState::Failed => call.error.as_deref().map(json::quote),
                _ => None,
            };
            let result = call.result.as_deref().map(result_without_media);
            result
                .into_iter()
                .chain(error)
                .map(|text| (from.clone(), text))
                .collect()
        }
        Item::Notice(_) => Vec::new(),
    }
}

/// A result without the encoded bytes of its images and audio.
fn result_without_media(raw: &str) -> String {
    let content = json::member(raw, "content").and_then(json::array);
    let mut rest = raw;
    let mut parts = Vec::new();
    for block in content.unwrap_or_default() {
        let at = json::span_of(rest, block);
        parts.push(&rest[..at.start]);
        parts.extend(without_media(block, false));
        rest = &rest[at.end..];
    }
    parts.push(rest);
    parts.concat()
}

/// The pieces of a content block around encoded bytes that no model gets as text. The bytes of a resource are such only in
/// a message: from a result a model gets them as they are.
fn without_media(block: &str, is_of_message: bool) -> Vec<&str> {
    let encoded = json::Object::parse(block).ok().and_then(|object| {
        match object.string("type").as_deref() {
            Some("image" | "audio") => object.get("data"),
            Some("resource") if is_of_message => {
                let resource = json::Object::parse(object.get("resource")?).ok()?;
                // Without a URI the model gets the whole block as text.
                resource.string("uri")?;
                match resource.string("text") {
                    None => resource.get("blob"),
                    Some(_) => None,
                }
            }
            _ => None,
        }
    });
    // Small ones take little room.
    let Some(encoded) = encoded.filter(|encoded| encoded.len() >= LARGE_MEDIA) else {
        return vec![block];
    };
    let at = json::span_of(block, encoded);
    vec![&block[..at.start], &block[at.end..]]
}

/// The call with what its arguments carry.
pub(in crate::chat) async fn compared(sources: &Arc<Sources>, definition: &str, call: Call) -> Call {
    let Some(server) = call.server_id.clone() else {
        return call;
    };
    let (sources, definition) = (sources.clone(), definition.to_owned());
    let arguments = call.edited.as_ref().unwrap_or(&call.arguments).clone();
    let search = move || sources.carried(&server, &definition, &arguments);
    let (carried, is_whole) = tokio::task::spawn_blocking(search).await.unwrap_or_default();
    Call {
        carried,
        compared_in_part: !is_whole,
        ..call
    }
}

/// Why a call is asked about whatever the rules say: it carries something of another server, or nobody knows.
pub(in crate::chat) fn because(call: &Call) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    let crossing = call.carried.iter().filter(|one| one.crosses);
    for one in crossing {
        if !names.contains(&&*one.server_name) {
            names.push(&one.server_name);
        }
    }
    if !names.is_empty() {
        let from = names.join(", ");
        return Some(format!(
            "The arguments carry data of {from} to {}. No rule covers that.",
            call.server_name
        ));
    }
    call.compared_in_part.then(|| {
        "The conversation is too long to compare all of it with the arguments, which may carry data of another server.".to_owned()
    })
}
