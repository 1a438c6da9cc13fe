//! After a crash, every record that was visible is still there.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::*;

/// The environment variable that names the file for the process to be killed.
const VICTIM: &str = "PATCHBAY_TRAFFIC_VICTIM";
const THIS: &str = "store::tests::crash::a_killed_process_loses_no_visible_record";

/// Records without end, and prints how many rows a tail shows. Nothing here forces the writer.
async fn victim(path: PathBuf) {
    let harness = Harness::at(Some(path));
    let mut tail = harness.store.tail(Filter::default());
    let recording = async {
        for n in 1u64.. {
            let seq = harness.sent(&format!("{{\"n\":{n}}}")).await;
            harness.recorder.describe(seq, request(&n.to_string(), "ping"));
            tokio::task::yield_now().await;
        }
    };
    let telling = async {
        while let Some(delta) = tail.next().await {
            writeln!(std::io::stdout(), "seen {}", delta.total).unwrap();
        }
    };
    tokio::join!(recording, telling);
}

#[tokio::test]
async fn a_killed_process_loses_no_visible_record() {
    if let Some(path) = std::env::var_os(VICTIM) {
        return victim(path.into()).await;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("traffic.sqlite");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", THIS, "--nocapture"])
        .env(VICTIM, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut seen = move || {
        lines.find_map(|line| {
            line.unwrap()
                .strip_prefix("seen ")
                .map(|count| count.parse::<u64>().unwrap())
        })
    };
    let mut reported = 0;
    while reported < 2000 {
        reported = seen().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // The output before its death counts too.
    while let Some(more) = seen() {
        reported = more;
    }

    let harness = Harness::at(Some(path));
    let count = harness.store.count(&Filter::default()).await.unwrap();
    assert!(count >= reported, "{reported} were seen, {count} are left");
    let kinds = Filter::default().kinds(&[Kind::Request]);
    let described = harness.store.count(&kinds).await.unwrap();
    assert!(described + 1 >= count, "{described} of {count} are described");
    for row in harness
        .store
        .rows(&Filter::default(), count - 300, 300)
        .await
        .unwrap()
    {
        assert_eq!(harness.body(row.seq).await, format!("{{\"n\":{}}}", row.seq));
        assert!(matches!(row.status, Some(Status::Lost) | None));
    }
    assert_eq!(harness.sent("next").await, count + 1);
}
