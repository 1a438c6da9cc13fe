//! Servers of bundles (`.mcpb`): received from a page or read from a path, reviewed, unpacked when the user adds the server, and deleted
//! with it.

pub(crate) mod handlers;
mod review;

use std::{
    collections::VecDeque,
    ffi::OsStr,
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use patchbay_config::bundle::{self, Bundle, BundleError, MAX_BUNDLE_BYTES};
use patchbay_config::{expand_home, new_id};
use patchbay_contract::{BundleId, BundleSource, CommandError, ErrorCode, ServerDraft, ServerId};
use patchbay_transport::find_program;
use tempfile::NamedTempFile;

use crate::{
    dispatch::error::{fail, fail_with},
    state::Engine,
};

/// The maximum number of bundles that are received or reviewed at the same time; the oldest is forgotten first.
const MOST_OPEN: usize = 4;

/// A bundle that is being received or reviewed.
#[derive(Debug)]
enum Open {
    /// Its bytes so far.
    Receiving(NamedTempFile, u64),
    /// What it contains.
    Read {
        bundle: Box<Bundle>,
        /// The received file, which is deleted with it.
        _received: Option<NamedTempFile>,
    },
    /// It could not be read.
    Failed,
}

type Shared = Arc<Mutex<Open>>;

/// The bundles that are being received or reviewed, and the folder of those that were unpacked.
#[derive(Debug)]
pub(crate) struct Bundles {
    folder: PathBuf,
    open: Mutex<VecDeque<(BundleId, Shared)>>,
}

impl Bundles {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            open: Mutex::default(),
        }
    }

    /// The folder that a server's bundle was unpacked into.
    pub(crate) fn folder_of(&self, draft: &ServerDraft) -> Option<String> {
        let folder = bundle::folder_of(draft, &self.folder)?;
        Some(folder.display().to_string())
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(BundleId, Shared)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, bundle: Open) -> BundleId {
        let id = BundleId(new_id().0);
        let mut open = self.lock();
        if open.len() == MOST_OPEN {
            open.pop_front();
        }
        open.push_back((id.clone(), Arc::new(Mutex::new(bundle))));
        id
    }

    fn get(&self, id: &BundleId) -> Result<Shared, CommandError> {
        let open = self.lock();
        let found = open.iter().find(|(known, _)| known == id);
        found.map(|(_, bundle)| bundle.clone()).ok_or_else(|| {
            fail(
                ErrorCode::NotFound,
                "This bundle is not open any more. Choose its file again.",
            )
        })
    }

    fn close(&self, id: &BundleId) {
        self.lock().retain(|(known, _)| known != id);
    }

    /// Adds bytes to a bundle, or begins one. Blocking.
    fn receive(&self, id: Option<BundleId>, bytes: &[u8]) -> Result<BundleId, CommandError> {
        let failed = |error: std::io::Error| {
            fail_with(
                ErrorCode::Storage,
                "Receiving the bundle failed: it cannot be written to the data folder. Make room, then choose it again.",
                error,
            )
        };
        let id = match id {
            Some(id) => id,
            None => {
                let file = bundle::new_received(&self.folder).map_err(failed)?;
                self.insert(Open::Receiving(file, 0))
            }
        };
        let shared = self.get(&id)?;
        let mut open = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let Open::Receiving(file, size) = &mut *open else {
            return Err(fail(
                ErrorCode::InvalidParams,
                "This bundle was received already.",
            ));
        };
        *size += bytes.len() as u64;
        if *size > MAX_BUNDLE_BYTES {
            self.close(&id);
            let message = format!(
                "Receiving the bundle failed: it has more than {} MB. Unpack it yourself, and add its server as a command.",
                MAX_BUNDLE_BYTES / 1_000_000
            );
            return Err(fail(ErrorCode::InvalidParams, message));
        }
        if let Err(error) = file.write_all(bytes) {
            // A part of it is missing, and the disk may be full.
            self.close(&id);
            return Err(failed(error));
        }
        drop(open);
        Ok(id)
    }

    /// Reads a bundle, and calls `see` with its id and content. Blocking.
    fn open<T>(
        &self,
        source: BundleSource,
        see: impl FnOnce(BundleId, &Bundle) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let (id, bundle) = match source {
            BundleSource::Path { path } => {
                let bundle = Bundle::open(Path::new(&expand_home(&path))).map_err(refused)?;
                let id = self.insert(Open::Read {
                    bundle: Box::new(bundle),
                    _received: None,
                });
                (id.clone(), self.get(&id)?)
            }
            BundleSource::Upload { bundle_id } => {
                let shared = self.get(&bundle_id)?;
                let mut open = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if let Open::Receiving(file, _) = &*open {
                    let read = Bundle::open(file.path());
                    let before = std::mem::replace(&mut *open, Open::Failed);
                    match (read, before) {
                        (Ok(bundle), Open::Receiving(file, _)) => {
                            *open = Open::Read {
                                bundle: Box::new(bundle),
                                _received: Some(file),
                            };
                        }
                        (Err(error), _) => {
                            self.close(&bundle_id);
                            return Err(refused(error));
                        }
                        _ => {}
                    }
                }
                drop(open);
                (bundle_id, shared)
            }
        };
        let seen = with(&bundle, |bundle| see(id.clone(), bundle));
        if seen.is_err() {
            // Nobody learns its id.
            self.close(&id);
        }
        seen
    }
}

