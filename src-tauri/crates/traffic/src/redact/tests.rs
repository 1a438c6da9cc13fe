use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use patchbay_protocol::{Rule, Violation};

use super::*;
use crate::Kind;

mod nested;
mod packed;

fn redactor(secrets: &[&str]) -> Redactor {
    let secrets = secrets.iter().map(|secret| Secret::new(*secret)).collect();
    Redactor::none().and(secrets).unwrap_or_else(Redactor::none)
}

/// The recorded form of `text` with these secrets, and the number of matches.
fn check(secrets: &[&str], text: &str, expected: &str, count: u32) {
    let (masked, found) = redactor(secrets).bytes(Bytes::copy_from_slice(text.as_bytes()));
    assert_eq!(String::from_utf8_lossy(&masked), expected, "{text}");
    assert_eq!(masked.len(), text.len());
    assert_eq!(found, count, "{text}");
}

#[test]
fn masks_every_form() {
    check(&["hunter2"], "hunter22", "hunter22", 0);
    check(&["hunter22"], "a hunter22 b hunter22", "a ******** b ********", 2);
    check(
        &["sk-0123456789abcdef"],
        "Bearer sk-0123456789abcdef.",
        "Bearer ***************cdef.",
        1,
    );
    check(&["sk-0123456789ab"], "sk-0123456789ab", "***************", 1);
    check(
        &["pass\"word\\x"],
        r#"{"k":"pass\"word\\x"}"#,
        r#"{"k":"*************"}"#,
        1,
    );
    check(
        &["pass\"word\\x"],
        r#"{"k":"{\"p\":\"pass\\\"word\\\\x\"}"}"#,
        r#"{"k":"{\"p\":\"*****************\"}"}"#,
        1,
    );
    check(
        &["a/b/c/d/e"],
        r"a\/b\/c\/d\/e a/b/c/d/e",
        "************* *********",
        2,
    );
    check(
        &["gehäuse-ä"],
        r"geh\u00e4use-\u00e4 geh\u00E4use-\u00E4",
        "******************* *******************",
        2,
    );
    check(
        &["p@ss w/rd"],
        "u=p%40ss%20w%2Frd&u=p%40ss+w%2frd",
        "u=***************&u=*************",
        2,
    );
    check(&["abcdefgh", "efghijkl"], "abcdefghijkl", "************", 1);
    check(&["abcdefgh", "xxabcdefghyy"], "xxabcdefghyy", "************", 1);
}

#[test]
fn masks_a_secret_within_base64_at_every_alignment() {
    for secret in ["s3cr3t-t0k3n", "s3cr3t-t0k3n-of-some-length?>~"] {
        let redactor = redactor(&[secret]);
        for prefix in ["", "u", "us", "user:"] {
            for suffix in ["", ".", "..", "..."] {
                let plain = format!("{prefix}{secret}{suffix}");
                for text in [STANDARD.encode(&plain), URL_SAFE_NO_PAD.encode(&plain)] {
                    let (masked, found) = redactor.bytes(Bytes::from(text.clone()));
                    assert_eq!((masked.len(), found), (text.len(), 1), "{text}");
                    // No 4 bytes of the secret may appear, except for the last ones, with mask characters as wildcards.
                    let unmasked: Vec<u8> = masked
                        .iter()
                        .map(|byte| if *byte == b'*' { b'A' } else { *byte })
                        .collect();
                    let engine = if text.contains(['-', '_']) {
                        URL_SAFE_NO_PAD
                    } else {
                        STANDARD
                    };
                    let shown = engine
                        .decode(&unmasked)
                        .or_else(|_| URL_SAFE_NO_PAD.decode(&unmasked))
                        .unwrap();
                    let hidden = &secret.as_bytes()[..secret.len() - 4];
                    assert!(
                        hidden
                            .windows(3)
                            .all(|part| !shown.windows(3).any(|window| window == part)),
                        "{plain}: {}",
                        String::from_utf8_lossy(&shown)
                    );
                }
            }
        }
    }
}

