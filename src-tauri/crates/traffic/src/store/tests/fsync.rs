//! A disk that refuses to confirm what was written: `fsync` fails. `fsync.c` makes it fail, in a process of its own.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use super::*;

/// The environment variable that names the file for the process whose `fsync` fails.
const VICTIM: &str = "PATCHBAY_TRAFFIC_FSYNC";
const THIS: &str = "store::tests::fsync::a_disk_that_confirms_nothing_is_said_and_costs_no_record";
/// More than two checkpoints take.
const RECORDS: u64 = 400;

fn text(number: u64) -> String {
    format!("{{\"n\":{number},\"text\":\"{}\"}}", "x".repeat(100_000))
}

/// Records as long as that works, and says what became of it.
async fn victim(path: PathBuf) {
    let (store, recorder) = match Store::open(StoreOptions { path: Some(path) }) {
        Ok(opened) => opened,
        Err(error) => return println!("not opened: {error}"),
    };
    let connection = recorder.connection(NewConnection {
        server_id: "s".to_owned(),
        server_name: "S".to_owned(),
        origin: Origin::Client,
    });
    let mut sent = 0;
    for number in 0..RECORDS {
        let frame = Bytes::from(text(number));
        recorder.frame(connection, ClientToServer, frame).await.unwrap();
        sent += 1;
        // The log tells that it stalls; a full queue would make us wait.
        if recorder.flush().await.is_err() {
            break;
        }
    }
    println!("sent: {sent}");
    println!(
        "problem: {}",
        recorder.problem().borrow().as_deref().unwrap_or("none")
    );
    match store.close().await {
        Ok(()) => println!("closed"),
        Err(StoreError::Unwritten { records, cause, .. }) => println!("unwritten: {records}, {cause}"),
        Err(other) => println!("{other}"),
    }
}

/// Compiles `fsync.c` into `folder`. A C compiler is there: SQLite was built with it.
fn failing_fsync(folder: &Path) -> PathBuf {
    let library = folder.join("fsync.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/tests/fsync.c");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"])
        .arg(&library)
        .arg(source)
        .output()
        .expect("a C compiler");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    library
}

/// What the victim says when `fsync` fails from this call of each thread on.
fn without_fsync(library: &Path, from: u32, path: &Path) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", THIS, "--nocapture"])
        .env(VICTIM, path)
        .env("LD_PRELOAD", library)
        .env("FAIL_FSYNC_FROM", from.to_string())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The first call is made while the log is opened, the second and third by the writer: the end of a checkpoint, and the
/// beginning of the next write-ahead log.
#[tokio::test]
async fn a_disk_that_confirms_nothing_is_said_and_costs_no_record() {
    if let Some(path) = std::env::var_os(VICTIM) {
        return victim(path.into()).await;
    }
    let built = tempfile::tempdir().unwrap();
    let library = failing_fsync(built.path());
    for (from, expected) in [
        (1, "not opened: "),
        (
            2,
            "problem: the disk does not confirm them, so they are lost if this computer stops (disk I/O error)\nthe disk did not confirm what was written to the traffic log ",
        ),
        (3, "problem: disk I/O error\nunwritten: "),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("traffic.sqlite");
        Harness::at(Some(path.clone())).store.close().await.unwrap();
        let said = without_fsync(&library, from, &path);
        assert!(said.contains(expected), "{from}: {said}");
        assert!(from != 1 || said.contains("disk I/O error"), "{said}");
        let number = |name: &str| {
            let rest = said.split_once(name).map_or("", |(_, rest)| rest);
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest[..digits].parse::<u64>().unwrap_or(0)
        };
        let (sent, unwritten) = (number("sent: "), number("unwritten: "));
        assert!(from == 1 || sent > 0, "{said}");

        // The disk works again: everything that was not reported as unwritten is there, and the log goes on.
        let harness = Harness::at(Some(path));
        let kept = sent - unwritten;
        assert_eq!(
            harness.store.count(&Filter::default()).await.unwrap(),
            kept,
            "{said}"
        );
        if kept > 0 {
            let rows = harness.store.rows(&Filter::default(), 0, 500).await.unwrap();
            assert_eq!(harness.body(rows[0].seq).await, text(0));
            assert_eq!(harness.body(rows[rows.len() - 1].seq).await, text(kept - 1));
        }
        harness.sent("next").await;
        harness.flush().await;
        assert_eq!(*harness.recorder.problem().borrow(), None);
        harness.store.close().await.unwrap();
    }
}
