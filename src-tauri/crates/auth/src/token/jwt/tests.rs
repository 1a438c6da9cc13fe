use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::read;

#[test]
fn only_a_jwt_is_decoded() {
    // {"alg":"none"} . {"sub":"ä","exp":1}
    let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiLDpCIsImV4cCI6MX0.c2ln";
    let jwt = read(token).unwrap();
    assert_eq!(jwt.header, "{\n  \"alg\": \"none\"\n}");
    assert!(jwt.claims.contains("\"sub\": \"ä\""));
    for other in [
        "",
        "abc",
        "a.b",
        "a.b.c",
        "eyJhbGciOiJub25lIn0.MQ.c2ln",
        &format!("{token}.x"),
    ] {
        assert!(read(other).is_none(), "{other}");
    }
}

/// Who checks a token wants to see what the server reads.
#[test]
fn claims_are_shown_as_they_were_issued() {
    let claims = r#"{"sub":"a","sub":"b","id":18446744073709551617,"exp":1e3}"#;
    let token = format!("eyJhbGciOiJub25lIn0.{}.c2ln", URL_SAFE_NO_PAD.encode(claims));
    let shown = read(&token).unwrap().claims;
    let shown: String = shown.split_whitespace().collect();
    assert_eq!(shown, claims);
}
