//! What is attached to the next message: a resource that is read, or a prompt that is requested, like any other request.

mod file;
mod subscribe;

pub(super) use self::{file::image_type, subscribe::keep_current};

use std::sync::Arc;

use bytes::Bytes;
use patchbay_contract::*;
use patchbay_protocol::json;

use super::{
    conversation::{Attachment, Conversation},
    item::text_block,
    prompt::{answered, in_place_of_bytes},
    view::start,
};
use crate::{calls::Ask, convert, dispatch::error::fail, state::Engine, traffic_views::bodies::record_bytes};

/// The maximum size of what one attachment adds to the request, in bytes.
const LARGEST: usize = 4 << 20;
/// The same for what is written in base64.
const LARGEST_WRITTEN: usize = LARGEST / 3 * 4 + 1_024;
/// The maximum number of attachments of a message.
const MOST: usize = 20;
/// The length of a preview, in bytes.
const PREVIEW: usize = 2_000;
/// The maximum size of an image that is its own preview, in characters of base64.
const LARGEST_PREVIEW: usize = 1_400_000;

/// What a message adds to the conversation: whether a model says it, and a JSON array of content blocks.
type Message = (bool, String);

/// Reads or requests what is attached, and keeps it until the next message.
pub(super) async fn attach(
    engine: &Engine,
    conversation: &Arc<Conversation>,
    server_id: Option<ServerId>,
    source: ChatAttachSource,
) -> Result<ChatAttachment, CommandError> {
    if conversation.lock().attached.len() >= MOST {
        let why = format!("A message has at most {MOST} attachments.");
        return Err(fail(ErrorCode::InvalidParams, why));
    }
    let (mut view, messages) = match (source, server_id) {
        (
            ChatAttachSource::File {
                name,
                mime_type,
                data,
            },
            _,
        ) => {
            let blocks = file::blocks(&name, &mime_type, &data)?;
            let messages = vec![(false, blocks)];
            let shown = masked(engine, &messages);
            (view_of(None, String::new(), name, None, &shown, false)?, messages)
        }
        (_, None) => return Err(fail(ErrorCode::InvalidParams, "The server is missing.")),
        (source, Some(server_id)) => of_server(engine, server_id, source).await?,
    };
    conversation.touch(|state, revision| {
        view.id = revision.to_string();
        state.attached.push(Attachment {
            view: view.clone(),
            messages,
            subscription: None,
        });
        state.revision = revision;
    });
    Ok(view)
}

async fn of_server(
    engine: &Engine,
    server_id: ServerId,
    source: ChatAttachSource,
) -> Result<(ChatAttachment, Vec<Message>), CommandError> {
    let server_name = engine.state.servers.get(&server_id)?.draft.name;
    let is_prompt = !matches!(source, ChatAttachSource::Resource { .. });
    let (name, seq, answer) = received(engine, &server_id, source).await?;
    let text = String::from_utf8_lossy(&answer);
    let messages = match is_prompt {
        true => messages_of(&text),
        false => contents_of(&text),
    };
    let shown = masked(engine, &messages);
    let can_subscribe = !is_prompt && subscribe::is_declared(engine, &server_id);
    let view = ChatAttachment {
        can_subscribe,
        ..view_of(Some(server_id), server_name, name, seq, &shown, is_prompt)?
    };
    Ok((view, messages))
}

/// The messages as they are shown. As they are, they become items, which are masked then.
fn masked(engine: &Engine, messages: &[Message]) -> Vec<Message> {
    let mask = |(is_assistant, blocks): &Message| (*is_assistant, engine.state.masked(blocks.clone()));
    messages.iter().map(mask).collect()
}

/// Reads a resource again that is kept current.
///
/// # Errors
/// It cannot be read now.
pub(super) async fn again(engine: &Engine, old: &Attachment) -> Result<Attachment, CommandError> {
    let (true, Some(server_id)) = (old.view.keep_current, old.view.server_id.clone()) else {
        return Ok(old.clone());
    };
    let uri = old.view.name.clone();
    let read = of_server(engine, server_id, ChatAttachSource::Resource { uri }).await;
    let (view, messages) = read.map_err(|error| CommandError {
        message: format!(
            "{} The message was not sent. To send what was read before, no longer keep it current; or do not attach it.",
            error.message
        ),
        ..error
    })?;
    let view = ChatAttachment {
        id: old.view.id.clone(),
        keep_current: true,
        ..view
    };
    Ok(Attachment {
        view,
        messages,
        subscription: None,
    })
}

