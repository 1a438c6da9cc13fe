//! What differs between a server of another host and the configured ones. Values of secrets are not compared: ours may be
//! in a vault that is locked.

use patchbay_contract::{HostComparison, HostDifference, HostServer, ServerDraft, TransportDraft};

use url::Url;

use crate::{Server, secrets, servers::unique_name};

/// Compares every server of `found`, and gives each a name that is free here.
pub(super) fn all<'a>(found: impl Iterator<Item = &'a mut HostServer>, ours: &[Server]) {
    let ours: Vec<(&Server, ServerDraft)> = ours
        .iter()
        .map(|server| (server, secrets::without(&server.draft)))
        .collect();
    let mut names: Vec<String> = ours.iter().map(|(server, _)| server.draft.name.clone()).collect();
    for server in found {
        server.comparison = one(&server.draft, &ours);
        server.draft.name = unique_name(&server.draft.name, |name| names.iter().any(|known| known == name));
        names.push(server.draft.name.clone());
    }
}

/// Compares the found server with ours, each of which is beside itself without its secrets. What an update would keep is no
/// difference.
fn one(found: &ServerDraft, ours: &[(&Server, ServerDraft)]) -> HostComparison {
    let differing = |server: &Server, draft: &ServerDraft| {
        let updated = updated(&server.draft, found);
        let shown = secrets::without(&updated).transport;
        (differences(&draft.transport, &shown), updated.transport)
    };
    let same = |(server, draft): &&(&Server, ServerDraft)| differing(server, draft).0.is_empty();
    if let Some((server, draft)) = ours.iter().find(same) {
        return HostComparison::Same {
            server_id: server.id.clone(),
            name: draft.name.clone(),
        };
    }
    let named = ours
        .iter()
        .find(|(server, draft)| !server.is_demo && draft.name.eq_ignore_ascii_case(&found.name));
    match named {
        Some((server, draft)) => {
            let (differences, transport) = differing(server, draft);
            HostComparison::Differs {
                server_id: server.id.clone(),
                name: draft.name.clone(),
                differences,
                transport,
            }
        }
        None => HostComparison::New {},
    }
}

/// One of our servers as another host starts or reaches it. It keeps what no other host decides: the proxy and the trusted
/// authorities, and what is for one server only if it is still the same one. So are values that theirs leaves open.
fn updated(ours: &ServerDraft, theirs: &ServerDraft) -> ServerDraft {
    let mut theirs = theirs.clone();
    let is_same = match (&ours.transport, &theirs.transport) {
        (TransportDraft::Http { url: ours, .. }, TransportDraft::Http { url: theirs, .. }) => {
            let origin = |url: &str| Url::parse(url).ok().map(|url| url.origin());
            ours == theirs || origin(ours).is_some_and(|ours| origin(theirs) == Some(ours))
        }
        _ => true,
    };
    if is_same {
        secrets::keep(ours, &mut theirs);
    }
    if let (
        TransportDraft::Http {
            proxy,
            ca_file,
            client_certificate,
            accepted_fingerprint,
            ..
        },
        TransportDraft::Http {
            proxy: our_proxy,
            ca_file: our_ca_file,
            client_certificate: our_certificate,
            accepted_fingerprint: our_fingerprint,
            ..
        },
    ) = (&mut theirs.transport, &ours.transport)
    {
        proxy.clone_from(our_proxy);
        ca_file.clone_from(our_ca_file);
        if is_same {
            client_certificate.clone_from(our_certificate);
            accepted_fingerprint.clone_from(our_fingerprint);
        }
    }
    theirs
}

/// The settings of how a server is reached, by name.
fn settings(transport: &TransportDraft) -> Vec<(&'static str, String)> {
    let lines = |mut lines: Vec<String>| {
        lines.sort();
        lines.join("\n")
    };
    match transport {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => vec![
            ("Command", command.clone()),
            ("Arguments", args.join("\n")),
            (
                "Environment",
                lines(
                    env.iter()
                        .map(|var| format!("{}={}", var.name, var.value))
                        .collect(),
                ),
            ),
            ("Working directory", cwd.clone().unwrap_or_default()),
        ],
        TransportDraft::Http { url, headers, .. } => {
            let headers = headers
                .iter()
                .map(|header| format!("{}: {}", header.name.to_ascii_lowercase(), header.value));
            vec![("URL", url.clone()), ("Headers", lines(headers.collect()))]
        }
    }
}

fn differences(ours: &TransportDraft, theirs: &TransportDraft) -> Vec<HostDifference> {
    let (ours, theirs) = (settings(ours), settings(theirs));
    let value = |of: &[(&str, String)], setting: &str| {
        let found = of.iter().find(|(name, _)| *name == setting);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let mut all: Vec<&str> = ours.iter().chain(&theirs).map(|(name, _)| *name).collect();
    let mut seen = Vec::new();
    all.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    all.into_iter()
        .map(|setting| HostDifference {
            setting: setting.to_owned(),
            ours: value(&ours, setting),
            theirs: value(&theirs, setting),
        })
        .filter(|each| each.ours != each.theirs)
        .collect()
}