#[test]
fn masks_a_secret_within_json_within_base64() {
    let secret = r#"q"quoted\and<more>"#;
    for prefix in ["", "a", "ab"] {
        let plain = serde_json::json!({ format!("{prefix}k"): secret }).to_string();
        let (masked, found) = redactor(&[secret]).bytes(Bytes::from(STANDARD.encode(&plain)));
        assert_eq!(found, 1, "{masked:?}");
        assert!(masked.windows(16).any(|part| part == [b'*'; 16]), "{masked:?}");
    }
}

#[test]
fn masked_json_is_still_valid() {
    let secret = "0123456789abcdefghi\"\\\u{1}";
    let text = serde_json::json!({ "token": secret, "n": 1 }).to_string();
    let (masked, found) = redactor(&[secret]).bytes(Bytes::from(text));
    let value: serde_json::Value = serde_json::from_slice(&masked).unwrap();
    assert_eq!((value["n"].as_i64(), found), (Some(1), 1));
}

#[test]
fn a_masked_number_is_still_a_number() {
    check(
        &["12345678"],
        r#"{"n":12345678,"of":[ -512345678.5 , 0.12345678e+3],"text":"at, 12345678, or"}"#,
        r#"{"n":99999999,"of":[ -599999999.5 , 0.99999999e+3],"text":"at, ********, or"}"#,
        4,
    );
    check(&["0.123456"], r#"[0.123456]"#, r#"[9.999999]"#, 1);
    check(
        &["1234567890123456"],
        r#"{"id":1234567890123456}"#,
        r#"{"id":9999999999993456}"#,
        1,
    );
    // Within a string that is JSON itself, and where there is no JSON.
    check(
        &["12345678"],
        r#"{"text":"{\"n\":12345678}"}"#,
        r#"{"text":"{\"n\":********}"}"#,
        1,
    );
    check(
        &["12345678"],
        "n: 12345678, [12345678]",
        "n: ********, [********]",
        2,
    );
    check(&["1234-5678"], "[1234-5678]", "[*********]", 1);
}

#[test]
fn masks_descriptions_and_truncated_summaries() {
    let redactor = redactor(&["s3cr3t-t0k3n"]);
    let mut description = Description::new(Kind::Request);
    description.method = Some("tools/call".into());
    description.tool = Some("s3cr3t-t0k3n".to_owned());
    description.logger = Some("db s3cr3t-t0k3n".to_owned());
    description.summary = Some(format!("{} s3cr3t-t…", "x".repeat(290)));
    description.violations = vec![Violation::at(
        Rule::NotJson,
        "/s3cr3t-t0k3n",
        "has s3cr3t-t0k3n in it",
    )];
    redactor.description(&mut description);
    assert_eq!(description.method.as_deref(), Some("tools/call"));
    assert_eq!(description.tool.as_deref(), Some("************"));
    assert_eq!(description.logger.as_deref(), Some("db ************"));
    assert_eq!(
        description.summary,
        Some(format!("{} ********…", "x".repeat(290)))
    );
    assert_eq!(description.violations[0].message, "has ************ in it");
    assert_eq!(
        description.violations[0].pointer.as_deref(),
        Some("/************")
    );
}

/// Secrets as encoded by third-party libraries: only the end may remain visible.
mod elsewhere {
    use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
    use proptest::prelude::*;

    use super::*;

    /// `encodeURIComponent`.
    const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'!')
        .remove(b'~')
        .remove(b'*')
        .remove(b'\'')
        .remove(b'(')
        .remove(b')');
    const QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');

    fn forms(secret: &str) -> Vec<String> {
        let json = serde_json::to_string(secret).unwrap();
        let inside = |json: &str| json[1..json.len() - 1].to_owned();
        let twice = inside(&serde_json::to_string(&inside(&json)).unwrap());
        let mut forms = vec![secret.to_owned(), inside(&json), twice];
        for set in [NON_ALPHANUMERIC, COMPONENT, QUERY] {
            forms.push(utf8_percent_encode(secret, set).to_string());
        }
        forms.push(url::form_urlencoded::byte_serialize(secret.as_bytes()).collect());
        // URLs drop line breaks and tabs.
        if !secret.contains(['\t', '\r', '\n']) {
            let mut url = url::Url::parse("https://host/").unwrap();
            url.set_query(Some(secret));
            forms.push(url.query().unwrap().to_owned());
        }
        forms
    }

    proptest! {
        // Each case builds a search, which is slow without optimization.
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn no_form_of_a_secret_remains(
            // Without mask characters, and long enough.
            secret in "[^*]{8,40}",
            before in "[ -)+-~]{0,12}",
            after in "[ -)+-~]{0,12}",
        ) {
            let redactor = redactor(&[&secret]);
            for form in forms(&secret) {
                let text = format!("{before}{form}{after}");
                let (masked, found) = redactor.bytes(Bytes::from(text.clone()));
                prop_assert!(found >= 1, "{form:?} of {secret:?}");
                prop_assert_eq!(masked.len(), text.len());
                let masked = String::from_utf8_lossy(&masked).into_owned();
                prop_assert!(!masked.contains(&form), "{form:?} of {secret:?} in {masked:?}");
            }
        }

        #[test]
        fn no_secret_within_base64_remains(secret in "[!-)+-~]{8,40}", before in "[ -~]{0,8}", after in "[ -~]{0,8}") {
            let redactor = redactor(&[&secret]);
            let whole = format!("{before}{secret}{after}");
            for text in [STANDARD.encode(&whole), URL_SAFE_NO_PAD.encode(&whole)] {
                for text in [text.clone(), utf8_percent_encode(&text, COMPONENT).to_string()] {
                    let (masked, found) = redactor.bytes(Bytes::from(text.clone()));
                    prop_assert!(found >= 1, "{text} of {secret:?}");
                    prop_assert_eq!(masked.len(), text.len());
                    let masked = String::from_utf8_lossy(&masked);
                    let longest = masked.split('*').map(str::len).max().unwrap_or_default();
                    let around = (before.len() + after.len()) * 4 + 24;
                    prop_assert!(longest <= around, "{masked} of {secret:?}");
                }
            }
        }

        #[test]
        fn masked_json_is_still_json(secret in "\\PC{8,40}") {
            let text = serde_json::json!({ "token": secret, "again": [format!("Bearer {secret}")] }).to_string();
            let (masked, found) = redactor(&[&secret]).bytes(Bytes::from(text));
            prop_assert!(found >= 2);
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&masked).is_ok());
        }
    }
}

