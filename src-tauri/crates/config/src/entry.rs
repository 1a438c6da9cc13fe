//! One server in the `mcpServers` format that hosts share, extended with our fields (`id`, `era`, `timeouts`,
//! `authorization`, `advertised`, `limits`, `demo`). Reading is lenient, and writing preserves everything unknown.

mod advertised;
mod groups;
mod http;
mod kept;
mod timeouts;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use patchbay_contract::{
    AdvertisedDraft, AuthorizationDraft, AutomaticDraft, DebuggerDraft, DefinitionTrust, EnvVar, EraChoice,
    FileWatchDraft, ListPaging, ServerDraft, SimulatorSettings, Timeouts, TransportDraft,
};
use patchbay_protocol::limits::Limits;
use serde_json::value::{RawValue, to_raw_value};

pub use http::is_http_url;
pub(crate) use kept::{Content, write_changed};

use crate::{command_words::split, secrets};

const ID: &str = "id";
/// The members of a program.
const PROGRAM: [&str; 4] = ["command", "args", "env", "cwd"];
const SIMULATOR: &str = "simulator";
const FILE_WATCH: &str = "fileWatch";
const DEBUGGER: &str = "debugger";
/// Says whether a program gets the whole environment. Always written to `servers.json`: entries of earlier versions, which
/// always passed it, do not have it.
pub(crate) const INHERIT: &str = "inheritEnvironment";

/// The members of a JSON object, in order and verbatim.
pub(crate) type Members = IndexMap<String, Box<RawValue>>;

/// Whether another host has it disabled by `enabled`, as Zed and Codex write it. Ours do not have that member.
pub(crate) fn is_not_enabled(members: &Members) -> bool {
    members.get("enabled").is_some_and(|raw| raw.get() == "false")
}

/// The content of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadEntry {
    pub(crate) draft: ServerDraft,
    pub(crate) id: Option<String>,
    pub(crate) demo: bool,
    pub(crate) simulator: SimulatorSettings,
    /// How the result differs from what the entry says, in words.
    pub(crate) notes: Vec<String>,
}

/// The reader an entry is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum For<'a> {
    /// Ourselves, under this id.
    Us(&'a str),
    /// Other hosts.
    Others,
}

/// Reads one entry; the error says why it is not a server.
pub(crate) fn read(name: &str, members: &Members) -> Result<ReadEntry, String> {
    let mut notes = Vec::new();
    let transport = match http::url_of(members) {
        Some(_) if members.contains_key("command") => {
            return Err("it has both a `command` and an address".to_owned());
        }
        Some(url) => http::read(url, members, &mut notes)?,
        None => program(members, &mut notes)?,
    };
    let era = match members.get("era") {
        None => EraChoice::default(),
        Some(raw) => serde_json::from_str(raw.get()).unwrap_or_else(|_| {
            notes.push("`era` is not auto, legacy or modern; auto is used".to_owned());
            EraChoice::default()
        }),
    };
    let health_ping_ms = members
        .get("healthPingMs")
        .and_then(|raw| serde_json::from_str(raw.get()).ok());
    let roots = members.get("roots").and_then(|raw| {
        let read = serde_json::from_str(raw.get());
        if read.is_err() {
            notes.push("`roots` is not understood; no roots are shared".to_owned());
        }
        read.ok()
    });
    let authorization = members.get("authorization").and_then(|raw| {
        let read = serde_json::from_str(raw.get());
        if read.is_err() {
            notes.push("`authorization` is not understood; the defaults are used".to_owned());
        }
        read.ok()
    });
    Ok(ReadEntry {
        draft: ServerDraft {
            name: name.to_owned(),
            transport,
            disabled: groups::disabled(written(members, groups::DISABLED), &mut notes),
            groups: groups::read(written(members, groups::GROUPS), &mut notes),
            era,
            timeouts: timeouts::read(members, &mut notes),
            health_ping_ms,
            roots,
            authorization,
            definition_trust: definition_trust(members, &mut notes),
            trust_annotations: trust_annotations(members, &mut notes),
            automatic: automatic(members, &mut notes),
            file_watch: file_watch(members, &mut notes),
            debugger: debugger(members, &mut notes),
            inherit_environment: inherit_environment(members, &mut notes),
            list_paging: list_paging(members, &mut notes),
            advertised: advertised(members, &mut notes),
            limits: limits(members, &mut notes),
        },
        id: text(members, ID).filter(|id| !id.is_empty()),
        demo: members.get("demo").is_some_and(|raw| raw.get() == "true"),
        simulator: simulator(members, &mut notes),
        notes,
    })
}

