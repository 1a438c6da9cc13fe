//! Dispatches a command's name and JSON parameters to its handler. The list of commands is the contract's; [`dispatch`]
//! generates both entry points from it. Each command needs a function of the same name in `handlers`, otherwise the crate
//! does not compile.

pub(crate) mod app;
pub(crate) mod error;
pub(crate) mod handlers;
pub(crate) mod nudges;
pub(crate) mod streams;

use patchbay_client::caught;
use patchbay_contract::{commands, *};
use serde::{Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;

use crate::{
    dispatch::error::{fail, internal},
    dispatch::streams::{Events, StreamHandle},
    state::Engine,
};

/// Generates `call` and `open_stream` for a list of commands, using the `handlers` in scope.
macro_rules! dispatch {
    (calls { $($(#[$call_doc:meta])* $call:ident($call_in:ident) -> $call_out:ident;)* }
     streams { $($(#[$stream_doc:meta])* $stream:ident($stream_in:ident) -> $stream_out:ident;)* }) => {
        async fn call(engine: &Engine, name: &str, params: &str) -> Result<String, CommandError> {
            match name {
                $(stringify!($call) => {
                    let params: $call_in = from_json(name, params)?;
                    // Boxed: otherwise every call future is as large as the largest one.
                    let answer: $call_out = Box::pin(handlers::$call(engine, params)).await?;
                    to_json(&answer)
                })*
                $(stringify!($stream) => Err(is_stream(name)),)*
                _ => Err(unknown(name)),
            }
        }

        fn open_stream(
            engine: &Engine,
            name: &str,
            params: &str,
            sink: mpsc::Sender<String>,
        ) -> Result<StreamHandle, CommandError> {
            match name {
                $(stringify!($stream) => {
                    let params: $stream_in = from_json(name, params)?;
                    let engine = engine.clone();
                    let run = |events: Events<$stream_out>| handlers::$stream(engine, params, events);
                    Ok(streams::spawn(name, sink, run, event_text, stream_end))
                })*
                $(stringify!($call) => Err(is_call(name)),)*
                _ => Err(unknown(name)),
            }
        }
    };
}

commands!(dispatch);

impl Engine {
    /// Runs the command `name`. Parameters and result are JSON text.
    ///
    /// # Errors
    /// The error of the command; `InvalidParams` for an unknown name or invalid parameters.
    pub async fn call(&self, name: &str, params: &str) -> Result<String, CommandError> {
        guarded(name, call(self, name, params)).await
    }

    /// Opens the stream `name`. It sends JSON texts to `sink`: `{"event":…}` for each event, then `{"end":true}` or
    /// `{"end":true,"error":{…}}`. Dropping the handle closes it.
    ///
    /// # Errors
    /// `InvalidParams` for an unknown name or invalid parameters. Later errors end the stream.
    pub fn open_stream(
        &self,
        name: &str,
        params: &str,
        sink: mpsc::Sender<String>,
    ) -> Result<StreamHandle, CommandError> {
        open_stream(self, name, params, sink)
    }
}

/// Runs the command `name`, or what a front does for it, to its end. What panics ends with that as its error.
///
/// # Errors
/// Its own; or the panic.
pub async fn guarded<T>(
    name: &str,
    command: impl Future<Output = Result<T, CommandError>>,
) -> Result<T, CommandError> {
    caught(command)
        .await
        .unwrap_or_else(|cause| Err(internal(name, &cause)))
}

fn is_stream(name: &str) -> CommandError {
    let message = format!("`{name}` is a stream; open it instead of calling it.");
    fail(ErrorCode::InvalidParams, message)
}

fn is_call(name: &str) -> CommandError {
    let message = format!("`{name}` is a call, not a stream.");
    fail(ErrorCode::InvalidParams, message)
}

fn unknown(name: &str) -> CommandError {
    fail(ErrorCode::InvalidParams, format!("There is no command `{name}`."))
}

fn from_json<T: DeserializeOwned>(name: &str, params: &str) -> Result<T, CommandError> {
    serde_json::from_str(params).map_err(|error| {
        fail(
            ErrorCode::InvalidParams,
            format!("The parameters of `{name}` are invalid: {error}"),
        )
    })
}

/// One event of a stream, as JSON text.
fn event_text<E: Serialize>(event: &E) -> Option<String> {
    Some(format!("{{\"event\":{}}}", to_json(event).ok()?))
}

/// The end of a stream, as JSON text: what a front tells its page if the stream itself cannot.
#[must_use]
pub fn stream_end(ended: Result<(), CommandError>) -> String {
    match ended {
        Ok(()) => "{\"end\":true}".to_owned(),
        Err(error) => {
            let error = to_json(&error).unwrap_or_else(|_| "null".to_owned());
            format!("{{\"end\":true,\"error\":{error}}}")
        }
    }
}

fn to_json<T: Serialize>(value: &T) -> Result<String, CommandError> {
    serde_json::to_string(value).map_err(|error| {
        fail(
            ErrorCode::Internal,
            format!("A result could not be written as JSON: {error}"),
        )
    })
}

#[cfg(test)]
mod tests;
