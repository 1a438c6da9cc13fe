use patchbay_contract::{Era, HttpDialect, HttpKind, ProxyDraft, RememberedEra, ServerId, TransportDraft};
use patchbay_protocol as protocol;
use patchbay_transport::Dialect;

use super::{Eras, of_verdict, to_verdict};

fn http(url: &str) -> TransportDraft {
    TransportDraft::Http {
        url: url.to_owned(),
        kind: HttpKind::Auto,
        headers: Vec::new(),
        proxy: ProxyDraft::System,
        ca_file: None,
        client_certificate: None,
        accepted_fingerprint: None,
    }
}

#[tokio::test]
async fn a_finding_is_kept_until_the_server_changes_or_it_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eras.json");
    let server = ServerId("s".to_owned());
    let found = RememberedEra {
        era: Era::Legacy,
        dialect: Some(HttpDialect::HttpSse),
    };
    let eras = Eras::open(file.clone(), true);
    assert_eq!(eras.get(&server, &http("http://a")), None);
    assert!(eras.set(&server, &http("http://a"), Some(found.clone())).await);
    assert!(!eras.set(&server, &http("http://a"), Some(found.clone())).await);
    let again = Eras::open(file.clone(), true);
    assert_eq!(again.get(&server, &http("http://a")), Some(found));
    assert_eq!(again.get(&server, &http("http://b")), None);
    assert!(again.set(&server, &http("http://a"), None).await);
    assert_eq!(Eras::open(file, true).get(&server, &http("http://a")), None);
}

#[tokio::test]
async fn a_reader_writes_nothing_and_an_unreadable_file_is_empty() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eras.json");
    std::fs::write(&file, "{broken").unwrap();
    let eras = Eras::open(file.clone(), false);
    let server = ServerId("s".to_owned());
    let found = RememberedEra {
        era: Era::Modern,
        dialect: None,
    };
    assert!(eras.set(&server, &http("http://a"), Some(found.clone())).await);
    assert_eq!(eras.get(&server, &http("http://a")), Some(found));
    assert_eq!(std::fs::read_to_string(file).unwrap(), "{broken");
}

#[test]
fn a_finding_round_trips() {
    for dialect in [Dialect::Modern, Dialect::Legacy, Dialect::HttpSse] {
        let verdict = patchbay_client::Verdict {
            era: dialect.era(),
            dialect,
        };
        assert_eq!(to_verdict(&of_verdict(verdict, &http("http://a"))), verdict);
    }
    let stdio = TransportDraft::Stdio {
        command: "x".to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
    };
    let verdict = patchbay_client::Verdict {
        era: protocol::Era::Legacy,
        dialect: Dialect::Legacy,
    };
    assert_eq!(of_verdict(verdict, &stdio).dialect, None);
}

/// A folder in its place cannot be read, as a disk that fails.
#[tokio::test]
async fn findings_that_could_not_be_read_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("eras.json");
    let (one, two) = (ServerId("1".to_owned()), ServerId("2".to_owned()));
    let found = || {
        Some(RememberedEra {
            era: Era::Modern,
            dialect: None,
        })
    };
    let transport = http("http://a");
    assert!(
        Eras::open(file.clone(), true)
            .set(&one, &transport, found())
            .await
    );
    let text = std::fs::read(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let eras = Eras::open(file.clone(), true);
    std::fs::remove_dir(&file).unwrap();
    std::fs::write(&file, text).unwrap();
    assert!(eras.set(&two, &transport, found()).await);
    let again = Eras::open(file, true);
    assert_eq!(
        (again.get(&one, &transport), again.get(&two, &transport)),
        (found(), found())
    );
}
