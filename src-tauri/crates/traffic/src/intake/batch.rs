//! What the writer collects for one transaction: new records with what was said about them already merged in, so that
//! the usual record is one insert and the usual answer no update at all.

mod exchanges;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use sha2::{Digest, Sha256};

pub(crate) use exchanges::{Carried, ExchangeNews, RowNews};

use crate::intake::queue::{Content, Entry};
use crate::query::index::{ConnectionInfo, Facets};
use crate::{
    Answer, Description, Direction, HttpHead, HttpStage, Kind, LogClass, OperationId, Seq, Status, Violation,
};

/// Bodies above this lie in their own table, once by hash.
const INLINE: usize = 1 << 20;
/// The most violations of a record that are kept; its row has the total count.
pub(crate) const VIOLATIONS: usize = 1000;
/// Characters of a summary made here or in a read.
const SUMMARY: usize = 300;
/// Bytes that are sure to hold them.
pub(crate) const HEAD: usize = 4 * SUMMARY;

/// What is known about a record beside its bytes.
#[derive(Default)]
pub(crate) struct About {
    pub(crate) kind: Option<Kind>,
    pub(crate) method: Option<String>,
    pub(crate) rpc_id: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) status: Option<Status>,
    pub(crate) pair: Option<Seq>,
    pub(crate) latency_ns: Option<u64>,
    pub(crate) related: Option<Seq>,
    pub(crate) http: Option<Seq>,
    pub(crate) operation: Option<OperationId>,
    pub(crate) tool: Option<String>,
    pub(crate) log: Option<LogClass>,
    pub(crate) logger: Option<String>,
    pub(crate) violations: Vec<Violation>,
    /// Violations that are only counted, as there are too many.
    pub(crate) uncounted: u64,
}

impl About {
    /// What is said later replaces what was said before; violations add up; an answer is final.
    pub(crate) fn merge(&mut self, later: Self) {
        self.kind = later.kind.or(self.kind);
        self.method = later.method.or(self.method.take());
        self.rpc_id = later.rpc_id.or(self.rpc_id.take());
        self.summary = later.summary.or(self.summary.take());
        self.status = match (self.status, later.status) {
            (Some(known), Some(Status::Pending) | None) => Some(known),
            (_, later) => later,
        };
        self.pair = later.pair.or(self.pair);
        self.latency_ns = later.latency_ns.or(self.latency_ns);
        self.related = later.related.or(self.related);
        self.http = later.http.or(self.http);
        self.operation = later.operation.or(self.operation);
        self.tool = later.tool.or(self.tool.take());
        self.log = later.log.or(self.log);
        self.logger = later.logger.or(self.logger.take());
        let room = VIOLATIONS.saturating_sub(self.violations.len());
        self.uncounted += later.uncounted + later.violations.len().saturating_sub(room) as u64;
        self.violations.extend(later.violations.into_iter().take(room));
    }

    /// Whether it only completes a request.
    pub(crate) fn is_answer(&self) -> bool {
        self.kind.is_none()
            && self.method.is_none()
            && self.rpc_id.is_none()
            && self.summary.is_none()
            && self.related.is_none()
            && self.http.is_none()
            && self.operation.is_none()
            && self.tool.is_none()
            && self.log.is_none()
            && self.logger.is_none()
            && self.violations.is_empty()
    }

    /// Keeps no more violations than a record shows, and counts the others.
    fn limit(mut self) -> Self {
        self.uncounted += self.violations.len().saturating_sub(VIOLATIONS) as u64;
        self.violations.truncate(VIOLATIONS);
        self
    }

    /// How many violations were found.
    pub(crate) fn violation_count(&self) -> u64 {
        self.violations.len() as u64 + self.uncounted
    }
}

