//! What settings of others never decide: pasted or dropped text, a link, a file of another host.
//!
//! A review shows how a server is started or reached. The rest of the settings can run a program, send traffic elsewhere or trust
//! a stranger, and nobody sees that in a review: the user sets it in the dialog.

use patchbay_contract::{AuthorizationDraft, AuthorizationMode, ProxyDraft, ServerDraft, TransportDraft};

/// Removes from a foreign draft what the user decides. The notes say what was left out, and why.
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
        .collect()
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
