//! An example of a new command: its line in a list, and a handler.

use serde::{Deserialize, Serialize};

use super::*;
use crate::EngineOptions;

#[derive(Deserialize)]
struct NoteCountParams {
    text: String,
}

#[derive(Serialize)]
struct NoteCountResponse {
    words: usize,
}

#[derive(Deserialize)]
struct NoteWordsParams {
    text: String,
}

mod handlers {
    use super::*;

    pub(super) async fn note_count(
        _: &Engine,
        params: NoteCountParams,
    ) -> Result<NoteCountResponse, CommandError> {
        if params.text.is_empty() {
            return Err(fail(ErrorCode::InvalidParams, "There is no note."));
        }
        let words = params.text.split_whitespace().count();
        Ok(NoteCountResponse { words })
    }

    pub(super) async fn note_words(
        _: Engine,
        params: NoteWordsParams,
        events: Events<String>,
    ) -> Result<(), CommandError> {
        for word in params.text.split_whitespace() {
            if events.send(word.to_owned()).await.is_err() {
                break;
            }
        }
        Ok(())
    }
}

dispatch! {
    calls {
        /// Counts the words of a note.
        note_count(NoteCountParams) -> NoteCountResponse;
    }
    streams {
        /// Sends the words of a note one by one.
        note_words(NoteWordsParams) -> String;
    }
}

async fn engine() -> (tempfile::TempDir, Engine) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(EngineOptions::within(folder.path()));
    (folder, engine.await.unwrap())
}

#[tokio::test]
async fn a_new_command_needs_a_line_and_a_handler() {
    let (_folder, engine) = engine().await;
    let answer = call(&engine, "note_count", r#"{"text":"a b c"}"#).await;
    assert_eq!(answer.unwrap(), r#"{"words":3}"#);

    let (sink, mut messages) = mpsc::channel(1);
    let _stream = open_stream(&engine, "note_words", r#"{"text":"a b"}"#, sink).unwrap();
    for message in [r#"{"event":"a"}"#, r#"{"event":"b"}"#, r#"{"end":true}"#] {
        assert_eq!(messages.recv().await.as_deref(), Some(message));
    }
}

#[tokio::test]
async fn invalid_commands_are_rejected() {
    let (_folder, engine) = engine().await;
    for (name, params, message) in [
        ("note_count", r#"{"text":""}"#, "There is no note."),
        ("note_count", "{}", "The parameters of `note_count` are invalid"),
        ("note_words", r#"{"text":""}"#, "`note_words` is a stream"),
        ("note_drop", "{}", "There is no command `note_drop`."),
    ] {
        let error = call(&engine, name, params).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::InvalidParams);
        assert!(error.message.starts_with(message), "{}", error.message);
    }
    let (sink, _) = mpsc::channel(1);
    let error = open_stream(&engine, "note_count", r#"{"text":""}"#, sink).unwrap_err();
    assert!(
        error.message.starts_with("`note_count` is a call"),
        "{}",
        error.message
    );
}

#[tokio::test]
async fn a_command_that_dies_ends_with_its_name_and_the_cause() {
    let (_folder, engine) = engine().await;
    let dies = async {
        call(&engine, "note_count", r#"{"text":"a b"}"#).await?;
        panic!("the command is killed")
    };
    let error = guarded::<String>("note_count", dies).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Internal);
    let said = format!("{} {}", error.message, error.detail.unwrap_or_default());
    assert!(
        said.contains("note_count") && said.contains("the command is killed"),
        "{said}"
    );
    // The engine goes on.
    engine.call("server_list", "{}").await.unwrap();
}
