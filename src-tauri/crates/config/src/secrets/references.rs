//! References to the vault in a server's settings: `${vault:` + 32 hex digits + `}`, anywhere in a value.
//!
//! A reference is resolved among the secrets of the same server only, so that settings from elsewhere cannot refer to other
//! secrets in this user's vault.

use std::collections::{BTreeSet, HashMap, HashSet};

use patchbay_contract::{PlainSecretItem, ProxyDraft, ServerDraft, ServerId, TransportDraft};
use patchbay_secret::Secret;

use super::{for_each_secret, in_authorization, visit};

const OPEN: &str = "${vault:";
const CLOSE: char = '}';
/// The number of digits in a name.
const DIGITS: usize = 32;

/// The reference to a secret of this name.
#[must_use]
pub fn reference(name: &str) -> String {
    format!("{OPEN}{name}{CLOSE}")
}

/// The names of all references in a draft.
pub fn names_of(draft: &ServerDraft) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for text in texts(&mut draft.clone()) {
        names.extend(in_text(text).map(|(_, name)| name.to_owned()));
    }
    names
}

/// Replaces the references with their values.
pub fn fill_in(draft: &mut ServerDraft, values: &HashMap<String, Secret>) {
    replace(draft, |name| {
        values.get(name).map(|value| value.expose().to_owned())
    });
}

/// Removes the references from settings that leave this machine.
pub(super) fn strip(draft: &mut ServerDraft) {
    replace(draft, |_| Some("${SECRET}".to_owned()));
}

