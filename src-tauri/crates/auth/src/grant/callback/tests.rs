use patchbay_secret::Secret;

use super::{Brought, Expected, Judged};

const ISSUER: &str = "https://as.example";

fn said(brought: &Brought, promises_iss: bool) -> String {
    let expected = Expected {
        state: Secret::new("right-state"),
        issuer: ISSUER.to_owned(),
        promises_iss,
    };
    match brought.judge(&expected) {
        Judged::Code(code) => format!("code {}", code.expose()),
        Judged::Foreign(_) => "foreign".to_owned(),
        Judged::Refused(refused) => format!("{}: {}", refused.rule.name, refused.cause),
    }
}

#[test]
fn an_answer_is_judged_by_state_then_issuer_then_content() {
    let check = |query: &str, promises: bool, expected: &str| {
        let said = said(&Brought::query(query), promises);
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
    // Not for us.
    for foreign in [
        "",
        "code=c",
        "code=c&state=wrong",
        "error=access_denied",
        "code=c&state=right-statf",
    ] {
        check(foreign, false, "foreign");
    }
    // From somebody else: to the letter, promised or not, and an error's words are not shown.
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
            assert!(!said(&Brought::query(&query), promised).contains("LOOK"));
        }
    }
    check(
        "code=c&state=right-state",
        true,
        "RFC 9207 section 2.4: the response does not name its issuer",
    );
    check("error=access_denied&state=right-state", true, "RFC 9207");
    // What it says.
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
fn what_is_pasted_may_be_the_address_or_a_part_of_it() {
    let check = |text: &str, promises: bool, expected: &str| {
        let said = said(&Brought::pasted(text), promises);
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
    check(
        "http://localhost:1234/callback?code=c&state=wrong",
        false,
        "foreign",
    );
}
