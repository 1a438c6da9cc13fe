use patchbay_contract::{EnvVar, HttpHeader, HttpKind, SecretPlace};

use super::*;
use crate::secrets::without;

/// Replaces the secrets, with sequential names.
fn take(
    draft: &mut ServerDraft,
    left: Option<&ServerDraft>,
) -> Result<Vec<(String, Secret)>, std::convert::Infallible> {
    let taken = std::cell::Cell::new(0);
    super::take(draft, left, || {
        taken.set(taken.get() + 1);
        Ok(format!("{:032x}", taken.get()))
    })
}

fn header(name: &str, value: &str, is_secret: bool) -> HttpHeader {
    HttpHeader {
        name: name.to_owned(),
        value: value.to_owned(),
        is_secret,
    }
}

/// A secret at every possible location.
fn at_an_address() -> ServerDraft {
    let headers = vec![
        header("Authorization", "Bearer tok-1", true),
        header("X-Mine", "tok-2", true),
        header("Accept", "text/plain", false),
    ];
    let mut draft = crate::parse::http(
        "web".to_owned(),
        "https://host/mcp?api_key=tok-3&a=b&token=tok-4".to_owned(),
        HttpKind::Auto,
        headers,
    );
    if let TransportDraft::Http { proxy, .. } = &mut draft.transport {
        *proxy = ProxyDraft::Url {
            url: "http://me:tok-5@proxy:8080".to_owned(),
        };
    }
    draft.authorization = Some(patchbay_contract::AuthorizationDraft {
        client_id: Some("me".to_owned()),
        client_secret: Some("tok-6".to_owned()),
        private_key: Some("tok-7".to_owned()),
        ..Default::default()
    });
    draft
}

fn program() -> ServerDraft {
    let env = [
        ("API_KEY", "tok-1"),
        ("DB", "postgres://me:tok-2@host/db"),
        ("MODE", "fast"),
    ]
    .map(|(name, value)| EnvVar {
        name: name.to_owned(),
        value: value.to_owned(),
    })
    .to_vec();
    ServerDraft {
        transport: TransportDraft::Stdio {
            command: "npx".to_owned(),
            args: ["-y", "server", "--api-key", "tok-3", "--token=tok-4"]
                .map(str::to_owned)
                .to_vec(),
            env,
            cwd: None,
        },
        ..crate::parse::http("program".to_owned(), String::new(), HttpKind::Auto, Vec::new())
    }
}

fn json(draft: &ServerDraft) -> String {
    serde_json::to_string(draft).unwrap()
}

#[test]
fn every_secret_round_trips_through_references() {
    for (draft, count) in [(at_an_address(), 7), (program(), 4)] {
        let mut taken = draft.clone();
        let values = take(&mut taken, None).unwrap();
        assert_eq!(values.len(), count);
        assert!(!json(&taken).contains("tok-"), "{}", json(&taken));
        assert_eq!(plain(None, &taken), []);
        assert_eq!(plain(None, &draft).len(), count);
        assert_eq!(
            names_of(&taken),
            values.iter().map(|(name, _)| name.clone()).collect()
        );
        assert!(
            take(&mut taken.clone(), None).unwrap().is_empty(),
            "once is enough"
        );

        let mut back = taken.clone();
        fill_in(&mut back, &values.into_iter().collect());
        assert_eq!(back, draft);
    }
}

#[test]
fn known_plain_secrets_are_left_and_new_ones_are_replaced() {
    let before = program();
    let mut draft = program();
    if let TransportDraft::Stdio { env, .. } = &mut draft.transport {
        env[0].value = "tok-new".to_owned();
        env.push(EnvVar {
            name: "OTHER_TOKEN".to_owned(),
            value: "tok-1".to_owned(),
        });
    }
    let values = take(&mut draft, Some(&before)).unwrap();
    let values: Vec<&str> = values.iter().map(|(_, value)| value.expose()).collect();
    assert_eq!(
        values,
        ["tok-new"],
        "the same value at the same kind of location is not new"
    );
}

#[test]
fn placeholders_are_not_secrets() {
    let mut draft = program();
    if let TransportDraft::Stdio { env, args, .. } = &mut draft.transport {
        env[0].value = "${input:key}".to_owned();
        env[1].value = "postgres://me:${PASSWORD}@host/db".to_owned();
        args.truncate(2);
    }
    assert_eq!(plain(None, &draft), []);
    assert!(take(&mut draft, None).unwrap().is_empty());
}

#[test]
fn foreign_references_are_reported() {
    let mut draft = at_an_address();
    let names: BTreeSet<String> = take(&mut draft, None)
        .unwrap()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(unknown(&draft, &names), None);
    assert_eq!(
        unknown(&draft, &BTreeSet::new()).as_deref(),
        Some("the header `Authorization`")
    );
    // Also at locations where no secret is expected.
    let mut strange = program();
    if let TransportDraft::Stdio { args, .. } = &mut strange.transport {
        args[1] = format!("x${{vault:{}}}y", "0".repeat(32));
    }
    assert_eq!(unknown(&strange, &names).as_deref(), Some("argument 2"));
    // A string that only resembles a reference is ignored.
    for text in [
        "${vault:0123}",
        "${vault:",
        "${vault:${vault:",
        &format!("${{vault:{}}}", "G".repeat(32)),
    ] {
        assert_eq!(in_text(text).count(), 0, "{text}");
    }
}

#[test]
fn exports_contain_no_references() {
    for mut draft in [at_an_address(), program()] {
        take(&mut draft, None).unwrap();
        if let TransportDraft::Http { headers, .. } = &mut draft.transport {
            headers.push(header(
                "X-Plain",
                &format!("${{vault:{}}}", "0".repeat(32)),
                false,
            ));
        }
        let text = json(&without(&draft));
        assert!(!text.contains("vault:") && !text.contains("tok-"), "{text}");
    }
}

#[test]
fn found_secrets_are_named() {
    let id = ServerId("5".to_owned());
    let found: Vec<(SecretPlace, String)> = plain(Some(&id), &program())
        .into_iter()
        .map(|item| (item.place, item.name))
        .collect();
    let expected = [
        (SecretPlace::Env, "API_KEY"),
        (SecretPlace::Env, "DB"),
        (SecretPlace::Argument, "--api-key"),
        (SecretPlace::Argument, "--token"),
    ];
    assert_eq!(found, expected.map(|(place, name)| (place, name.to_owned())));
}
