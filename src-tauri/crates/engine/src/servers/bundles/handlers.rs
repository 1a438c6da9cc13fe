//! Handlers of bundles.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use patchbay_config::bundle::{self, Launch, LaunchError, Places};
use patchbay_config::free_name;
use patchbay_contract::*;
use patchbay_vault::random_name;

use super::{
    Program, Shared, program_of, refused,
    review::{ReviewContext, findings, review},
    with,
};
use crate::{
    dispatch::error::{self, fail, fail_with, vault_failed},
    servers::stored,
    state::Engine,
};

pub(crate) async fn bundle_upload(
    engine: &Engine,
    params: BundleUploadParams,
) -> Result<BundleUploadResponse, CommandError> {
    let bytes = STANDARD.decode(&params.data).map_err(|error| {
        fail_with(
            ErrorCode::InvalidParams,
            "The bytes of the bundle are not base64.",
            error,
        )
    })?;
    let bundles = engine.state.bundles.clone();
    let bundle_id = blocking(move || bundles.receive(params.bundle_id, &bytes)).await?;
    Ok(BundleUploadResponse { bundle_id })
}

pub(crate) async fn bundle_open(
    engine: &Engine,
    params: BundleOpenParams,
) -> Result<BundleReview, CommandError> {
    let places = places()?;
    let environment = engine.state.environment.get().await;
    let bundles = engine.state.bundles.clone();
    let taken = engine.state.servers.names();
    blocking(move || {
        bundles.open(params.source, |id, bundle| {
            let context = ReviewContext {
                id,
                name: free_name(bundle.manifest.title(), |name| {
                    taken.iter().any(|one| one == name)
                }),
                places: &places,
                path: environment.get("PATH"),
                folder: bundles.folder.display().to_string(),
            };
            review(bundle, context)
        })
    })
    .await
}

pub(crate) async fn bundle_add(
    engine: &Engine,
    params: BundleAddParams,
) -> Result<ServerAddResponse, CommandError> {
    let shared = engine.state.bundles.get(&params.bundle_id)?;
    let (unpacked, launch) = unpacked(engine, shared, params.values_json).await?;
    let draft = ServerDraft::new(params.name, launch.transport);
    // Fails for a name that is taken: then the folder goes.
    let keep = move |server: &ServerId| unpacked.keep(server);
    let server_id = stored::add_with(engine, draft, launch.secrets, params.plain_secrets, keep).await?;
    engine.state.bundles.close(&params.bundle_id);
    Ok(ServerAddResponse { server_id })
}

pub(crate) async fn bundle_close(engine: &Engine, params: BundleCloseParams) -> Result<Done, CommandError> {
    engine.state.bundles.close(&params.bundle_id);
    Ok(Done {})
}

/// A folder that is deleted again, unless a server uses it now.
#[derive(Debug)]
struct Unpacked(Option<PathBuf>);

impl Unpacked {
    /// It is the server's from now on.
    fn keep(mut self, server: &ServerId) {
        if let Some(folder) = self.0.take()
            && let Err(error) = bundle::set_owner(&folder, server)
        {
            tracing::warn!(%error, "the folder of a bundle does not name its server");
        }
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        if let Some(folder) = &self.0
            && let Err(error) = bundle::remove_folder(folder)
        {
            tracing::warn!(%error, "the folder of a bundle that was not added is still there");
        }
    }
}

/// Unpacks a bundle for a server with these settings.
async fn unpacked(
    engine: &Engine,
    shared: Shared,
    values_json: String,
) -> Result<(Unpacked, Launch), CommandError> {
    let places = places()?;
    let environment = engine.state.environment.get().await;
    let bundles = engine.state.bundles.clone();
    blocking(move || {
        with(&shared, |bundle| {
            let program = program_of(bundle, environment.get("PATH"));
            let (blockers, _) = findings(&bundle.manifest, &program);
            if let Some(blocker) = blockers.first() {
                return Err(fail(ErrorCode::InvalidParams, blocker.clone()));
            }
            let folder = bundle::new_folder(&bundles.folder, &bundle.manifest.name, &bundle.manifest.version);
            // First, so that nothing is written for settings that are wrong.
            let mut launch = bundle
                .launch(&folder, &places, &values_json, random_name)
                .map_err(|error| match error {
                    LaunchError::Bundle(error) => refused(error),
                    LaunchError::Name(error) => vault_failed(error),
                })?;
            if let (Program::Found { name, .. }, TransportDraft::Stdio { command, .. }) =
                (program, &mut launch.transport)
            {
                *command = name;
            }
            bundle.unpack(&folder).map_err(refused)?;
            Ok((Unpacked(Some(folder)), launch))
        })
    })
    .await
}

fn places() -> Result<Places, CommandError> {
    Places::of_user().ok_or_else(|| {
        fail(
            ErrorCode::Storage,
            "This user has no home folder, which bundles need for their settings.",
        )
    })
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CommandError> + Send + 'static,
) -> Result<T, CommandError> {
    error::blocking("Reading the bundle was interrupted.", work).await?
}
