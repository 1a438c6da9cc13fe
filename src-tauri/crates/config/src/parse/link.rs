//! Links that add a server: `patchbay://add?name=N&url=U`, `…&command=LINE` or `…&config=JSON`.
//!
//! A link comes from anywhere, so it may say less than what a user pastes: it names one or more servers, and nothing is started or
//! trusted by it. What runs code by itself (a shell with a command, an interpreter with a program in its arguments) is refused, because
//! nobody can review it at a glance.

use patchbay_contract::{ServerDraft, TransportDraft};
use patchbay_protocol::views::with_hidden_marked;
use url::Url;

use super::naming;
use crate::entry::is_http_url;

/// The scheme, which the packages register.
const SCHEME: &str = "patchbay";
/// The maximum size of a link, in bytes: browsers and desktops pass no longer ones on reliably.
const MAX_BYTES: usize = 32 * 1024;

/// What a link says.
pub(super) struct Said {
    /// The name of the server.
    pub(super) name: Option<String>,
    /// Whether `text` is JSON with any number of servers; otherwise it is a command line or an address.
    pub(super) is_config: bool,
    pub(super) text: String,
}

/// Programs that run the text of an argument.
struct Interpreter {
    /// Their names without a version.
    programs: &'static [&'static str],
    /// The long options that have a program as their value.
    words: &'static [&'static str],
    /// The short ones. They can be grouped (`-lc` is `-l -c`), and the text can follow at once (`-eprint`).
    letters: &'static str,
    /// Short options with another value, which may follow at once.
    with_value: &'static str,
}

#[rustfmt::skip]
const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        programs: &["sh", "bash", "dash", "zsh", "fish", "ksh", "csh", "tcsh", "busybox"],
        words: &["command", "init-command"], letters: "cC", with_value: "",
    },
    Interpreter { programs: &["cmd"], words: &[], letters: "", with_value: "" },
    Interpreter {
        programs: &["powershell", "pwsh"],
        words: &["command", "commandwithargs", "cwa", "ec", "encodedcommand"], letters: "", with_value: "",
    },
    Interpreter {
        programs: &["node", "nodejs", "bun", "deno", "tsx", "ts-node"],
        words: &["eval", "print"], letters: "ep", with_value: "rC",
    },
    Interpreter { programs: &["ruby"], words: &[], letters: "e", with_value: "rICEFKTWx" },
    Interpreter { programs: &["perl"], words: &[], letters: "eE", with_value: "MmIiFDCxV" },
    Interpreter { programs: &["lua", "luajit"], words: &[], letters: "e", with_value: "l" },
    Interpreter { programs: &["osascript"], words: &[], letters: "e", with_value: "ls" },
    Interpreter { programs: &["python", "py", "pypy"], words: &[], letters: "c", with_value: "mWXQ" },
    Interpreter {
        programs: &["php"],
        words: &["run", "process-begin", "process-code", "process-end"], letters: "rBRE", with_value: "cdfszSt",
    },
];
/// Runners whose own option `-c` or `--call` is a line for a shell.
const CALLERS: &[&str] = &["npx", "npm", "pnpm", "yarn", "bunx"];
/// Variables that make an interpreter or the loader run other code first.
const LOADING: &[&str] = &[
    "NODE_OPTIONS",
    "PYTHONSTARTUP",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "LD_PRELOAD",
    "LD_AUDIT",
    "BASH_ENV",
];
/// Programs that start another program, which would hide it.
const STARTERS: &[&str] = &[
    "env", "sudo", "doas", "nohup", "xargs", "start", "eval", "exec", "nice", "timeout",
];

/// Whether the text is a link of ours.
pub(super) fn is_link(text: &str) -> bool {
    let scheme = text.get(..SCHEME.len() + 1).unwrap_or_default();
    scheme.eq_ignore_ascii_case("patchbay:")
}

/// Reads a link, or says why it is refused.
pub(super) fn read(text: &str) -> Result<Said, String> {
    if text.len() > MAX_BYTES {
        return Err(
            "it is longer than 32 KiB. Ask its author for the configuration, and paste that.".to_owned(),
        );
    }
    let link = Url::parse(text).map_err(|error| format!("it is not a valid address ({error})."))?;
    let action = format!("{}{}", link.host_str().unwrap_or_default(), link.path());
    let action = action.trim_matches('/');
    if action != "add" {
        return Err(format!(
            "a link can only add a server (patchbay://add?…), after you reviewed it. `{}` is not known.",
            shown(action)
        ));
    }
    let Parameters { name, server } = parameters(&link)?;
    let Some((key, text)) = server.filter(|(_, text)| !text.trim().is_empty()) else {
        return Err("it names no server: url, command or config is missing.".to_owned());
    };
    let is_config = key == "config";
    if is_config && !text.trim_start().starts_with(['{', '[']) {
        return Err("its config is not JSON.".to_owned());
    }
    if key == "url" && !is_http_url(&text) {
        return Err("its url is not an http or https address.".to_owned());
    }
    Ok(Said {
        name,
        is_config,
        text,
    })
}

/// The parameters of a link.
#[derive(Default)]
struct Parameters {
    name: Option<String>,
    /// How the server is reached: `url`, `command` or `config`, and its value.
    server: Option<(String, String)>,
}

