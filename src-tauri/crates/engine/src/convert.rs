//! Converts the state crates' types to the contract's. This is the only place that does.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use patchbay_client as client;
use patchbay_contract::*;
use patchbay_http::{TlsProblem, TlsReason};
use patchbay_protocol as protocol;
use patchbay_traffic as traffic;

pub(crate) fn seq(seq: traffic::Seq) -> Seq {
    Seq(seq.to_string())
}

/// Parses a record's number from the UI.
pub(crate) fn parse_seq(seq: &Seq) -> Result<traffic::Seq, CommandError> {
    seq.0.parse().map_err(|_| {
        crate::dispatch::error::fail(
            ErrorCode::InvalidParams,
            format!("`{seq}` is not a record number."),
        )
    })
}

/// The capabilities that a server declared; none before its handshake.
pub(crate) fn capabilities(status: &client::Status) -> Option<protocol::views::ServerCapabilities<'_>> {
    let handshake = status.handshake.as_ref()?;
    let raw = handshake.capabilities_json.as_deref()?;
    Some(protocol::views::ServerCapabilities::new(raw))
}

/// How the first text of a definition differs from the first one before, and whether it differs in more than that. Nothing if there
/// is no text to compare.
pub(crate) fn definition_changes(before: &[String], after: &[String]) -> (Vec<DefinitionChangeItem>, bool) {
    let (Some(before), Some(after)) = (before.first(), after.first()) else {
        return (Vec::new(), false);
    };
    let found = protocol::views::definition_changes(before, after);
    let changes = found.changes.into_iter().map(|change| DefinitionChangeItem {
        part: change.part,
        pointer: change.pointer,
        words: change.words,
        before: change.before,
        after: change.after,
    });
    (changes.collect(), found.more)
}

pub(crate) fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Milliseconds as seconds for a sentence, to a tenth: a time limit may be shorter than a second.
pub(crate) fn tenths(ms: f64) -> f64 {
    (ms / 100.0).round() / 10.0
}

pub(crate) fn at_ms(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).map_or(0.0, ms)
}

