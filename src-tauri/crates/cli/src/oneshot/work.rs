//! Interprets a one-shot command. Invalid JSON is reported here, before anything is started.

use patchbay_contract::{
    AsTask, ListKind, PromptGetParams, RequestSendParams, ResourceReadParams, ServerId, ToolCallParams,
};
use patchbay_engine::{Ask, check_object};

use crate::{
    args::{OneShot, Prompts, Resources, ServerArgs, Tasks, Tools},
    exit::{Exit, Problem},
};

/// What to do on the connection.
pub(super) enum Work {
    /// List all items of a kind.
    List(ListKind),
    /// Send one request; takes the server's id.
    Send(Box<dyn FnOnce(ServerId) -> Ask + Send>),
    /// Compare the definitions of tools with the accepted ones.
    Diff,
    /// Accept the definitions of these tools; none for all.
    Accept(Option<Vec<String>>),
}

impl Work {
    fn send(ask: impl FnOnce(ServerId) -> Ask + Send + 'static) -> Self {
        Self::Send(Box::new(ask))
    }
}

type Wrong = (Exit, Problem);

/// The server of a command, and what to do with it.
pub(super) fn of(command: OneShot) -> Result<(ServerArgs, Work), Wrong> {
    Ok(match command {
        OneShot::Request {
            server,
            method,
            params,
        } => (server, request(method, params)?),
        OneShot::Tools(Tools::List { server }) => (server, Work::List(ListKind::Tools)),
        OneShot::Tools(Tools::Call {
            server,
            name,
            arguments,
            task,
        }) => (server, tool(name, arguments, task)?),
        OneShot::Tools(Tools::Diff { server }) => (remembered(server)?, Work::Diff),
        OneShot::Tools(Tools::Accept { server, names, all }) => {
            let names = (!all).then_some(names);
            (remembered(server)?, Work::Accept(names))
        }
        OneShot::Resources(Resources::List { server }) => (server, Work::List(ListKind::Resources)),
        OneShot::Resources(Resources::Templates { server }) => {
            (server, Work::List(ListKind::ResourceTemplates))
        }
        OneShot::Resources(Resources::Read { server, uri }) => (server, resource(uri)),
        OneShot::Prompts(Prompts::List { server }) => (server, Work::List(ListKind::Prompts)),
        OneShot::Prompts(Prompts::Get {
            server,
            name,
            arguments,
        }) => (server, prompt(name, arguments)?),
        OneShot::Tasks(Tasks::List { server }) => (server, Work::List(ListKind::Tasks)),
    })
}

/// Only definitions of saved servers are remembered.
fn remembered(server: ServerArgs) -> Result<ServerArgs, Wrong> {
    match server.which.server {
        Some(_) => Ok(server),
        None => Err((
            Exit::Usage,
            Problem::usage("Definitions are remembered for saved servers only. Use `--server NAME`."),
        )),
    }
}

fn checked(what: &str, text: Option<&str>) -> Result<(), Wrong> {
    text.map_or(Ok(()), |text| check_object(what, text))
        .map_err(|error| (Exit::Usage, Problem::from(error)))
}

fn request(method: String, params_json: Option<String>) -> Result<Work, Wrong> {
    checked("params", params_json.as_deref())?;
    Ok(Work::send(|server_id| {
        Ask::Request(RequestSendParams {
            server_id,
            method,
            params_json,
            timeouts: None,
            repeats: None,
            despite_changes: None,
        })
    }))
}

fn tool(name: String, arguments_json: String, task: bool) -> Result<Work, Wrong> {
    checked("arguments", Some(&arguments_json))?;
    Ok(Work::send(move |server_id| {
        Ask::Tool(ToolCallParams {
            server_id,
            name,
            arguments_json,
            meta_json: None,
            timeouts: None,
            as_task: task.then_some(AsTask { ttl_ms: None }),
            by_app: None,
        })
    }))
}

fn resource(uri: String) -> Work {
    Work::send(|server_id| {
        Ask::Resource(ResourceReadParams {
            server_id,
            uri,
            timeouts: None,
            by_app: None,
        })
    })
}

fn prompt(name: String, arguments_json: Option<String>) -> Result<Work, Wrong> {
    checked("arguments", arguments_json.as_deref())?;
    Ok(Work::send(|server_id| {
        Ask::Prompt(PromptGetParams {
            server_id,
            name,
            arguments_json,
            timeouts: None,
        })
    }))
}
