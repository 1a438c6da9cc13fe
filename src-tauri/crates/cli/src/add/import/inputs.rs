//! What VS Code asks its user for when a server starts (`${input:ID}`): the answers are filled in before a server is added.

use std::{collections::BTreeMap, io::IsTerminal as _};

use patchbay_contract::{HostComparison, HostInput, ServerDraft, TransportDraft};

use super::select::Chosen;
use crate::{
    args::ImportArgs,
    exit::Problem,
    oneshot::{keyboard::Keyboard, passphrase},
    output::visible,
};

/// Answers by the path of the file and the name of the input.
#[derive(Debug, Default)]
pub(super) struct Answers<'a>(BTreeMap<(&'a str, &'a str), Answer>);

#[derive(Debug)]
struct Answer {
    text: String,
    is_secret: bool,
}

/// Takes the answers from `--set` and the defaults, and asks for the others.
pub(super) async fn answers<'a>(
    chosen: &[Chosen<'a>],
    args: &ImportArgs,
    keyboard: &Keyboard,
) -> Result<Answers<'a>, Problem> {
    let mut answers = Answers::default();
    let mut asked: Vec<&str> = Vec::new();
    for one in chosen {
        let path = one.file.place.path.as_str();
        for input in &one.file.inputs {
            let key = (path, input.id.as_str());
            if answers.0.contains_key(&key) || !is_used(&one.server.draft, &input.id) {
                continue;
            }
            asked.push(&input.id);
            let answer = Answer {
                text: answer(input, args, keyboard).await?,
                is_secret: input.password,
            };
            answers.0.insert(key, answer);
        }
    }
    match args.set.iter().find(|(id, _)| !asked.contains(&id.as_str())) {
        Some((id, _)) => Err(Problem::usage(format!(
            "None of these servers asks for `{}`.{}",
            visible(id),
            match asked.is_empty() {
                true => String::new(),
                false => format!(" They ask for: {}.", visible(&asked.join(", "))),
            }
        ))),
        None => Ok(answers),
    }
}

async fn answer(input: &HostInput, args: &ImportArgs, keyboard: &Keyboard) -> Result<String, Problem> {
    let given = args.set.iter().rev().find(|(id, _)| *id == input.id);
    let text = match (given, &input.default) {
        (Some((_, text)), _) => text.clone(),
        (None, Some(default)) => default.clone(),
        (None, None) => ask(input, args, keyboard).await?,
    };
    if !input.options.is_empty() && !input.options.contains(&text) {
        return Err(Problem::usage(format!(
            "`{}` is not one of the values of `{}`: {}.",
            visible(&text),
            visible(&input.id),
            visible(&input.options.join(", "))
        )));
    }
    Ok(text)
}

async fn ask(input: &HostInput, args: &ImportArgs, keyboard: &Keyboard) -> Result<String, Problem> {
    let what = match input.description.is_empty() {
        true => visible(&input.id),
        false => visible(&input.description),
    };
    if args.yes || !std::io::stdin().is_terminal() {
        return Err(Problem::usage(format!(
            "\"{what}\" is asked for. Give it with `--set {}=…`.",
            visible(&input.id)
        )));
    }
    let question = format!("{what}: ");
    if input.password {
        return Ok(passphrase::hidden(&question).await.unwrap_or_default());
    }
    Ok(keyboard.line(&question).await.unwrap_or_default())
}

fn is_used(draft: &ServerDraft, id: &str) -> bool {
    let mark = format!("${{input:{id}}}");
    let mut draft = draft.clone();
    let mut is_used = false;
    texts(&mut draft, |text| is_used |= text.contains(&mark));
    is_used
}

impl Answers<'_> {
    /// The settings with the answers in place of `${input:ID}`, and the secret answers by id: they are filled in where the server is
    /// stored, because they go into the vault.
    pub(super) fn filled_in(&self, one: &Chosen<'_>) -> (ServerDraft, BTreeMap<String, String>) {
        let mut draft = one.server.draft.clone();
        if let (Some(_), HostComparison::Differs { transport, .. }) = (&one.update, &one.server.comparison) {
            draft.transport.clone_from(transport);
        }
        let path = one.file.place.path.as_str();
        let own = self.0.iter().filter(|((file, _), _)| *file == path);
        let (secret, plain): (Vec<_>, Vec<_>) = own.partition(|(_, answer)| answer.is_secret);
        let plain: Vec<(String, &String)> = plain
            .into_iter()
            .map(|((_, id), answer)| (format!("${{input:{id}}}"), &answer.text))
            .collect();
        texts(&mut draft, |text| *text = filled(text, &plain));
        let secret = secret.into_iter();
        let secret = secret.map(|((_, id), answer)| ((*id).to_owned(), answer.text.clone()));
        (draft, secret.collect())
    }
}

/// Replaces each mark once: an answer that looks like a mark stays as it is.
fn filled(text: &str, answers: &[(String, &String)]) -> String {
    let mut done = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("${input:") {
        done.push_str(&rest[..at]);
        rest = &rest[at..];
        match answers.iter().find(|(mark, _)| rest.starts_with(mark.as_str())) {
            Some((mark, answer)) => {
                done.push_str(answer);
                rest = &rest[mark.len()..];
            }
            None => {
                done.push('$');
                rest = &rest[1..];
            }
        }
    }
    done + rest
}

/// Every text of how a server is started or reached.
fn texts(draft: &mut ServerDraft, mut change: impl FnMut(&mut String)) {
    match &mut draft.transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            change(command);
            args.iter_mut().for_each(&mut change);
            env.iter_mut().map(|one| &mut one.value).for_each(&mut change);
            cwd.iter_mut().for_each(change);
        }
        TransportDraft::Http { url, headers, .. } => {
            change(url);
            headers.iter_mut().map(|one| &mut one.value).for_each(change);
        }
    }
}