#[test]
fn masks_what_no_library_would_write() {
    check(
        &["abcd-efgh"],
        r"\u0061b\x63d-\u0065fgh.",
        "**********************.",
        1,
    );
    check(&["abcd-efgh"], "%61bcd-%65fgh", "*************", 1);
    check(&["abcd-efgh"], "a&#98;cd&#x2D;efgh", "******************", 1);
    // JSON in a URL, a URL in JSON.
    check(&["abcd-efgh"], r"%5Cu0061bcd-efgh", "****************", 1);
    check(
        &["abcd-efgh"],
        r"\u0025\u00361bcd-efgh",
        "*********************",
        1,
    );
    check(&["abcd-efgh"], "ABCD-EFGH abcd-efgh", "********* *********", 2);
    check(&["abcd-efgh"], "616263642d65666768", "******************", 1);
    // A folded header field, and base64 that is wrapped within a JSON string.
    check(&["abcd-efgh"], "abcd-\r\n  efgh", "*************", 1);
    check(&["abcd-efgh"], r"YWJjZC\n1lZmdo", "**************", 1);
    check(
        &["a\u{1f600}bcdefgh"],
        r"a\ud83d\ude00bcdefg\u0068",
        "*************************",
        1,
    );
    // Not an escape, and escapes that end early.
    for text in [r"abc\", r"\u00", "%4", "&#", "&#999999999999;", r"\ud83d", "\r\n"] {
        check(&["abcd-efgh"], text, text, 0);
    }
}

