//! The traffic store with a million records: writing, opening, filters, full text, clearing.
//!
//! The records are a mix as clients make it (calls, results from 100 bytes to 20 KB, progress, log messages, stderr, HTTP
//! exchanges, violations), made from a fixed seed. Each number is beside the limit that the store is held to.

use std::error::Error;
use std::time::{Duration, Instant};

use patchbay_traffic::{
    Answer, ConnectionRef, Delta, Description, Direction, Filter, FrameContext, HttpFields, HttpHead,
    HttpStage, Kind, NewConnection, NewOperation, OperationId, Origin, Recorder, Status, Store, StoreOptions,
};

use crate::report::{Better, Measured};

type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// How many records, unless `PATCHBAY_BENCH_RECORDS` says otherwise.
const RECORDS: u64 = 1_000_000;
/// How many texts are searched for.
const SEARCHES: usize = 200;
/// A first page: what a window shows at least.
const PAGE: u64 = 50;

const WORDS: &[&str] = &[
    "alpha",
    "branch",
    "checksum",
    "compile",
    "context",
    "customer",
    "deadline",
    "directory",
    "document",
    "embedding",
    "error",
    "exception",
    "filename",
    "generate",
    "handler",
    "identifier",
    "invoice",
    "issue",
    "language",
    "latency",
    "message",
    "metadata",
    "migration",
    "module",
    "notification",
    "operation",
    "parameter",
    "pipeline",
    "progress",
    "project",
    "protocol",
    "pull-request",
    "quantity",
    "query",
    "reference",
    "repository",
    "resource",
    "response",
    "schema",
    "sequence",
    "server",
    "session",
    "summary",
    "template",
    "timestamp",
    "token",
    "transaction",
    "update",
    "version",
    "warning",
    "workflow",
    "workspace",
];
const TOOLS: &[&str] = &[
    "search_code",
    "read_file",
    "create_issue",
    "list_commits",
    "get-sum",
    "run_query",
    "send_message",
    "fetch",
];

/// A small generator, so that every run writes the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    fn text(&mut self, words: u64) -> String {
        let mut text = String::new();
        for _ in 0..words {
            text += self.of(WORDS);
            text.push(' ');
        }
        if words > 0 {
            text += &format!("{:x}", self.next() >> 24);
        }
        text
    }
}

/// Measures and prints.
pub(crate) async fn run(as_json: bool) -> Outcome {
    let records = match std::env::var("PATCHBAY_BENCH_RECORDS") {
        Ok(text) => text.parse()?,
        Err(_) => RECORDS,
    };
    let print = |name: &str, unit, better, ours: Vec<f64>, limit: f64| {
        let name = name.to_owned();
        let (peer, theirs) = ("limit", vec![limit]);
        Measured {
            name,
            unit,
            better,
            ours,
            peer,
            theirs,
        }
        .print(as_json);
    };
    let folder = tempfile::tempdir()?;
    let options = StoreOptions {
        path: Some(folder.path().join("traffic.sqlite")),
    };
    let (store, recorder) = Store::open(options.clone())?;
    let begun = Instant::now();
    let written = write(&recorder, records).await?;
    recorder.flush().await?;
    let rate = written as f64 / begun.elapsed().as_secs_f64();
    print("store: ingest", "records/s", Better::More, vec![rate], 100_000.0);
    drop(recorder);
    store.close().await?;

    let mut opened = Vec::new();
    for _ in 0..5 {
        let begun = Instant::now();
        let (store, recorder) = Store::open(options.clone())?;
        opened.push(ms(begun.elapsed()));
        drop(recorder);
        store.close().await?;
    }
    print("store: open", "ms", Better::Less, opened, 300.0);

    let (store, recorder) = Store::open(options)?;
    let mut slowest = (0.0, String::new());
    let mut spent = Vec::new();
    for text in filters() {
        let mut times = Vec::new();
        for _ in 0..3 {
            times.push(first_page(&store, &text).await?.0);
        }
        let median = crate::report::median(&times);
        if median > slowest.0 {
            slowest = (median, text);
        }
        spent.push(median);
    }
    print("store: first page, filters", "ms", Better::Less, spent, 5.0);
    print(
        "store: the slowest filter",
        "ms",
        Better::Less,
        vec![slowest.0],
        5.0,
    );
    eprintln!("the slowest filter: {}", slowest.1);

    let (mut first, mut whole) = (Vec::new(), Vec::new());
    let mut slow = (0.0, String::new());
    for text in texts() {
        let (page, all) = first_page(&store, &text).await?;
        if page > slow.0 {
            slow = (page, text);
        }
        first.push(page);
        whole.push(all);
    }
    eprintln!("the slowest text: {} ({:.0} ms)", slow.1, slow.0);
    print(
        "store: full text, first page",
        "ms",
        Better::Less,
        first.clone(),
        100.0,
    );
    print(
        "store: full text, p95",
        "ms",
        Better::Less,
        vec![p95(&mut first)],
        100.0,
    );
    print(
        "store: full text, all, p95",
        "ms",
        Better::Less,
        vec![p95(&mut whole)],
        1060.0,
    );

    let begun = Instant::now();
    store.clear(Some("one")).await?;
    print(
        "store: clear one server",
        "ms",
        Better::Less,
        vec![ms(begun.elapsed())],
        1000.0,
    );
    let left = store.count(&Filter::parse("server:one")?).await?;
    drop(recorder);
    store.close().await?;
    match left {
        0 => Ok(()),
        left => Err(format!("{left} records are left after the clear").into()),
    }
}