/// The JSON text of a member.
fn written<'a>(members: &'a Members, name: &str) -> Option<&'a str> {
    members.get(name).map(|raw| raw.get())
}

/// What happens when a tool's definition changes. A value that is not understood never trusts.
fn definition_trust(members: &Members, notes: &mut Vec<String>) -> Option<DefinitionTrust> {
    let read = serde_json::from_str(members.get("definitionTrust")?.get());
    if read.is_err() {
        notes.push("`definitionTrust` is not ask or accept; changed tools must be accepted".to_owned());
    }
    read.ok()
}

/// Whether what the server says about its tools is trusted. A value that is not understood never trusts.
fn trust_annotations(members: &Members, notes: &mut Vec<String>) -> Option<bool> {
    let read = serde_json::from_str(members.get("trustAnnotations")?.get());
    if read.is_err() {
        notes.push("`trustAnnotations` is not true or false; annotations are not trusted".to_owned());
    }
    read.ok().filter(|trust| *trust)
}

/// What is done without being asked. A value that is not understood does nothing.
fn automatic(members: &Members, notes: &mut Vec<String>) -> Option<AutomaticDraft> {
    let read = serde_json::from_str(members.get("automatic")?.get());
    if read.is_err() {
        notes.push("`automatic` is not understood; the server is connected by hand".to_owned());
    }
    read.ok()
        .filter(|automatic| *automatic != AutomaticDraft::default())
}

/// What is watched. A value that is not understood watches nothing and runs nothing.
fn file_watch(members: &Members, notes: &mut Vec<String>) -> Option<FileWatchDraft> {
    let read = serde_json::from_str(members.get(FILE_WATCH)?.get());
    if read.is_err() {
        notes.push("`fileWatch` is not understood; no files are watched".to_owned());
    }
    read.ok().filter(|watch| *watch != FileWatchDraft::default())
}

/// The debugger. A value that is not understood starts none.
fn debugger(members: &Members, notes: &mut Vec<String>) -> Option<DebuggerDraft> {
    let read = serde_json::from_str(members.get(DEBUGGER)?.get());
    if read.is_err() {
        notes.push("`debugger` is not understood; the server is started without".to_owned());
    }
    read.ok()
}

/// What is answered automatically. A value that is not understood switches nothing on.
fn simulator(members: &Members, notes: &mut Vec<String>) -> SimulatorSettings {
    let Some(raw) = members.get(SIMULATOR) else {
        return SimulatorSettings::default();
    };
    serde_json::from_str(raw.get()).unwrap_or_else(|_| {
        notes.push("`simulator` is not understood; nothing is simulated".to_owned());
        SimulatorSettings::default()
    })
}

/// Writes what is answered automatically.
fn write_simulator(members: &mut Members, settings: &SimulatorSettings) -> serde_json::Result<()> {
    set(
        members,
        SIMULATOR,
        (*settings != SimulatorSettings::default()).then_some(settings),
    )
}

/// Whether a program gets the whole environment. A value that is not understood never gives it away.
fn inherit_environment(members: &Members, notes: &mut Vec<String>) -> Option<bool> {
    let read = serde_json::from_str(members.get(INHERIT)?.get());
    if read.is_err() {
        notes.push(
            "`inheritEnvironment` is not true or false; a short list of variables is passed".to_owned(),
        );
    }
    read.ok().filter(|inherit| *inherit)
}

/// How the pages of lists are requested.
fn list_paging(members: &Members, notes: &mut Vec<String>) -> Option<ListPaging> {
    let read = serde_json::from_str(members.get("listPaging")?.get());
    if read.is_err() {
        notes.push("`listPaging` is not all or pageByPage; all pages are requested".to_owned());
    }
    read.ok()
}

/// What is declared to the server.
fn advertised(members: &Members, notes: &mut Vec<String>) -> Option<AdvertisedDraft> {
    let read = advertised::read(members.get("advertised")?);
    if read.is_none() {
        notes.push("`advertised` is not understood; everything that can be answered is declared".to_owned());
    }
    read
}

/// The changed limits. One that is not understood counts as the default.
fn limits(members: &Members, notes: &mut Vec<String>) -> BTreeMap<String, u32> {
    let Some(raw) = members.get("limits") else {
        return BTreeMap::new();
    };
    let Ok(written) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(raw.get()) else {
        notes.push("`limits` is not understood; the defaults are used".to_owned());
        return BTreeMap::new();
    };
    let mut changed = BTreeMap::new();
    for (name, raw) in written {
        let value = serde_json::from_str(raw.get()).map_err(|_| format!("`{raw}` is not a number"));
        let known = value.and_then(|value| match Limits::default().set(&name, value) {
            Ok(()) => Ok(value),
            Err(error) => Err(error.to_string()),
        });
        match known {
            Ok(value) => drop(changed.insert(name, value)),
            Err(why) => notes.push(format!("`limits.{name}` is not used: {why}")),
        }
    }
    changed
}

