//! What persists across processes: reopening, clearing, damage.

use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::*;

pub(super) fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/traffic.sqlite");
    (folder, path)
}

pub(super) fn query(path: &std::path::Path, sql: &str) -> i64 {
    Connection::open(path)
        .unwrap()
        .query_row(sql, [], |row| row.get(0))
        .unwrap()
}

#[tokio::test]
async fn earlier_runs_are_read_and_their_pending_requests_are_lost() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let sent = harness.sent("request").await;
    harness.recorder.describe(sent, request("1", "ping"));
    let before = harness.all().await;
    harness.store.close().await.unwrap();

    let harness = Harness::at(Some(path.clone()));
    let at = harness
        .recorder
        .frame(harness.one, ServerToClient, Bytes::from_static(b"late"))
        .await
        .unwrap();
    assert_eq!(at, 2);
    assert!(harness.one.id() > 2);
    let rows = harness.all().await;
    assert_eq!(
        script(&rows),
        "1 one -> Request #1 ping Lost 7 B\n\
         2 one <- Invalid \"late\" 4 B\n"
    );
    assert_eq!((rows[0].at_ms, &*rows[0].server_name), (before[0].at_ms, "ONE"));
    assert!(rows[1].at_ms >= rows[0].at_ms);
    assert_eq!(harness.body(1).await, "request");

    // A clear does not reset the numbers either.
    harness.store.clear(None).await.unwrap();
    harness.store.close().await.unwrap();
    let harness = Harness::at(Some(path));
    assert_eq!(harness.sent("next").await, 3);
    harness.store.flushed(3).await.unwrap();
    assert_eq!(harness.store.count(&Filter::default()).await.unwrap(), 1);
}

/// Secrets that were recorded before they were known as such are what a log is cleared for.
#[tokio::test]
async fn what_was_cleared_is_in_no_file() {
    for server in [None, Some("one")] {
        let (_folder, path) = folder();
        let harness = Harness::at(Some(path.clone()));
        harness.record_a_secret(&path).await;
        harness.store.clear(server).await.unwrap();
        assert_eq!(files_with_the_secret(&path), [""; 0], "{server:?}");
        harness.store.close().await.unwrap();
    }
}

/// While somebody reads the log, what they see stays in the write-ahead log.
#[tokio::test]
async fn what_was_cleared_is_in_no_file_once_the_last_reader_of_it_has_ended() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let reader = harness.clear_a_secret_beside_a_reader(&path).await;
    // A record is written meanwhile, and nothing waits for the reader.
    harness.sent("next").await;
    harness.store.flush().await.unwrap();
    assert_ne!(files_with_the_secret(&path), [""; 0]);
    reader.execute_batch("COMMIT").unwrap();
    no_secret_is_left(&path).await;
    harness.store.close().await.unwrap();
}

/// The files as they are now are what a process that is killed now leaves.
#[tokio::test]
async fn what_a_killed_process_cleared_is_in_no_file_after_the_next_start() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let reader = harness.clear_a_secret_beside_a_reader(&path).await;
    let (_left, left) = folder();
    std::fs::create_dir_all(left.parent().unwrap()).unwrap();
    for ending in ["", "-wal"] {
        let copied = |path: &Path| format!("{}{ending}", path.display());
        std::fs::copy(copied(&path), copied(&left)).unwrap();
    }
    assert_ne!(files_with_the_secret(&left), [""; 0]);
    drop(reader);
    harness.store.close().await.unwrap();

    let next = Harness::at(Some(left.clone()));
    no_secret_is_left(&left).await;
    next.store.close().await.unwrap();
}

async fn no_secret_is_left(path: &Path) {
    until("no file has the secret", || {
        files_with_the_secret(path).is_empty()
    })
    .await;
}

/// Waits until a condition holds, which the writer brings about. It takes much less than this.
pub(super) async fn until(what: &str, holds: impl Fn() -> bool) {
    let waiting = async {
        while !holds() {
            tokio::task::yield_now().await;
        }
    };
    let limit = Duration::from_secs(50);
    tokio::time::timeout(limit, waiting).await.expect(what);
}

