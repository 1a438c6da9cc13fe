//! A fetched list: its pages, its rows, and its limits.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    ops::Range,
    sync::Arc,
};

use bytes::Bytes;
use patchbay_contract::*;
use patchbay_protocol::{
    Rule, json,
    limits::Limits,
    views::{ListPage as PageView, in_tools},
};
use patchbay_traffic::Seq as RecordSeq;

use super::primitive::{Context, Primitive};
use crate::{
    calls::{Ended, MaskedAnswer, freshness},
    convert,
    traffic_views::bodies,
};

/// The memory of a row besides its texts.
const ROW_BYTES: usize = 256;

/// All rows of one kind from one server.
#[derive(Debug, Clone)]
pub(crate) struct List<P: Primitive> {
    pub(super) pages: Vec<Arc<MaskedAnswer>>,
    pub(super) rows: Vec<Row<P::Item>>,
    pub(super) violations: Vec<ViolationItem>,
    /// How many rows have a schema in an old dialect, and what is said of the first.
    old_dialects: Option<(usize, String)>,
    /// How often the list may have changed when fetching began.
    pub(super) changes: u64,
    /// The freshness of the page that expires first.
    pub(super) freshness: Option<Freshness>,
    /// The revision of the nudge that announced it.
    pub(super) revision: u32,
    /// The failure of the request for the next page, if there was one.
    pub(super) failed: Option<Ended>,
    /// Whether a limit or a fault of the server ended it.
    ended_early: bool,
    /// The next page of the server, if it was not requested.
    pub(super) next: Option<NextPage>,
    /// Its memory.
    pub(super) bytes: usize,
}

/// A page that can be requested, and what is known of the pages before it.
#[derive(Debug, Clone, Default)]
pub(super) struct NextPage {
    /// Its cursor; none for the first page.
    pub(super) cursor: Option<String>,
    /// The cursors of the pages so far.
    pub(super) cursors: HashSet<String>,
    /// The index of each identity so far.
    pub(super) known: HashMap<String, u32>,
}

/// A row and the location of its definition.
#[derive(Debug, Clone)]
pub(crate) struct Row<T> {
    pub(crate) item: T,
    page: usize,
    span: Range<usize>,
}

impl<P: Primitive> List<P> {
    pub(super) fn new(changes: u64) -> Self {
        Self {
            pages: Vec::new(),
            rows: Vec::new(),
            violations: Vec::new(),
            old_dialects: None,
            changes,
            freshness: None,
            revision: 0,
            failed: None,
            ended_early: false,
            next: None,
            bytes: 0,
        }
    }

    /// Whether it was read to its end.
    pub(super) fn is_complete(&self) -> bool {
        !self.ended_early && self.next.is_none()
    }

    pub(super) fn rows(&self) -> &[Row<P::Item>] {
        &self.rows
    }