fn view_of(
    server_id: Option<ServerId>,
    server_name: String,
    name: String,
    seq: Option<Seq>,
    messages: &[Message],
    is_prompt: bool,
) -> Result<ChatAttachment, CommandError> {
    check_size(messages, &name, is_prompt)?;
    let messages = given(messages);
    let bytes: usize = messages.iter().map(|(_, blocks)| blocks.len()).sum();
    let parts = messages.iter().map(|(_, blocks)| match is_prompt {
        true => 1,
        false => json::array(blocks).map_or(0, |blocks| blocks.len()),
    });
    let parts: usize = parts.sum();
    let images: Vec<String> = messages.iter().flat_map(|(_, blocks)| images(blocks)).collect();
    Ok(ChatAttachment {
        id: String::new(),
        server_id,
        server_name,
        name,
        keep_current: false,
        has_images: !images.is_empty(),
        image: images.into_iter().find(|image| image.len() <= LARGEST_PREVIEW),
        is_prompt,
        bytes: bytes as f64,
        parts: convert::count(parts),
        preview: preview(&messages),
        seq,
        can_subscribe: false,
        subscription: None,
    })
}

/// The messages as a model gets them, with words in place of bytes that it does not get.
fn given(messages: &[Message]) -> Vec<Message> {
    let one =
        |block: &str| in_place_of_bytes(block).map_or_else(|| block.to_owned(), |words| text_block(&words));
    let all = |(is_assistant, blocks): &Message| {
        let blocks: Vec<String> = json::array(blocks)
            .unwrap_or_default()
            .into_iter()
            .map(one)
            .collect();
        (*is_assistant, format!("[{}]", blocks.join(",")))
    };
    messages.iter().map(all).collect()
}

/// The images among blocks, as `data:` URLs.
fn images(blocks: &str) -> Vec<String> {
    let blocks = json::array(blocks).unwrap_or_default().into_iter();
    let image = |block: &str| {
        let block = json::Object::parse(block).ok()?;
        let resource = block
            .get("resource")
            .and_then(|inner| json::Object::parse(inner).ok());
        let (holder, data) = match &resource {
            Some(resource) => (resource, resource.string("blob")?),
            None => (&block, block.string("data")?),
        };
        let kind = holder.string("mimeType")?;
        kind.starts_with("image/")
            .then(|| format!("data:{kind};base64,{data}"))
    };
    blocks.filter_map(image).collect()
}

/// Checks the size of what is attached.
///
/// # Errors
/// There is nothing to attach, or too much.
fn check_size(messages: &[Message], name: &str, is_prompt: bool) -> Result<(), CommandError> {
    let bytes: usize = messages.iter().map(|(_, blocks)| blocks.len()).sum();
    if bytes == 0 {
        let what = match is_prompt {
            true => "The prompt returned no messages",
            false => "The resource has no content",
        };
        return Err(fail(
            ErrorCode::InvalidParams,
            format!("{what}, so there is nothing to attach. The response is in the traffic log."),
        ));
    }
    let most = match messages.iter().all(|(_, blocks)| images(blocks).is_empty()) {
        true => LARGEST,
        false => LARGEST_WRITTEN,
    };
    if bytes > most {
        return Err(fail(
            ErrorCode::InvalidParams,
            format!(
                "{name} has {:.1} MB, more than the 4 MB that can be attached. Let the model read a part of it with a tool.",
                bytes as f64 / 1e6
            ),
        ));
    }
    Ok(())
}

