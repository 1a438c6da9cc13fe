//! The commands of the documentation and the README are commands that the program accepts.

use super::{page, pages};
use crate::source::tree;

/// The lines of a text's shell examples that start `patchbay`, without comments, pipes and redirections.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut in_shell = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_shell = line == "```sh";
        } else if in_shell && line.starts_with("patchbay ") {
            let end = [" #", " | ", " > "]
                .iter()
                .filter_map(|mark| line.find(mark))
                .min()
                .unwrap_or(line.len());
            commands.push(line[..end].trim().to_owned());
        }
    }
    commands
}

#[test]
fn every_example_is_a_command() {
    let mut texts: Vec<String> = pages().iter().map(|path| page(path)).collect();
    texts.push(tree::text("README.md").unwrap());
    let commands: Vec<String> = texts.iter().flat_map(|text| commands(text)).collect();
    assert!(commands.len() > 15, "only {} examples were found", commands.len());
    let mut complaints = Vec::new();
    for command in commands {
        // Its value is read from the environment.
        let command = command.replace("--client-secret-env SECRET", "--client-secret-env PATH");
        let words = shlex::split(&command).unwrap();
        if let Err(error) = patchbay_cli::command().try_get_matches_from(words) {
            complaints.push(format!("`{command}`: {error}"));
        }
    }
    tree::none(&complaints);
}
