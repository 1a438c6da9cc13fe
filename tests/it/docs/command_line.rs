//! The command line and its exit codes, from the definition that the program parses with.

use clap::{Arg, ArgAction, Command};

/// The table of exit codes.
pub(super) fn exit_codes() -> String {
    let rows: Vec<String> = patchbay_cli::EXIT_CODES
        .iter()
        .map(|(code, meaning)| format!("| {code} | {meaning} |\n"))
        .collect();
    format!(
        "# Exit codes\n\nAll commands use the same exit codes. They do not change between versions.\n\n| Code | Meaning |\n|---|---|\n{}\n\
         If a signal ends `patchbay`, the exit code is 128 plus the signal number: 130 after Ctrl-C, 143 after `kill`. `patchbay serve` \
         ends with 0: a signal is how it is ended. A second signal cuts that short, with 128 plus its number.\n",
        rows.concat()
    )
}

/// Every command with its arguments.
pub(super) fn page() -> String {
    let mut root = patchbay_cli::command();
    root.build();
    let mut page =
        "# Command line\n\nResults are written to stdout exactly as received, diagnostics to stderr. \
                    On a terminal, control characters are written out, such as `⟨U+001B⟩`. The \
                    [exit code](exit-codes.md) tells you the outcome.\n"
            .to_owned();
    page += "\n## Options of every command\n\n";
    page += &table(root.get_arguments());
    let mut groups: Vec<(Vec<String>, String)> = Vec::new();
    for command in root.get_subcommands().filter(|one| one.get_name() != "help") {
        describe(command, &mut page, &mut groups);
    }
    page
}

/// A command, or those below it. Commands that reach a server have the same long list of options: it is written once.
fn describe(command: &Command, page: &mut String, groups: &mut Vec<(Vec<String>, String)>) {
    let below: Vec<&Command> = command
        .get_subcommands()
        .filter(|one| one.get_name() != "help")
        .collect();
    if !below.is_empty() {
        for one in below {
            describe(one, page, groups);
        }
        return;
    }
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let about = command.get_long_about().or(command.get_about());
    let about = escaped(&about.map(ToString::to_string).unwrap_or_default());
    *page += &format!("\n## {name}\n\n{about}\n");
    let shown = |arg: &&Arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help";
    let own: Vec<&Arg> = command.get_arguments().filter(shown).collect();
    let of_servers: Vec<String> = own
        .iter()
        .filter(|arg| !arg.is_positional())
        .map(|arg| arg.get_id().to_string())
        .collect();
    let positionals: Vec<&Arg> = own.iter().copied().filter(|arg| arg.is_positional()).collect();
    if !positionals.is_empty() {
        *page += &format!("\n{}", table(positionals.into_iter()));
    }
    if of_servers.is_empty() {
        return;
    }
    match groups
        .iter()
        .find(|(ids, _)| ids.len() > 10 && *ids == of_servers)
    {
        Some((_, first)) => *page += &format!("\nOptions: those of [`{first}`](#{}).\n", anchor(first)),
        None => {
            let options = own.into_iter().filter(|arg| !arg.is_positional());
            *page += &format!("\n{}", table(options));
            groups.push((of_servers, name));
        }
    }
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    heading.replace(' ', "-")
}

fn table<'a>(arguments: impl Iterator<Item = &'a Arg>) -> String {
    let rows: Vec<String> = arguments
        .filter(|arg| arg.get_id() != "help" && arg.get_id() != "version")
        .map(row)
        .collect();
    format!("| Argument | Meaning |\n|---|---|\n{}", rows.concat())
}

fn row(arg: &Arg) -> String {
    let value = || {
        let names = arg.get_value_names().unwrap_or_default();
        names
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let name = match (arg.get_long(), takes_value) {
        (Some(long), true) => format!("--{long} {}", value()),
        (Some(long), false) => format!("--{long}"),
        (None, _) => value(),
    };
    let name = match arg.get_short() {
        Some(short) => format!("-{short}, {name}"),
        None => name,
    };
    let possible: Vec<String> = match arg.is_hide_possible_values_set() || !takes_value {
        true => Vec::new(),
        false => arg
            .get_possible_values()
            .iter()
            .map(|value| format!("`{}`", value.get_name()))
            .collect(),
    };
    let mut help = help(arg);
    if !possible.is_empty() {
        let stop = if help.ends_with(['.', ']']) { "" } else { "." };
        help += &format!("{stop} One of {}.", possible.join(", "));
    }
    format!(
        "| `{}` | {} |\n",
        name.replace('|', "\\|"),
        escaped(&help).replace('|', "\\|")
    )
}

/// All that `--help` says about an argument, on one line.
fn help(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let lines: Vec<&str> = help.lines().filter(|line| !line.is_empty()).collect();
    let mut help = lines.join(" ");
    let is_shown = arg.get_action().takes_values() && !arg.is_hide_default_value_set();
    for default in arg.get_default_values().iter().filter(|_| is_shown) {
        let stop = if help.ends_with('.') { "" } else { "." };
        help += &format!("{stop} [default: {}]", default.to_string_lossy());
    }
    help
}

/// Help texts are not Markdown.
fn escaped(text: &str) -> String {
    text.replace('<', "\\<").replace('*', "\\*")
}
