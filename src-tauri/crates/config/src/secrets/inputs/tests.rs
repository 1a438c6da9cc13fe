use std::{
    cell::Cell,
    collections::{BTreeMap, HashMap},
    convert::Infallible,
};

use patchbay_contract::{HostInputAnswer, ServerDraft, TransportDraft};
use patchbay_secret::Secret;

use super::{super::fill_in, take_inputs};
use crate::{one_command, one_url};

/// The draft with its inputs taken, and the answers that became secrets.
fn taken(mut draft: ServerDraft) -> (ServerDraft, HashMap<String, Secret>) {
    let answers = [
        ("id", "s3cret", true),
        ("none", "", true),
        ("unused", "x", true),
        ("region", "eu-${input:id}", false),
    ];
    let answers: BTreeMap<String, HostInputAnswer> = answers
        .map(|(id, text, is_secret)| {
            let text = text.to_owned();
            (id.to_owned(), HostInputAnswer { text, is_secret })
        })
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
fn an_answer_that_looks_like_an_input_stays_as_it_is() {
    let (draft, _) = taken(one_command("run ${input:region} '${input:id} ${input:region}'").unwrap());
    let TransportDraft::Stdio { args, .. } = &draft.transport else {
        panic!("a program");
    };
    let vault = format!("${{vault:{:032x}}}", 1);
    assert_eq!(args, &["eu-${input:id}", &format!("{vault} eu-${{input:id}}")]);
}

#[test]
fn a_header_with_a_secret_answer_is_secret() {
    let mut draft = one_url("https://a.example/mcp?workspace=${input:id}");
    if let TransportDraft::Http { headers, .. } = &mut draft.transport {
        for (name, value) in [
            ("X-Workspace", "${input:id}"),
            ("X-Plain", "1"),
            ("X-Region", "${input:region}"),
        ] {
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
    assert_eq!(secret, [true, false, false]);
    assert!(headers[0].value.starts_with("${vault:"), "{headers:?}");
}