impl Harness {
    async fn record_a_secret(&self, path: &Path) {
        for number in 0..20 {
            self.sent(&format!("the {number}th swordfish")).await;
        }
        self.store.flush().await.unwrap();
        assert_ne!(files_with_the_secret(path), [""; 0]);
    }

    /// The reader returned keeps what was cleared in the write-ahead log.
    async fn clear_a_secret_beside_a_reader(&self, path: &Path) -> Connection {
        self.record_a_secret(path).await;
        let reader = Connection::open(path).unwrap();
        reader
            .execute_batch("BEGIN; SELECT count(*) FROM record")
            .unwrap();
        self.store.clear(None).await.unwrap();
        reader
    }
}

/// The names of the files in the folder of the log that have a text of [`Harness::record_a_secret`].
fn files_with_the_secret(path: &Path) -> Vec<String> {
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
    files
        .map(|file| file.unwrap().path())
        .filter(|file| {
            let bytes = std::fs::read(file).unwrap();
            bytes.windows(9).any(|part| part == b"swordfish")
        })
        .map(|file| file.file_name().unwrap().to_string_lossy().into_owned())
        .collect()
}

#[cfg(unix)]
#[tokio::test]
async fn the_log_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;

    let (_folder, path) = folder();
    let modes = || -> Vec<u32> {
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
        files
            .map(|file| file.unwrap().metadata().unwrap().permissions().mode() & 0o777)
            .collect()
    };
    let harness = Harness::at(Some(path.clone()));
    harness.sent("request").await;
    harness.store.flush().await.unwrap();
    assert_eq!(
        modes(),
        [0o600; 3],
        "the file, its write-ahead log and their index"
    );
    harness.store.close().await.unwrap();

    // A file from a version that did not set the permissions.
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let harness = Harness::at(Some(path.clone()));
    harness.sent("request").await;
    harness.store.flush().await.unwrap();
    assert_eq!(modes(), [0o600; 3]);
    harness.store.close().await.unwrap();
}

/// Also where the file stays as large as it was, because other records fill it.
#[tokio::test]
async fn what_is_deleted_is_no_longer_in_the_file() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let marked = |number: usize| format!("{number} unmasked-by-mistake {}", "z".repeat(900));
    for number in 0..100 {
        harness.sent(&marked(number)).await;
        let other = Bytes::from("kept ".repeat(400));
        let other = harness.recorder.frame(harness.two, ServerToClient, other);
        other.await.unwrap();
    }
    harness.flush().await;
    harness.store.clear(Some("one")).await.unwrap();
    harness.store.close().await.unwrap();
    for file in std::fs::read_dir(path.parent().unwrap()).unwrap() {
        let file = file.unwrap().path();
        let bytes = std::fs::read(&file).unwrap();
        let found = bytes
            .windows(19)
            .filter(|part| part == b"unmasked-by-mistake")
            .count();
        assert_eq!(found, 0, "in {}", file.display());
    }
    let harness = Harness::at(Some(path));
    assert_eq!(harness.store.count(&Filter::default()).await.unwrap(), 100);
}

#[tokio::test]
async fn large_bodies_are_stored_once_and_removed_with_their_last_record() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    let large = "y".repeat((1 << 20) + 1);
    let first = harness.sent(&large).await;
    harness.received(&large).await;
    let other = Bytes::from(large.clone());
    let of_two = harness
        .recorder
        .frame(harness.two, ServerToClient, other)
        .await
        .unwrap();
    harness.sent("small").await;
    harness.flush().await;
    assert_eq!(query(&path, "SELECT count(*) FROM blob"), 1);
    assert_eq!(query(&path, "SELECT count(*) FROM body"), 1);
    assert_eq!(harness.body(first).await, large);

    harness.store.clear(Some("one")).await.unwrap();
    assert_eq!(
        harness.all().await.iter().map(|row| row.seq).collect::<Vec<_>>(),
        [of_two]
    );
    assert_eq!(
        (
            query(&path, "SELECT count(*) FROM blob"),
            query(&path, "SELECT count(*) FROM body")
        ),
        (1, 0)
    );
    assert_eq!(harness.body(of_two).await, large);

    harness.store.clear(Some("two")).await.unwrap();
    assert_eq!(query(&path, "SELECT count(*) FROM blob"), 0);
    assert_eq!(harness.script().await, "");
    harness.store.close().await.unwrap();
    let left = std::fs::metadata(&path).unwrap().len();
    assert!(left < 200_000, "{left} bytes were not given back");
}

