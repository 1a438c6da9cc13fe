//! A connection's status in the contract's form. All text from a server is passed through `masked`.

use patchbay_client::{ProcessInfo, State, Status};
use patchbay_contract::*;
use patchbay_protocol::json;
use patchbay_transport::{Dialect, HttpPeer, StreamState};

use super::handle::ConnectionHandle;
use crate::{connections::environment::path_of, convert, files::eras};

/// For the list of servers.
pub(super) fn item(status: &Status, masked: impl Fn(String) -> String) -> ConnectionItem {
    let server = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.server.as_ref());
    ConnectionItem {
        connection_id: status
            .connection
            .map(|connection| ConnectionId(connection.id().to_string())),
        state: convert::state(status.state),
        era: status.era.map(convert::era),
        revision: status.revision_name().map(str::to_owned),
        server: server.map(|server| ImplementationItem {
            name: masked(server.name.clone()),
            title: server.title.clone().map(&masked),
            version: server.version.clone().map(&masked),
        }),
        extensions: extensions(status).take(MOST_EXTENSIONS).map(&masked).collect(),
        failure: failure(status, &masked),
        problem_count: convert::count(status.problem_count),
        pending_count: convert::count(status.pending_count),
        since_at_ms: convert::at_ms(status.since),
    }
}

/// The maximum number of extensions in the list of servers.
const MOST_EXTENSIONS: usize = 20;

/// The extensions that the server declared.
pub(crate) fn extensions(status: &Status) -> impl Iterator<Item = String> {
    let capabilities = status
        .handshake
        .as_ref()
        .and_then(|handshake| handshake.capabilities_json.as_deref());
    let names: Vec<String> = capabilities
        .and_then(|raw| json::Object::parse(raw).ok())
        .and_then(|all| json::Object::parse(all.get("extensions")?).ok())
        .map(|extensions| extensions.iter().map(|(name, _)| name.to_string()).collect())
        .unwrap_or_default();
    names.into_iter()
}

/// Why it failed, with the HTTP exchange if the server requires authorization.
pub(crate) fn failure(status: &Status, masked: impl Fn(String) -> String) -> Option<FailureItem> {
    let failure = convert::failure(status.failure.as_ref()?, &masked);
    Some(match &status.challenge {
        Some(challenge) => {
            let asks = challenge.www_authenticate.as_ref();
            let asks = asks.map(|asks| masked(format!("WWW-Authenticate: {asks}")));
            let detail: Vec<String> = failure.detail.into_iter().chain(asks).collect();
            FailureItem {
                http_status: Some(challenge.status.into()),
                seq: Some(convert::seq(challenge.http)),
                detail: (!detail.is_empty()).then(|| detail.join("\n")),
                ..failure
            }
        }
        None => failure,
    })
}

/// All details.
pub(crate) fn details(
    live: Option<&ConnectionHandle>,
    environment_outdated: bool,
    masked: impl Fn(String) -> String + Copy,
) -> ConnectionGetResponse {
    let status = live.map(ConnectionHandle::status);
    let Some((live, status)) = live.zip(status) else {
        return ConnectionGetResponse {
            connection: ConnectionItem::default(),
            process: None,
            http: None,
            era_verdict: None,
            supported_versions: Vec::new(),
            server_capabilities_json: None,
            client_capabilities_json: None,
            handshake_result_json: None,
            handshake_seq: None,
            instructions: None,
            stderr_tail: Vec::new(),
            stray_line: None,
            log_level: None,
        };
    };
    let handshake = status.handshake.as_deref();
    ConnectionGetResponse {
        connection: item(&status, masked),
        process: status.process.as_ref().map(|process| ProcessItem {
            environment_outdated,
            ..process_item(process, live, masked)
        }),
        http: status
            .link
            .as_ref()
            .and_then(|link| link.http())
            .map(|peer| http_item(peer, &status, masked)),
        era_verdict: status.era_verdict.as_ref().map(|verdict| EraVerdict {
            reason: masked(verdict.reason.clone()),
            probe_seq: verdict.probe_seq.map(convert::seq),
            remembered: is_remembered(live, &status),
        }),
        supported_versions: handshake
            .map(|handshake| handshake.supported_versions.iter().cloned().map(masked).collect())
            .unwrap_or_default(),
        server_capabilities_json: handshake
            .and_then(|handshake| handshake.capabilities_json.clone())
            .map(masked),
        client_capabilities_json: Some(status.client_capabilities_json.clone()),
        handshake_result_json: handshake.map(|handshake| masked(handshake.result_text().into_owned())),
        handshake_seq: handshake.map(|handshake| convert::seq(handshake.seq)),
        instructions: handshake
            .and_then(|handshake| handshake.instructions.clone())
            .map(masked),
        stderr_tail: status.stderr_tail.lines().into_iter().map(masked).collect(),
        stray_line: status.stray_line.clone().map(masked),
        log_level: status.log_level.map(convert::log_level),
    }
}

fn process_item(
    process: &ProcessInfo,
    live: &ConnectionHandle,
    masked: impl Fn(String) -> String,
) -> ProcessItem {
    ProcessItem {
        command: process.command.clone(),
        resolved: process.resolved.as_ref().map(|path| path.display().to_string()),
        args: process.args.iter().cloned().map(masked).collect(),
        cwd: process.cwd.display().to_string(),
        path: path_of(process.path.clone(), &live.environment),
        env_names: process.env_names.clone(),
        inherited_names: process.inherited_names.clone(),
        withheld: u32::try_from(process.withheld).unwrap_or(u32::MAX),
        pid: process.pid,
        exit: process.exit.as_ref().map(ToString::to_string),
        environment_outdated: false,
    }
}

fn http_item(peer: &HttpPeer, status: &Status, masked: impl Fn(String) -> String) -> HttpItem {
    HttpItem {
        url: masked(peer.endpoint.clone().unwrap_or_else(|| peer.url.clone())),
        dialect: (status.state == State::Ready).then_some(match peer.dialect {
            Dialect::Modern | Dialect::Legacy => HttpDialect::StreamableHttp,
            Dialect::HttpSse => HttpDialect::HttpSse,
        }),
        session_id: peer.session_id.clone().map(masked),
        get_stream: match peer.stream {
            StreamState::None => GetStream::None,
            StreamState::Opening | StreamState::Waiting { .. } => GetStream::Opening,
            StreamState::Open => GetStream::Open,
            StreamState::NotOffered(_) => GetStream::Refused,
            StreamState::Lost(_) => GetStream::Lost,
        },
        http_version: peer.protocol.clone(),
    }
}

/// Whether the era was already known and nothing had to be probed.
fn is_remembered(live: &ConnectionHandle, status: &Status) -> bool {
    let verdict = status.era_verdict.as_ref();
    let (Some(remembered), Some(verdict)) = (&live.remembered, verdict) else {
        return false;
    };
    verdict.probe_seq.is_none() && status.era == Some(eras::to_verdict(remembered).era)
}
