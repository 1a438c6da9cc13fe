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
