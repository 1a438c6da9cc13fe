//! The export of the log to a file: written beside its place, and renamed when it is complete.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use patchbay_contract::*;
use patchbay_traffic::{self as traffic, ExportCursor, Filter, Store};
use tempfile::NamedTempFile;

use crate::{
    convert,
    dispatch::{
        error::{self, fail, fail_with},
        streams::Events,
    },
    traffic_views::bodies::unreadable,
};

/// The shortest interval between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(100);
/// How many names are tried if files of that name exist.
const MOST_NAMES: u32 = 1_000;

/// Writes the file. When the stream is closed, this is dropped, and the incomplete file is deleted.
pub(super) async fn run(
    store: Store,
    params: TrafficExportParams,
    events: Events<TrafficExportEvent>,
) -> Result<(), CommandError> {
    let filter = convert::filter(&params.filter)?;
    let folder = folder(params.folder.as_deref())?;
    store.flush().await.map_err(unreadable)?;
    let range = Range::of(&store, &filter, &params).await?;
    let mut file = create(folder.clone()).await?;
    let (mut lines, mut bytes) = (0, 0);
    let mut reported = Instant::now();
    let mut next = (range.total > 0).then(|| ExportCursor::at(range.first));
    while let Some(cursor) = next {
        let part = store.export_part(&filter, cursor, range.last).await;
        let part = part.map_err(unreadable)?;
        lines += part.lines;
        bytes += part.text.len();
        file = append(file, part.text).await?;
        next = part.next;
        if let Some(cursor) = &next
            && reported.elapsed() >= REPORT_EVERY
        {
            reported = Instant::now();
            let read = store.count_to(&filter, cursor.from.saturating_sub(1)).await;
            let progress = TrafficExportEvent::Progress {
                records: read.map_err(unreadable)?.saturating_sub(range.before) as f64,
                total: range.total as f64,
            };
            if events.send(progress).await.is_err() {
                return Ok(());
            }
        }
    }
    let path = finish(file, folder, range.first, range.last).await?;
    let finished = TrafficExportEvent::Finished {
        path: path.to_string_lossy().into_owned(),
        lines: lines as f64,
        bytes: bytes as f64,
    };
    // The file is complete even if nobody waits for the event.
    let _ = events.send(finished).await;
    Ok(())
}

/// The records to export.
struct Range {
    first: traffic::Seq,
    last: traffic::Seq,
    /// How many records match before the first.
    before: u64,
    /// How many records match within the range.
    total: u64,
}

impl Range {
    async fn of(store: &Store, filter: &Filter, params: &TrafficExportParams) -> Result<Self, CommandError> {
        let seq = |seq: &Option<Seq>| seq.as_ref().map(convert::parse_seq).transpose();
        let newest = async {
            let count = store.count(filter).await?;
            let rows = store.rows(filter, count.saturating_sub(1), 1).await?;
            Ok(rows.first().map_or(0, |row| row.seq))
        };
        let first = match seq(&params.from)? {
            Some(first) => first,
            None => {
                let oldest = store.rows(filter, 0, 1).await.map_err(unreadable)?;
                oldest.first().map_or(0, |row| row.seq)
            }
        };
        let last = match seq(&params.to)? {
            Some(last) => last,
            None => newest.await.map_err(unreadable)?,
        };
        let upto = store.count_to(filter, last).await.map_err(unreadable)?;
        let before = store.count_to(filter, first.saturating_sub(1)).await;
        let before = before.map_err(unreadable)?;
        Ok(Self {
            first,
            last,
            before,
            total: upto.saturating_sub(before),
        })
    }
}

/// The chosen folder, or the downloads folder.
fn folder(chosen: Option<&str>) -> Result<PathBuf, CommandError> {
    let Some(chosen) = chosen else {
        let user = directories::UserDirs::new();
        let downloads = user.as_ref().map(|user| {
            let downloads = user.download_dir().filter(|folder| folder.is_dir());
            downloads.unwrap_or(user.home_dir()).to_owned()
        });
        return downloads.ok_or_else(|| {
            fail(
                ErrorCode::Storage,
                "There is no home folder to export to. Choose a folder.",
            )
        });
    };
    let folder = PathBuf::from(chosen);
    if !folder.is_absolute() || !folder.is_dir() {
        return Err(fail(
            ErrorCode::InvalidParams,
            format!("`{chosen}` is not the absolute path of a folder on the machine on which Patchbay runs."),
        ));
    }
    Ok(folder)
}

async fn create(folder: PathBuf) -> Result<NamedTempFile, CommandError> {
    blocking(move || {
        let file = tempfile::Builder::new()
            .prefix(".patchbay-export-")
            .tempfile_in(&folder);
        file.map_err(|error| unwritable(&folder, error))
    })
    .await
}

async fn append(mut file: NamedTempFile, text: Vec<u8>) -> Result<NamedTempFile, CommandError> {
    blocking(move || match file.write_all(&text) {
        Ok(()) => Ok(file),
        Err(error) => Err(unwritable(file.path(), error)),
    })
    .await
}

/// Gives the file its name, one that no file has.
async fn finish(
    mut file: NamedTempFile,
    folder: PathBuf,
    first: traffic::Seq,
    last: traffic::Seq,
) -> Result<PathBuf, CommandError> {
    blocking(move || {
        if let Err(error) = file.as_file().sync_all() {
            return Err(unwritable(file.path(), error));
        }
        for number in 1..=MOST_NAMES {
            let suffix = match number {
                1 => String::new(),
                _ => format!("-{number}"),
            };
            let path = folder.join(format!("patchbay-traffic-{first}-{last}{suffix}.jsonl"));
            match file.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(refused) if refused.error.kind() == std::io::ErrorKind::AlreadyExists => {
                    file = refused.file;
                }
                Err(refused) => return Err(unwritable(&path, refused.error)),
            }
        }
        Err(fail(
            ErrorCode::Storage,
            format!(
                "{} has {MOST_NAMES} exports of these records already.",
                folder.display()
            ),
        ))
    })
    .await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CommandError> + Send + 'static,
) -> Result<T, CommandError> {
    error::blocking("The export did not end properly.", work).await?
}

fn unwritable(path: &Path, error: std::io::Error) -> CommandError {
    fail_with(
        ErrorCode::Storage,
        format!(
            "The export could not be written to {}. Check its permissions and the free space, or choose another folder.",
            path.parent().unwrap_or(path).display()
        ),
        error,
    )
}
