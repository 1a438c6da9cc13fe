use bytes::Bytes;

use super::answer;

#[test]
fn secrets_are_found_by_field_name_and_short_ones_removed() {
    let check = |body: &'static str, recorded: &str, secrets: &[&str]| {
        let (shown, found) = answer(&Bytes::from_static(body.as_bytes()));
        assert_eq!(shown, recorded.as_bytes());
        let found: Vec<&str> = found.iter().map(patchbay_secret::Secret::expose).collect();
        assert_eq!(found, secrets);
    };
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
