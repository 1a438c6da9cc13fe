//! `patchbay chat`: one turn of a conversation, without a window. The answer goes to stdout, words to stderr.

mod decide;
mod group;
mod turn;
mod written;

use std::path::PathBuf;

use patchbay_contract::*;
use patchbay_engine::{Engine, read_text_from};

use crate::{
    args::{Approve, ChatArgs, ChatProvider},
    exit::{Exit, Problem},
    oneshot::{
        connect,
        server::{call, configure},
        with_engine,
    },
};

/// The largest message, in bytes.
const LARGEST_MESSAGE: u64 = 1 << 20;

type Wrong = (Exit, Problem);

/// Runs one turn.
pub(crate) async fn run(data_dir: Option<PathBuf>, mut args: ChatArgs, json: bool) -> Result<Exit, Wrong> {
    let message = message(&args)?;
    let common = args.common();
    with_engine(data_dir, &common, json, async |engine, keyboard| {
        let mut servers = Vec::new();
        let of_groups = group::servers(engine, &args.group, json).await.map_err(usage)?;
        let new = of_groups.into_iter().filter(|name| !args.server.contains(name));
        args.server.extend(new.collect::<Vec<_>>());
        for server in args.servers() {
            let id = configure(engine, &server, json).await?;
            connect(engine, &id, json).await?;
            servers.push(id);
        }
        let provider = provider(engine, &args).await.map_err(usage)?;
        let settings = settings(&args, servers, provider.as_ref());
        let ended = turn::run(engine, keyboard, settings, message, args.approve, json).await;
        if let Some(provider_id) = provider {
            // It is for this run only, and so is its key, which is in memory.
            call::<_, Done>(engine, "provider_remove", &ProviderRemoveParams { provider_id })
                .await
                .map_err(usage)?;
        }
        ended
    })
    .await
}

fn usage(problem: Problem) -> Wrong {
    (Exit::Usage, problem)
}

/// The message of `-p`, or all of stdin. What cannot be sent is refused here, before anything is started.
fn message(args: &ChatArgs) -> Result<String, Wrong> {
    let text = match &args.prompt {
        Some(text) => text.clone(),
        None => from_stdin(args)?,
    };
    match text.trim().is_empty() {
        true => Err(usage(Problem::usage(
            "The message is empty. Give it with -p, or on stdin.",
        ))),
        false => Ok(text),
    }
}

fn from_stdin(args: &ChatArgs) -> Result<String, Wrong> {
    if args.provider == ChatProvider::Manual || args.approve == Approve::Ask {
        let words = "Give the message with -p: answers and decisions are typed. `--approve` with all, read-only or none asks nothing.";
        return Err(usage(Problem::usage(words)));
    }
    read_text_from(std::io::stdin().lock(), LARGEST_MESSAGE).map_err(|error| {
        let words = format!("The message could not be read from stdin: {error}.");
        usage(Problem::usage(words))
    })
}

/// Adds the provider for this run; none if the user answers.
async fn provider(engine: &Engine, args: &ChatArgs) -> Result<Option<ProviderId>, Problem> {
    let Some((api, own)) = args.provider.api() else {
        return Ok(None);
    };
    let params = ProviderSaveParams {
        provider_id: None,
        name: "Command line".to_owned(),
        api,
        base_url: args.base_url.clone().unwrap_or_else(|| own.to_owned()),
        key: match &args.key_env {
            Some(key) => ProviderKey::Set { text: key.0.clone() },
            None => ProviderKey::None,
        },
        default_model: args.model.clone(),
    };
    let saved: ProviderSaveResponse = call(engine, "provider_save", &params).await?;
    Ok(Some(saved.provider_id))
}

/// The settings of the conversation. What is approved becomes a rule, which the log names.
fn settings(args: &ChatArgs, servers: Vec<ServerId>, provider: Option<&ProviderId>) -> ChatSettings {
    let covers = match args.approve {
        Approve::All => Some(ChatRuleScope::Server {}),
        Approve::ReadOnly => Some(ChatRuleScope::ReadOnly {}),
        Approve::None | Approve::Ask => None,
    };
    let rules = servers.iter().filter_map(|server_id| {
        Some(ChatRule {
            covers: covers.clone()?,
            server_id: server_id.clone(),
            at_ms: 0.0,
        })
    });
    ChatSettings {
        answers: match (provider, &args.model) {
            (Some(provider_id), Some(model)) => ChatAnswers::Model {
                provider_id: provider_id.clone(),
                model: model.clone(),
            },
            _ => ChatAnswers::Manual {},
        },
        system_prompt: args.system.clone(),
        rules: rules.collect(),
        servers,
        max_rounds: args.max_rounds,
        max_turn_tokens: args.max_turn_tokens,
        ..ChatSettings::default()
    }
}
