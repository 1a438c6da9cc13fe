//! Killed without warning: what could be seen is there.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::*;

/// Names the file in the environment of the process that is going to be killed.
const VICTIM: &str = "PATCHBAY_TRAFFIC_VICTIM";
const THIS: &str = "store::tests::crash::a_killed_process_loses_nothing_that_could_be_seen";

/// Records without end, and says on stdout how many rows a tail shows. Nothing here hurries the writer.
async fn victim(path: PathBuf) {
    let desk = Desk::at(Some(path));
    let mut tail = desk.store.tail(Filter::default());
    let recording = async {
        for n in 1u64.. {
            let seq = desk.sent(&format!("{{\"n\":{n}}}")).await;
            desk.recorder.describe(seq, request(&n.to_string(), "ping"));
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
async fn a_killed_process_loses_nothing_that_could_be_seen() {
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
    let mut told = 0;
    while told < 2000 {
        told = seen().unwrap();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What it still managed to say counts too.
    while let Some(more) = seen() {
        told = more;
    }

    let desk = Desk::at(Some(path));
    let count = desk.store.count(&Filter::default()).await.unwrap();
    assert!(count >= told, "{told} were seen, {count} are left");
    let kinds = Filter::default().kinds(&[Kind::Request]);
    let described = desk.store.count(&kinds).await.unwrap();
    assert!(described + 1 >= count, "{described} of {count} are described");
    for row in desk
        .store
        .rows(&Filter::default(), count - 300, 300)
        .await
        .unwrap()
    {
        assert_eq!(desk.body(row.seq).await, format!("{{\"n\":{}}}", row.seq));
        assert!(matches!(row.status, Some(Status::Lost) | None));
    }
    assert_eq!(desk.sent("next").await, count + 1);
}
