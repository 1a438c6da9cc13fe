//! From `--stdio`, `--server` and the options beside them to a server the engine knows, for this run only.

use patchbay_contract::{
    EnvVar, EraChoice, ServerDraft, ServerId, ServerListParams, ServerListResponse, ServerUpdateParams,
    Timeouts, TransportDraft,
};
use patchbay_engine::Engine;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    args::{Era, ServerArgs},
    exit::{Exit, Problem},
};

/// Makes the server known to the engine.
pub(super) async fn configure(engine: &Engine, args: &ServerArgs) -> Result<ServerId, (Exit, Problem)> {
    let usage = |problem: Problem| (Exit::Usage, problem);
    match (&args.which.stdio, &args.which.server) {
        (Some(line), _) => {
            let mut draft = engine
                .draft_of_command(line)
                .map_err(|error| usage(error.into()))?;
            let TransportDraft::Stdio { cwd, .. } = &mut draft.transport;
            // Relative paths on the command line are relative to where it was typed.
            if cwd.is_none() {
                *cwd = std::env::current_dir()
                    .ok()
                    .map(|folder| folder.display().to_string());
            }
            adjust(&mut draft, args);
            engine
                .add_server(draft)
                .await
                .map_err(|error| usage(error.into()))
        }
        (None, Some(name)) => saved(engine, name, args).await.map_err(usage),
        (None, None) => Err((
            Exit::NotConnected,
            Problem::new(
                "notSupported",
                "--url is not supported yet: only stdio servers can be reached. Use --stdio or --server.",
            ),
        )),
    }
}

async fn saved(engine: &Engine, name: &str, args: &ServerArgs) -> Result<ServerId, Problem> {
    let list: ServerListResponse = call(engine, "server_list", &ServerListParams {}).await?;
    let Some(mut found) = list.items.iter().find(|item| item.draft.name == name).cloned() else {
        let known: Vec<String> = list
            .items
            .iter()
            .map(|item| format!("\"{}\"", item.draft.name))
            .collect();
        let known = match known.is_empty() {
            true => "No server is saved yet.".to_owned(),
            false => format!("Saved are: {}.", known.join(", ")),
        };
        return Err(Problem::new(
            "notFound",
            format!("There is no server named \"{name}\". {known}"),
        ));
    };
    let before = found.draft.clone();
    adjust(&mut found.draft, args);
    if found.draft != before {
        let update = ServerUpdateParams {
            server_id: found.id.clone(),
            draft: found.draft,
        };
        call::<_, patchbay_contract::Done>(engine, "server_update", &update).await?;
    }
    Ok(found.id)
}

/// What the options say goes before what is saved.
fn adjust(draft: &mut ServerDraft, args: &ServerArgs) {
    if let Some(era) = args.era {
        draft.era = match era {
            Era::Auto => EraChoice::Auto,
            Era::Legacy => EraChoice::Legacy,
            Era::Modern => EraChoice::Modern,
        };
    }
    if let Some(timeout) = args.timeout {
        // A script wants to know when it ends, whatever progress comes.
        draft.timeouts = Timeouts {
            request_ms: timeout,
            max_total_ms: timeout,
            reset_on_progress: false,
        };
    }
    let TransportDraft::Stdio { env, .. } = &mut draft.transport;
    for (name, value) in &args.env {
        env.retain(|var| var.name != *name);
        env.push(EnvVar {
            name: name.clone(),
            value: value.clone(),
        });
    }
}

async fn call<P: Serialize, R: DeserializeOwned>(
    engine: &Engine,
    name: &str,
    params: &P,
) -> Result<R, Problem> {
    let unreadable =
        |error: serde_json::Error| Problem::internal("A command could not be carried out.", &error);
    let params = serde_json::to_string(params).map_err(unreadable)?;
    let answer = engine.call(name, &params).await?;
    serde_json::from_str(&answer).map_err(unreadable)
}
