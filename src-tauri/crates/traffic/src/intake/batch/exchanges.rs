//! What happened in HTTP exchanges since the last transaction, gathered to one write for each.

use bytes::Bytes;

use super::{Batch, SUMMARY};
use crate::{HttpHead, HttpStage, Seq, Status};

/// Characters of a URL that a summary shows.
const URL: usize = 240;

/// News of one exchange.
#[derive(Default)]
pub(crate) struct ExchangeNews {
    /// It begins in this batch.
    pub(crate) begins: bool,
    /// The stages and the frames it carried: `[at_ns, stage]`, one a line.
    pub(crate) stages: Vec<u8>,
    /// Whether there is more of it to search: a stage or bytes. The frames it carried are records themselves.
    pub(crate) grows: bool,
    /// Bytes of the body.
    pub(crate) body: Vec<Bytes>,
    /// What the row is to say, if the exchange began in an earlier batch.
    pub(crate) row: RowNews,
}

/// What a row says again.
#[derive(Default)]
pub(crate) struct RowNews {
    pub(crate) status: Option<Status>,
    pub(crate) ended_ns: Option<u64>,
    pub(crate) size: Option<u64>,
    /// To be added to the summary.
    pub(crate) suffix: String,
    /// To be added to the number of masked secrets.
    pub(crate) redactions: u32,
}

impl RowNews {
    /// What a stage means for the row.
    fn of(at_ns: u64, stage: &HttpStage) -> Self {
        let ended = |status, size| Self {
            status: Some(status),
            ended_ns: Some(at_ns),
            size,
            suffix: String::new(),
            redactions: 0,
        };
        match stage {
            HttpStage::Head { status, fields, .. } => {
                let kind = fields.get("content-type").unwrap_or_default();
                let kind = kind.split(';').next().unwrap_or_default().trim();
                Self {
                    suffix: format!(" \u{2192} {status} {kind}").trim_end().to_owned(),
                    ..Self::default()
                }
            }
            HttpStage::End { bytes, status } => ended(
                if *status < 400 { Status::Ok } else { Status::Error },
                Some(*bytes),
            ),
            HttpStage::Aborted { bytes } => ended(Status::Cancelled, Some(*bytes)),
            HttpStage::Failed {
                timed_out,
                may_have_been_sent,
                ..
            } => ended(
                match (timed_out, may_have_been_sent) {
                    (true, _) => Status::TimedOut,
                    (false, true) => Status::Lost,
                    (false, false) => Status::Error,
                },
                None,
            ),
            _ => Self::default(),
        }
    }

    /// Whether the row changes at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.status.is_none() && self.suffix.is_empty() && self.redactions == 0
    }

    fn merge(&mut self, later: Self) {
        self.status = later.status.or(self.status);
        self.ended_ns = later.ended_ns.or(self.ended_ns);
        self.size = later.size.or(self.size);
        self.suffix.push_str(&later.suffix);
        self.redactions += later.redactions;
    }
}

/// The summary with which an exchange begins.
pub(super) fn summary(head: &HttpHead) -> String {
    let url: String = head.url.chars().take(URL).collect();
    format!("{} {url}", head.method)
}

/// A frame that an exchange carried, among its stages.
#[derive(serde::Serialize, serde::Deserialize)]
pub(crate) struct Carried {
    pub(crate) frame: Seq,
}

impl ExchangeNews {
    fn add(&mut self, at_ns: u64, what: &impl serde::Serialize) {
        // Writing to memory does not fail, nor does anything told here.
        let _ = serde_json::to_writer(&mut self.stages, &(at_ns, what));
        self.stages.push(b'\n');
    }
}

impl Batch {
    /// Takes in what happened in an exchange.
    pub(crate) fn http_stage(&mut self, exchange: Seq, at_ns: u64, stage: &HttpStage) {
        let held = self.held(exchange);
        let entry = self.exchanges.entry(exchange).or_default();
        entry.begins |= matches!(stage, HttpStage::Sent(_));
        entry.add(at_ns, stage);
        entry.grows = true;
        let news = RowNews::of(at_ns, stage);
        let Some(at) = held else {
            entry.row.merge(news);
            return;
        };
        let record = &mut self.records[at];
        record.about.status = news.status.or(record.about.status);
        if let Some(ended) = news.ended_ns {
            record.about.latency_ns = Some(ended.saturating_sub(record.at_ns));
        }
        record.size = news.size.unwrap_or(record.size);
        if let Some(summary) = &mut record.about.summary {
            summary.push_str(&news.suffix);
            // As the row of an earlier batch does.
            if let Some((end, _)) = summary.char_indices().nth(SUMMARY) {
                summary.truncate(end);
            }
        }
    }

    /// Adds to the number of secrets that are masked in an exchange.
    pub(crate) fn masked(&mut self, exchange: Seq, redactions: u32) {
        match self.held(exchange) {
            Some(at) => self.records[at].redactions += redactions,
            None => self.exchanges.entry(exchange).or_default().row.redactions += redactions,
        }
    }

    /// Notes a frame that an exchange carried.
    pub(super) fn carried(&mut self, exchange: Seq, at_ns: u64, frame: Seq) {
        let entry = self.exchanges.entry(exchange).or_default();
        entry.add(at_ns, &Carried { frame });
    }

    /// Takes in bytes of an exchange's body.
    pub(crate) fn http_body(&mut self, exchange: Seq, bytes: Bytes) {
        let entry = self.exchanges.entry(exchange).or_default();
        entry.grows = true;
        entry.body.push(bytes);
    }
}
