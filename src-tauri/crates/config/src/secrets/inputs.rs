//! Answers to what a host asks its user for when it starts a server: `${input:ID}` in a draft.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use patchbay_contract::{HostInputAnswer, ServerDraft, TransportDraft};
use patchbay_secret::Secret;

use super::references::reference;

const OPEN: &str = "${input:";

/// A text of how a server is started or reached.
struct Text<'a> {
    text: &'a mut String,
    /// Whether it can have references to secrets. A program and its folder cannot.
    can_refer: bool,
    /// Whether it is hidden, of a header.
    is_secret: Option<&'a mut bool>,
}

/// The ids of the inputs in these settings, in order.
pub(crate) fn input_ids(transport: &TransportDraft) -> IndexSet<String> {
    let mut ids = IndexSet::new();
    for Text { text, .. } in texts(&mut transport.clone()) {
        let marks = text.split(OPEN).skip(1).filter_map(|rest| rest.split_once('}'));
        ids.extend(marks.map(|(id, _)| id.to_owned()));
    }
    ids
}

/// Fills in the inputs that have an answer. A secret answer becomes a reference, also where no name says that the value is secret;
/// a program and its folder get the answer itself. Returns the names and the values of the secrets.
///
/// # Errors
/// That of `new_name`.
pub fn take_inputs<E>(
    draft: &mut ServerDraft,
    answers: &BTreeMap<String, HostInputAnswer>,
    new_name: impl Fn() -> Result<String, E>,
) -> Result<Vec<(String, Secret)>, E> {
    let mut references = BTreeMap::new();
    let mut taken = Vec::new();
    // An empty answer is not a secret.
    let secret = |answer: &HostInputAnswer| answer.is_secret && !answer.text.is_empty();
    for (id, answer) in answers.iter().filter(|(_, answer)| secret(answer)) {
        let name = new_name()?;
        references.insert(id.as_str(), reference(&name));
        taken.push((name, Secret::new(&answer.text)));
    }
    for Text {
        text,
        can_refer,
        is_secret,
    } in texts(&mut draft.transport)
    {
        let mut has_secret = false;
        *text = filled(text, |id| {
            let answer = answers.get(id)?;
            has_secret |= answer.is_secret;
            Some(match references.get(id) {
                Some(reference) if can_refer => reference,
                _ => &answer.text,
            })
        });
        if let Some(is_secret) = is_secret {
            *is_secret |= has_secret;
        }
    }
    let used = super::names_of(draft);
    taken.retain(|(name, _)| used.contains(name));
    Ok(taken)
}

fn texts(transport: &mut TransportDraft) -> Vec<Text<'_>> {
    let text = |text, can_refer| Text {
        text,
        can_refer,
        is_secret: None,
    };
    match transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let own = std::iter::once(command).chain(cwd);
            let values = args.iter_mut().chain(env.iter_mut().map(|var| &mut var.value));
            own.map(|own| text(own, false))
                .chain(values.map(|value| text(value, true)))
                .collect()
        }
        TransportDraft::Http { url, headers, .. } => {
            let headers = headers.iter_mut().map(|header| Text {
                is_secret: Some(&mut header.is_secret),
                ..text(&mut header.value, true)
            });
            std::iter::once(text(url, true)).chain(headers).collect()
        }
    }
}

/// Replaces each mark once: an answer that looks like a mark stays as it is.
fn filled<'a>(text: &str, mut value: impl FnMut(&str) -> Option<&'a String>) -> String {
    let mut parts = text.split(OPEN);
    let mut done = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part
            .split_once('}')
            .and_then(|(id, rest)| Some((value(id)?, rest)))
        {
            Some((value, rest)) => {
                done.push_str(value);
                done.push_str(rest);
            }
            None => {
                done.push_str(OPEN);
                done.push_str(part);
            }
        }
    }
    done
}

#[cfg(test)]
mod tests;