    /// A row's definition, exactly as received.
    pub(super) fn definition(&self, row: &Row<P::Item>) -> Cow<'_, str> {
        let page = self.pages.get(row.page);
        page.map_or_else(Cow::default, |page| page.body_part(row.span.clone()))
    }

    /// The definition as a body.
    pub(super) fn body(&self, row: &Row<P::Item>) -> TextBody {
        let start = self.pages.get(row.page).map_or(0, |page| page.body_span().start);
        let span = start + row.span.start..start + row.span.end;
        bodies::json_body(self.seq(row), span, &self.definition(row))
    }

    /// The record that contains a row.
    pub(super) fn seq(&self, row: &Row<P::Item>) -> RecordSeq {
        self.pages.get(row.page).map_or(0, |page| page.answer.seq)
    }

    /// The record of the first page; 0 if there is none.
    pub(super) fn first_record(&self) -> RecordSeq {
        self.pages.first().map_or(0, |page| page.answer.seq)
    }

    /// The pages exactly as received, not masked.
    pub(super) fn exact(&self) -> Vec<Bytes> {
        self.pages.iter().map(|page| page.exact()).collect()
    }

    /// Adds a page's rows and returns the cursor of the next page.
    pub(super) fn add(
        &mut self,
        page: MaskedAnswer,
        known: &mut HashMap<String, u32>,
        room: Room,
    ) -> Option<String> {
        let text = page.body_text();
        if text.len() > room.limits.page_bytes || self.bytes + page.frame.len() > room.bytes {
            self.ends_early(
                Rule::ListTooLarge,
                format!(
                    "page {} has {} bytes, more than may be listed; it is in the traffic log",
                    self.pages.len() + 1,
                    text.len()
                ),
            );
            return None;
        }
        self.bytes += page.frame.len();
        let context = Context {
            seq: page.answer.seq,
            ..room.context
        };
        let next = self.add_rows(&text, known, Room { context, ..room });
        self.report_old_dialects();
        self.pages.push(Arc::new(page));
        next
    }

    /// Adds the rows of the page that comes next, which has this text, and returns the cursor of the page after it.
    fn add_rows(&mut self, text: &str, known: &mut HashMap<String, u32>, room: Room) -> Option<String> {
        let context = room.context;
        let number = self.pages.len();
        let view = PageView::parse(text, P::MEMBER);
        self.freshness = sooner(self.freshness.take(), freshness(P::METHOD, text));
        self.violations.extend(convert::violations(&view.violations));
        for raw in view.elements {
            let index = convert::count(self.rows.len());
            let mut entry = P::row(raw, index, context);
            let violations = (entry.violations)(&mut entry.item);
            violations.retain(|violation| context.applies(violation));
            self.take_old_dialect(violations);
            if !entry.identity.is_empty()
                && let Some(first) = known.insert(entry.identity, index)
            {
                violations.push(duplicate::<P>(first));
            }
            self.bytes += ROW_BYTES + raw.len().min(2 * ROW_BYTES) + cost(violations);
            if self.rows.len() >= room.limits.list_rows || self.bytes > room.bytes {
                self.ends_early(
                    Rule::ListTooLarge,
                    format!(
                        "the list is longer than may be listed; {index} {} are shown",
                        P::NOUN
                    ),
                );
                return None;
            }
            self.rows.push(Row {
                item: entry.item,
                page: number,
                span: json::span_of(text, raw),
            });
        }
        view.next_cursor.map(Into::into)
    }

    /// Takes the violation of an old dialect from those of a row: a server uses the same in all of its tools.
    fn take_old_dialect(&mut self, violations: &mut Vec<ViolationItem>) {
        let is_old = |violation: &ViolationItem| violation.rule == Rule::SchemaDialect.id();
        let Some(first) = violations.iter().find(|violation| is_old(violation)) else {
            return;
        };
        self.old_dialects = Some(match self.old_dialects.take() {
            None => (1, first.message.clone()),
            Some((count, message)) => (count + 1, message),
        });
        violations.retain(|violation| !is_old(violation));
    }

    /// One violation for all rows so far with an old dialect.
    fn report_old_dialects(&mut self) {
        let Some((count, message)) = &self.old_dialects else {
            return;
        };
        let rule = Rule::SchemaDialect;
        let message = in_tools(*count, message);
        self.violations.retain(|violation| violation.rule != rule.id());
        self.violations.push(ViolationItem {
            rule: rule.id().to_owned(),
            severity: convert::severity(rule.severity()),
            message,
            pointer: None,
        });
    }

    pub(super) fn ends_early(&mut self, rule: Rule, message: String) {
        self.ended_early = true;
        self.violations.push(ViolationItem {
            rule: rule.id().to_owned(),
            severity: convert::severity(rule.severity()),
            message,
            pointer: Some("/nextCursor".to_owned()),
        });
    }
}

/// The room for a list, and its connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) context: Context,
    pub(super) limits: Limits,
    /// The maximum memory of the list.
    bytes: usize,
}

impl Room {
    /// `left`: the memory that the connection's other lists leave.
    pub(super) fn new(context: Context, limits: Limits, left: usize) -> Self {
        Self {
            context,
            limits,
            bytes: left.min(limits.list_bytes),
        }
    }
}

fn cost(violations: &[ViolationItem]) -> usize {
    let each = |violation: &ViolationItem| ROW_BYTES / 2 + violation.message.len();
    violations.iter().map(each).sum()
}

fn duplicate<P: Primitive>(first: u32) -> ViolationItem {
    let kind = P::DUPLICATE;
    ViolationItem {
        rule: kind.rule.id().to_owned(),
        severity: convert::severity(kind.rule.severity()),
        message: format!(
            "{} {first} of this list has the same `{}`",
            kind.noun, kind.member
        ),
        pointer: Some(format!("/{}", kind.member)),
    }
}

/// The freshness that expires first.
fn sooner(one: Option<Freshness>, other: Option<Freshness>) -> Option<Freshness> {
    let end = |freshness: &Freshness| freshness.since_at_ms + freshness.ttl_ms;
    [one, other]
        .into_iter()
        .flatten()
        .min_by(|one, other| end(one).total_cmp(&end(other)))
}

#[cfg(test)]
mod tests;
