//! What settings of others never decide: pasted or dropped text, a link, a file of another host.
//!
//! A review shows how a server is started or reached. The rest of the settings can run a program, send traffic elsewhere or trust
//! a stranger, and nobody sees that in a review: the user sets it in the dialog.

use patchbay_contract::{AuthorizationDraft, AuthorizationMode, ProxyDraft, ServerDraft, TransportDraft};

use crate::{entry::Members, secrets};

/// Members of other hosts that decide how a server is started or reached, and how that is done here.
const THEIRS: &[(&str, &str)] = &[
    ("envFile", "its variables are entered in the dialog"),
    ("oauth", "authorization is set in the dialog"),
    ("headersHelper", "headers are entered in the dialog"),
    ("authProviderType", "authorization is set in the dialog"),
];

/// Which members of an entry are not taken, and what to do instead.
pub(crate) fn left_out(members: &Members) -> impl Iterator<Item = String> {
    let is_set = |name: &str| members.get(name).is_some_and(|raw| raw.get() != "null");
    let set = THEIRS.iter().filter(move |(name, _)| is_set(name));
    set.map(|(name, instead)| format!("`{name}` is left out: {instead}"))
}

/// Removes from a foreign draft what the user decides. The notes say what was left out, and why, and what has to be filled in.
pub(crate) fn restrict(draft: &mut ServerDraft) -> Vec<String> {
    // Trust is a decision of the user, not of the author of the text.
    draft.definition_trust = None;
    draft.trust_annotations = None;
    draft.automatic = None;
    draft.groups.clear();
    let own = [
        (
            draft.file_watch.take().is_some(),
            "fileWatch",
            "what is run when files change is chosen in the dialog",
        ),
        (
            draft.debugger.take().is_some(),
            "debugger",
            "it is chosen in the dialog",
        ),
        (
            draft.inherit_environment.take().is_some(),
            "inheritEnvironment",
            "which variables a program gets is chosen in the dialog",
        ),
        (
            drop_assertion(&mut draft.authorization),
            "authorization.assertion",
            "what is read or run to get a token is chosen in the dialog",
        ),
    ];
    own.into_iter()
        .chain(restrict_http(&mut draft.transport))
        .filter(|(was_set, ..)| *was_set)
        .map(|(_, name, why)| format!("`{name}` is left out: {why}"))
        .chain(placeholders(&draft.transport))
        .collect()
}

/// The placeholders (`${NAME}`) in the texts that name no variable and no header; those were noted when they were read.
fn placeholders(transport: &TransportDraft) -> Vec<String> {
    let mut notes = Vec::new();
    let mut look = |what: String, text: &str, is_known: &dyn Fn(&str) -> bool| {
        if let Some(mark) = placeholder(text, is_known) {
            notes.push(format!("{what} has a placeholder ({mark}); fill it in"));
        }
    };
    match transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            // Some programs fill in the variables that they get.
            let is_variable = |name: &str| env.iter().any(|var| var.name == name);
            look("its `command`".to_owned(), command, &is_variable);
            for (index, arg) in args.iter().enumerate() {
                let before = index.checked_sub(1).and_then(|before| args.get(before));
                // A shell fills in what is in its script.
                if !before.is_some_and(|option| option.starts_with('-') && option.ends_with('c')) {
                    look(format!("argument {}", index + 1), arg, &is_variable);
                }
            }
            look(
                "its `cwd`".to_owned(),
                cwd.as_deref().unwrap_or_default(),
                &is_variable,
            );
        }
        TransportDraft::Http { url, .. } => look("its address".to_owned(), url, &|_| false),
    }
    notes
}

/// The first placeholder in a text, but one of those that are asked for (`${input:ID}`) only if there is no other.
fn placeholder(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<String> {
    let marks = text.split("${").skip(1).filter_map(|rest| rest.split_once('}'));
    let names = marks.map(|(name, _)| name);
    let open: Vec<&str> = names.filter(|name| !is_known(name) && !name.is_empty()).collect();
    let mark = |name: &&str| format!("${{{name}}}");
    let mut all = open.iter().map(mark).filter(|mark| !secrets::has_reference(mark));
    let first = all.clone().next();
    all.find(|mark| !mark.starts_with("${input:")).or(first)
}

/// Leaves the address and the headers of a server over HTTP. Says for each other setting whether it was set, its name, and why it
/// is left out.
fn restrict_http(transport: &mut TransportDraft) -> Vec<(bool, &'static str, &'static str)> {
    let TransportDraft::Http {
        proxy,
        ca_file,
        client_certificate,
        accepted_fingerprint,
        ..
    } = transport
    else {
        return Vec::new();
    };
    let trust = "which certificates are trusted is chosen in the dialog";
    vec![
        (
            std::mem::take(proxy) != ProxyDraft::default(),
            "proxy",
            "the way to a server is chosen in the dialog",
        ),
        (ca_file.take().is_some(), "caFile", trust),
        (
            client_certificate.take().is_some(),
            "clientCertificate",
            "which certificate identifies you is chosen in the dialog",
        ),
        (
            accepted_fingerprint.take().is_some(),
            "acceptedFingerprint",
            trust,
        ),
    ]
}

/// Drops the assertion of a workload, whose source is a file, a variable or a command of this machine, and the mode that needs it.
/// Says whether there was one.
fn drop_assertion(authorization: &mut Option<AuthorizationDraft>) -> bool {
    let Some(draft) = authorization else {
        return false;
    };
    let had_one = draft.assertion.take().is_some();
    if draft.mode == AuthorizationMode::Workload {
        draft.mode = AuthorizationMode::default();
    }
    authorization.take_if(|draft| *draft == AuthorizationDraft::default());
    had_one
}