#[test]
fn masks_the_long_lines_of_a_secret() {
    let pem = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n  9w0BAQEFAASCBKcwggSj\nAgEA\n-----END PRIVATE KEY-----\n";
    let redactor = redactor(&[pem]);
    for (line, expected) in [
        ("-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----"),
        ("MIIEvQIBADANBgkqhkiG", "****************hkiG"),
        ("key: 9w0BAQEFAASCBKcwggSj\r", "key: ****************ggSj\r"),
        ("AgEA", "AgEA"),
    ] {
        let (masked, _) = redactor.bytes(Bytes::copy_from_slice(line.as_bytes()));
        assert_eq!(String::from_utf8_lossy(&masked), expected);
    }
}

#[test]
fn short_secrets_are_masked_as_whole_words() {
    check(
        &["hunter"],
        r#"{"hunter":"a hunter, the hunters"}"#,
        r#"{"******":"a ******, the hunters"}"#,
        2,
    );
    check(
        &["tools"],
        r#"{"method":"tools/list"}"#,
        r#"{"method":"tools/list"}"#,
        0,
    );
    // A masked number would not be JSON.
    check(
        &["1234"],
        r#"{"id":1234,"pin":"1234"} pin=1234"#,
        r#"{"id":1234,"pin":"****"} pin=****"#,
        2,
    );
    check(
        &["true"],
        r#"{"a":true,"b":"true"}"#,
        r#"{"a":true,"b":"****"}"#,
        1,
    );
    check(&["abc"], "abc", "abc", 0);
}

/// Cut anywhere, with the rest after any byte.
#[test]
fn a_body_in_pieces_is_masked_like_the_whole() {
    let redactor = redactor(&["s3cr3t-t0k3n", "k3n-and-another-s3cr3t-of-some-length", "hunter"]);
    let long = "x".repeat(300);
    let text = format!(
        "{long}s3cr3t-t0k3n{long}s3cr3t-t0k3n-and-another-s3cr3t-of-some-length hunter {long}\\u00733cr3t-t0k3n{long}czNjcjN0LXQwazNu"
    );
    let (whole, _) = redactor.bytes(Bytes::from(text.clone()));
    assert!(!String::from_utf8_lossy(&whole).contains("cr3t-t0"), "{whole:?}");
    for size in [1, 2, 7, 64, 100, 333, text.len()] {
        let (mut body, mut recorded) = (BodyMask::default(), Vec::new());
        let mut take = |body: &mut BodyMask, end| {
            if let Some(ready) = body.ready(&redactor, end) {
                body.take(&ready);
                recorded.extend_from_slice(&ready.bytes);
            }
        };
        for piece in text.as_bytes().chunks(size) {
            body.push(piece);
            take(&mut body, false);
        }
        take(&mut body, true);
        assert_eq!(
            String::from_utf8_lossy(&recorded),
            String::from_utf8_lossy(&whole),
            "{size}"
        );
    }
}

/// A frame that is larger than what is decoded at once.
#[test]
fn masks_escapes_wherever_they_are_in_a_large_frame() {
    let redactor = redactor(&["abcd-efgh"]);
    let secret = r"\u0061bcd-\u0065fgh";
    let filler = r"\n".repeat(131_000);
    // The window ends within the secret.
    for shift in (120..150).step_by(5) {
        let text = format!("{}{filler}{secret}{secret}", "x".repeat(shift));
        let (masked, found) = redactor.bytes(Bytes::from(text.clone()));
        assert_eq!((masked.len(), found), (text.len(), 2), "{shift}");
        assert!(!masked.windows(4).any(|part| part == b"bcd-"));
    }
}

#[test]
fn a_body_that_ends_within_a_secret_is_masked() {
    let redactor = redactor(&["s3cr3t-t0k3n-of-some-length"]);
    for (text, expected) in [
        ("a s3cr3t-t0k3n-of-some-leng", "a *************************"),
        ("s3cr3t", "******"),
        ("s3cr3", "s3cr3"),
        ("s3cr3t-t0k3n-of-some-length", "***********************ngth"),
    ] {
        let mut body = BodyMask::default();
        body.push(text.as_bytes());
        let ready = body.ready(&redactor, true).unwrap();
        assert_eq!(String::from_utf8_lossy(&ready.bytes), expected);
    }
}
