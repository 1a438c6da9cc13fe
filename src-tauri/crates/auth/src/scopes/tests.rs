use super::{Sources, choose, split};

fn list(text: &str) -> Vec<String> {
    split(text).unwrap_or_default()
}

#[test]
fn the_strongest_source_wins_and_granted_scopes_are_kept() {
    let check = |sources: Sources<'_>, expected: Option<&str>| {
        let (scopes, from) = choose(&sources);
        assert_eq!(scopes.map(|all| all.join(" ")).as_deref(), expected, "{from}");
    };
    let (a, ab, c, offline) = (list("a"), list("a b"), list("c"), list("x offline_access"));
    check(Sources::default(), None);
    check(
        Sources {
            resource: Some(&ab),
            ..Sources::default()
        },
        Some("a b"),
    );
    check(
        Sources {
            challenge: Some(&c),
            resource: Some(&ab),
            ..Sources::default()
        },
        Some("c"),
    );
    check(
        Sources {
            settings: Some(&a),
            challenge: Some(&c),
            resource: Some(&ab),
            ..Sources::default()
        },
        Some("a"),
    );
    check(
        Sources {
            run: Some(&c),
            settings: Some(&a),
            before: &ab,
            ..Sources::default()
        },
        Some("c"),
    );
    // Choosing no scopes is a choice too.
    check(
        Sources {
            run: Some(&[]),
            challenge: Some(&a),
            ..Sources::default()
        },
        None,
    );
    // A step-up requests the earlier scopes too.
    check(
        Sources {
            challenge: Some(&c),
            before: &ab,
            ..Sources::default()
        },
        Some("a b c"),
    );
    check(
        Sources {
            settings: Some(&a),
            challenge: Some(&c),
            before: &a,
            ..Sources::default()
        },
        Some("a c"),
    );
    // offline_access only where it is listed, and never alone or against the settings.
    let refreshes = Sources {
        server: Some(&offline),
        refreshes: true,
        ..Sources::default()
    };
    check(
        Sources {
            challenge: Some(&a),
            ..refreshes
        },
        Some("a offline_access"),
    );
    let refreshes = Sources {
        server: Some(&offline),
        refreshes: true,
        ..Sources::default()
    };
    check(refreshes, None);
    check(
        Sources {
            settings: Some(&a),
            server: Some(&offline),
            refreshes: true,
            ..Sources::default()
        },
        Some("a"),
    );
    check(
        Sources {
            challenge: Some(&a),
            server: Some(&offline),
            ..Sources::default()
        },
        Some("a"),
    );
    check(
        Sources {
            challenge: Some(&a),
            server: Some(&ab),
            refreshes: true,
            ..Sources::default()
        },
        Some("a"),
    );
}

/// Compared with each other, so many would take many minutes.
#[test]
fn a_server_may_name_very_many_scopes() {
    let listed: Vec<String> = (0..300_000).map(|scope| format!("scope-{scope}")).collect();
    let sources = Sources {
        resource: Some(&listed),
        before: &listed,
        ..Sources::default()
    };
    assert_eq!(choose(&sources).0.unwrap().len(), listed.len());
    assert_eq!(split(&listed.join(" ")).unwrap().len(), listed.len());
}
