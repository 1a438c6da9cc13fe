//! An HTTP server in the `mcpServers` format: `url`, `type`, `headers`, and our own members (`secretHeaders`, `proxy`,
//! `caFile`, `clientCertificate`, `acceptedFingerprint`).

use indexmap::IndexMap;
use patchbay_contract::{HttpHeader, HttpKind, ProxyDraft, TransportDraft};

use super::{For, Members, is_placeholder, scalar, set, text};
use crate::secrets::is_secret_name;

/// The names of the address: Windsurf, Gemini, Goose and all others.
const ADDRESS: &[&str] = &["url", "serverUrl", "httpUrl", "uri"];
/// The other members of an HTTP entry.
const OURS: &[&str] = &[
    "type",
    "headers",
    "secretHeaders",
    "proxy",
    "caFile",
    "clientCertificate",
    "acceptedFingerprint",
];
/// `"proxy": "none"`: no proxy, even if the environment names one.
const NO_PROXY: &str = "none";
/// `"proxy": "system"`: that of the environment, whatever the settings of Patchbay say.
const SYSTEM_PROXY: &str = "system";

/// Whether a text begins like an address. A scheme can be in upper case.
#[must_use]
pub fn is_http_url(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| {
        text.get(..scheme.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    })
}

/// The address, if the entry has one.
pub(super) fn url_of(members: &Members) -> Option<String> {
    ADDRESS
        .iter()
        .find_map(|name| text(members, name))
        .map(|url| url.trim().to_owned())
        .filter(|url| !url.is_empty())
}

pub(super) fn read(
    url: String,
    members: &Members,
    notes: &mut Vec<String>,
) -> Result<TransportDraft, String> {
    let optional = |name: &str| text(members, name).filter(|text| !text.is_empty());
    Ok(TransportDraft::Http {
        url,
        kind: kind(members, notes)?,
        headers: headers(members, notes)?,
        proxy: match optional("proxy").as_deref() {
            None => ProxyDraft::App,
            Some(SYSTEM_PROXY) => ProxyDraft::System,
            Some(NO_PROXY) => ProxyDraft::None,
            Some(url) => ProxyDraft::Url { url: url.to_owned() },
        },
        ca_file: optional("caFile"),
        client_certificate: optional("clientCertificate"),
        accepted_fingerprint: optional("acceptedFingerprint"),
    })
}

fn kind(members: &Members, notes: &mut Vec<String>) -> Result<HttpKind, String> {
    let Some(kind) = text(members, "type").or_else(|| text(members, "transport")) else {
        // Only Gemini's name for the address implies the transport.
        return Ok(match members.contains_key("httpUrl") {
            true => HttpKind::StreamableHttp,
            false => HttpKind::Auto,
        });
    };
    match kind.to_ascii_lowercase().replace(['-', '_'], "").as_str() {
        "http" | "streamablehttp" | "streamable" => Ok(HttpKind::StreamableHttp),
        "sse" => Ok(HttpKind::Sse),
        "auto" | "remote" => Ok(HttpKind::Auto),
        "stdio" => Err("its `type` is stdio, but it has an address and no `command`".to_owned()),
        _ => {
            notes.push(format!(
                "the transport `{kind}` is not known; both HTTP transports are tried"
            ));
            Ok(HttpKind::Auto)
        }
    }
}

fn headers(members: &Members, notes: &mut Vec<String>) -> Result<Vec<HttpHeader>, String> {
    let Some(raw) = members.get("headers").filter(|raw| raw.get() != "null") else {
        return Ok(Vec::new());
    };
    let Ok(headers) = serde_json::from_str::<Members>(raw.get()) else {
        return Err("its `headers` is not an object".to_owned());
    };
    let secret: Vec<String> = members
        .get("secretHeaders")
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default();
    let mut read = Vec::new();
    for (name, raw) in headers {
        let Some(value) = scalar(&raw) else {
            notes.push(format!(
                "the header `{name}` has no text as its value; it was left out"
            ));
            continue;
        };
        if is_placeholder(&value) {
            notes.push(format!(
                "the header `{name}` is a placeholder ({value}); fill it in"
            ));
        }
        let is_secret =
            is_secret_name(&name) || secret.iter().any(|secret| secret.eq_ignore_ascii_case(&name));
        read.push(HttpHeader {
            name,
            value,
            is_secret,
        });
    }
    Ok(read)
}

/// Whether a member is of an HTTP server.
pub(super) fn is_member(name: &str) -> bool {
    ADDRESS.contains(&name) || OURS.contains(&name)
}

/// Removes all members of an HTTP server from an entry.
pub(super) fn remove(members: &mut Members) {
    // VS Code writes `"type": "stdio"`; it is kept.
    if url_of(members).is_none() {
        return;
    }
    for name in ADDRESS.iter().chain(OURS) {
        members.shift_remove(*name);
    }
}

/// Removes what is left of an HTTP server in the entry of a program.
pub(super) fn remove_leftovers(members: &mut Members) {
    // VS Code writes `"type": "stdio"`.
    for name in OURS.iter().filter(|name| **name != "type") {
        members.shift_remove(*name);
    }
}

pub(super) fn write(members: &mut Members, whom: For<'_>, draft: &TransportDraft) -> serde_json::Result<()> {
    let TransportDraft::Http {
        url,
        kind,
        headers,
        proxy,
        ca_file,
        client_certificate,
        accepted_fingerprint,
    } = draft
    else {
        return Ok(());
    };
    let address = ADDRESS
        .iter()
        .find(|name| members.contains_key(**name))
        .unwrap_or(&"url");
    set(members, address, Some(url))?;
    let kind = match (kind, whom) {
        (HttpKind::Sse, _) => Some("sse"),
        // Some hosts assume a program if the type is missing.
        (HttpKind::StreamableHttp, _) | (HttpKind::Auto, For::Others) => Some("http"),
        (HttpKind::Auto, For::Us(_)) => None,
    };
    set(members, "type", kind)?;
    let values: IndexMap<&str, &str> = headers
        .iter()
        .map(|header| (header.name.as_str(), header.value.as_str()))
        .collect();
    set(members, "headers", (!values.is_empty()).then_some(&values))?;
    let ours = matches!(whom, For::Us(_));
    let secret: Vec<&str> = headers
        .iter()
        .filter(|header| header.is_secret && !is_secret_name(&header.name))
        .map(|header| header.name.as_str())
        .collect();
    set(
        members,
        "secretHeaders",
        (ours && !secret.is_empty()).then_some(&secret),
    )?;
    let proxy = match proxy {
        ProxyDraft::App => None,
        ProxyDraft::System => Some(SYSTEM_PROXY),
        ProxyDraft::None => Some(NO_PROXY),
        ProxyDraft::Url { url } => Some(url.as_str()),
    };
    set(members, "proxy", proxy.filter(|_| ours))?;
    set(members, "caFile", ca_file.as_ref().filter(|_| ours))?;
    set(
        members,
        "clientCertificate",
        client_certificate.as_ref().filter(|_| ours),
    )?;
    set(
        members,
        "acceptedFingerprint",
        accepted_fingerprint.as_ref().filter(|_| ours),
    )
}
