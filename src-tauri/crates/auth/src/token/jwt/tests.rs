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
