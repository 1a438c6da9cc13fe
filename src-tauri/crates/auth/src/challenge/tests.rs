use super::Challenge;

fn scope(text: &str) -> Option<Vec<String>> {
    Some(text.split(' ').map(str::to_owned).collect())
}

#[test]
fn challenges_are_read_in_every_notation() {
    let check = |fields: &[&str], expected: Option<Challenge>| {
        assert_eq!(Challenge::read(fields), expected, "{fields:?}");
    };
    let metadata = |url: &str| Challenge {
        resource_metadata: Some(url.to_owned()),
        ..Challenge::default()
    };
    check(&[], None);
    check(&["Basic realm=\"x\""], None);
    check(&["Bearer"], Some(Challenge::default()));
    check(
        &["bearer resource_metadata=\"https://a/b\""],
        Some(metadata("https://a/b")),
    );
    check(
        &["Bearer resource_metadata=https://a/b?c=d, realm=x"],
        Some(metadata("https://a/b?c=d")),
    );
    check(
        &["Bearer resource_metadata = \"https://a/b\" ,\r\n  scope=\"files:read  files:write\""],
        Some(Challenge {
            scope: scope("files:read files:write"),
            ..metadata("https://a/b")
        }),
    );
    check(
        &[
            "Bearer error=\"insufficient_scope\", error_description=\"say \\\"please\\\", then, wait\", scope=\"a\"",
        ],
        Some(Challenge {
            error: Some("insufficient_scope".to_owned()),
            error_description: Some("say \"please\", then, wait".to_owned()),
            scope: scope("a"),
            ..Challenge::default()
        }),
    );
    // Several challenges in a field, several fields, and a preceding token68.
    check(
        &[
            "Negotiate YWJj==, Basic realm=\"a, b\", Bearer scope=\"x\"",
            "Bearer resource_metadata=\"https://a\"",
        ],
        Some(metadata("https://a")),
    );
    check(
        &["DPoP algs=\"ES256\", BEARER SCOPE=\"x\", Digest nonce=\"1\""],
        Some(Challenge {
            is_dpop: true,
            scope: scope("x"),
            ..Challenge::default()
        }),
    );
    check(
        &["DPoP resource_metadata=\"https://a\", error=\"invalid_token\""],
        Some(Challenge {
            is_dpop: true,
            error: Some("invalid_token".to_owned()),
            ..metadata("https://a")
        }),
    );
    // An empty scope counts as none, a missing quote ends with the field, and junk is skipped.
    check(&["Bearer scope=\"\""], Some(Challenge::default()));
    check(
        &["Bearer resource_metadata=\"https://a"],
        Some(metadata("https://a")),
    );
    check(
        &["scope=\"x\", \"junk\", =, Bearer , , scope=\"y\""],
        Some(Challenge {
            scope: scope("y"),
            ..Challenge::default()
        }),
    );
}

proptest::proptest! {
    #[test]
    fn no_field_makes_the_parser_panic(fields in proptest::collection::vec("[ -~\\x00é\"\\\\=,]{0,60}", 0..3)) {
        let _ = Challenge::read(&fields);
    }

    #[test]
    fn quoted_values_are_unescaped(value in "[ -~]{1,40}") {
        let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
        let field = format!("Basic a=\"b\", Bearer x=y, resource_metadata=\"{quoted}\", z");
        let read = Challenge::read(&[field]).and_then(|challenge| challenge.resource_metadata);
        proptest::prop_assert_eq!(read, Some(value));
    }
}
