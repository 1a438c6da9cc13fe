use clap::{Command, CommandFactory as _, ValueEnum as _};
use clap_complete::Shell;

use super::{pages, script};
use crate::args::Cli;

/// The names of the pages: each command's, with those above it.
fn names(command: &Command, above: &str) -> Vec<String> {
    let name = format!("{above}{}", command.get_name());
    let below = command
        .get_subcommands()
        .flat_map(|one| names(one, &format!("{name}-")));
    std::iter::once(name.clone()).chain(below).collect()
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("share").join("man1");
    pages(Some(&folder)).unwrap();
    let names = names(&Cli::command(), "");
    assert!(names.contains(&"patchbay-tools-call".to_owned()), "{names:?}");
    for name in &names {
        let page = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{name}");
    }
    let first = std::fs::read_to_string(folder.join("patchbay.1")).unwrap();
    assert!(
        first.contains("authorization required"),
        "the exit codes are in it"
    );
    assert!(first.contains("completions") && first.contains("traffic"));
}

#[test]
fn pages_that_cannot_be_written_are_a_usage_error() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let (exit, problem) = pages(Some(&file)).unwrap_err();
    assert_eq!(exit, crate::exit::Exit::Usage);
    let words = serde_json::to_string(&problem).unwrap();
    assert!(
        words.contains("Choose a folder that you may write to."),
        "{words}"
    );
}

#[test]
fn the_script_of_every_shell_has_every_command_and_option() {
    for shell in Shell::value_variants() {
        let script = String::from_utf8(script(*shell)).unwrap();
        for word in ["demo-server", "templates", "on-elicitation", "max-size"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
