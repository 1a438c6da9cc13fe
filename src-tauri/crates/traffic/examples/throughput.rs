//! How fast the log is: the caller's side, the writer, opening, counting and searching a large one.
//!
//! `cargo run --release -p patchbay-traffic --example throughput [RECORDS [BYTES-A-FRAME]]`

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use bytes::Bytes;
use patchbay_traffic::{
    Answer, Description, Direction, Filter, Kind, NewConnection, Recorder, Status, Store, StoreOptions,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let records: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let size: usize = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let options = StoreOptions {
        path: Some(folder.path().join("traffic.sqlite")),
    };
    let (store, recorder) = Store::open(options.clone())?;

    let callers = callers(&recorder, size).await?;
    say("frame + describe, caller's side, median", callers, "")?;
    let from = store.count(&Filter::default()).await?;

    let begun = Instant::now();
    exchanges(&recorder, records, size).await?;
    recorder.flush().await?;
    let spent = begun.elapsed();
    say(
        "written",
        spent,
        &format!("{:.0} records/s", records as f64 / spent.as_secs_f64()),
    )?;
    drop(recorder);
    store.close().await?;

    let begun = Instant::now();
    let (store, recorder) = Store::open(options)?;
    say("opened again", begun.elapsed(), "")?;
    let one = Filter::default().server("one");
    let kinds = Filter::default().kinds(&[Kind::Request, Kind::Notification]);
    let text = Filter::default().containing("TOOL-999");
    let filters = [
        ("all", Filter::default()),
        ("server", one),
        ("kinds", kinds),
        ("text", text),
    ];
    for (name, filter) in filters {
        for look in ["first", "again"] {
            let begun = Instant::now();
            let count = store.count(&filter).await?;
            say(
                &format!("count, {name}, {look} look"),
                begun.elapsed(),
                &count.to_string(),
            )?;
        }
        let count = store.count(&filter).await?;
        let begun = Instant::now();
        let rows = store.rows(&filter, count / 2, 100).await?;
        say(
            &format!("100 rows in the middle, {name}"),
            begun.elapsed(),
            &rows.len().to_string(),
        )?;
        let begun = Instant::now();
        let at = store.locate(&filter, from + records / 2).await?;
        say(&format!("locate, {name}"), begun.elapsed(), &format!("{at:?}"))?;
    }
    let begun = Instant::now();
    store.clear(Some("one")).await?;
    say("cleared one server", begun.elapsed(), "")?;
    let begun = Instant::now();
    store.clear(None).await?;
    say("cleared all", begun.elapsed(), "")?;
    drop(recorder);
    store.close().await?;
    Ok(())
}

fn say(what: &str, spent: Duration, result: &str) -> std::io::Result<()> {
    writeln!(
        std::io::stdout(),
        "{what:45} {:14.1} us  {result}",
        spent.as_secs_f64() * 1e6
    )
}

fn frame(size: usize, id: u64) -> Bytes {
    let head = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"tool-{}","pad":""#,
        id % 1000
    );
    let pad = "x".repeat(size.saturating_sub(head.len() + 3));
    Bytes::from(format!("{head}{pad}\"}}}}"))
}

/// What recording and describing one frame costs the task that does it: the median of many small bursts.
async fn callers(recorder: &Recorder, size: usize) -> Result<Duration, Box<dyn Error>> {
    const BURST: u32 = 500;
    let connection = recorder.connection(NewConnection {
        server_id: "zero".to_owned(),
        server_name: "Zero".to_owned(),
        origin: patchbay_traffic::Origin::Client,
    });
    let mut bursts = Vec::new();
    for _ in 0..200 {
        let frame = frame(size, 1);
        let begun = Instant::now();
        for _ in 0..BURST {
            let seq = recorder
                .frame(connection, Direction::ClientToServer, frame.clone())
                .await?;
            let mut description = Description::new(Kind::Request);
            description.method = Some("tools/call".to_owned());
            description.rpc_id = Some("1".to_owned());
            description.summary = Some("get-sum".to_owned());
            description.status = Some(Status::Pending);
            recorder.describe(seq, description);
        }
        bursts.push(begun.elapsed() / BURST);
        recorder.flush().await?;
    }
    bursts.sort_unstable();
    Ok(bursts[bursts.len() / 2])
}

/// Requests and their responses, as a client records them, on two servers in turn.
async fn exchanges(recorder: &Recorder, records: u64, size: usize) -> Result<(), Box<dyn Error>> {
    let connect = |id: &str| {
        recorder.connection(NewConnection {
            server_id: id.to_owned(),
            server_name: id.to_owned(),
            origin: patchbay_traffic::Origin::Client,
        })
    };
    let connections = [connect("one"), connect("two")];
    for id in 0..records / 2 {
        let connection = connections[(id % 2) as usize];
        let bytes = frame(size, id);
        let request = recorder
            .frame(connection, Direction::ClientToServer, bytes.clone())
            .await?;
        let about = |kind, status| Description {
            method: Some("tools/call".to_owned()),
            rpc_id: Some(id.to_string()),
            status: Some(status),
            ..Description::new(kind)
        };
        let summary = Some(format!("tool-{}", id % 1000));
        recorder.describe(
            request,
            Description {
                summary,
                ..about(Kind::Request, Status::Pending)
            },
        );
        let response = recorder
            .frame(connection, Direction::ServerToClient, bytes)
            .await?;
        let pair = Some(request);
        recorder.describe(
            response,
            Description {
                pair,
                latency_ns: Some(1000),
                ..about(Kind::Response, Status::Ok)
            },
        );
        let answer = Answer {
            response: Some(response),
            status: Status::Ok,
            latency_ns: Some(1000),
        };
        recorder.answer(request, answer);
    }
    Ok(())
}