fn program(members: &Members, notes: &mut Vec<String>) -> Result<TransportDraft, String> {
    let (command, args, env) = command_of(members, notes)?;
    let (command, args) = split_command(command, args);
    Ok(TransportDraft::Stdio {
        command,
        args,
        env,
        cwd: text(members, "cwd").filter(|cwd| !cwd.is_empty()),
    })
}

/// An entry without what other hosts must not get: they do not simulate, and a member that is not known may have secrets in it.
pub(crate) fn for_others(members: &Members) -> Members {
    let mut members = members.clone();
    members.shift_remove(SIMULATOR);
    if http::url_of(&members).is_none() {
        http::remove_leftovers(&mut members);
    }
    for (name, raw) in &mut members {
        if let Some(masked) = secrets::masked_json(name, raw) {
            *raw = masked;
        }
    }
    members
}

/// Writes a draft into an entry and leaves unknown members unchanged.
pub(crate) fn write(
    members: &mut Members,
    whom: For<'_>,
    demo: bool,
    draft: &ServerDraft,
) -> serde_json::Result<()> {
    match &draft.transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            http::remove(members);
            remove_zed(members);
            set(members, "command", Some(command))?;
            set(members, "args", Some(args))?;
            let env: IndexMap<&str, &str> = env
                .iter()
                .map(|var| (var.name.as_str(), var.value.as_str()))
                .collect();
            set(members, "env", (!env.is_empty()).then_some(&env))?;
            set(members, "cwd", cwd.as_ref())?;
        }
        http @ TransportDraft::Http { .. } => {
            for name in PROGRAM {
                members.shift_remove(name);
            }
            http::write(members, whom, http)?;
        }
    }
    set(members, groups::DISABLED, draft.disabled.then_some(true))?;
    let id = match whom {
        For::Us(id) => Some(id),
        For::Others => None,
    };
    set(members, ID, id)?;
    set(
        members,
        "era",
        (draft.era != EraChoice::default()).then_some(&draft.era),
    )?;
    set(
        members,
        "timeouts",
        (draft.timeouts != Timeouts::default()).then_some(&draft.timeouts),
    )?;
    set(members, "healthPingMs", draft.health_ping_ms.filter(|ms| *ms > 0))?;
    write_own(members, matches!(whom, For::Us(_)).then_some(draft))?;
    set(members, "demo", demo.then_some(true))
}

/// Writes what other hosts do not read; for them, `draft` is none.
fn write_own(members: &mut Members, draft: Option<&ServerDraft>) -> serde_json::Result<()> {
    let groups = draft
        .map(|draft| &draft.groups)
        .filter(|groups| !groups.is_empty());
    set(members, groups::GROUPS, groups)?;
    let authorization = draft.and_then(|draft| draft.authorization.as_ref());
    let trust = draft.and_then(|draft| draft.definition_trust).unwrap_or_default();
    let paging = draft.and_then(|draft| draft.list_paging).unwrap_or_default();
    let program = draft.filter(|draft| matches!(draft.transport, TransportDraft::Stdio { .. }));
    let watch = program.and_then(|draft| draft.file_watch.as_ref());
    set(
        members,
        FILE_WATCH,
        watch.filter(|own| **own != FileWatchDraft::default()),
    )?;
    let debugger = program.and_then(|draft| draft.debugger.as_ref());
    set(members, DEBUGGER, debugger)?;
    let inherit = program.map(|draft| draft.inherit_environment == Some(true));
    set(members, INHERIT, inherit)?;
    let advertised = match draft.and_then(|draft| draft.advertised.as_ref()) {
        Some(advertised) => advertised::written(advertised)?,
        None => None,
    };
    set(members, "advertised", advertised)?;
    let limits = draft.map(|draft| &draft.limits);
    set(members, "limits", limits.filter(|limits| !limits.is_empty()))?;
    set(members, "roots", draft.and_then(|draft| draft.roots.as_ref()))?;
    set(
        members,
        "authorization",
        authorization.filter(|own| **own != AuthorizationDraft::default()),
    )?;
    set(
        members,
        "definitionTrust",
        (trust != DefinitionTrust::default()).then_some(trust),
    )?;
    let trust = draft.and_then(|draft| draft.trust_annotations);
    set(members, "trustAnnotations", trust.filter(|trust| *trust))?;
    let automatic = draft.and_then(|draft| draft.automatic.as_ref());
    set(
        members,
        "automatic",
        automatic.filter(|own| **own != AutomaticDraft::default()),
    )?;
    set(
        members,
        "listPaging",
        (paging != ListPaging::default()).then_some(paging),
    )
}

