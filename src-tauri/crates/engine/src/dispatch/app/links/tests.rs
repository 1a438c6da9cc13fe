use super::{check, check_page};

#[test]
fn only_web_and_mail_addresses_are_opened() {
    for good in [
        "https://example.com/a?b=c#d",
        "HTTP://localhost:8080",
        "mailto:a@example.com",
    ] {
        assert!(check(good).is_ok(), "{good}");
    }
    for bad in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "vscode://open",
        "https:",
        "https://",
        "https:///path",
        "example.com",
        "",
        "mailto:",
        "mailto:a@example.com?attach=/etc/passwd",
        "https://exa mple.com",
        "https://example.com\nfile:",
    ] {
        assert!(check(bad).is_err(), "{bad}");
    }
}

#[test]
fn only_web_addresses_are_pages() {
    for good in [
        "https://example.com/a",
        "HTTPS://example.com/a",
        "http://localhost",
    ] {
        assert!(check_page(good).is_ok(), "{good}");
    }
    for bad in ["mailto:a@example.com", "file:///x", "example.com", ""] {
        assert!(check_page(bad).is_err(), "{bad}");
    }
}
