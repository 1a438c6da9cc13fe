//! Links that add a server: `patchbay://add?name=N&url=U`, `…&command=LINE` or `…&config=JSON`.
//!
//! A link comes from anywhere, so it may say less than what a user pastes: it names one or more servers, and nothing is started or
//! trusted by it. What runs code by itself (a shell with a command, an interpreter with a program in its arguments) is refused, because
//! nobody can review it at a glance.

use patchbay_contract::{ServerDraft, TransportDraft};
use patchbay_protocol::views::with_hidden_marked;
use url::Url;

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

/// Programs that run the text of an argument, without their versions, and the arguments that say so.
const RUN_TEXT: &[(&[&str], &[&str])] = &[
    (
        &[
            "sh", "bash", "dash", "zsh", "fish", "ksh", "csh", "tcsh", "busybox",
        ],
        &["c"],
    ),
    (&["cmd"], &["c", "k"]),
    (
        &["powershell", "pwsh"],
        &["c", "command", "e", "ec", "enc", "encodedcommand"],
    ),
    (
        &["node", "bun", "deno", "ruby", "perl", "lua", "osascript"],
        &["e", "eval", "p", "print"],
    ),
    (&["python", "py", "pypy"], &["c"]),
    (&["php"], &["r"]),
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
    if key == "url" && !text.starts_with("https://") && !text.starts_with("http://") {
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
    let TransportDraft::Stdio { command, args, .. } = &draft.transport else {
        return Ok(());
    };
    let by_hand = "If you trust the author, add the server by hand.";
    let file = command
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(command)
        .to_lowercase();
    let program = file
        .trim_end_matches(".exe")
        .trim_end_matches(".cmd")
        .trim_end_matches(".bat");
    if STARTERS.contains(&program) {
        return Err(format!(
            "`{}` starts another program, which hides what would run. {by_hand}",
            shown(command)
        ));
    }
    let program = without_version(program);
    let runs_text = RUN_TEXT.iter().find(|(programs, _)| programs.contains(&program));
    let Some((_, options)) = runs_text else {
        return Ok(());
    };
    // `-lc` is `-l -c`; `--eval=x` is `--eval x`.
    let is_option = |arg: &String| {
        let of_windows = || arg.strip_prefix('/').filter(|_| program == "cmd");
        let Some(option) = arg.strip_prefix('-').or_else(of_windows) else {
            return false;
        };
        let (long, option) = match option.strip_prefix('-') {
            Some(option) => (true, option),
            None => (false, option),
        };
        let option = option.split('=').next().unwrap_or_default().to_lowercase();
        options.contains(&option.as_str())
            || (!long
                && option.len() <= 4
                && options.iter().any(|one| one.len() == 1 && option.ends_with(one)))
    };
    let is_code =
        args.iter().any(is_option) || (program == "deno" && args.first().is_some_and(|arg| arg == "eval"));
    match is_code {
        true => Err(format!(
            "`{}` would run code that is in its arguments, not a server that you can look at. {by_hand}",
            shown(command)
        )),
        false => Ok(()),
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