/// Removes the members of Zed's format, whose `command` holds all settings.
fn remove_zed(members: &mut Members) {
    let command = members.get("command");
    if command.is_some_and(|raw| raw.get().starts_with('{')) {
        members.shift_remove("path");
    }
}

fn set<T: serde::Serialize>(members: &mut Members, name: &str, value: Option<T>) -> serde_json::Result<()> {
    match value {
        Some(value) => {
            members.insert(name.to_owned(), to_raw_value(&value)?);
        }
        None => {
            members.shift_remove(name);
        }
    }
    Ok(())
}

type Command = (String, Vec<String>, Vec<EnvVar>);

fn command_of(members: &Members, notes: &mut Vec<String>) -> Result<Command, String> {
    let Some(raw) = members.get("command") else {
        return Err("it has neither a `command` nor a `url`".to_owned());
    };
    // Zed used to nest all three: {"command": {"path", "args", "env"}}.
    if let Ok(nested) = serde_json::from_str::<Members>(raw.get()) {
        let path = text(&nested, "path").ok_or("its `command` has no `path`")?;
        return Ok((path, args_of(&nested, notes)?, env_of(&nested, notes)?));
    }
    match text(members, "command").map(|command| command.trim().to_owned()) {
        Some(command) if !command.is_empty() => {
            Ok((command, args_of(members, notes)?, env_of(members, notes)?))
        }
        Some(_) => Err("its `command` is empty".to_owned()),
        None => Err("its `command` is not a text".to_owned()),
    }
}

/// `"command": "npx -y server"` without `args`: a whole command line instead of the program.
pub(crate) fn split_command(command: String, args: Vec<String>) -> (String, Vec<String>) {
    let is_line =
        args.is_empty() && command.contains(char::is_whitespace) && !command.starts_with(['/', '.', '~']);
    match is_line.then(|| split(&command)).flatten() {
        Some(words) if words.len() > 1 && !words[0].contains(['\\', ':']) => {
            let mut words = words.into_iter();
            (words.next().unwrap_or_default(), words.collect())
        }
        _ => (command, args),
    }
}

fn args_of(members: &Members, notes: &mut Vec<String>) -> Result<Vec<String>, String> {
    let Some(raw) = members.get("args").filter(|raw| raw.get() != "null") else {
        return Ok(Vec::new());
    };
    if let Ok(line) = serde_json::from_str::<String>(raw.get()) {
        notes.push("`args` is one text; it was taken apart like a command line".to_owned());
        return split(&line).ok_or_else(|| "a quote in its `args` is not closed".to_owned());
    }
    let Ok(list) = serde_json::from_str::<Vec<Box<RawValue>>>(raw.get()) else {
        return Err("its `args` is not a list".to_owned());
    };
    list.iter()
        .map(|raw| scalar(raw).ok_or_else(|| format!("its argument {raw} is not a text")))
        .collect()
}

fn env_of(members: &Members, notes: &mut Vec<String>) -> Result<Vec<EnvVar>, String> {
    let Some(raw) = members.get("env").filter(|raw| raw.get() != "null") else {
        return Ok(Vec::new());
    };
    let Ok(env) = serde_json::from_str::<Members>(raw.get()) else {
        return Err("its `env` is not an object".to_owned());
    };
    let mut vars = Vec::new();
    for (name, raw) in env {
        let Some(value) = scalar(&raw) else {
            notes.push(format!(
                "the variable `{name}` has no text as its value; it was left out"
            ));
            continue;
        };
        if is_placeholder(&value) {
            notes.push(format!(
                "the variable `{name}` is a placeholder ({value}); fill it in"
            ));
        }
        vars.push(EnvVar { name, value });
    }
    Ok(vars)
}

/// `${input:token}`, `Bearer ${TOKEN}`: a value that the user must fill in. A vault reference is not a placeholder.
fn is_placeholder(value: &str) -> bool {
    !secrets::has_reference(value)
        && value
            .split_once("${")
            .is_some_and(|(_, rest)| rest.ends_with('}') && rest.matches('}').count() == 1)
}

fn text(members: &Members, name: &str) -> Option<String> {
    members
        .get(name)
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
}

/// A string, or a number or boolean as written.
fn scalar(raw: &RawValue) -> Option<String> {
    match raw.get().as_bytes().first()? {
        b'"' => serde_json::from_str(raw.get()).ok(),
        b'{' | b'[' | b'n' => None,
        _ => Some(raw.get().to_owned()),
    }
}
