//! The doctor's steps.

use super::secure::{Authority, secure};
use super::server::ok;
use super::*;
use crate::doctor::{Outcome, StepReport, examine};

/// One line per step, without times.
async fn script(url: &str, settings: &Settings) -> String {
    let line = |report: StepReport| {
        let facts: Vec<String> = report
            .facts
            .iter()
            .filter(|(name, _)| {
                !matches!(
                    *name,
                    "fingerprint" | "cipher suite" | "valid from" | "valid until"
                )
            })
            .map(|(name, value)| format!(" [{name}: {value}]"))
            .collect();
        let outcome = match report.outcome {
            Outcome::Works => "works".to_owned(),
            Outcome::Fails { cause, tls, .. } => {
                let problem = tls.map(|tls| format!(" {:?}", tls.reason)).unwrap_or_default();
                format!("fails: {cause}{problem}")
            }
            Outcome::Skipped(why) => format!("skipped: {why}"),
        };
        format!(
            "{} {} {outcome}{}\n",
            report.step.id(),
            report.target,
            facts.concat()
        )
    };
    let reports = examine(&url.parse().unwrap(), settings, Arc::new(Names)).await;
    reports.into_iter().map(line).collect()
}

#[tokio::test]
async fn steps_run_until_one_fails() {
    let authority = Authority::new();
    let server = secure(&authority.issue(|_| {}), None, [ok(""), ok("")]).await;
    let port = server.port;
    assert_eq!(
        script(&format!("https://one.test:{port}/"), &authority.trusting()).await,
        format!(
            "resolve one.test works [addresses: 127.0.0.1]\n\
             connect 127.0.0.1:{port} works\n\
             tls one.test works [version: TLS 1.3] [protocol: http/1.1] [certificate: CN=One] \
             [issuer: CN=Test Authority]\n"
        )
    );
    assert_eq!(
        script(&format!("https://one.test:{port}/"), &direct()).await,
        format!(
            "resolve one.test works [addresses: 127.0.0.1]\n\
             connect 127.0.0.1:{port} works\n\
             tls one.test fails: the certificate of one.test is from CN=Test Authority, which this system does not trust \
             UnknownIssuer [certificate: CN=One] [issuer: CN=Test Authority] [names: one.test, 127.0.0.1]\n"
        )
    );
    assert_eq!(
        script(&format!("http://127.0.0.1:{port}/"), &direct()).await,
        format!(
            "resolve 127.0.0.1 works [addresses: 127.0.0.1] [resolved: not needed: the URL has the address]\n\
             connect 127.0.0.1:{port} works\n\
             tls 127.0.0.1 skipped: an http:// URL has no TLS\n"
        )
    );
    assert_eq!(
        script("https://nope.invalid/", &direct()).await,
        "resolve nope.invalid fails: the host name nope.invalid cannot be resolved: name or service not known\n"
    );
    assert_eq!(
        script("ftp://one.test/", &direct()).await,
        "resolve ftp://one.test/ fails: `ftp` URLs cannot be requested\n"
    );
}

#[tokio::test]
async fn invalid_settings_are_the_first_step() {
    let settings = Settings {
        accepted_fingerprint: Some("x".to_owned()),
        ..direct()
    };
    assert_eq!(
        script("https://one.test/", &settings).await,
        "resolve settings fails: accepted certificate: `x` is not a SHA-256 fingerprint: 64 hex digits were expected\n"
    );
}

#[tokio::test]
async fn the_steps_through_a_socks_proxy() {
    let authority = Authority::new();
    let server = secure(&authority.issue(|_| {}), None, [ok("")]).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, there) = (listener.local_addr().unwrap().port(), server.port);
    let settings = Settings {
        proxy: ProxyChoice::Url(format!("socks5://127.0.0.1:{port}")),
        ..authority.trusting()
    };
    let both = async {
        tokio::join!(
            script("https://one.test/", &settings),
            super::proxies::socks(&listener, true, 0, there)
        )
    };
    let done = tokio::time::timeout(Duration::from_secs(20), both).await;
    let (found, (_, _, asked)) = done.expect("the proxy is not asked");
    assert_eq!(
        found,
        format!(
            "resolve 127.0.0.1 works [proxy: 127.0.0.1:{port}] [addresses: 127.0.0.1] \
             [resolved: not needed: the URL has the address]\n\
             connect 127.0.0.1:{port} works\n\
             connect one.test:443 through 127.0.0.1:{port} works\n\
             tls one.test works [version: TLS 1.3] [protocol: http/1.1] [certificate: CN=One] \
             [issuer: CN=Test Authority]\n"
        )
    );
    assert_eq!(asked, "one.test:443");
}
