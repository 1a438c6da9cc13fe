//! The commands of the project. `cargo xtask` alone lists them.
//!
//! It uses only the standard library, because it is the first thing built on a fresh machine.
//! Deliberately not here: settings of the tools a verb runs (lint rules, test lists, bundle settings).
#![allow(
    clippy::disallowed_methods,
    reason = "a program of the tests or of the build, not of the product"
)]
#![allow(clippy::print_stdout, reason = "a command-line tool talks on stdout")]

mod bench;
mod clone;
mod conformance;
mod contract;
mod deny;
mod disk;
mod docs;
mod install;
mod package;
mod place;
mod process;
mod run;
mod screenshots;
mod test;

use std::process::ExitCode;

/// The result of a verb: a value, or a sentence for stderr.
pub(crate) type Outcome<T = ()> = Result<T, String>;

/// One verb of `cargo xtask`.
struct Verb {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Outcome,
}

const VERBS: &[Verb] = &[
    Verb {
        name: "run",
        usage: "run [--browser] [-- ARGS]",
        about: "install what is missing, build, start (the window; without a display: in the browser)",
        run: run::run,
    },
    Verb {
        name: "test",
        usage: "test [--list | --llm] [STEP …]",
        about: "run everything, or the steps whose names contain STEP and what they depend on; --llm: only one real \
                completion of a small model",
        run: test::run,
    },
    Verb {
        name: "ci",
        usage: "ci",
        about: "what the build machine runs; the same as `test`",
        run: test::run,
    },
    Verb {
        name: "conformance",
        usage: "conformance [SCENARIO …]",
        about: "the official conformance suite: its frozen sets, or only these scenarios",
        run: conformance::run,
    },
    Verb {
        name: "peers",
        usage: "peers [NAME …]",
        about: "test real servers over every transport and era they support, or only those named",
        run: install::peers::run,
    },
    Verb {
        name: "contract",
        usage: "contract",
        about: "write ui/src/contract/generated from the contract crate",
        run: contract::run,
    },
    Verb {
        name: "bench",
        usage: "bench [NAME …] [--against REV] [--json] [--list]",
        about: "measure beside a peer (and beside another revision), in a release build",
        run: bench::run,
    },
    Verb {
        name: "soak",
        usage: "soak [[--servers] [--minutes N] | --only N | --kills N | --disk [--kind NAME --only N]] [--seed N]",
        about: "generated hostile servers for N minutes (20); --only runs one script of a seed again; --servers: eight \
                servers at once; --kills: kill our own process N times; --disk: fail, or kill it at, each operation on its files, \
                pipes and sockets (--kind NAME and --only N: at one)",
        run: test::soak::run,
    },
    Verb {
        name: "screenshots",
        usage: "screenshots [--hour [FOLDER]]",
        about: "retake docs/src/pictures from the running program; --hour: the first hour in both themes and two sizes, to be \
                looked at",
        run: screenshots::run,
    },
    Verb {
        name: "docs",
        usage: "docs",
        about: "write the generated pages of the documentation, and build its site",
        run: docs::run,
    },
    Verb {
        name: "package",
        usage: "package [--debug] [--formats LIST] [--chroot]",
        about: "make the packages of this system, check their contents, print their sizes; --debug: only make and \
                check those of the debug programs; --chroot: install the .deb in a bare Debian and drive the window there",
        run: package::run,
    },
    Verb {
        name: "deny",
        usage: "deny",
        about: "cargo deny: bans, licenses, sources",
        run: deny::run,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        list();
        return ExitCode::SUCCESS;
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        list();
        return ExitCode::SUCCESS;
    }
    let Some(verb) = VERBS.iter().find(|verb| verb.name == name) else {
        eprintln!("xtask: unknown verb `{name}`.\n");
        list();
        return ExitCode::from(1);
    };
    // Arguments after `--` belong to the started program.
    let mut ours = rest.iter().take_while(|arg| *arg != "--");
    if ours.any(|arg| arg == "--help" || arg == "-h") {
        println!("cargo xtask {}\n    {}", verb.usage, verb.about);
        return ExitCode::SUCCESS;
    }
    let done = match clone::claim() {
        Ok(false) => (verb.run)(rest),
        Ok(true) => clone::again(&args),
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::from(1)
        }
    }
}

fn list() {
    println!("The verbs of `cargo xtask`:\n");
    for verb in VERBS {
        println!("  {:<34}{}", verb.usage, verb.about);
    }
}
