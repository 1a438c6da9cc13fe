//! `test`: all checks as steps, in the order in which they begin. Cargo's steps share one target folder, one profile and one set
//! of features, so that nothing is built twice.

pub(crate) mod soak;
mod step;
mod tally;

use std::process::Command;
use std::time::Duration;

use crate::install::system::{self, Purpose};
use crate::install::{browser, llm, node, peers};

use crate::{Outcome, conformance, docs, package, place, process};
use step::{Log, Step, run_all};

/// The arguments of every cargo step, so that nothing is built twice.
const WORKSPACE: &[&str] = &["--workspace", "--all-targets"];

const STEPS: &[Step] = &[
    Step {
        name: "system packages",
        needs: &[],
        alone: false,
        run: system_packages,
    },
    Step {
        name: "ui install",
        needs: &["system packages"],
        alone: false,
        run: ui_install,
    },
    Step {
        name: "ui build",
        needs: &["ui install"],
        alone: false,
        run: |log| node::build_ui(|npm| log.run(npm)).map(done),
    },
    Step {
        name: "peers install",
        needs: &["system packages"],
        alone: false,
        run: peers_install,
    },
    Step {
        name: "rust build",
        needs: &["ui build"],
        alone: false,
        run: rust_build,
    },
    Step {
        name: "ui format",
        needs: &["ui install"],
        alone: false,
        run: ui_format,
    },
    Step {
        name: "ui types",
        needs: &["ui install"],
        alone: false,
        run: |log| ui(log, &["run", "check"]),
    },
    Step {
        name: "ui lint",
        needs: &["ui install"],
        alone: false,
        run: |log| ui(log, &["run", "lint"]),
    },
    Step {
        name: "ui strings",
        needs: &["ui install"],
        alone: false,
        run: |log| ui(log, &["run", "strings", "--", "--check"]),
    },
    Step {
        name: "ui tests",
        needs: &["ui install"],
        alone: true,
        run: |log| ui(log, &["run", "test"]),
    },
    Step {
        name: "e2e install",
        needs: &["system packages"],
        alone: false,
        run: e2e_install,
    },
    Step {
        name: "e2e types",
        needs: &["e2e install"],
        alone: false,
        run: |log| e2e(log, &["run", "check"]),
    },
    Step {
        name: "rust format",
        needs: &[],
        alone: false,
        run: rust_format,
    },
    Step {
        name: "rust tests",
        needs: &["rust build", "peers install"],
        alone: false,
        run: rust_tests,
    },
    Step {
        name: "rust lint",
        needs: &["ui build"],
        alone: false,
        run: rust_lint,
    },
    Step {
        name: "soak",
        needs: &["rust build"],
        alone: true,
        run: |log| soak::short(log).map(done),
    },
    Step {
        name: "conformance",
        needs: &["rust build", "peers install"],
        alone: false,
        run: |log| log.run(&mut conformance::suite()).map(done),
    },
    Step {
        name: "peers",
        needs: &["rust build", "peers install"],
        alone: false,
        run: |log| {
            log.run(peers::with_programs("debug", &mut peers::drive()))
                .map(done)
        },
    },
    Step {
        name: "docs",
        needs: &["system packages"],
        alone: false,
        run: |log| docs::build(&mut |command| log.run(command)).map(done),
    },
    Step {
        name: "packages",
        needs: &["rust build", "system packages"],
        alone: false,
        run: packages,
    },
    Step {
        name: "e2e browser",
        needs: &["rust build", "e2e install", "peers install"],
        alone: true,
        run: e2e_browser,
    },
    Step {
        name: "e2e window",
        needs: &["rust build", "peers install", "system packages"],
        alone: true,
        run: e2e_window,
    },
];

pub(crate) fn run(args: &[String]) -> Outcome {
    if args.iter().any(|arg| arg == "--list") {
        for step in STEPS {
            println!("{}", step.name);
        }
        return Ok(());
    }
    if args.iter().any(|arg| arg == "--llm") {
        return llm::run();
    }
    let steps = selected(args)?;
    node::check_version()?;
    run_all(&steps)
}

/// All steps, or the named ones and their dependencies.
fn selected(names: &[String]) -> Outcome<Vec<&'static Step>> {
    if names.is_empty() {
        return Ok(STEPS.iter().collect());
    }
    if let Some(name) = names
        .iter()
        .find(|name| !STEPS.iter().any(|step| step.name.contains(name.as_str())))
    {
        return Err(format!(
            "no step's name contains `{name}`; `cargo xtask test --list` lists them"
        ));
    }
    let mut wanted: Vec<&str> = Vec::new();
    // Dependencies come before the steps that need them, so one pass from the end finds all.
    for step in STEPS.iter().rev() {
        if wanted.contains(&step.name) || names.iter().any(|name| step.name.contains(name.as_str())) {
            wanted.push(step.name);
            wanted.extend(step.needs);
        }
    }
    Ok(STEPS.iter().filter(|step| wanted.contains(&step.name)).collect())
}