fn ms(spent: Duration) -> f64 {
    spent.as_secs_f64() * 1e3
}

fn p95(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() * 95 / 100).copied().unwrap_or(f64::NAN)
}

/// How long until a view has its first page, and until it has looked at everything, in ms.
async fn first_page(store: &Store, text: &str) -> Outcome<(f64, f64)> {
    let filter = Filter::parse(text)?;
    let begun = Instant::now();
    let mut tail = store.tail(filter);
    let mut first = None;
    loop {
        let delta: Delta = tail.next().await.ok_or("the store closed")?;
        // Rows that a later step of the search finds are older: they are counted, and the window asks for their page.
        if first.is_none() && (delta.total >= PAGE || !delta.searching) {
            first = Some(ms(begun.elapsed()));
        }
        if !delta.searching {
            return Ok((first.unwrap_or_default(), ms(begun.elapsed())));
        }
    }
}

/// One of every term, and some together.
fn filters() -> Vec<String> {
    let texts = [
        "",
        "server:one",
        "origin:client",
        "origin:tap",
        "op:77",
        "kind:request",
        "kind:response,notification",
        "kind:http",
        "-kind:stderr",
        "dir:sent",
        "status:error",
        "status:ok",
        "status:pending",
        "method:tools/call",
        "method:notifications/*",
        "method:nothing",
        "tool:get-sum",
        "-tool:fetch",
        "id:4711",
        "has:violation",
        "rule:not-json",
        "dur>1s",
        "dur>500ms",
        "dur<3us",
        "size>10kb",
        "size<=100",
        "size=0",
        "server:two kind:response status:error -tool:fetch size>1kb",
        "has:violation dir:received",
    ];
    texts.map(str::to_owned).to_vec()
}

/// Words that are everywhere and words that are nowhere, parts of words, phrases, numbers, one letter.
fn texts() -> Vec<String> {
    let mut random = Random(42);
    let mut texts = Vec::new();
    for at in 0..SEARCHES {
        let word = random.of(WORDS);
        texts.push(match at % 10 {
            0 => word.to_owned(),
            1 => format!("\"{word} {}\"", random.of(WORDS)),
            2 => word[1..word.len() - 1].to_ascii_uppercase(),
            3 => format!("{:x}", random.next() >> 24),
            4 => format!("{:x}", random.below(0xfff)),
            5 => format!("nowhere{}", random.below(100)),
            6 => format!("\"\\\"id\\\":{},\"", random.below(RECORDS / 3)),
            7 => random.of(TOOLS).to_owned(),
            8 => ["e", "zq", "id", "x-", "\u{e9}"][random.below(5) as usize].to_owned(),
            _ => format!(
                "\"{} {}\" -{}",
                random.of(WORDS),
                random.of(WORDS),
                random.of(WORDS)
            ),
        });
    }
    texts
}