impl From<Description> for About {
    fn from(description: Description) -> Self {
        Self {
            kind: Some(description.kind),
            method: description.method.map(Cow::into_owned),
            rpc_id: description.rpc_id,
            summary: description.summary,
            status: description.status,
            pair: description.pair,
            latency_ns: description.latency_ns,
            related: description.related_to,
            http: None,
            operation: description.operation,
            tool: description.tool,
            log: description.log,
            logger: description.logger,
            violations: description.violations,
            uncounted: 0,
        }
        .limit()
    }
}

impl From<Answer> for About {
    fn from(answer: Answer) -> Self {
        Self {
            status: Some(answer.status),
            pair: answer.response,
            latency_ns: answer.latency_ns,
            ..Self::default()
        }
    }
}

impl From<Vec<Violation>> for About {
    fn from(violations: Vec<Violation>) -> Self {
        Self {
            violations,
            ..Self::default()
        }
        .limit()
    }
}

/// A record that is not written yet.
pub(crate) struct NewRecord {
    pub(crate) seq: Seq,
    pub(crate) connection: i64,
    pub(crate) at_ns: u64,
    pub(crate) redactions: u32,
    pub(crate) kind: Kind,
    pub(crate) direction: Option<Direction>,
    pub(crate) size: u64,
    /// The frame it is part of, and which part.
    pub(crate) member_of: Option<(Seq, u64, u64)>,
    pub(crate) body: Body,
    pub(crate) about: About,
}

/// Its bytes.
pub(crate) enum Body {
    None,
    Inline(Bytes),
    Hashed([u8; 32], Bytes),
}

impl Body {
    fn of(bytes: Bytes) -> Self {
        if bytes.is_empty() {
            Self::None
        } else if bytes.len() <= INLINE {
            Self::Inline(bytes)
        } else {
            Self::Hashed(Sha256::digest(&bytes).into(), bytes)
        }
    }
}

/// The head with which an HTTP exchange begins, and the frame it carries.
type Begun = (Box<HttpHead>, Option<Seq>);

impl NewRecord {
    /// A record without a description.
    pub(crate) fn empty(seq: Seq, connection: i64, at_ns: u64) -> Self {
        Self {
            seq,
            connection,
            at_ns,
            redactions: 0,
            kind: Kind::Invalid,
            direction: None,
            size: 0,
            member_of: None,
            body: Body::None,
            about: About::default(),
        }
    }

    /// The record, and what is to be said of the exchange that begins with it, if one does.
    fn new(entry: Entry) -> (Self, Option<Begun>) {
        let Entry {
            seq,
            at_ns,
            connection,
            redactions,
            content,
        } = entry;
        let mut record = Self::empty(seq, connection, at_ns);
        record.redactions = redactions;
        let mut begun = None;
        match content {
            Content::Frame(direction, bytes, context) => {
                record.about.http = context.exchange;
                record.about.operation = context.operation;
                record.direction = Some(direction);
                record.size = bytes.len() as u64;
                record.body = Body::of(bytes);
            }
            Content::Member {
                frame,
                span,
                description,
            } => {
                record.size = span.len() as u64;
                record.member_of = Some((frame, span.start as u64, span.end as u64));
                record.about = description.into();
            }
            Content::Stderr(line) => {
                record.kind = Kind::Stderr;
                record.about.summary = Some(one_line(&line));
                record.size = line.len() as u64;
                record.body = Body::of(line);
            }
            Content::Lifecycle {
                text,
                detail,
                operation,
            } => {
                record.kind = Kind::Lifecycle;
                record.about.operation = operation;
                record.about.summary = Some(text);
                record.size = detail.as_ref().map_or(0, |detail| detail.len() as u64);
                record.body = Body::of(detail.unwrap_or_default());
            }
            Content::Http(head, carries, operation) => {
                record.kind = Kind::Http;
                record.about.operation = operation;
                record.direction = Some(Direction::ClientToServer);
                record.about.method = Some(head.method.clone());
                record.about.summary = Some(exchanges::summary(&head));
                record.about.status = Some(Status::Pending);
                begun = Some((head, carries));
            }
            Content::Gap { lines, bytes } => {
                record.kind = Kind::Gap;
                let s = if lines == 1 { "line" } else { "lines" };
                record.about.summary = Some(format!(
                    "{lines} {s} of stderr skipped: they came faster than they could be written"
                ));
                record.size = bytes;
            }
        }
        (record, begun)
    }

