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

/// A server may name as many scopes as fit into a document. With a search for each among all before it, this takes much
/// longer.
#[test]
fn many_scopes_take_time_in_proportion() {
    let text: String = (0..50_000)
        .map(|number| format!("scope-of-the-server-{} ", number % 25_000))
        .collect();
    let begun = std::time::Instant::now();
    let all = list(&text);
    assert_eq!(all.len(), 25_000);
    let (chosen, _) = choose(&Sources {
        resource: Some(&all),
        before: &all,
        server: Some(&all),
        refreshes: true,
        ..Sources::default()
    });
    assert_eq!(chosen, Some(all));
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_secs(8), "{took:?}");
}