/// Calls `see` with a bundle that was read.
fn with<T>(
    shared: &Shared,
    see: impl FnOnce(&mut Bundle) -> Result<T, CommandError>,
) -> Result<T, CommandError> {
    match &mut *shared.lock().unwrap_or_else(PoisonError::into_inner) {
        Open::Read { bundle, .. } => see(bundle),
        Open::Receiving(..) | Open::Failed => Err(fail(
            ErrorCode::InvalidParams,
            "This bundle was not received whole. Choose its file again.",
        )),
    }
}

/// A bundle that cannot be used, as the error of a command.
fn refused(error: BundleError) -> CommandError {
    fail(ErrorCode::InvalidParams, error.to_string())
}

/// The program of a bundle that has to be installed.
#[derive(Debug, PartialEq, Eq)]
enum Program {
    /// It is in the bundle, or a path.
    Own,
    /// It was found, perhaps under another name.
    Found { name: String, path: PathBuf },
    /// It was not.
    Missing { name: String },
}

/// Looks for the program of a bundle in PATH. Python is `python3` where nothing is called `python`.
fn program_of(bundle: &Bundle, path: Option<&OsStr>) -> Program {
    let Some(name) = bundle.needs_in_path() else {
        return Program::Own;
    };
    let other = (name == "python").then(|| "python3".to_owned());
    for name in [Some(name.clone()), other].into_iter().flatten() {
        if let Some(path) = find_program(&name, path) {
            return Program::Found { name, path };
        }
    }
    Program::Missing { name }
}

/// That a program is missing and how it is installed, as the middle of a sentence.
pub(crate) fn not_found(name: &str) -> String {
    let install = match name {
        "node" | "npx" | "npm" => "Install Node.js (https://nodejs.org)",
        "python" | "python3" => "Install Python (https://www.python.org)",
        "uv" | "uvx" => "Install uv (https://docs.astral.sh/uv)",
        "docker" => "Install Docker (https://docs.docker.com/get-docker)",
        "dnx" => "Install the .NET SDK 10 (https://dotnet.microsoft.com)",
        _ => "Install it",
    };
    format!(
        "run by `{name}`, which was not found in PATH. {install} or add its folder in Settings > Environment"
    )
}

/// Deletes the folder of a removed server's bundle, unless another server uses it, such as its copy.
pub(crate) async fn forget(engine: &Engine, server: &ServerId, draft: &ServerDraft) {
    let bundles = engine.state.bundles.folder.clone();
    let named = bundle::folder_of(draft, &bundles);
    let others = engine.state.servers.all();
    let used: Vec<PathBuf> = others
        .iter()
        .filter_map(|other| bundle::folder_of(&other.draft, &bundles))
        .collect();
    let server = server.clone();
    let removed = tokio::task::spawn_blocking(move || {
        let mut folders = bundle::owned_by(&bundles, &server);
        folders.extend(named);
        folders.retain(|folder| !used.contains(folder));
        folders
            .iter()
            .try_for_each(|folder| bundle::remove_folder(folder))
    });
    if let Ok(Err(error)) = removed.await {
        tracing::warn!(%error, "the folder of a removed bundle is still there");
    }
}

#[cfg(test)]
mod tests;