    /// What it is, as far as known.
    pub(crate) fn kind(&self) -> Kind {
        self.about.kind.unwrap_or(self.kind)
    }

    /// What a filter can ask of it.
    pub(crate) fn facets(&self) -> Facets {
        Facets {
            connection: self.connection,
            kind: Some(self.kind()),
            direction: self.direction,
            status: self.about.status,
            latency_ns: self.about.latency_ns,
            size: self.size,
            method: self.about.method.clone(),
            tool: self.about.tool.clone(),
            log: self.about.log.or_else(|| LogClass::of_kind(self.kind())),
            logger: self.about.logger.clone(),
            rules: rules(&self.about.violations),
        }
    }
}

/// The rules that found these, each once.
pub(crate) fn rules(violations: &[Violation]) -> Vec<String> {
    let mut rules: Vec<String> = violations
        .iter()
        .map(|violation| violation.rule.id().to_owned())
        .collect();
    rules.sort_unstable();
    rules.dedup();
    rules
}

/// The first characters, with invalid UTF-8 replaced and without the end of the line.
pub(crate) fn one_line(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(HEAD)];
    let text = String::from_utf8_lossy(head);
    let text = text.trim_end();
    match text.char_indices().nth(SUMMARY) {
        Some((end, _)) => text[..end].to_owned(),
        None => text.to_owned(),
    }
}

/// One transaction's worth.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) connections: Vec<(i64, ConnectionInfo)>,
    /// Number, kind and label.
    pub(crate) operations: Vec<(u64, &'static str, String)>,
    /// In the order of their numbers, without a hole.
    pub(crate) records: Vec<NewRecord>,
    /// What was said about records of earlier batches.
    pub(crate) updates: HashMap<Seq, About>,
    /// What happened in HTTP exchanges, begun in this batch or before.
    pub(crate) exchanges: BTreeMap<Seq, ExchangeNews>,
}

impl Batch {
    pub(crate) fn is_empty(&self) -> bool {
        self.connections.is_empty()
            && self.operations.is_empty()
            && self.records.is_empty()
            && self.updates.is_empty()
            && self.exchanges.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.connections.clear();
        self.operations.clear();
        self.records.clear();
        self.updates.clear();
        self.exchanges.clear();
    }

    /// The newest record in it.
    pub(crate) fn last(&self) -> Option<Seq> {
        self.records.last().map(|record| record.seq)
    }

    /// A record that is still in this batch.
    pub(crate) fn held(&self, seq: Seq) -> Option<usize> {
        let first = self.records.first()?.seq;
        let at = usize::try_from(seq.checked_sub(first)?).ok()?;
        (at < self.records.len()).then_some(at)
    }

    pub(crate) fn record(&mut self, entry: Entry) {
        let (mut record, begun) = NewRecord::new(entry);
        let (seq, at_ns) = (record.seq, record.at_ns);
        if let Some((frame, ..)) = record.member_of
            && let Some(at) = self.held(frame)
        {
            record.direction = self.records[at].direction;
        }
        let carrier = record.about.http;
        self.records.push(record);
        if let Some(exchange) = carrier {
            self.carried(exchange, at_ns, seq);
        }
        if let Some((head, carries)) = begun {
            self.http_stage(seq, at_ns, &HttpStage::Sent(*head));
            if let Some(frame) = carries {
                self.carried(seq, at_ns, frame);
                let http = Some(seq);
                self.say(
                    frame,
                    About {
                        http,
                        ..About::default()
                    },
                );
            }
        }
    }

    pub(crate) fn say(&mut self, seq: Seq, about: About) {
        match self.held(seq) {
            Some(at) => self.records[at].about.merge(about),
            None => self.updates.entry(seq).or_default().merge(about),
        }
    }
}