/// A count as the 32-bit number of the contract.
pub(crate) fn count(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

pub(crate) fn timeouts(timeouts: Timeouts) -> client::Timeouts {
    client::Timeouts {
        request: Duration::from_millis(timeouts.request_ms.into()),
        max_total: Duration::from_millis(timeouts.max_total_ms.into()),
        reset_on_progress: timeouts.reset_on_progress,
        count_input_wait: timeouts.count_input_wait,
    }
}

pub(crate) fn era_choice(era: EraChoice) -> client::EraChoice {
    match era {
        EraChoice::Auto => client::EraChoice::Auto,
        EraChoice::Legacy => client::EraChoice::Legacy,
        EraChoice::Modern => client::EraChoice::Modern,
    }
}

pub(crate) fn era(era: protocol::Era) -> Era {
    match era {
        protocol::Era::Legacy => Era::Legacy,
        protocol::Era::Modern => Era::Modern,
    }
}

pub(crate) fn state(state: client::State) -> ConnectionState {
    match state {
        client::State::Connecting => ConnectionState::Connecting,
        client::State::Authorizing => ConnectionState::Authorizing,
        client::State::Negotiating => ConnectionState::Negotiating,
        client::State::Ready => ConnectionState::Ready,
        client::State::Closing => ConnectionState::Closing,
        client::State::Closed => ConnectionState::Closed,
        client::State::Failed => ConnectionState::Failed,
    }
}

pub(crate) fn path_source(source: client::EnvironmentSource) -> PathSource {
    match source {
        client::EnvironmentSource::Inherited => PathSource::Inherited,
        client::EnvironmentSource::LoginShell => PathSource::LoginShell,
        client::EnvironmentSource::ChosenShell => PathSource::ChosenShell,
    }
}

/// A failure in words, which may quote the server.
pub(crate) fn failure(failure: &client::Failure, masked: impl Fn(String) -> String) -> FailureItem {
    FailureItem {
        step: failure.step.to_owned(),
        cause: masked(sentence(&failure.cause)),
        next: failure.next.clone(),
        detail: failure.detail.clone().map(masked),
        http_status: None,
        certificate: failure.certificate.as_deref().map(certificate),
        seq: None,
    }
}

/// Makes a sentence of a system message, which starts in lower case and has no full stop.
fn sentence(words: &str) -> String {
    let words = words.trim();
    let is_address = words.starts_with("http://") || words.starts_with("https://");
    let mut chars = words.chars();
    let first = chars.next().map(|first| match is_address {
        true => first.to_string(),
        false => first.to_uppercase().to_string(),
    });
    let end = match words.chars().last() {
        Some('.' | '!' | '?' | ':' | '…') | None => "",
        Some(_) => ".",
    };
    format!("{}{}{end}", first.unwrap_or_default(), chars.as_str())
}

/// A certificate that the user can accept.
pub(crate) fn certificate(problem: &TlsProblem) -> CertificateItem {
    let reason = match problem.reason {
        TlsReason::SelfSigned => "Self-signed certificate.".to_owned(),
        TlsReason::UnknownIssuer => {
            format!("Issued by {}, which this system does not trust.", problem.issuer)
        }
        TlsReason::Expired => format!("The certificate expired on {}.", problem.not_after),
        TlsReason::NotYetValid => format!("The certificate is not valid before {}.", problem.not_before),
        TlsReason::WrongName => format!("Issued for {}.", problem.names.join(", ")),
        TlsReason::Revoked => "The certificate was revoked.".to_owned(),
        TlsReason::Other => "The certificate was rejected.".to_owned(),
    };
    CertificateItem {
        fingerprint: problem.fingerprint.clone(),
        subject: problem.subject.clone(),
        reason,
    }
}

pub(crate) fn log_level(level: protocol::views::LogLevel) -> LogLevel {
    use protocol::views::LogLevel as ProtocolLogLevel;
    match level {
        ProtocolLogLevel::Debug => LogLevel::Debug,
        ProtocolLogLevel::Info => LogLevel::Info,
        ProtocolLogLevel::Notice => LogLevel::Notice,
        ProtocolLogLevel::Warning => LogLevel::Warning,
        ProtocolLogLevel::Error => LogLevel::Error,
        ProtocolLogLevel::Critical => LogLevel::Critical,
        ProtocolLogLevel::Alert => LogLevel::Alert,
        ProtocolLogLevel::Emergency => LogLevel::Emergency,
    }
}

pub(crate) fn inner_log_level(level: LogLevel) -> protocol::views::LogLevel {
    use protocol::views::LogLevel as ProtocolLogLevel;
    match level {
        LogLevel::Debug => ProtocolLogLevel::Debug,
        LogLevel::Info => ProtocolLogLevel::Info,
        LogLevel::Notice => ProtocolLogLevel::Notice,
        LogLevel::Warning => ProtocolLogLevel::Warning,
        LogLevel::Error => ProtocolLogLevel::Error,
        LogLevel::Critical => ProtocolLogLevel::Critical,
        LogLevel::Alert => ProtocolLogLevel::Alert,
        LogLevel::Emergency => ProtocolLogLevel::Emergency,
    }
}

pub(crate) fn severity(severity: protocol::Severity) -> Severity {
    match severity {
        protocol::Severity::Error => Severity::Error,
        protocol::Severity::Warning => Severity::Warning,
    }
}

pub(crate) fn violations(violations: &[protocol::Violation]) -> Vec<ViolationItem> {
    violations
        .iter()
        .map(|violation| ViolationItem {
            rule: violation.rule.id().to_owned(),
            severity: severity(violation.rule.severity()),
            message: violation.message.clone(),
            pointer: violation.pointer.clone(),
        })
        .collect()
}

pub(crate) fn recorded_violations(violations: Vec<traffic::RecordedViolation>) -> Vec<ViolationItem> {
    violations
        .into_iter()
        .map(|violation| ViolationItem {
            rule: violation.rule,
            severity: severity(violation.severity),
            message: violation.message,
            pointer: violation.pointer,
        })
        .collect()
}

pub(crate) fn filter(text: &str) -> Result<traffic::Filter, CommandError> {
    traffic::Filter::parse(text).map_err(|error| CommandError {
        code: ErrorCode::InvalidParams,
        detail: Some(format!(r#"{{"at":{},"length":{}}}"#, error.at, error.len)),
        message: format!("{error}."),
    })
}

fn origin(origin: traffic::Origin) -> RecordOrigin {
    match origin {
        traffic::Origin::Client => RecordOrigin::Client,
        traffic::Origin::Tap => RecordOrigin::Tap,
        traffic::Origin::Model => RecordOrigin::Model,
        traffic::Origin::Doctor => RecordOrigin::Doctor,
        traffic::Origin::Import => RecordOrigin::Import,
    }
}

fn kind(kind: traffic::Kind) -> RecordKind {
    match kind {
        traffic::Kind::Request => RecordKind::Request,
        traffic::Kind::Notification => RecordKind::Notification,
        traffic::Kind::Response => RecordKind::Response,
        traffic::Kind::Batch => RecordKind::Batch,
        traffic::Kind::Invalid => RecordKind::Invalid,
        traffic::Kind::Stderr => RecordKind::Stderr,
        traffic::Kind::Lifecycle => RecordKind::Lifecycle,
        traffic::Kind::Gap => RecordKind::Gap,
        traffic::Kind::Http => RecordKind::Http,
    }
}

fn status(status: traffic::Status) -> RecordStatus {
    match status {
        traffic::Status::Pending => RecordStatus::Pending,
        traffic::Status::Ok => RecordStatus::Ok,
        traffic::Status::Error => RecordStatus::Error,
        traffic::Status::ToolError => RecordStatus::ToolError,
        traffic::Status::Cancelled => RecordStatus::Cancelled,
        traffic::Status::TimedOut => RecordStatus::TimedOut,
        traffic::Status::Lost => RecordStatus::Lost,
    }
}

fn log_class(class: traffic::LogClass) -> LogClass {
    match class {
        traffic::LogClass::Debug => LogClass::Debug,
        traffic::LogClass::Info => LogClass::Info,
        traffic::LogClass::Notice => LogClass::Notice,
        traffic::LogClass::Warning => LogClass::Warning,
        traffic::LogClass::Error => LogClass::Error,
        traffic::LogClass::Critical => LogClass::Critical,
        traffic::LogClass::Alert => LogClass::Alert,
        traffic::LogClass::Emergency => LogClass::Emergency,
        traffic::LogClass::Unknown => LogClass::Unknown,
        traffic::LogClass::Stderr => LogClass::Stderr,
        traffic::LogClass::Gap => LogClass::Gap,
    }
}

fn direction(direction: protocol::Direction) -> Direction {
    match direction {
        protocol::Direction::ClientToServer => Direction::ClientToServer,
        protocol::Direction::ServerToClient => Direction::ServerToClient,
    }
}

pub(crate) fn row(row: traffic::Row) -> TrafficRow {
    TrafficRow {
        seq: seq(row.seq),
        at_ms: row.at_ms,
        server_id: ServerId(row.server_id.to_string()),
        server_name: row.server_name.to_string(),
        connection_id: ConnectionId(row.connection.to_string()),
        origin: origin(row.origin),
        operation: row.operation.map(|operation| operation.0.to_string()),
        tool: row.tool,
        log: row.log.map(log_class),
        logger: row.logger,
        kind: kind(row.kind),
        direction: row.direction.map(direction),
        method: row.method,
        rpc_id: row.rpc_id,
        summary: row.summary,
        size: row.size as f64,
        status: row.status.map(status),
        pair_seq: row.pair.map(seq),
        latency_ms: row.latency_ns.map(|ns| ns as f64 / 1e6),
        violation_count: row.violation_count,
        rules: row.rules,
        batch_seq: row.batch.map(seq),
        http_seq: row.http.map(seq),
    }
}

pub(crate) fn rows(rows: Vec<traffic::Row>) -> Vec<TrafficRow> {
    rows.into_iter().map(row).collect()
}

/// Text from a server as it is recorded, with secrets masked.
pub(crate) fn masked_text(recorder: &patchbay_traffic::Recorder, text: String) -> String {
    String::from_utf8_lossy(&recorder.masked(text.into())).into_owned()
}

/// Where a page of a list begins, from the cursor of the page before it.
pub(crate) fn offset(cursor: Option<&str>) -> Result<usize, CommandError> {
    let Some(cursor) = cursor else { return Ok(0) };
    cursor.parse().map_err(|_| {
        crate::dispatch::error::fail(
            ErrorCode::InvalidParams,
            "The cursor is not one that this list returned.",
        )
    })
}
