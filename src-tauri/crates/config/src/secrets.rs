//! Locates secrets in a server's settings by name: which are masked in the log, stored in the vault, and removed from
//! exports.

mod inputs;
mod json;
mod names;
mod references;

use std::{ffi::OsString, ops::Range};

use indexmap::IndexMap;
use patchbay_contract::{
    AuthorizationDraft, HttpHeader, ProxyDraft, SecretPlace, ServerDraft, TransportDraft,
};
use patchbay_secret::Secret;
use serde_json::value::RawValue;

pub(crate) use inputs::input_ids;
pub use inputs::take_inputs;
pub(crate) use json::masked_json;
pub use names::is_secret_name;
pub(crate) use references::keep;
pub use references::{fill_in, has_reference, names_of, plain, reference, take, unknown};

/// A secret, or its replacement.
struct SecretLocation<'a> {
    place: SecretPlace,
    /// The name of the header, variable, option or parameter.
    name: &'a str,
    /// The secret part of the value, verbatim.
    value: &'a str,
}

/// The values that the recorder masks, with their names: those of the server and those inherited from our environment. The
/// draft holds values, not references.
pub fn of(draft: &ServerDraft, environment: &[(OsString, OsString)]) -> Vec<(String, Secret)> {
    let mut found = Vec::new();
    for_each_secret(draft, |location| {
        found.extend(forms(location.name, location.value));
    });
    if let TransportDraft::Stdio { .. } = draft.transport {
        let inherited = environment
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value.to_str()?)));
        found.extend(inherited.flat_map(|(name, value)| {
            let parts = parts(name, value).into_iter();
            parts.flat_map(|(name, range)| forms(&name, &value[range]))
        }));
    }
    found
}

/// A secret as it is written, and as a program reads it if it is a part of JSON.
fn forms(name: &str, written: &str) -> Vec<(String, Secret)> {
    let mut forms = vec![(name.to_owned(), Secret::new(written))];
    if written.contains('\\')
        && let Ok(read) = serde_json::from_str::<String>(&format!("\"{written}\""))
    {
        forms.push((name.to_owned(), Secret::new(read)));
    }
    forms
}

/// The draft with every secret replaced by `${NAME}`, so that it may leave this machine.
pub fn without(draft: &ServerDraft) -> ServerDraft {
    let mut draft = draft.clone();
    visit(&mut draft, |location| Some(names::placeholder(location.name)));
    references::strip(&mut draft);
    draft
}

