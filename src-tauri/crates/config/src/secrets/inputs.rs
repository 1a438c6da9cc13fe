//! Secret answers to what a host asks its user for when it starts a server: `${input:ID}` in a draft.

use std::collections::BTreeMap;

use patchbay_contract::{ServerDraft, TransportDraft};
use patchbay_secret::Secret;

use super::references::reference;

const OPEN: &str = "${input:";

/// Puts references in place of the inputs that have an answer, also where no name says that the value is secret. Returns the names
/// and the values. A program and its folder, which cannot have references, get the answer itself.
///
/// # Errors
/// That of `new_name`.
pub fn take_inputs<E>(
    draft: &mut ServerDraft,
    answers: &BTreeMap<String, String>,
    new_name: impl Fn() -> Result<String, E>,
) -> Result<Vec<(String, Secret)>, E> {
    let mut values = BTreeMap::new();
    let mut taken = Vec::new();
    for (id, answer) in answers {
        // An empty answer is not a secret.
        let mut value = String::new();
        if !answer.is_empty() {
            let name = new_name()?;
            value = reference(&name);
            taken.push((name, Secret::new(answer)));
        }
        values.insert(id.as_str(), value);
    }
    match &mut draft.transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            for text in std::iter::once(command).chain(cwd) {
                *text = filled(text, |id| answers.get(id).map(String::as_str));
            }
            for text in args.iter_mut().chain(env.iter_mut().map(|var| &mut var.value)) {
                *text = filled(text, |id| values.get(id).map(String::as_str));
            }
        }
        TransportDraft::Http { url, headers, .. } => {
            *url = filled(url, |id| values.get(id).map(String::as_str));
            for header in headers {
                let value = filled(&header.value, |id| values.get(id).map(String::as_str));
                header.is_secret |= value != header.value;
                header.value = value;
            }
        }
    }
    let used = super::names_of(draft);
    taken.retain(|(name, _)| used.contains(name));
    Ok(taken)
}

/// Replaces each mark once: a value that looks like a mark stays as it is.
fn filled<'a>(text: &str, value: impl Fn(&str) -> Option<&'a str>) -> String {
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
