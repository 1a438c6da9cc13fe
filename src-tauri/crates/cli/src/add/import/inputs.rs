//! What VS Code asks its user for when a server starts (`${input:ID}`): the answers are filled in before a server is added.

use std::{collections::BTreeMap, io::IsTerminal as _};

use patchbay_contract::{HostInput, HostInputAnswer};

use super::select::Chosen;
use crate::{
    args::ImportArgs,
    exit::Problem,
    oneshot::{keyboard::Keyboard, passphrase},
    output::visible,
};

/// Answers by the path of the file and the name of the input.
#[derive(Debug, Default)]
pub(super) struct Answers<'a>(BTreeMap<(&'a str, &'a str), HostInputAnswer>);

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
        for input in &one.server.inputs {
            let key = (path, input.id.as_str());
            if answers.0.contains_key(&key) {
                continue;
            }
            asked.push(&input.id);
            let answer = HostInputAnswer {
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

impl Answers<'_> {
    /// The answers to what this server asks for, by id.
    pub(super) fn of(&self, one: &Chosen<'_>) -> BTreeMap<String, HostInputAnswer> {
        let ids = one.server.inputs.iter().map(|input| input.id.as_str());
        let path = one.file.place.path.as_str();
        ids.filter_map(|id| Some((id.to_owned(), self.0.get(&(path, id))?.clone())))
            .collect()
    }
}