/// The name and the server that a link has, and nothing else.
fn parameters(link: &Url) -> Result<Parameters, String> {
    let mut found = Parameters::default();
    for (key, value) in link.query_pairs() {
        if with_hidden_marked(&value) != *value {
            return Err(format!(
                "`{}` has control characters or invisible ones, which hide what it says.",
                shown(&key)
            ));
        }
        let is_repeated = match &*key {
            "name" => found.name.replace(value.into_owned()).is_some(),
            "url" | "command" | "config" => {
                let server = (key.into_owned(), value.into_owned());
                found.server.replace(server).is_some()
            }
            key => {
                return Err(format!(
                    "`{}` is not known. A link has name, and one of url, command and config.",
                    shown(key)
                ));
            }
        };
        if is_repeated {
            return Err(
                "it names more than one name or server. It must have one of url, command and config."
                    .to_owned(),
            );
        }
    }
    Ok(found)
}

/// Refuses a program that runs the text of its arguments, or that only starts another one.
pub(super) fn check(draft: &ServerDraft) -> Result<(), String> {
    let TransportDraft::Stdio {
        command, args, env, ..
    } = &draft.transport
    else {
        return Ok(());
    };
    let by_hand = "If you trust the author, add the server by hand.";
    let loading = env.iter().map(|var| &var.name).find(|name| {
        let name = name.to_ascii_uppercase();
        LOADING.contains(&name.as_str()) || name.starts_with("DYLD_")
    });
    if let Some(name) = loading {
        return Err(format!(
            "its variable `{}` would make other programs run code. {by_hand}",
            shown(name)
        ));
    }
    let program = program(command);
    if STARTERS.contains(&program.as_str()) {
        return Err(format!(
            "`{}` starts another program, which hides what would run. {by_hand}",
            shown(command)
        ));
    }
    // A runner starts one of the words after it, which can also be the value of an option (`--entrypoint=sh`).
    let started = args.iter().enumerate().filter(|_| naming::is_runner(&program));
    let started = started.map(|(index, word)| {
        let word = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
        (word, &args[index + 1..])
    });
    let mut all = std::iter::once((command.as_str(), args.as_slice())).chain(started);
    match all.find(|(word, args)| runs_text(word, args)) {
        Some((word, _)) => Err(format!(
            "`{}` would run code that is in its arguments, not a server that you can look at. {by_hand}",
            shown(word)
        )),
        None => Ok(()),
    }
}

/// The name of a program: without its folder and the endings of Windows.
fn program(command: &str) -> String {
    naming::stem(&command.to_lowercase()).to_owned()
}

/// Whether a program with these arguments runs their text.
fn runs_text(command: &str, args: &[String]) -> bool {
    let name = program(command);
    if CALLERS.contains(&name.as_str()) && naming::own_words(&name, args).any(is_call) {
        return true;
    }
    let name = without_version(&name);
    let found = INTERPRETERS
        .iter()
        .find(|interpreter| interpreter.programs.contains(&name));
    let Some(interpreter) = found else { return false };
    let is_data = |arg: &String| {
        let value = arg.split_once('=').map_or(arg.as_str(), |(_, value)| value);
        value
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
    };
    args.iter()
        .any(|arg| interpreter.is_code(name, arg) || is_data(arg))
        || (name == "deno" && args.first().is_some_and(|arg| arg == "eval"))
}

/// `-c`, `-yc`, `--call` and what npm takes for it.
fn is_call(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => long.starts_with("cal") || long == "shell-mode",
        None => word.starts_with('-') && word.contains('c'),
    }
}

impl Interpreter {
    /// Whether an argument says that a text is run.
    fn is_code(&self, name: &str, arg: &str) -> bool {
        if name == "cmd" {
            // `/d/s/c`, and `/cdir` is `/c dir`.
            let arg = arg.to_lowercase();
            return arg.starts_with(['/', '-'])
                && ["/c", "/k", "-c", "-k"].iter().any(|option| arg.contains(option));
        }
        let Some(option) = arg.strip_prefix('-') else {
            return false;
        };
        let word = option.trim_start_matches('-');
        let word = word.split(['=', ':']).next().unwrap_or_default().to_lowercase();
        if matches!(name, "powershell" | "pwsh") {
            // Each option can be cut short.
            return !word.is_empty() && self.words.iter().any(|long| long.starts_with(&word));
        }
        if self.words.contains(&word.as_str()) {
            return true;
        }
        let letters = option.chars().take_while(char::is_ascii_alphabetic);
        let mut flags = letters.take_while(|letter| !self.with_value.contains(*letter));
        flags.any(|letter| self.letters.contains(letter))
    }
}

/// The name of a program without a version: `python3.12`, `lua5.4`, `python3.13t` (without a global lock).
fn without_version(program: &str) -> &str {
    let ends_with_digit = |name: &&str| name.ends_with(|last: char| last.is_ascii_digit());
    let build = program.strip_suffix(|last: char| last.is_ascii_alphabetic());
    let version = build.filter(ends_with_digit).unwrap_or(program);
    version.trim_end_matches(|last: char| last.is_ascii_digit() || matches!(last, '.' | '-'))
}

/// Leaves only what a review shows: how the server is reached. The rest are decisions of the user. Says whether there was more.
pub(super) fn reduce(draft: &mut ServerDraft) -> bool {
    let plain = ServerDraft {
        era: draft.era,
        timeouts: draft.timeouts,
        ..ServerDraft::new(draft.name.clone(), draft.transport.clone())
    };
    let had_more = plain != *draft;
    *draft = plain;
    had_more
}

/// The beginning of a text of the link, harmless in a terminal.
fn shown(text: &str) -> String {
    with_hidden_marked(text).chars().take(60).collect()
}
