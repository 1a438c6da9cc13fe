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
    /// Short options with another value, which may follow at once, or as the next word. Shells have only [`NEXT_WORD`].
    with_value: &'static str,
}

/// Short options of shells with another value, which is the next word also if they are grouped (`-euoc pipefail TEXT`).
const NEXT_WORD: &str = "oOdDfpRT";

#[rustfmt::skip]
const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        programs: &["sh", "bash", "rbash", "dash", "ash", "zsh", "fish", "ksh", "mksh", "csh", "tcsh", "busybox"],
        words: &["command", "init-command"], letters: "cC", with_value: "",
    },
    // They run a line with a shell.
    Interpreter {
        programs: &["script", "flock", "su", "runuser"],
        words: &["command", "session-command"], letters: "c", with_value: "",
    },
    Interpreter { programs: &["cmd"], words: &[], letters: "", with_value: "" },
    Interpreter {
        programs: &["powershell", "pwsh"],
        words: &["command", "commandwithargs", "cwa", "ec", "encodedcommand"], letters: "", with_value: "",
    },
    Interpreter {
        programs: &["node", "nodejs", "bun", "deno", "tsx", "ts-node"],
        words: &["eval", "print"], letters: "ep", with_value: "rCPOIDcdluL",
    },
    Interpreter { programs: &["ruby"], words: &[], letters: "e", with_value: "rICEFKTWxX" },
    Interpreter { programs: &["perl"], words: &[], letters: "eE", with_value: "MmIiFDCxV" },
    Interpreter { programs: &["lua", "luajit"], words: &[], letters: "e", with_value: "lj" },
    Interpreter { programs: &["osascript"], words: &[], letters: "e", with_value: "ls" },
    Interpreter { programs: &["python", "py", "pypy"], words: &[], letters: "c", with_value: "mWXQ" },
    Interpreter {
        programs: &["php"],
        words: &["run", "process-begin", "process-code", "process-end"], letters: "rBRE", with_value: "cdfszSt",
    },
];
/// Interpreters that look for their options behind any word.
const READ_TO_THE_END: &[&str] = &[
    "cmd",
    "busybox",
    "powershell",
    "pwsh",
    "script",
    "flock",
    "su",
    "runuser",
];
/// Interpreters whose first word is a program, without any option.
const ONLY_TEXT: &[&str] = &["awk", "gawk", "mawk", "nawk"];
/// Runners whose own option `-c` or `--call` is a line for a shell.
const CALLERS: &[&str] = &["npx", "npm", "pnpm", "yarn", "bunx"];
/// Their options that take no value. Any other one may take the next word.
const SWITCHES: &[&str] = &[
    "-y",
    "--yes",
    "--no",
    "--no-install",
    "-q",
    "--quiet",
    "-s",
    "--silent",
    "--verbose",
    "--bun",
    "--offline",
    "--prefer-offline",
    "--prefer-online",
    "--ignore-scripts",
];
/// Runners of containers.
const CONTAINERS: &[&str] = &["docker", "podman"];
/// Their options whose value is not a program, beside [`naming::WITH_VALUE`].
const CONTAINER_VALUES: &[&str] = &["-u", "--user", "-h", "--hostname", "--workdir", "--net"];
/// Variables that make an interpreter or the loader run other code first.
const LOADING: &[&str] = &[
    "NODE_OPTIONS",
    "PYTHONSTARTUP",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "BUN_OPTIONS",
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
    let program = program(command);
    let is_container = CONTAINERS.contains(&program.as_str());
    let of_container = args
        .iter()
        .filter(|_| is_container)
        .filter_map(|arg| variable(arg));
    let mut variables = env.iter().map(|var| var.name.as_str()).chain(of_container);
    if let Some(name) = variables.find(|name| is_loading(name)) {
        return Err(format!(
            "its variable `{}` would make other programs run code. {by_hand}",
            shown(name)
        ));
    }
    if STARTERS.contains(&program.as_str()) {
        return Err(format!(
            "`{}` starts another program, which hides what would run. {by_hand}",
            shown(command)
        ));
    }
    // Any program may start one of its words (`setsid sh -c …`), which can also be the value of an option (`--entrypoint=sh`).
    let started = args.iter().enumerate();
    let started =
        started.filter(|(index, _)| !(is_container && is_value_of(args, *index, is_without_program)));
    let started = started.map(|(index, word)| {
        let word = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
        let is_entrypoint = is_container && is_value_of(args, index, |option| option == "--entrypoint");
        (word, &args[index + 1..], is_entrypoint)
    });
    let mut all = std::iter::once((command.as_str(), args.as_slice(), false)).chain(started);
    match all.find(|(word, args, is_entrypoint)| runs_text(word, args, *is_entrypoint)) {
        Some((word, ..)) => Err(format!(
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

/// Whether a variable makes an interpreter, the loader or a runner run other code.
fn is_loading(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    // Each option of npm can be a variable: `call`, `script-shell`, `node-options`.
    LOADING.contains(&name.as_str()) || name.starts_with("DYLD_") || name.starts_with("NPM_CONFIG_")
}

/// The name of a variable that an argument sets in a container: `NAME=…`, `--env=NAME=…`, `-eNAME=…`, `-iteNAME=…`.
fn variable(arg: &str) -> Option<&str> {
    let set = match (arg.strip_prefix("--"), arg.strip_prefix('-')) {
        (Some(long), _) => long.strip_prefix("env=")?,
        (None, Some(group)) => group.split_once('e')?.1,
        (None, None) => arg,
    };
    set.split_once('=').map(|(name, _)| name)
}

/// Whether an option of a container has another value than a program (`-u node`, `--name=node`).
fn is_without_program(option: &str) -> bool {
    naming::WITH_VALUE.contains(&option) || CONTAINER_VALUES.contains(&option)
}

/// Whether an argument is the value of such an option, after it or after its `=`.
fn is_value_of(args: &[String], index: usize, is_option: impl Fn(&str) -> bool) -> bool {
    let before = index.checked_sub(1).and_then(|before| args.get(before));
    match args[index].split_once('=') {
        Some((option, _)) if option.starts_with('-') => is_option(option),
        _ => before.is_some_and(|option| is_option(option)),
    }
}

/// Whether a program with these arguments runs their text. Before those of an entrypoint are words of the runner and the image.
fn runs_text(command: &str, args: &[String], is_entrypoint: bool) -> bool {
    let name = program(command);
    if CALLERS.contains(&name.as_str()) && calls(&name, args) {
        return true;
    }
    let name = without_version(&name);
    if ONLY_TEXT.contains(&name) {
        return !args.is_empty();
    }
    let found = INTERPRETERS
        .iter()
        .find(|interpreter| interpreter.programs.contains(&name));
    found.is_some_and(|interpreter| interpreter.has_code(name, args, is_entrypoint))
}

/// Whether a caller is told to run a line, by a word before the program that it starts.
fn calls(name: &str, args: &[String]) -> bool {
    let mut may_be_value = false;
    for word in args {
        may_be_value = match word.starts_with('-') {
            true if is_call(word) => return true,
            true => !word.contains('=') && !SWITCHES.contains(&word.as_str()),
            false if may_be_value || naming::is_verb(name, word) => false,
            false => return false,
        };
    }
    false
}

/// `-c`, `-yc`, `--call` and what npm takes for it; and what makes npm run another shell or other code with it.
fn is_call(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => ["cal", "shell-m", "script-s", "node-o"]
            .iter()
            .any(|call| long.starts_with(call)),
        None => word.starts_with('-') && word.contains('c'),
    }
}

/// `data:…` or `--option=data:…`, which has code in it.
fn is_data(arg: &str) -> bool {
    let value = arg.split_once('=').map_or(arg, |(_, value)| value);
    value
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// Whether a word tells an interpreter what to do with the next words.
fn is_subcommand(name: &str, word: &str) -> bool {
    naming::is_verb(name, word) || name == "deno" && !word.contains(['.', '/', ':'])
}

/// Whether a long option takes no value. Any other one may take the next word.
fn is_switch(long: &str) -> bool {
    long.starts_with("no-")
        || long.starts_with("allow-") && !long.starts_with("allow-fs-")
        || matches!(
            long,
            "enable-source-maps" | "inspect" | "inspect-brk" | "watch" | "login" | "norc"
        )
}

impl Interpreter {
    /// Whether a text is run. What follows a script or a module is only read by that.
    fn has_code(&self, name: &str, args: &[String], is_entrypoint: bool) -> bool {
        let reads_on = is_entrypoint || READ_TO_THE_END.contains(&name);
        let mut may_be_value = false;
        for arg in args {
            let is_text = matches!((name, arg.as_str()), ("deno", "eval") | ("bun", "exec"));
            if is_text || is_data(arg) || self.is_code(name, arg) {
                return true;
            }
            may_be_value = match arg.strip_prefix(['-', '+']) {
                Some(option) if self.ends_options(name, option) && !is_entrypoint => return false,
                _ if reads_on => true,
                Some(option) => self.may_take_next(option),
                None if may_be_value || is_subcommand(name, arg) => false,
                None => return false,
            };
        }
        false
    }

    /// Whether an option, without its first character, is followed by the script or the module, and by what is for that.
    fn ends_options(&self, name: &str, option: &str) -> bool {
        let is_module = || {
            self.value_at(option)
                .is_some_and(|at| option[at..].starts_with('m'))
        };
        match name {
            "powershell" | "pwsh" => !option.is_empty() && "file".starts_with(&option.to_lowercase()),
            "python" | "py" | "pypy" if is_module() => true,
            _ if READ_TO_THE_END.contains(&name) => false,
            _ => matches!(option, "" | "-"),
        }
    }

    /// Whether the word after an option, without its first character, may be its value.
    fn may_take_next(&self, option: &str) -> bool {
        if let Some(long) = option.strip_prefix('-') {
            return !long.contains('=') && !is_switch(long);
        }
        match self.value_at(option) {
            Some(at) => at + 1 == option.len(),
            None => self.with_value.is_empty() && option.contains(|letter| NEXT_WORD.contains(letter)),
        }
    }

    /// Where the option with a value is in a group of short ones.
    fn value_at(&self, group: &str) -> Option<usize> {
        let letters = group
            .char_indices()
            .take_while(|(_, letter)| letter.is_ascii_alphabetic());
        let mut with_value = letters.filter(|(_, letter)| self.with_value.contains(*letter));
        with_value.next().map(|(at, _)| at)
    }

    /// Whether an argument says that a text is run.
    fn is_code(&self, name: &str, arg: &str) -> bool {
        if name == "cmd" {
            // `/d/s/c`, and `/cdir` is `/c dir`.
            let arg = arg.to_lowercase();
            return arg.starts_with(['/', '-'])
                && ["/c", "/k", "-c", "-k"].iter().any(|option| arg.contains(option));
        }
        let is_powershell = matches!(name, "powershell" | "pwsh");
        let signs: &[char] = match is_powershell {
            true => &['-', '/', '\u{2013}', '\u{2014}', '\u{2015}'],
            false => &['-'],
        };
        let Some(option) = arg.strip_prefix(signs) else {
            return false;
        };
        let word = option.trim_start_matches('-');
        let word = word.split(['=', ':']).next().unwrap_or_default().to_lowercase();
        if is_powershell {
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
