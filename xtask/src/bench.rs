//! `bench`: measures a release build beside a peer in the same run. Only the numbers go to stdout.

mod against;

use std::process::Command;

use crate::install::{node, peers};
use crate::{Outcome, place, process};

/// How a benchmark runs once everything is built.
enum By {
    /// A subcommand of the `patchbay-bench` program.
    Rust,
    /// A script of `tests/bench`, run by Node.
    Script(&'static str),
}

struct Bench {
    name: &'static str,
    about: &'static str,
    by: By,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: "stdio-calls",
        about: "tools/call per second over stdio, beside an rmcp client",
        by: By::Rust,
    },
    Bench {
        name: "http-calls",
        about: "tools/call per second over HTTP, beside the rmcp and TypeScript clients",
        by: By::Rust,
    },
    Bench {
        name: "sse-100mb",
        about: "peak memory over an event stream of 100 MB, beside an rmcp client",
        by: By::Rust,
    },
    Bench {
        name: "observe",
        about: "frames per second of the pure observer, beside serde_json parsing them",
        by: By::Rust,
    },
    Bench {
        name: "store",
        about: "a traffic log of 1,000,000 records: written, opened, filtered, searched, cleared",
        by: By::Rust,
    },
    Bench {
        name: "log-burst",
        about: "10,000 log notifications within one call, in the UI",
        by: By::Script("log-burst.mjs"),
    },
    Bench {
        name: "large-results",
        about: "1 MB and 10 MB JSON results, in the UI",
        by: By::Script("large-results.mjs"),
    },
    Bench {
        name: "tool-list",
        about: "1,000 tools: listed, searched",
        by: By::Script("tool-list.mjs"),
    },
    Bench {
        name: "explore",
        about: "5,000 tools, 10,000 resources, results up to 50 MB, in Chromium and in the window",
        by: By::Script("explore.mjs"),
    },
    Bench {
        name: "chat",
        about: "a model that streams 500 tokens a second for a minute; 5,000 messages opened",
        by: By::Script("chat.mjs"),
    },
    Bench {
        name: "first-hour",
        about: "from a click to its result: demo, stdio, HTTP, slow, silent and wrong servers",
        by: By::Script("first-hour/run.mjs"),
    },
    Bench {
        name: "startup",
        about: "the window: first paint, idle memory, size of the binaries",
        by: By::Script("startup.mjs"),
    },
];

pub(crate) fn run(args: &[String]) -> Outcome {
    if args.iter().any(|arg| arg == "--list") {
        for bench in BENCHES {
            println!("{:<16}{}", bench.name, bench.about);
        }
        return Ok(());
    }
    let mut json = false;
    let mut revision = None;
    let mut names: Vec<&String> = Vec::new();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--json" => json = true,
            "--against" => revision = Some(rest.next().ok_or("`--against` needs a revision")?),
            _ => names.push(arg),
        }
    }
    if let Some(name) = names
        .iter()
        .find(|name| !BENCHES.iter().any(|bench| bench.name == **name))
    {
        return Err(format!(
            "unknown benchmark `{name}`; run `cargo xtask bench --list` for the names"
        ));
    }
    let chosen: Vec<&Bench> = BENCHES
        .iter()
        .filter(|bench| names.is_empty() || names.iter().any(|name| *name == bench.name))
        .collect();
    prepare(&chosen)?;
    let mut failed = Vec::new();
    for bench in chosen {
        let as_json = |json: bool| {
            let mut command = command(bench);
            if json {
                command.arg("--json");
            }
            command
        };
        let ended = match revision {
            Some(revision) => against::compare(revision, bench.name, || as_json(true)),
            None => process::ended(&mut as_json(json)),
        };
        if let Err(error) = ended {
            eprintln!("{error}");
            failed.push(bench.name);
        }
    }
    if failed.is_empty() {
        Ok(())
    } else {
        Err(format!("not measured: {}", failed.join(", ")))
    }
}

/// Builds what the chosen benchmarks need, in release mode.
fn prepare(chosen: &[&Bench]) -> Outcome {
    let scripts = chosen.iter().any(|bench| matches!(bench.by, By::Script(_)));
    let window = chosen
        .iter()
        .any(|bench| matches!(bench.name, "explore" | "startup"));
    if scripts {
        node::check_version()?;
        node::install(&place::root().join("ui"), process::must)?;
        node::build_ui(process::must)?;
        for scripts in ["e2e", "bench"] {
            node::install(&place::root().join("tests").join(scripts), process::must)?;
        }
    }
    if scripts || chosen.iter().any(|bench| bench.name == "http-calls") {
        peers::install(process::must)?;
    }
    let mut cargo = process::cargo();
    cargo.args([
        "build",
        "--release",
        "--package",
        "patchbay-bench",
        "--package",
        "patchbay-cli",
        // The server that the UI's benchmarks connect to.
        "--package",
        "patchbay-rmcp",
    ]);
    if window {
        cargo.args(["--package", "patchbay-app"]);
    }
    if chosen.iter().any(|bench| bench.name == "first-hour") {
        cargo.args(["--package", "patchbay-test-server"]);
    }
    process::must(&mut cargo)
}

fn command(bench: &Bench) -> Command {
    let mut command = match bench.by {
        By::Rust => {
            let mut command = process::command(place::binary("release", "patchbay-bench"));
            command.arg(bench.name);
            command
        }
        By::Script(script) => {
            let mut command = process::command("node");
            command.arg(place::root().join("tests").join("bench").join(script));
            command
        }
    };
    peers::with_programs("release", &mut command);
    command
}
