//! Handlers of the environment.

use patchbay_contract::*;

use super::{Current, SHELL_PATIENCE, home};
use crate::{convert, state::Engine};

/// The most folders of PATH that are listed.
const MOST_LISTED: usize = 500;

pub(crate) async fn environment_get(
    engine: &Engine,
    _: EnvironmentGetParams,
) -> Result<EnvironmentGetResponse, CommandError> {
    let environment = &engine.state.environment;
    Ok(EnvironmentGetResponse {
        settings: environment.settings()?,
        can_run_shell: !cfg!(windows),
        limit_s: u32::try_from(SHELL_PATIENCE.as_secs()).unwrap_or(u32::MAX),
        file: environment.file.path().display().to_string(),
    })
}

pub(crate) async fn environment_set(
    engine: &Engine,
    params: EnvironmentSetParams,
) -> Result<Done, CommandError> {
    engine.state.environment.set(params.settings).await?;
    Ok(Done {})
}

pub(crate) async fn environment_read(
    engine: &Engine,
    params: EnvironmentReadParams,
) -> Result<EnvironmentReadResponse, CommandError> {
    let state = &engine.state;
    if params.again {
        state.environment.forget();
    }
    let current = state.environment.current().await;
    let (path, more) = listed(&current);
    let mut outdated = Vec::new();
    for live in state.connections.open() {
        if live.status().process.is_none() {
            continue;
        }
        // Where its environment is shown, it says whether that is the current one.
        state.nudges.connection_changed(&live.server_id);
        if state.has_old_environment(&live) {
            outdated.push(live.server_id);
        }
    }
    let Current {
        environment,
        at,
        took,
        ..
    } = current;
    let problem = environment.problem.as_ref();
    Ok(EnvironmentReadResponse {
        source: convert::path_source(environment.source),
        problem: problem.map(|problem| convert::failure(problem, |text| state.masked(text))),
        at_ms: convert::at_ms(at),
        took_ms: convert::ms(took),
        variables: convert::count(environment.vars.len()),
        home: home(&environment).map(|home| home.to_string_lossy().into_owned()),
        shell: environment.shell,
        path,
        more,
        outdated,
    })
}

/// The folders of PATH, and how many are left out.
fn listed(current: &Current) -> (Vec<PathEntry>, u32) {
    let entry = |from| move |folder: String| PathEntry { folder, from };
    let own = Some(&current.own_path).filter(|path| !path.is_empty());
    let own = own.into_iter().flat_map(|path| {
        // Not `split_paths`: an empty part has a meaning of its own.
        let separator = if cfg!(windows) { ';' } else { ':' };
        path.split(separator).map(str::to_owned)
    });
    let added = |folders: &[std::path::PathBuf]| -> Vec<String> {
        folders
            .iter()
            .map(|folder| folder.display().to_string())
            .collect()
    };
    let before = added(&current.before)
        .into_iter()
        .map(entry(PathEntryOrigin::Before));
    let after = added(&current.after)
        .into_iter()
        .map(entry(PathEntryOrigin::After));
    let mut all: Vec<PathEntry> = before
        .chain(own.map(entry(PathEntryOrigin::Environment)))
        .chain(after)
        .collect();
    let more = all.len().saturating_sub(MOST_LISTED);
    all.truncate(MOST_LISTED);
    (all, convert::count(more))
}
