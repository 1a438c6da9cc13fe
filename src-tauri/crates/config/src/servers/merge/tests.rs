use patchbay_contract::{HttpKind, ProxyDraft, RootsRule, TransportDraft};

use super::*;

fn http(url: &str, kind: HttpKind, fingerprint: Option<&str>) -> TransportDraft {
    TransportDraft::Http {
        url: url.to_owned(),
        kind,
        headers: Vec::new(),
        proxy: ProxyDraft::App,
        ca_file: None,
        client_certificate: None,
        accepted_fingerprint: fingerprint.map(str::to_owned),
    }
}

fn draft(transport: TransportDraft) -> ServerDraft {
    ServerDraft::new("a", transport)
}

#[test]
fn both_changes_of_different_settings_are_kept() {
    let base = ServerDraft {
        health_ping_ms: Some(1000),
        limits: [("frameBytes".to_owned(), 1), ("openRequests".to_owned(), 2)].into(),
        ..draft(http("https://a.example", HttpKind::Auto, Some("one")))
    };
    let mut now = base.clone();
    now.transport = http("https://b.example", HttpKind::Auto, Some("one"));
    now.timeouts.max_total_ms = 7;
    now.limits.insert("frameBytes".to_owned(), 3);
    now.groups = vec!["Work".to_owned()];
    let mut mine = base.clone();
    mine.transport = http("https://a.example", HttpKind::Sse, None);
    mine.timeouts.request_ms = 5;
    mine.limits.remove("openRequests");
    mine.health_ping_ms = None;
    let mut both = now.clone();
    both.transport = http("https://b.example", HttpKind::Sse, None);
    both.timeouts.request_ms = 5;
    both.limits.remove("openRequests");
    both.health_ping_ms = None;
    assert_eq!(merged(&now, &base, &mine).unwrap(), both);
    assert_eq!(merged(&base, &base, &mine).unwrap(), mine);
    assert_eq!(merged(&now, &base, &base).unwrap(), now);
}

#[test]
fn of_two_changes_of_one_setting_the_newest_counts() {
    let base = draft(http("https://a.example", HttpKind::Auto, None));
    let now = draft(http("https://b.example", HttpKind::Sse, None));
    let program = draft(TransportDraft::Stdio {
        command: "x".to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
    });
    // Another kind of server is one change: members of both would fit neither.
    assert_eq!(merged(&now, &base, &program).unwrap(), program);
    assert_eq!(merged(&program, &base, &now).unwrap(), now);
    let with = |roots: Option<RootsRule>| ServerDraft {
        roots,
        ..base.clone()
    };
    let folders = |path: &str| {
        let (paths, names) = (vec![path.to_owned()], [].into());
        with(Some(RootsRule::Folders {
            paths,
            names,
            sets: Vec::new(),
        }))
    };
    assert_eq!(
        merged(&folders("/b"), &with(None), &folders("/c")).unwrap(),
        folders("/c")
    );
}
