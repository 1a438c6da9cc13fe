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
    for other in [
        "",
        "<html>",
        "[1]",
        r#"{"error":"invalid_grant","access_token":1}"#,
    ] {
        check(other, other, &[]);
    }
}
