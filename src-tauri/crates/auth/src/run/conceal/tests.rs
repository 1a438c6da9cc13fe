use bytes::Bytes;

use super::{LONGEST_SECRET, MOST_SECRETS, answer};

#[track_caller]
fn check(body: &str, recorded: &str, secrets: &[&str]) {
    let (shown, found) = answer(&Bytes::copy_from_slice(body.as_bytes())).unwrap();
    assert_eq!(String::from_utf8_lossy(&shown), recorded, "{body}");
    let found: Vec<&str> = found.iter().map(patchbay_secret::Secret::expose).collect();
    assert_eq!(found, secrets, "{body}");
}

#[test]
fn secrets_are_found_by_field_name_and_short_ones_removed() {
    let long = r#"{"token_type": "Bearer",  "access_token":"long-enough", "refresh_token":"and-another"}"#;
    check(long, long, &["long-enough", "and-another"]);
    check(
        r#"{"client_id":"me","client_secret":"short","registration_access_token":"long-enough"}"#,
        r#"{"client_id":"me","client_secret":"*****","registration_access_token":"long-enough"}"#,
        &["long-enough"],
    );
    // Slack; several tokens at once; the error of a gateway.
    let nested = r#"{"ok": true, "authed_user": {"id": "U1", "access_token": "xoxp-nested"}}"#;
    check(nested, nested, &["xoxp-nested"]);
    let several = r#"[{"refresh_token": "in-a-list"}, {"tokens": [{"id_token": "deeper-still"}]}]"#;
    check(several, several, &["in-a-list", "deeper-still"]);
    check(
        r#"{"a":[{"client_secret":"short"}]}"#,
        r#"{"a":[{"client_secret":"*****"}]}"#,
        &[],
    );
    let error = r#"{"code": "top-level", "error": {"code": "invalid_request"}}"#;
    check(error, error, &["top-level"]);
    // GitHub, unless it is asked for JSON.
    let form = "access_token=gho_16C7e42F292c&scope=repo%2Cgist&token_type=bearer";
    check(form, form, &["gho_16C7e42F292c"]);
    let encoded = "token_type=bearer&refresh_token=a%2Fb%3D-0123\n";
    check(encoded, encoded, &["a/b=-0123"]);
    check(
        "access_token=short&token_type=bearer",
        "access_token=*****&token_type=bearer",
        &[],
    );
    for other in [
        "",
        "<html>",
        "<p>A page: see <a href=\"/?a=1&code=400&b=2\">the error</a></p>",
        "[1]",
        "access_token=&scope=",
        "no-access_token=0123456789",
        r#"{"error":"invalid_grant","access_token":1}"#,
    ] {
        check(other, other, &[]);
    }
}

/// `oauth2` takes a token with bytes after it, so the run goes on and nobody looks at the log.
#[test]
fn secrets_are_found_beside_other_bytes() {
    let token = r#"{"access_token":"long-enough", "refresh_token" : "q\"uote-d" }"#;
    for body in [
        format!("{token}\n<!-- 12 ms -->"),
        format!("{token};"),
        format!("\u{feff}{token}"),
        format!("<br />\n<b>Notice</b>: an access_token is made on line 3\n{token}"),
        token.replace(" }", ",}"),
        token.replace('{', "while(1);{"),
    ] {
        check(&body, &body, &["long-enough", "q\"uote-d"]);
    }
    // Of two members with one name, both.
    let twice =
        r#"{"access_token":"the-first-one","access_token":"the-second-one","id_token":"a-third-one"}"#;
    check(twice, twice, &["the-second-one", "a-third-one", "the-first-one"]);
    let short = r#"{"access_token":"short","access_token":"the-second-one"}"#;
    check(short, r#"{"access_token":"the-second-one"}"#, &["the-second-one"]);
}

#[test]
fn of_a_response_that_may_have_a_secret_elsewhere_only_the_size_is_recorded() {
    for body in [
        "access_token: long-enough",
        "<access_token>long-enough</access_token>",
        "<td>access_token</td><td>long-enough</td>",
        "{'access_token': 'long-enough'}",
        r#"{"access_token": "not-closed"#,
        r#"{"access_token":"short"},"#,
        r#"{"access\u005ftoken":"long-enough"},"#,
        r#"callback("{\"access_token\":\"long-enough\"}")"#,
        "\u{feff}access_token=long-enough&scope=a",
        "data[access_token]=long-enough",
        "data=%7B%27access_token%27%3A%27long-enough%27%7D",
    ] {
        let size = body.len();
        let recorded =
            format!("[{size} bytes are not recorded: they may have a secret that could not be found.]");
        check(body, &recorded, &[]);
    }
    for prose in [
        "<p>The refresh_token is expired (no assertion).</p>",
        "error_description=The+refresh_token+is+expired",
    ] {
        check(prose, prose, &[]);
    }
}

/// Each secret is searched for in all traffic from then on.
#[test]
fn a_response_with_too_many_or_too_long_secrets_is_refused() {
    let tokens = |count: usize| -> Bytes {
        let all: Vec<String> = (0..count)
            .map(|n| format!(r#"{{"id_token":"token-{n:06}"}}"#))
            .collect();
        format!("[{}]", all.join(",")).into()
    };
    assert_eq!(answer(&tokens(MOST_SECRETS)).unwrap().1.len(), MOST_SECRETS);
    let refused = |body: Bytes| answer(&body).unwrap_err();
    assert!(refused(tokens(MOST_SECRETS + 1)).starts_with("it has more than 64 tokens"));
    assert!(refused(tokens(40_000)).starts_with("it has more than 64 tokens"));
    // The same one often is one.
    let same = r#"{"id_token":"aaaaaaaa"},"#.repeat(40_000);
    let same = format!("[{}]", same.trim_end_matches(','));
    assert_eq!(answer(&same.into()).unwrap().1.len(), 1);

    let secret =
        |length: usize| -> Bytes { format!(r#"{{"client_secret":"{}"}}"#, "s".repeat(length)).into() };
    assert_eq!(answer(&secret(LONGEST_SECRET)).unwrap().1.len(), 1);
    assert_eq!(
        refused(secret(LONGEST_SECRET + 1)),
        "its client_secret has 16385 bytes, more than 16384"
    );
    assert!(refused(secret(1 << 20)).starts_with("its client_secret has"));
    let long: Vec<String> = (0..9)
        .map(|n| format!(r#"{{"id_token":"{n}{}"}}"#, "x".repeat(16_000)))
        .collect();
    assert!(refused(format!("[{}]", long.join(",")).into()).contains("more than 131072 bytes"));
    // In a form, and in a text that is not JSON.
    let form = format!("access_token={}", "x".repeat(LONGEST_SECRET + 1));
    assert!(refused(form.clone().into()).starts_with("its access_token has"));
    let text = format!(
        "\u{feff}{{\"access_token\": \"{}\"}} ;",
        "x".repeat(LONGEST_SECRET + 1)
    );
    assert!(refused(text.into()).starts_with("its access_token has"));
}
