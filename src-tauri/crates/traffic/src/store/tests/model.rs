//! Compares the store with a list in memory after arbitrary sequences of records, descriptions and clears.

use proptest::prelude::*;

use super::tails::Listener;
use super::*;

#[derive(Debug, Clone)]
enum Step {
    Frame {
        two: bool,
        sent: bool,
        text: &'static str,
    },
    Stderr {
        two: bool,
        text: &'static str,
    },
    Describe {
        which: prop::sample::Index,
        kind: Kind,
        pending: bool,
        method: Option<&'static str>,
        violations: u32,
    },
    Answer {
        which: prop::sample::Index,
        status: Status,
        with: Option<prop::sample::Index>,
    },
    Clear {
        server: Option<&'static str>,
    },
    Flush,
    Listen,
}

fn step() -> impl Strategy<Value = Step> {
    let text = || prop::sample::select(vec!["", "a", "alpha", "BETA", "alphabet"]);
    let kind = prop::sample::select(vec![
        Kind::Request,
        Kind::Notification,
        Kind::Response,
        Kind::Invalid,
    ]);
    let status = prop::sample::select(vec![Status::Ok, Status::Error, Status::Cancelled]);
    let method = prop::option::of(prop::sample::select(vec!["ping", "alpha/list"]));
    let server = prop::option::of(prop::sample::select(vec!["one", "two", "three"]));
    let index = any::<prop::sample::Index>;
    prop_oneof![
        8 => (any::<bool>(), any::<bool>(), text()).prop_map(|(two, sent, text)| Step::Frame { two, sent, text }),
        2 => (any::<bool>(), text()).prop_map(|(two, text)| Step::Stderr { two, text }),
        6 => (index(), kind, any::<bool>(), method, 0..3u32).prop_map(|(which, kind, pending, method, violations)| {
            Step::Describe { which, kind, pending, method, violations }
        }),
        4 => (index(), status, prop::option::of(index()))
            .prop_map(|(which, status, with)| Step::Answer { which, status, with }),
        1 => server.prop_map(|server| Step::Clear { server }),
        3 => Just(Step::Flush),
        3 => Just(Step::Listen),
    ]
}

/// The list in memory.
struct Expected {
    seq: Seq,
    server: &'static str,
    direction: Option<Direction>,
    kind: Kind,
    text: &'static str,
    method: Option<&'static str>,
    status: Option<Status>,
    pair: Option<Seq>,
    violations: u32,
}

impl Expected {
    fn script(&self) -> String {
        let arrow = match self.direction {
            Some(ClientToServer) => "-> ",
            Some(ServerToClient) => "<- ",
            None => "",
        };
        let mut line = format!("{} {} {arrow}{:?}", self.seq, self.server, self.kind);
        line += &self.method.map(|method| format!(" {method}")).unwrap_or_default();
        line += &self
            .status
            .map(|status| format!(" {status:?}"))
            .unwrap_or_default();
        line += &self.pair.map(|pair| format!(" <->{pair}")).unwrap_or_default();
        line += &(if self.violations > 0 {
            format!(" !{}", self.violations)
        } else {
            String::new()
        });
        line + &format!(" {} B\n", self.text.len())
    }

    fn holds(&self, text: &str) -> bool {
        let holds = |part: &str| part.to_ascii_lowercase().contains(text);
        holds(self.text) || self.method.is_some_and(holds)
    }
}

/// Whether a filter matches a row.
type Holds = fn(&Expected) -> bool;

/// Filters and their meaning.
const FILTERS: &[(&str, Holds)] = &[
    ("", |_| true),
    ("server:ONE", |row| row.server == "one"),
    ("kind:request,stderr", |row| {
        matches!(row.kind, Kind::Request | Kind::Stderr)
    }),
    ("Alpha", |row| row.holds("alpha")),
    ("server:two kind:invalid,response a", |row| {
        row.server == "two" && matches!(row.kind, Kind::Invalid | Kind::Response) && row.holds("a")
    }),
    ("-\"alpha\" -server:one", |row| {
        !row.holds("alpha") && row.server != "one"
    }),
    ("status:ok,pending", |row| {
        matches!(row.status, Some(Status::Ok | Status::Pending))
    }),
    ("-status:ok dir:sent", |row| {
        row.status != Some(Status::Ok) && row.direction == Some(ClientToServer)
    }),
    ("-dir:received has:violation", |row| {
        row.direction != Some(ServerToClient) && row.violations > 0
    }),
    ("rule:not-*", |row| row.violations > 0),
    ("otherrule:blank-line", |row| row.violations > 0),
    ("otherrule:not-json", |_| false),
    ("method:P*", |row| {
        row.method.is_some_and(|method| method.starts_with('p'))
    }),
    ("-method:ping size>=5", |row| {
        row.method != Some("ping") && row.text.len() >= 5
    }),
    ("size<5 -size=0", |row| row.text.len() < 5 && !row.text.is_empty()),
    ("dur>1s", |_| false),
    ("-op:1 -tool:x -id:7", |_| true),
];