/// The name of what is attached, the record of the response, and its result.
async fn received(
    engine: &Engine,
    server_id: &ServerId,
    source: ChatAttachSource,
) -> Result<(String, Option<Seq>, Bytes), CommandError> {
    let server_id = server_id.clone();
    let (name, ask) = match source {
        ChatAttachSource::Received { name, seq } => {
            let result = recorded(engine, &seq).await?;
            return Ok((name, Some(seq), result));
        }
        // Taken by `attach`.
        ChatAttachSource::File { name, .. } => {
            return Err(fail(ErrorCode::Internal, format!("{name} is not of a server.")));
        }
        ChatAttachSource::Resource { uri } => (
            uri.clone(),
            Ask::Resource(ResourceReadParams {
                server_id,
                uri,
                timeouts: None,
                by_app: None,
            }),
        ),
        ChatAttachSource::Prompt { name, arguments_json } => (
            name.clone(),
            Ask::Prompt(PromptGetParams {
                server_id,
                name,
                arguments_json,
                timeouts: None,
            }),
        ),
    };
    let mut seq = None;
    let ended = engine
        .exchange(ask, |event| {
            if let ExchangeEvent::Finished { response_seq, .. } = event {
                seq = response_seq;
            }
        })
        .await?;
    match (&ended.outcome, ended.answer) {
        (ExchangeOutcome::Result { .. }, Some(answer)) => Ok((name, seq, answer)),
        (ExchangeOutcome::RpcError { code, message, .. }, _) => Err(fail(
            ErrorCode::ServerError,
            format!("{name} could not be attached: the server answered with the error {code}: {message}"),
        )),
        _ => Err(fail(
            ErrorCode::ServerError,
            format!("{name} could not be attached: there is no result. See the traffic log."),
        )),
    }
}

/// The result in a record.
async fn recorded(engine: &Engine, seq: &Seq) -> Result<Bytes, CommandError> {
    let record = record_bytes(&engine.state.store, convert::parse_seq(seq)?).await?;
    let gone = || {
        fail(
            ErrorCode::NotFound,
            "The response is no longer in the traffic log.",
        )
    };
    let record = record.ok_or_else(gone)?;
    let frame = String::from_utf8_lossy(&record).into_owned();
    let result = json::Object::parse(&frame)
        .ok()
        .and_then(|frame| frame.get("result"));
    let result = result.ok_or_else(|| fail(ErrorCode::InvalidParams, "The record has no result."))?;
    Ok(Bytes::from(result.to_owned()))
}

/// The contents of a resource as embedded resources.
fn contents_of(result: &str) -> Vec<Message> {
    let contents = json::Object::parse(result)
        .ok()
        .and_then(|result| json::array(result.get("contents")?));
    let blocks: Vec<String> = contents
        .unwrap_or_default()
        .into_iter()
        .map(|content| format!("{{\"type\":\"resource\",\"resource\":{content}}}"))
        .collect();
    match blocks.is_empty() {
        true => Vec::new(),
        false => vec![(false, format!("[{}]", blocks.join(",")))],
    }
}

/// The messages of a prompt.
fn messages_of(result: &str) -> Vec<Message> {
    let messages = json::Object::parse(result)
        .ok()
        .and_then(|result| json::array(result.get("messages")?));
    let messages = messages.unwrap_or_default().into_iter();
    messages
        .filter_map(|message| {
            let message = json::Object::parse(message).ok()?;
            let content = message.get("content")?;
            let is_assistant = message.string("role").as_deref() == Some("assistant");
            let blocks = match json::kind(content) {
                json::Kind::Array => content.to_owned(),
                _ => format!("[{content}]"),
            };
            Some((is_assistant, blocks))
        })
        .collect()
}

fn preview(messages: &[Message]) -> String {
    let texts = messages.iter().flat_map(|(_, blocks)| {
        let blocks = json::array(blocks).unwrap_or_default().into_iter();
        blocks.map(|block| {
            let object = json::Object::parse(block).ok();
            let inner = object.as_ref().and_then(|object| object.get("resource"));
            let inner = inner.and_then(|inner| json::Object::parse(inner).ok());
            let kind = object.as_ref().and_then(|object| object.string("mimeType"));
            if let Some(kind) = kind.filter(|kind| kind.starts_with("image/")) {
                return kind.into_owned();
            }
            let text = |object: &Option<json::Object<'_>>| {
                object
                    .as_ref()
                    .and_then(|object| Some(object.string("text")?.into_owned()))
            };
            text(&object)
                .or_else(|| text(&inner))
                .unwrap_or_else(|| start(block, 200))
        })
    });
    start(&texts.collect::<Vec<_>>().join("\n\n"), PREVIEW)
}

/// The text of a message of a model, of blocks.
pub(super) fn text_of(blocks: &str) -> String {
    let blocks = json::array(blocks).unwrap_or_default().into_iter();
    blocks.map(answered).collect::<Vec<_>>().join("\n")
}