/// The error of opening a file with this content, without the folder.
fn check_refused(make: impl FnOnce(&std::path::Path), expected: &str) {
    let (folder, path) = folder();
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    make(&path);
    let Err(error) = Store::open(StoreOptions { path: Some(path) }) else {
        panic!("opened: {expected}");
    };
    assert_eq!(
        error
            .to_string()
            .replace(&folder.path().display().to_string(), "DIR"),
        expected
    );
}

#[test]
fn an_unusable_file_is_rejected_with_advice() {
    check_refused(
        |path| std::fs::write(path, "not a database, but long enough to be read as a header").unwrap(),
        "the traffic log DIR/deep/er/traffic.sqlite is damaged: file is not a database. Set it aside (rename it) to \
         create a new one.",
    );
    check_refused(
        |path| {
            Connection::open(path)
                .unwrap()
                .execute_batch("CREATE TABLE t (x)")
                .unwrap()
        },
        "the traffic log DIR/deep/er/traffic.sqlite is damaged: it is a database of another program. Set it aside \
         (rename it) to create a new one.",
    );
    check_refused(
        |path| {
            drop(
                Store::open(StoreOptions {
                    path: Some(path.to_owned()),
                })
                .unwrap(),
            );
            Connection::open(path)
                .unwrap()
                .pragma_update(None, "user_version", 99)
                .unwrap();
        },
        "the traffic log DIR/deep/er/traffic.sqlite was written by a newer version (schema 99; this version knows 6). \
         Update this program, or choose another folder with --data-dir.",
    );
    check_refused(
        |path| std::fs::create_dir(path).unwrap(),
        "cannot open the traffic log DIR/deep/er/traffic.sqlite: unable to open database file: \
         DIR/deep/er/traffic.sqlite. Check that the folder exists and is writable, or choose another with --data-dir.",
    );
}

#[test]
fn what_to_do_follows_from_the_cause() {
    let open = |cause: &str| {
        let (path, cause) = (PathBuf::from("/full/space"), cause.to_owned());
        StoreError::Open { path, cause }.to_string()
    };
    assert!(open("unable to open database file: /full/space").contains("Check that the folder exists"));
    for full in [
        "database or disk is full",
        "No space left on device (os error 28)",
    ] {
        assert!(open(full).contains("Free some space on the disk, or choose another folder"));
        assert!(crate::problem_words(full).contains("Free some space on the disk, or clear the log"));
    }
    for damaged in ["database disk image is malformed", "file is not a database"] {
        assert!(crate::problem_words(damaged).contains("rename traffic.sqlite"));
    }
}

#[tokio::test]
async fn a_damaged_file_is_set_aside_and_replaced() {
    let (_folder, path) = folder();
    let harness = Harness::at(Some(path.clone()));
    for _ in 0..200 {
        harness.sent(&"x".repeat(1000)).await;
    }
    harness.store.close().await.unwrap();
    drop(harness);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[4096..].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let options = StoreOptions {
        path: Some(path.clone()),
    };
    let Err(StoreError::Damaged { .. }) = Store::open(options) else {
        panic!("expected a damaged file")
    };
    let aside = crate::set_aside(&path).unwrap();
    assert_eq!(std::fs::read(&aside).unwrap(), bytes);
    let harness = Harness::at(Some(path));
    assert_eq!(harness.sent("new").await, 1);
    assert_eq!(harness.script().await, "1 one -> Invalid \"new\" 3 B\n");
}