/// Without the summaries, which the model does not have.
fn plain(rows: Vec<Row>) -> String {
    script(
        &rows
            .into_iter()
            .map(|row| Row { summary: None, ..row })
            .collect::<Vec<_>>(),
    )
}

async fn run(steps: Vec<Step>) {
    let harness = Harness::new();
    let filters: Vec<Filter> = FILTERS
        .iter()
        .map(|(text, _)| Filter::parse(text).unwrap())
        .collect();
    let mut tails: Vec<(Tail, Listener)> = filters
        .iter()
        .map(|filter| (harness.store.tail(filter.clone()), Listener::default()))
        .collect();
    let mut expected: Vec<Expected> = Vec::new();
    for step in steps {
        match step {
            Step::Frame { two, sent, text } => {
                let connection = if two { harness.two } else { harness.one };
                let direction = if sent { ClientToServer } else { ServerToClient };
                let seq = harness
                    .recorder
                    .frame(connection, direction, Bytes::from_static(text.as_bytes()));
                let seq = seq.await.unwrap();
                expected.push(Expected {
                    seq,
                    server: if two { "two" } else { "one" },
                    direction: Some(direction),
                    kind: Kind::Invalid,
                    text,
                    method: None,
                    status: None,
                    pair: None,
                    violations: 0,
                });
            }
            Step::Stderr { two, text } => {
                let connection = if two { harness.two } else { harness.one };
                harness
                    .recorder
                    .stderr(connection, Bytes::from_static(text.as_bytes()));
                // Stderr lines return no number.
                let seq = harness
                    .recorder
                    .lifecycle(connection, String::new(), None, None)
                    .unwrap();
                let line = |seq, kind, text| Expected {
                    seq,
                    server: if two { "two" } else { "one" },
                    direction: None,
                    kind,
                    text,
                    method: None,
                    status: None,
                    pair: None,
                    violations: 0,
                };
                expected.push(line(seq - 1, Kind::Stderr, text));
                expected.push(line(seq, Kind::Lifecycle, ""));
            }
            Step::Describe {
                which,
                kind,
                pending,
                method,
                violations,
            } if !expected.is_empty() => {
                let at = which.index(expected.len());
                let row = &mut expected[at];
                let mut about = Description::new(kind);
                about.method = method.map(|method| method.to_owned().into());
                about.status = pending.then_some(Status::Pending);
                about.violations = (0..violations)
                    .map(|_| Violation::new(Rule::NotJson, "x"))
                    .collect();
                harness.recorder.describe(row.seq, about);
                row.kind = kind;
                row.method = method.or(row.method);
                row.status = row.status.or(pending.then_some(Status::Pending));
                row.violations += violations;
            }
            Step::Answer { which, status, with } if !expected.is_empty() => {
                let response = with.map(|with| expected[with.index(expected.len())].seq);
                let at = which.index(expected.len());
                let row = &mut expected[at];
                harness.recorder.answer(
                    row.seq,
                    Answer {
                        response,
                        status,
                        latency_ns: None,
                    },
                );
                row.status = Some(status);
                row.pair = response.or(row.pair);
            }
            Step::Clear { server } => {
                harness.store.clear(server).await.unwrap();
                expected.retain(|row| server.is_some_and(|server| server != row.server));
            }
            Step::Flush => harness.flush().await,
            Step::Listen => {
                for (tail, listener) in &mut tails {
                    while let Ok(delta) = tokio::time::timeout(PATIENCE, tail.next()).await {
                        listener.apply(delta.unwrap());
                    }
                }
            }
            _ => {}
        }
    }
    harness.flush().await;
    for ((filter, (tail, listener)), (_, passes)) in filters.iter().zip(&mut tails).zip(FILTERS) {
        let expected: String = expected
            .iter()
            .filter(|row| passes(row))
            .map(Expected::script)
            .collect();
        let rows = harness.store.rows(filter, 0, PAGE).await.unwrap();
        assert_eq!(plain(rows.clone()), expected, "{filter:?}");
        while let Ok(delta) = tokio::time::timeout(PATIENCE, tail.next()).await {
            listener.apply(delta.unwrap());
        }
        assert_eq!(listener.total, rows.len() as u64, "{filter:?}");
        if !listener.missed {
            assert_eq!(
                plain(listener.rows.values().cloned().collect()),
                expected,
                "{filter:?}"
            );
        }
    }
}

/// Longer than the time between two deltas, in virtual time.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(200);

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_and_tails_agree_with_a_list(steps in prop::collection::vec(step(), 0..60)) {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap()
            .block_on(run(steps));
    }
}