/// Replaces the plain-text secrets of a draft with references, except those in `left`. Returns their names and values.
pub fn take<E>(
    draft: &mut ServerDraft,
    left: Option<&ServerDraft>,
    new_name: impl Fn() -> Result<String, E>,
) -> Result<Vec<(String, Secret)>, E> {
    let mut known = HashSet::new();
    if let Some(left) = left {
        for_each_secret(left, |location| {
            known.insert((location.place, location.value.to_owned()));
        });
    }
    let mut taken = Vec::new();
    let mut failed = None;
    visit(draft, |location| {
        if is_filled_in(location.value) || known.contains(&(location.place, location.value.to_owned())) {
            return None;
        }
        match new_name() {
            Ok(name) => {
                let reference = reference(&name);
                taken.push((name, Secret::new(location.value)));
                Some(reference)
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        }
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(taken),
    }
}

/// Puts our value where `theirs` have only a placeholder: in a variable or a header of the same name, and for a secret of the same
/// name anywhere else. Headers that are secret stay so. What the user is asked for (`${input:ID}`) stays too: the answer is the value.
pub(crate) fn keep(ours: &ServerDraft, theirs: &mut ServerDraft) {
    match (&ours.transport, &mut theirs.transport) {
        (TransportDraft::Stdio { env: ours, .. }, TransportDraft::Stdio { env: theirs, .. }) => {
            for var in theirs.iter_mut().filter(|var| is_left_open(&var.value)) {
                if let Some(our) = ours.iter().find(|our| our.name == var.name) {
                    var.value.clone_from(&our.value);
                }
            }
        }
        (TransportDraft::Http { headers: ours, .. }, TransportDraft::Http { headers: theirs, .. }) => {
            for header in theirs {
                let our = ours
                    .iter()
                    .find(|our| our.name.eq_ignore_ascii_case(&header.name));
                let Some(our) = our else { continue };
                header.is_secret |= our.is_secret;
                if is_left_open(&header.value) {
                    header.value.clone_from(&our.value);
                }
            }
        }
        _ => return,
    }
    let mut known = HashMap::new();
    for_each_secret(ours, |our| {
        let name = our.name.to_ascii_lowercase();
        known
            .entry((our.place, name))
            .or_insert_with(|| our.value.to_owned());
    });
    visit(theirs, |secret| match is_left_open(secret.value) {
        true => known
            .get(&(secret.place, secret.name.to_ascii_lowercase()))
            .cloned(),
        false => None,
    });
}

/// The plain-text secrets of a draft.
pub fn plain(id: Option<&ServerId>, draft: &ServerDraft) -> Vec<PlainSecretItem> {
    let mut items = Vec::new();
    for_each_secret(draft, |location| {
        if !is_filled_in(location.value) {
            items.push(PlainSecretItem {
                server_id: id.cloned(),
                server_name: draft.name.clone(),
                place: location.place,
                name: location.name.to_owned(),
            });
        }
    });
    items
}

/// Describes where a draft refers to anything other than `allowed`.
pub fn unknown(draft: &ServerDraft, allowed: &BTreeSet<String>) -> Option<String> {
    let mut draft = draft.clone();
    let mut found = None;
    let mut look = |what: String, text: &str| {
        if found.is_none() && in_text(text).any(|(_, name)| !allowed.contains(name)) {
            found = Some(what);
        }
    };
    match &draft.transport {
        TransportDraft::Stdio { args, env, .. } => {
            for var in env {
                look(format!("the variable `{}`", var.name), &var.value);
            }
            for (index, arg) in args.iter().enumerate() {
                look(format!("argument {}", index + 1), arg);
            }
            let build = draft.file_watch.iter().flat_map(|watch| &watch.build);
            for (index, arg) in build.flat_map(|build| &build.args).enumerate() {
                look(format!("argument {} of the build", index + 1), arg);
            }
        }
        TransportDraft::Http {
            url, headers, proxy, ..
        } => {
            for header in headers {
                look(format!("the header `{}`", header.name), &header.value);
            }
            look("the address".to_owned(), url);
            if let ProxyDraft::Url { url } = proxy {
                look("the proxy's address".to_owned(), url);
            }
        }
    }
    for (name, text) in in_authorization(&mut draft.authorization) {
        look(format!("the {name}"), text);
    }
    found
}

/// Whether there is a reference in a text.
pub fn has_reference(text: &str) -> bool {
    in_text(text).next().is_some()
}

/// A reference, or a placeholder that the user has yet to fill in. Neither is a secret.
fn is_filled_in(value: &str) -> bool {
    has_reference(value) || value.starts_with("${") && value.ends_with(CLOSE)
}

/// A placeholder for what the user has somewhere else. What the user is asked for (`${input:ID}`) is not left open.
fn is_left_open(value: &str) -> bool {
    is_filled_in(value) && !has_reference(value) && !value.contains("${input:")
}

/// The references in a text: the start and the name of each.
fn in_text(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.match_indices(OPEN).filter_map(|(at, _)| {
        let name = text.get(at + OPEN.len()..at + OPEN.len() + DIGITS)?;
        let is_name = name
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        (is_name && text[at + OPEN.len() + DIGITS..].starts_with(CLOSE)).then_some((at, name))
    })
}

fn replace(draft: &mut ServerDraft, value: impl Fn(&str) -> Option<String>) {
    for text in texts(draft) {
        let found: Vec<(usize, Option<String>)> = in_text(text).map(|(at, name)| (at, value(name))).collect();
        for (at, value) in found.into_iter().rev() {
            if let Some(value) = value {
                text.replace_range(at..at + OPEN.len() + DIGITS + CLOSE.len_utf8(), &value);
            }
        }
    }
}

/// Every string that may hold a reference.
fn texts(draft: &mut ServerDraft) -> Vec<&mut String> {
    let mut texts: Vec<&mut String> = Vec::new();
    // Destructured, because two parts of the draft are borrowed.
    let ServerDraft {
        transport,
        authorization,
        file_watch,
        ..
    } = draft;
    match transport {
        TransportDraft::Stdio { args, env, .. } => {
            texts.extend(env.iter_mut().map(|var| &mut var.value));
            texts.extend(args);
        }
        TransportDraft::Http {
            url, headers, proxy, ..
        } => {
            texts.push(url);
            texts.extend(headers.iter_mut().map(|header| &mut header.value));
            if let ProxyDraft::Url { url } = proxy {
                texts.push(url);
            }
        }
    }
    if let Some(build) = file_watch.as_mut().and_then(|watch| watch.build.as_mut()) {
        texts.extend(build.args.iter_mut());
    }
    texts.extend(in_authorization(authorization).map(|(_, text)| text));
    texts
}

#[cfg(test)]
mod tests;
