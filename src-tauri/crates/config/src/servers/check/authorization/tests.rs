use super::*;

fn draft(mode: AuthorizationMode) -> AuthorizationDraft {
    AuthorizationDraft {
        mode,
        ..AuthorizationDraft::default()
    }
}

#[test]
fn settings_are_trimmed_before_they_are_stored() {
    let given = AuthorizationDraft {
        client_id: Some("  me ".to_owned()),
        client_secret: Some(" ".to_owned()),
        enterprise: Some(EnterpriseDraft::default()),
        ..draft(AuthorizationMode::Auto)
    };
    let kept = checked(Some(given)).unwrap().unwrap();
    assert_eq!(kept.client_id.as_deref(), Some("me"));
    assert_eq!((kept.client_secret, kept.enterprise), (None, None));
    assert_eq!(checked(Some(AuthorizationDraft::default())).unwrap(), None);
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let wrong = [
        draft(AuthorizationMode::ClientCredentials),
        draft(AuthorizationMode::Enterprise),
        AuthorizationDraft {
            client_id: Some("me".to_owned()),
            ..draft(AuthorizationMode::ClientCredentials)
        },
        AuthorizationDraft {
            client_id: Some("me".to_owned()),
            ..draft(AuthorizationMode::Enterprise)
        },
        AuthorizationDraft {
            scopes: Some("a \"b\"".to_owned()),
            ..AuthorizationDraft::default()
        },
        AuthorizationDraft {
            redirect_port: Some(0),
            ..AuthorizationDraft::default()
        },
        AuthorizationDraft {
            metadata_url: Some("http://me.example/client.json".to_owned()),
            ..AuthorizationDraft::default()
        },
        AuthorizationDraft {
            metadata_url: Some("https://me.example".to_owned()),
            ..AuthorizationDraft::default()
        },
    ];
    for draft in wrong {
        assert!(checked(Some(draft.clone())).is_err(), "{draft:?}");
    }
}

#[test]
fn a_workload_needs_the_source_of_its_assertion() {
    let from = |from, value: &str| {
        checked(Some(AuthorizationDraft {
            assertion: Some(AssertionDraft {
                from,
                value: value.to_owned(),
            }),
            ..draft(AuthorizationMode::Workload)
        }))
    };
    let kept = from(AssertionFrom::File, " /run/token ").unwrap().unwrap();
    assert_eq!(kept.assertion.unwrap().value, "/run/token");
    assert!(from(AssertionFrom::Variable, "TOKEN").is_ok());
    assert!(from(AssertionFrom::Command, "az account 'get token'").is_ok());
    for (kind, value) in [
        (AssertionFrom::File, "token"),
        (AssertionFrom::File, " "),
        (AssertionFrom::Variable, "A=B"),
        (AssertionFrom::Command, "az 'account"),
    ] {
        assert!(from(kind, value).is_err(), "{value}");
    }
    assert!(checked(Some(draft(AuthorizationMode::Workload))).is_err());
}