fn done((): ()) -> Option<String> {
    None
}

fn system_packages(_log: &Log) -> Outcome<Option<String>> {
    system::ensure(Purpose::Test).map(done)
}

fn ui_install(log: &Log) -> Outcome<Option<String>> {
    node::install(&place::root().join("ui"), |npm| log.run(npm)).map(done)
}

fn ui(log: &Log, args: &[&str]) -> Outcome<Option<String>> {
    log.run(plain(process::npm(&place::root().join("ui")).args(args)))
        .map(done)
}

/// Files whose text has not changed since they were last checked are not parsed again.
fn ui_format(log: &Log) -> Outcome<Option<String>> {
    let cache = place::cache().join("prettier.json");
    let mut npm = process::npm(&place::root().join("ui"));
    npm.args(["run", "format", "--", "--cache", "--cache-strategy", "content"])
        .arg("--cache-location")
        .arg(cache);
    log.run(plain(&mut npm)).map(done)
}

fn rust_format(log: &Log) -> Outcome<Option<String>> {
    log.run(process::cargo().args(["fmt", "--all", "--check"]))
        .map(done)
}

fn rust_build(log: &Log) -> Outcome<Option<String>> {
    let limit = Duration::from_secs(40 * 60);
    log.run_within(process::cargo().arg("build").args(WORKSPACE), limit)
        .map(done)
}

fn rust_lint(log: &Log) -> Outcome<Option<String>> {
    let limit = Duration::from_secs(30 * 60);
    let mut cargo = process::cargo();
    log.run_within(
        cargo.arg("clippy").args(WORKSPACE).args(["--", "-D", "warnings"]),
        limit,
    )
    .map(done)
}

fn peers_install(log: &Log) -> Outcome<Option<String>> {
    peers::install(|command| log.run(command))?;
    conformance::install(|command| log.run(command)).map(done)
}

fn rust_tests(log: &Log) -> Outcome<Option<String>> {
    let mut cargo = process::cargo();
    cargo.arg("test").args(WORKSPACE).arg("--no-fail-fast");
    // Most tests wait for programs and connections, not for a core.
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    cargo.env("RUST_TEST_THREADS", (4 * cores).min(16).to_string());
    log.run(peers::with_programs("debug", &mut cargo)).map(done)
}

fn packages(log: &Log) -> Outcome<Option<String>> {
    if !cfg!(target_os = "linux") {
        return Ok(Some("only on Linux, where the packages can be unpacked".into()));
    }
    package::check_debug(&mut |command| log.run(command)).map(done)
}

fn e2e_install(log: &Log) -> Outcome<Option<String>> {
    node::install(&place::root().join("tests").join("e2e"), |npm| log.run(npm)).map(done)
}

fn e2e(log: &Log, args: &[&str]) -> Outcome<Option<String>> {
    // Each test has its own, shorter limit; all of them take 13 minutes on two cores with nothing beside them.
    let limit = Duration::from_secs(30 * 60);
    let mut npm = process::npm(&place::root().join("tests").join("e2e"));
    log.run_within(plain(peers::with_programs("debug", npm.args(args))), limit)
        .map(done)
}

fn e2e_browser(log: &Log) -> Outcome<Option<String>> {
    if browser::find().is_none() {
        e2e(
            log,
            &[
                "exec",
                "--",
                "playwright",
                "install",
                "--with-deps",
                browser::PACKAGE,
            ],
        )?;
    }
    e2e(log, &["run", "test"])
}

fn e2e_window(log: &Log) -> Outcome<Option<String>> {
    if !cfg!(target_os = "linux") {
        return Ok(Some(
            "only on Linux, where WebKitWebDriver drives the window".into(),
        ));
    }
    let mut node = process::command("node");
    log.run(plain(peers::with_programs(
        "debug",
        node.arg("tests/e2e/window/run.mjs"),
    )))
    .map(done)
}

/// Without colours, which would hide the counts in the log.
fn plain(command: &mut Command) -> &mut Command {
    command.env("NO_COLOR", "1").env_remove("FORCE_COLOR")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_use_the_pinned_servers_install_them_first() {
        for name in ["rust tests", "conformance", "peers", "e2e browser", "e2e window"] {
            let needed = selected(&[name.to_owned()]).unwrap();
            assert!(needed.iter().any(|step| step.name == "peers install"), "{name}");
        }
    }
}