/// Writes about so many records; returns how many.
async fn write(recorder: &Recorder, records: u64) -> Outcome<u64> {
    let connect = |id: &str, origin| {
        recorder.connection(NewConnection {
            server_id: id.to_owned(),
            server_name: id.to_uppercase(),
            origin,
        })
    };
    let connections = [
        connect("one", Origin::Client),
        connect("two", Origin::Client),
        connect("three", Origin::Tap),
    ];
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut written = 0;
    let mut id = 0;
    while written < records {
        let connection = connections[random.below(3) as usize];
        id += 1;
        written += match random.below(20) {
            0 => {
                recorder.stderr(connection, random.text(8).into());
                1
            }
            1..=4 => notification(recorder, connection, &mut random).await?,
            _ => call(recorder, connection, id, &mut random).await?,
        };
    }
    Ok(written)
}

async fn notification(recorder: &Recorder, connection: ConnectionRef, random: &mut Random) -> Outcome<u64> {
    let text = random.text(6);
    let frame = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","logger":"bench","data":"{text}"}}}}"#
    );
    let seq = recorder
        .frame(connection, Direction::ServerToClient, frame.into())
        .await?;
    let mut about = Description::new(Kind::Notification);
    about.method = Some("notifications/message".into());
    about.summary = Some(text);
    recorder.describe(seq, about);
    Ok(1)
}

/// A call and its result, half of them over HTTP.
async fn call(recorder: &Recorder, connection: ConnectionRef, id: u64, random: &mut Random) -> Outcome<u64> {
    let tool = random.of(TOOLS);
    let label = tool.to_owned();
    let operation = Some(recorder.begin_operation(NewOperation {
        kind: "tool_call",
        label,
    }));
    let frame = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"path":"/srv/project/src/{}.rs","query":"{}"}}}}}}"#,
        random.of(WORDS),
        random.text(3),
    );
    let context = |exchange| FrameContext {
        exchange,
        operation,
        ..FrameContext::default()
    };
    let sent = Direction::ClientToServer;
    let request = recorder
        .frame_in(connection, sent, frame.into(), context(None))
        .await?;
    let mut about = description(Kind::Request, id, tool, operation);
    about.summary = Some(tool.to_owned());
    about.status = Some(Status::Pending);
    recorder.describe(request, about);
    let exchange = match random.below(2) {
        0 => Some(exchange(recorder, connection, request, operation).await?),
        _ => None,
    };
    let words = match random.below(500) {
        0 => 2500,
        1..=50 => 200,
        _ => 4 + random.below(40),
    };
    let frame = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{}"}}],"isError":false}}}}"#,
        random.text(words)
    );
    let came = Direction::ServerToClient;
    let response = recorder
        .frame_in(connection, came, frame.into(), context(exchange))
        .await?;
    let latency = Some(1000 << random.below(21));
    let status = if random.below(50) == 0 {
        Status::Error
    } else {
        Status::Ok
    };
    let mut about = description(Kind::Response, id, tool, operation);
    about.status = Some(status);
    about.pair = Some(request);
    about.latency_ns = latency;
    recorder.describe(response, about);
    recorder.answer(
        request,
        Answer {
            response: Some(response),
            status,
            latency_ns: latency,
        },
    );
    Ok(2 + u64::from(exchange.is_some()))
}

fn description(kind: Kind, id: u64, tool: &str, operation: Option<OperationId>) -> Description {
    Description {
        method: Some("tools/call".into()),
        rpc_id: Some(id.to_string()),
        tool: Some(tool.to_owned()),
        operation,
        ..Description::new(kind)
    }
}

async fn exchange(
    recorder: &Recorder,
    connection: ConnectionRef,
    request: u64,
    operation: Option<OperationId>,
) -> Outcome<u64> {
    let mut fields = HttpFields::with_capacity(4);
    fields.push("content-type", b"application/json");
    fields.push("accept", b"application/json, text/event-stream");
    fields.push("mcp-protocol-version", b"2025-11-25");
    let head = HttpHead {
        method: "POST".to_owned(),
        url: "http://127.0.0.1:8123/mcp".to_owned(),
        fields: fields.clone(),
        body: None,
        body_size: None,
    };
    let exchange = recorder
        .http_begin(connection, head, Some(request), operation)
        .await?;
    let (reason, version) = ("OK".into(), "HTTP/1.1".into());
    recorder.http_stage(
        exchange,
        HttpStage::Head {
            status: 200,
            reason,
            version,
            fields,
        },
    );
    recorder.http_stage(
        exchange,
        HttpStage::End {
            bytes: 300,
            status: 200,
        },
    );
    Ok(exchange)
}
