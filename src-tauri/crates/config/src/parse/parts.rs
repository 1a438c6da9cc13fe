//! What a pasted text is put together from: drafts, variables and headers.

use patchbay_contract::{EnvVar, HttpHeader, HttpKind, ServerDraft, TransportDraft};

use crate::secrets::is_secret_name;

/// A command as a draft.
pub(super) fn stdio(
    name: String,
    command: String,
    args: Vec<String>,
    env: Vec<EnvVar>,
    cwd: Option<String>,
) -> ServerDraft {
    ServerDraft::new(
        name,
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        },
    )
}

/// An address as a draft. The transport is detected when connecting.
pub fn http(name: String, url: String, kind: HttpKind, headers: Vec<HttpHeader>) -> ServerDraft {
    ServerDraft::new(
        name,
        TransportDraft::Http {
            url,
            kind,
            headers,
            proxy: Default::default(),
            ca_file: None,
            client_certificate: None,
            accepted_fingerprint: None,
        },
    )
}

/// `KEY=value`, if the name can be that of a variable.
pub(super) fn assignment(word: &str) -> Option<EnvVar> {
    let (name, value) = word.split_once('=')?;
    let mut chars = name.chars();
    let begins = chars.next().is_some_and(|c| c == '_' || c.is_ascii_alphabetic());
    (begins && chars.all(|c| c == '_' || c.is_ascii_alphanumeric())).then(|| EnvVar {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

/// `Authorization: Bearer …`, as `--header` takes it.
pub(super) fn header(text: &str) -> Option<HttpHeader> {
    let (name, value) = text.split_once(':')?;
    let name = name.trim().to_owned();
    Some(HttpHeader {
        is_secret: is_secret_name(&name),
        value: value.trim().to_owned(),
        name,
    })
}
