use std::{
    cell::Cell,
    collections::{BTreeMap, HashMap},
    convert::Infallible,
};

use patchbay_contract::{ServerDraft, TransportDraft};
use patchbay_secret::Secret;

use super::{super::fill_in, take_inputs};
use crate::{one_command, one_url};

/// The draft with its inputs taken, and the answers that became secrets.
fn taken(mut draft: ServerDraft) -> (ServerDraft, HashMap<String, Secret>) {
    let answers = [("id", "s3cret"), ("none", ""), ("unused", "x")];
    let answers: BTreeMap<String, String> = answers
        .map(|(id, answer)| (id.to_owned(), answer.to_owned()))
        .into();
    let made = Cell::new(0);
    let name = || -> Result<String, Infallible> {
        made.set(made.get() + 1);
        Ok(format!("{:032x}", made.get()))
    };
    let secrets = take_inputs(&mut draft, &answers, name).unwrap();
    assert_eq!(secrets.len(), 1, "only what is used is stored");
    (draft, secrets.into_iter().collect())
}

#[test]
fn secret_answers_become_references_whatever_their_settings_are_called() {
    let line = "WORKSPACE='${input:id}' EMPTY='${input:none}' '${input:id}-x' 'a${input:id}b' '${input:other}' '${input:'";
    let (mut draft, secrets) = taken(one_command(line).unwrap());
    let texts = |draft: &ServerDraft| match &draft.transport {
        TransportDraft::Stdio {
            command, args, env, ..
        } => {
            let env = env.iter().map(|var| var.value.clone());
            env.chain([command.clone()])
                .chain(args.clone())
                .collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let vault = format!("${{vault:{:032x}}}", 1);
    let found = texts(&draft);
    let referring = format!("a{vault}b");
    assert_eq!(
        found,
        [&*vault, "", "s3cret-x", &*referring, "${input:other}", "${input:"]
    );
    fill_in(&mut draft, &secrets);
    assert_eq!(texts(&draft)[3], "as3cretb");
}

#[test]
fn a_header_with_a_secret_answer_is_secret() {
    let mut draft = one_url("https://a.example/mcp?workspace=${input:id}");
    if let TransportDraft::Http { headers, .. } = &mut draft.transport {
        for (name, value) in [("X-Workspace", "${input:id}"), ("X-Plain", "1")] {
            headers.push(patchbay_contract::HttpHeader {
                name: name.to_owned(),
                value: value.to_owned(),
                is_secret: false,
            });
        }
    }
    let (draft, _) = taken(draft);
    let TransportDraft::Http { url, headers, .. } = draft.transport else {
        unreachable!("the transport does not change")
    };
    assert!(!url.contains("input") && !url.contains("s3cret"), "{url}");
    let secret: Vec<_> = headers.iter().map(|header| header.is_secret).collect();
    assert_eq!(secret, [true, false]);
    assert!(headers[0].value.starts_with("${vault:"), "{headers:?}");
}
