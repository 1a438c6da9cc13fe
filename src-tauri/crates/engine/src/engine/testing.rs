//! An engine for tests, with a person at the end of its chains and its log on disk, and its commands as a front calls them.

use std::{path::Path, sync::Arc, time::SystemTime};

use patchbay_auth::{AuthMethod, ClientOrigin, RegisteredClient, StoredTokens, TokenSet};
use patchbay_contract::{EraChoice, ServerId, TransportDraft};
use patchbay_secret::Secret;
use patchbay_vault::Keychain;
use serde_json::Value;
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};

use super::{Engine, EngineOptions};
use crate::{InputChain, SecretsChoice, StoreChoice};

/// Opens an engine within a folder.
pub(crate) async fn attended(folder: &tempfile::TempDir) -> Engine {
    Engine::open(EngineOptions {
        inputs: InputChain::attended(),
        store: StoreChoice::Persistent,
        ..EngineOptions::within(folder.path())
    })
    .await
    .unwrap()
}

/// Opens an engine within a folder, whose vault has its key in this keychain.
pub(crate) async fn with_keychain(folder: &tempfile::TempDir, keychain: Arc<dyn Keychain>) -> Engine {
    Engine::open(EngineOptions {
        inputs: InputChain::attended(),
        store: StoreChoice::Persistent,
        secrets: SecretsChoice::Keychain(keychain),
        ..EngineOptions::within(folder.path())
    })
    .await
    .unwrap()
}

/// A schema of which each level doubles the work: 2 to the power of 40.
pub(crate) fn doubling_schema() -> String {
    let levels: Vec<String> = (0..40)
        .map(|at| {
            format!(
                r##""l{at}":{{"allOf":[{{"$ref":"#/$defs/l{0}"}},{{"$ref":"#/$defs/l{0}"}}]}}"##,
                at + 1
            )
        })
        .collect();
    format!(
        r##"{{"$ref":"#/$defs/l0","$defs":{{{},"l40":{{}}}}}}"##,
        levels.join(",")
    )
}

/// Adds a server of the legacy era that is a shell script, and connects.
#[cfg(unix)]
pub(crate) async fn legacy_script(engine: &Engine, script: &str) -> ServerId {
    let mut draft = engine.draft_of_command("sh -c :").unwrap();
    if let TransportDraft::Stdio { args, .. } = &mut draft.transport {
        *args = vec!["-c".to_owned(), script.to_owned()];
    }
    draft.era = EraChoice::Legacy;
    let server = engine.add_server(draft).await.unwrap();
    engine.connect(&server).await.unwrap().unwrap();
    server
}

/// The response to a command.
pub(crate) async fn call(engine: &Engine, name: &str, params: Value) -> Value {
    match engine.call(name, &params.to_string()).await {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(error) => panic!("{name}: {}", error.message),
    }
}

/// The message of the error that a command ends with.
pub(crate) async fn refusal(engine: &Engine, name: &str, params: Value) -> String {
    engine.call(name, &params.to_string()).await.unwrap_err().message
}

/// The files below a folder that contain a text.
pub(crate) fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

/// The only secret in the vault.
pub(crate) async fn only_secret(engine: &Engine) -> String {
    let vault = &engine.state.vault;
    let [id] = &vault.ids().await.unwrap()[..] else {
        panic!("there is not one secret")
    };
    vault.get(id).await.unwrap().unwrap().expose().to_owned()
}

/// A token with a client that the authorization server of the test issued.
pub(crate) fn stored_tokens(issuer: &str) -> StoredTokens {
    let tokens = TokenSet {
        access: Secret::new("access-token-1"),
        refresh: Some(Secret::new("refresh-token-1")),
        scopes: None,
        requested: Vec::new(),
        issuer: issuer.to_owned(),
        resource: None,
        client_id: "me".to_owned(),
        grant: None,
        token_endpoint: format!("{issuer}/token"),
        revocation_endpoint: None,
        dpop: None,
        obtained_at: SystemTime::UNIX_EPOCH,
        expires_at: None,
    };
    let client = RegisteredClient {
        issuer: issuer.to_owned(),
        id: "me".to_owned(),
        secret: None,
        secret_expires_at: None,
        auth_method: AuthMethod::None,
        origin: ClientOrigin::Dynamic,
        redirect_uri: None,
    };
    StoredTokens {
        tokens: Some(tokens),
        clients: vec![client],
    }
}

/// Waits for the request that refreshes such a token, which is not answered yet.
pub(crate) async fn refresh_asked(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().await.unwrap();
    let (mut request, mut chunk) = (Vec::new(), [0; 1024]);
    while !String::from_utf8_lossy(&request).contains("refresh_token=refresh-token-1") {
        let read = stream.read(&mut chunk).await.unwrap();
        assert!(read > 0, "the request ended early");
        request.extend_from_slice(&chunk[..read]);
    }
    stream
}
