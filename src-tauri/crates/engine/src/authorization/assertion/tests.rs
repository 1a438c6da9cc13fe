#![cfg(unix)]

use patchbay_auth::AssertionSource as _;

use super::*;
use crate::{Engine, EngineOptions, StoreChoice};

#[tokio::test]
async fn an_assertion_is_read_from_a_file_a_variable_and_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let options = EngineOptions {
        store: StoreChoice::Temporary,
        ..EngineOptions::within(folder.path())
    };
    let engine = Engine::open(options).await.unwrap();
    let file = folder.path().join("token");
    std::fs::write(&file, "a.b.c\n").unwrap();
    let path = file.to_str().unwrap();
    let load = async |from, value: &str| {
        let draft = AssertionDraft {
            from,
            value: value.to_owned(),
        };
        let source = Assertion {
            draft,
            engine: std::sync::Arc::downgrade(&engine.state),
        };
        source.load().await.map(|secret| secret.expose().to_owned())
    };
    assert_eq!(load(AssertionFrom::File, path).await.unwrap(), "a.b.c\n");
    let command = format!("cat '{path}'");
    assert_eq!(load(AssertionFrom::Command, &command).await.unwrap(), "a.b.c\n");
    assert!(!load(AssertionFrom::Variable, "PATH").await.unwrap().is_empty());

    std::fs::write(&file, "x".repeat(70_000)).unwrap();
    for (from, value, cause) in [
        (AssertionFrom::File, path, "is longer than 65536 bytes"),
        (AssertionFrom::File, "/no/such/file", "cannot be read"),
        (AssertionFrom::Variable, "NO_SUCH_VARIABLE", "is not set"),
        (AssertionFrom::Command, "'unterminated", "is not a command"),
        (AssertionFrom::Command, "false", "the command false failed"),
        (AssertionFrom::Command, &command, "printed more than 65536 bytes"),
    ] {
        let error = load(from, value).await.unwrap_err();
        assert!(error.cause.contains(cause), "{error:?}");
        assert!(!error.next.is_empty());
    }
    engine.shutdown().await;
}