/// Calls `look` with every secret.
fn for_each_secret(draft: &ServerDraft, mut see: impl FnMut(&SecretLocation<'_>)) {
    visit(&mut draft.clone(), |location| {
        see(location);
        None
    });
}

/// Calls `change` with every secret; it may return a replacement.
fn visit(draft: &mut ServerDraft, mut change: impl FnMut(&SecretLocation<'_>) -> Option<String>) {
    let mut at = |place, name: &str, text: &mut String, range: Range<usize>| {
        let location = SecretLocation {
            place,
            name,
            value: &text[range.clone()],
        };
        if let Some(new) = change(&location) {
            text.replace_range(range, &new);
        }
    };
    match &mut draft.transport {
        TransportDraft::Stdio { args, env, .. } => {
            for var in env {
                // From the end, so that the earlier ranges stay valid.
                for (name, range) in parts(&var.name, &var.value).into_iter().rev() {
                    at(SecretPlace::Env, &name, &mut var.value, range);
                }
            }
            for (index, name, range) in in_args(args) {
                at(SecretPlace::Argument, &name, &mut args[index], range);
            }
        }
        TransportDraft::Http {
            url, headers, proxy, ..
        } => {
            for header in headers {
                if is_secret_value(header) && !header.value.is_empty() {
                    let range = credential(&header.name, &header.value);
                    at(SecretPlace::Header, &header.name, &mut header.value, range);
                }
            }
            // From the end, so that the earlier ranges stay valid.
            for (name, range) in in_query(url).into_iter().rev() {
                at(SecretPlace::Address, &name, url, range);
            }
            if let ProxyDraft::Url { url } = proxy
                && let Some(range) = password(url)
            {
                at(SecretPlace::Proxy, "proxy password", url, range);
            }
        }
    }
    if let Some(build) = draft.file_watch.as_mut().and_then(|watch| watch.build.as_mut()) {
        for (index, name, range) in in_args(&build.args) {
            at(SecretPlace::Argument, &name, &mut build.args[index], range);
        }
    }
    for (name, text) in in_authorization(&mut draft.authorization) {
        let range = 0..text.len();
        at(SecretPlace::Authorization, name, text, range);
    }
}

/// The secrets in authorization settings.
fn in_authorization(
    authorization: &mut Option<AuthorizationDraft>,
) -> impl Iterator<Item = (&'static str, &mut String)> {
    let all = authorization.iter_mut().flat_map(|authorization| {
        let enterprise = authorization.enterprise.iter_mut().flat_map(|enterprise| {
            [
                (
                    "identity provider's client secret",
                    enterprise.client_secret.as_mut(),
                ),
                ("ID token", enterprise.id_token.as_mut()),
            ]
        });
        [
            ("client secret", authorization.client_secret.as_mut()),
            ("private key", authorization.private_key.as_mut()),
        ]
        .into_iter()
        .chain(enterprise)
    });
    all.filter_map(|(name, text)| Some((name, text?)))
        .filter(|(_, text)| !text.is_empty())
}

/// Whether a header's value is hidden in the log and in exports.
fn is_secret_value(header: &HttpHeader) -> bool {
    header.is_secret || is_secret_name(&header.name)
}

/// The schemes that are also written in other headers than those of HTTP.
const SCHEMES: &[&str] = &["Bearer", "Basic", "Token", "DPoP", "ApiKey"];

/// The secret part of a header's value, without its scheme (`Bearer …`). A word that is none is a part of the secret.
fn credential(name: &str, value: &str) -> Range<usize> {
    let is_any = |of: &[&str], word: &str| of.iter().any(|one| one.eq_ignore_ascii_case(word));
    let is_scheme = |word: &str| match is_any(&["Authorization", "Proxy-Authorization"], name) {
        true => word.chars().all(|c| c.is_ascii_alphabetic()),
        false => is_any(SCHEMES, word),
    };
    match value.split_once(' ') {
        Some((scheme, rest)) if !rest.is_empty() && is_scheme(scheme) => {
            value.len() - rest.trim_start().len()..value.len()
        }
        _ => 0..value.len(),
    }
}

/// `?api_key=VALUE` in an address: the name and the range of the secret.
fn in_query(url: &str) -> Vec<(String, Range<usize>)> {
    let Some(question) = url.find('?') else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut at = question + 1;
    let end = url[at..].find('#').map_or(url.len(), |fragment| at + fragment);
    for pair in url[at..end].split('&') {
        if let Some((name, value)) = pair.split_once('=')
            && is_secret_name(name)
            && !value.is_empty()
        {
            found.push((name.to_owned(), at + name.len() + 1..at + pair.len()));
        }
        at += pair.len() + 1;
    }
    found
}

/// The secret parts of a variable, with their names: members of an object (`{"Authorization": "Bearer …"}`), or one part.
fn parts(name: &str, value: &str) -> Vec<(String, Range<usize>)> {
    let members = match is_secret_name(name) {
        true => Vec::new(),
        false => in_object(value),
    };
    match part(name, value) {
        Some(range) if members.is_empty() => vec![(name.to_owned(), range)],
        _ => members,
    }
}

/// The secret members of a JSON object, and of objects in it, in order.
fn in_object(text: &str) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut open = vec![text];
    // What is deeper is not a setting: each level is read once more.
    for _ in 0..4 {
        for within in std::mem::take(&mut open) {
            let Ok(members) = serde_json::from_str::<IndexMap<String, &RawValue>>(within) else {
                continue;
            };
            for (name, raw) in members {
                let raw = raw.get();
                let begin = raw.as_ptr() as usize - text.as_ptr() as usize;
                let content = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
                match content {
                    Some(content) if is_secret_name(&name) && !content.is_empty() => {
                        let Range { start, end } = credential(&name, content);
                        found.push((name, begin + 1 + start..begin + 1 + end));
                    }
                    None if raw.starts_with('{') => open.push(raw),
                    _ => {}
                }
            }
        }
    }
    found.sort_by_key(|(_, range)| range.start);
    found
}

/// The secret part of a value: all of it if its name indicates a secret, otherwise the password in an address.
fn part(name: &str, value: &str) -> Option<Range<usize>> {
    match is_secret_name(name) && !value.is_empty() {
        true => Some(0..value.len()),
        false => password(value),
    }
}

/// The password in `scheme://user:password@host…`.
fn password(address: &str) -> Option<Range<usize>> {
    let begin = address.find("://")? + 3;
    let end = address[begin..]
        .find(['/', '?', '#'])
        .map_or(address.len(), |at| begin + at);
    let at = begin + address[begin..end].rfind('@')?;
    let colon = begin + address[begin..at].find(':')?;
    Some(colon + 1..at).filter(|range| !range.is_empty())
}

/// A header in a word: `--header=Authorization: Bearer VALUE`, `-HX-Api-Key:VALUE`, or `Authorization: Bearer VALUE` alone. The
/// name and the range of the secret. A colon without a space after it means a header only where one belongs (`is_header`): it
/// is also in a path, an address or a Docker volume.
fn in_header(word: &str, is_header: bool) -> Option<(&str, Range<usize>)> {
    let option = ["--header=", "-H"]
        .into_iter()
        .find(|option| word.starts_with(option));
    let (name, value) = word[option.map_or(0, str::len)..].split_once(':')?;
    let is_name = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let is_header = is_header || option.is_some() || value.starts_with(' ');
    if !is_header || !is_name(name.trim()) || !is_secret_name(name) {
        return None;
    }
    let value = value.trim_start();
    let begin = word.len() - value.len();
    let range = credential(name.trim(), value);
    (!range.is_empty()).then(|| (name.trim(), begin + range.start..begin + range.end))
}

/// `--api-key VALUE`, `--api-key=VALUE`, `-e API_KEY=VALUE`, headers and addresses with a password: the argument's index, the
/// name and the range.
fn in_args(args: &[String]) -> Vec<(usize, String, Range<usize>)> {
    let mut found = Vec::new();
    let mut option = None;
    for (index, arg) in args.iter().enumerate() {
        let of_option = option.take().filter(|_| !arg.starts_with('-'));
        // Before the rule of `=`, which may be padding of the value.
        if let Some((name, range)) = in_header(arg, matches!(of_option, Some("-H" | "--header"))) {
            found.push((index, name.to_owned(), range));
            continue;
        }
        let parts = [
            arg.find('=').map(|at| (&arg[..at], at + 1)),
            of_option.map(|name| (name, 0)),
            Some(("", 0)),
        ];
        let secret = parts.into_iter().flatten().find_map(|(name, begin)| {
            let range = part(name, &arg[begin..])?;
            Some((name, range.start + begin..range.end + begin))
        });
        match secret {
            Some((name, range)) => found.push((index, name.to_owned(), range)),
            None => option = arg.starts_with('-').then_some(arg.as_str()),
        }
    }
    found
}

#[cfg(test)]
mod tests;
