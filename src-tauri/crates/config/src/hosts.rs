//! Other hosts on this machine: where each keeps its servers, how it writes them, and what differs from ours.
//!
//! Files are only read. Everything in them is foreign text: nothing is run, and an entry never decides about trust.

mod compare;
mod convert;
mod export;
mod file;
mod identify;
mod inputs;
mod rows;

use patchbay_contract::{CommandError, ErrorCode, HostFile, HostFindResponse, HostFormat, HostPlace};

use crate::{Server, secrets};
use rows::{ROWS, Row};

pub use export::Exported;
pub use identify::identify;
pub use rows::HostFolders;

/// Every place on this system where a host keeps its servers.
#[must_use]
pub fn places(folders: &HostFolders) -> Vec<HostPlace> {
    let place = |row: &Row| {
        let path = folders.path(row)?;
        Some(HostPlace {
            host: row.host.to_owned(),
            path: path.display().to_string(),
        })
    };
    ROWS.iter().filter_map(place).collect()
}

/// Looks for the servers of every host. Never fails: what cannot be read is said in the file's problems. Blocking.
#[must_use]
pub fn find(folders: &HostFolders, ours: &[Server]) -> HostFindResponse {
    let mut found = HostFindResponse {
        files: Vec::new(),
        absent: Vec::new(),
    };
    for row in ROWS {
        let Some(path) = folders.path(row) else { continue };
        let place = HostPlace {
            host: row.host.to_owned(),
            path: path.display().to_string(),
        };
        match file::read(&path) {
            Ok(None) => found.absent.push(place),
            Ok(Some(text)) => {
                let file = convert::read(row, place, &text);
                // A file without servers, such as the settings of an editor, is nothing to show.
                if file.servers.is_empty() && file.problems.is_empty() {
                    found.absent.push(file.place);
                } else {
                    found.files.push(file);
                }
            }
            Err(problem) => found.files.push(HostFile {
                place,
                servers: Vec::new(),
                problems: vec![problem],
            }),
        }
    }
    compare::all(found.files.iter_mut().flat_map(|file| &mut file.servers), ours);
    found
}

/// A server as a host writes it, with placeholders for secrets. `common` is its text in the format that most hosts read.
///
/// # Errors
/// `Internal` if it cannot be written in that syntax.
pub fn export(
    server: &Server,
    format: HostFormat,
    common: String,
    folders: Option<&HostFolders>,
) -> Result<Exported, CommandError> {
    export::export(&secrets::without(&server.draft), format, common, folders).map_err(|error| {
        CommandError::with_detail(
            ErrorCode::Internal,
            "The server could not be written as text.",
            error,
        )
    })
}

#[cfg(test)]
mod tests;
