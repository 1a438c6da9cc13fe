use patchbay_secret::Secret;

use super::{CallbackParams, Checked, Expected};

const ISSUER: &str = "https://as.example";

fn said(brought: &CallbackParams, promises_iss: bool) -> String {
    let expected = Expected {
        state: Secret::new("right-state"),
        issuer: ISSUER.to_owned(),
        promises_iss,
    };
    match brought.judge(&expected) {
        Checked::Code(code) => format!("code {}", code.expose()),
        Checked::Foreign(_) => "foreign".to_owned(),
        Checked::Refused(refused) => format!("{}: {}", refused.rule.name, refused.cause),
    }
}

#[test]
fn a_response_is_checked_by_state_then_issuer_then_content() {
    let check = |query: &str, promises: bool, expected: &str| {
        let said = said(&CallbackParams::query(query), promises);
        assert!(said.starts_with(expected), "{query}: {said}");
    };
    check("code=c&state=right-state", false, "code c");
    check("code=c%2Fd+e&state=right-state", false, "code c/d e");
    check(
        "code=c&state=right-state&iss=https%3A%2F%2Fas.example",
        true,
        "code c",
    );
    check(
        "code=c&state=right-state&iss=https%3A%2F%2Fas.example",
        false,
        "code c",
    );
    // Not for this run.
    for foreign in [
        "",
        "code=c",
        "code=c&state=wrong",
        "error=access_denied",
        "code=c&state=right-statf",
    ] {
        check(foreign, false, "foreign");
    }
    // From another server: compared exactly, promised or not, and the text of its error is not shown.
    for iss in [
        "https://as.example/",
        "https://AS.example",
        "https://as.example:443",
        "https://evil.example",
        "",
    ] {
        for promised in [true, false] {
            let query = format!("error=x&error_description=LOOK+HERE&state=right-state&iss={iss}");
            check(
                &query,
                promised,
                "RFC 9207 section 2.4: the response names the issuer",
            );
            assert!(!said(&CallbackParams::query(&query), promised).contains("LOOK"));
        }
    }
    check(
        "code=c&state=right-state",
        true,
        "RFC 9207 section 2.4: the response does not name its issuer",
    );
    check("error=access_denied&state=right-state", true, "RFC 9207");
    // The content.
    check(
        "error=access_denied&error_description=not%0Ayou&state=right-state",
        false,
        "RFC 6749 section 4.1.2.1: the authorization server answered access_denied (not you)",
    );
    check("state=right-state", false, "RFC 6749 section 4.1.2: ");
    check("code=&state=right-state", false, "RFC 6749 section 4.1.2: ");
    check("code=a&code=b&state=right-state", false, "RFC 6749 section 3.1: ");
    check(
        "code=a&state=right-state&state=right-state",
        false,
        "RFC 6749 section 3.1: ",
    );
}

#[test]
fn the_address_or_a_part_of_it_can_be_pasted() {
    let check = |text: &str, promises: bool, expected: &str| {
        let said = said(&CallbackParams::pasted(text), promises);
        assert!(said.starts_with(expected), "{text}: {said}");
    };
    check(
        "  http://localhost:1234/callback?code=c&state=right-state \n",
        false,
        "code c",
    );
    check("?code=c&state=right-state", false, "code c");
    check("state=right-state&code=c", false, "code c");
    check(
        "http://localhost:1/callback?error=access_denied&state=right-state",
        false,
        "RFC 6749 section 4.1.2.1",
    );
    check("c-123#right-state", false, "code c-123");
    check("c-123#wrong", false, "foreign");
    check("c-123", false, "code c-123");
    check("c-123", true, "RFC 9207 section 2.4: a code alone");
    check("", false, "RFC 6749 section 4.1.2: ");
    // What was copied by mistake is not sent to the token endpoint.
    for foreign in [
        "https://as.example/login",
        "http://localhost:1234/callback#code",
        "Sign in to continue",
        "c-123 right-state",
    ] {
        check(foreign, false, "foreign");
    }
    check(
        "http://localhost:1234/callback?code=c&state=wrong",
        false,
        "foreign",
    );
}
