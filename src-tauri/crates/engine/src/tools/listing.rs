//! Listing over all pages, to the end, but not for ever.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use bytes::Bytes;
use patchbay_client::{Answer, Connection, Finished, Outcome, Request};
use patchbay_contract::*;
use patchbay_protocol::{
    Rule, json, methods,
    views::{ToolView, ToolsPage},
};
use patchbay_traffic as traffic;

use crate::{
    convert,
    error::{fail, fail_with},
};

/// A list that goes on longer than this has no end.
const MOST_PAGES: usize = 1_000;
/// More tools than this are not listed.
const MOST_TOOLS: usize = 100_000;
/// The description in a row is cut here; the whole of it comes with the definition.
const ROW_DESCRIPTION: usize = 300;

/// All tools of a server.
#[derive(Debug)]
pub(super) struct ToolList {
    /// The results they came in, masked.
    pages: Vec<Page>,
    pub(super) tools: Vec<Tool>,
    pub(super) violations: Vec<ViolationItem>,
    /// How often the server had said that its tools changed when the listing began.
    pub(super) changes: u64,
}

#[derive(Debug)]
struct Page {
    seq: traffic::Seq,
    text: String,
}

/// One tool: its row and where its definition stands.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) item: ToolItem,
    page: usize,
    span: Range<usize>,
}

impl ToolList {
    /// A tool's definition, exactly as received.
    pub(super) fn definition(&self, tool: &Tool) -> &str {
        self.pages
            .get(tool.page)
            .and_then(|page| page.text.get(tool.span.clone()))
            .unwrap_or_default()
    }

    /// The record a tool came in.
    pub(super) fn seq(&self, tool: &Tool) -> traffic::Seq {
        self.pages.get(tool.page).map_or(0, |page| page.seq)
    }

    /// Adds a page's tools and gives the cursor of the next.
    fn add(&mut self, seq: traffic::Seq, text: String, names: &mut HashMap<String, u32>) -> Option<String> {
        let page = ToolsPage::parse(&text);
        self.violations.extend(convert::violations(&page.violations));
        for view in page.tools {
            let index = convert::count(self.tools.len());
            let span = json::span_of(&text, view.raw);
            let mut item = row(index, &view);
            let again = view
                .violations
                .iter()
                .any(|violation| violation.rule == Rule::ToolNameDuplicate);
            if let Some(first) = names
                .insert(item.name.clone(), index)
                .filter(|_| !item.name.is_empty() && !again)
            {
                item.violations.push(ViolationItem {
                    rule: Rule::ToolNameDuplicate.id().to_owned(),
                    severity: convert::severity(Rule::ToolNameDuplicate.severity()),
                    message: format!(
                        "tool {first}, on an earlier page, has the name {:?} too",
                        item.name
                    ),
                    pointer: Some("/name".to_owned()),
                });
            }
            self.tools.push(Tool {
                item,
                page: self.pages.len(),
                span,
            });
        }
        let next = page.next_cursor.map(Into::into);
        self.pages.push(Page { seq, text });
        next
    }

    fn ends_early(&mut self, rule: &str, message: String) {
        self.violations.push(ViolationItem {
            rule: rule.to_owned(),
            severity: Severity::Error,
            message,
            pointer: Some("/nextCursor".to_owned()),
        });
    }
}

/// Asks for all pages.
pub(super) async fn list(
    connection: &Connection,
    masked: impl Fn(Bytes) -> Bytes,
) -> Result<ToolList, CommandError> {
    let changes = connection.notices().borrow().tools_changed;
    let mut list = ToolList {
        pages: Vec::new(),
        tools: Vec::new(),
        violations: Vec::new(),
        changes,
    };
    let mut names = HashMap::new();
    let mut cursors = HashSet::new();
    let mut params = None;
    loop {
        let finished = connection
            .request(Request::new(methods::TOOLS_LIST, params))
            .await
            .finished()
            .await;
        let answer = match result_of(finished, &masked) {
            Ok(answer) => answer,
            Err(error) if list.pages.is_empty() => return Err(error),
            Err(error) => {
                let pages = list.pages.len();
                list.ends_early(
                    "list-page-failed",
                    format!("after page {pages} the list broke off: {}", error.message),
                );
                return Ok(list);
            }
        };
        let text = String::from_utf8_lossy(&masked(answer.frame.slice(answer.body.clone()))).into_owned();
        // Off the runtime: a page may hold thousands of tools.
        let (listed, known, next) = tokio::task::spawn_blocking(move || {
            let next = list.add(answer.seq, text, &mut names);
            (list, names, next)
        })
        .await
        .map_err(|error| fail_with(ErrorCode::Internal, "The list of tools could not be read.", error))?;
        (list, names) = (listed, known);
        let Some(cursor) = next else { return Ok(list) };
        if list.pages.len() >= MOST_PAGES || list.tools.len() >= MOST_TOOLS {
            let (pages, tools) = (list.pages.len(), list.tools.len());
            list.ends_early(
                "list-endless",
                format!("after {pages} pages and {tools} tools there is still a `nextCursor`"),
            );
            return Ok(list);
        }
        params = Some(format!("{{\"cursor\":{}}}", json::quote(&cursor)));
        if !cursors.insert(cursor) {
            list.ends_early(
                "list-cursor-repeated",
                "this `nextCursor` was given before; the list goes round".to_owned(),
            );
            return Ok(list);
        }
    }
}

/// The answer with a result, or why there is none.
fn result_of(finished: Finished, masked: impl Fn(Bytes) -> Bytes) -> Result<Answer, CommandError> {
    let no_tools = "The tools could not be listed";
    match (finished.outcome, finished.response) {
        (Outcome::Result | Outcome::UnknownResultType(_), Some(answer)) => Ok(answer),
        (Outcome::Error | Outcome::InputRequired, Some(answer)) => Err(fail_with(
            ErrorCode::ServerError,
            format!("{no_tools}: the server refused. Its answer stands in the traffic log."),
            String::from_utf8_lossy(&masked(answer.frame.slice(answer.body))),
        )),
        (Outcome::TimedOut { after }, _) => Err(fail(
            ErrorCode::TimedOut,
            format!(
                "{no_tools}: the server did not answer within {:.0} s. Try again, or raise its time-out.",
                after.as_secs_f64()
            ),
        )),
        (Outcome::ConnectionLost(failure), _) => Err(fail(
            ErrorCode::ConnectionFailed,
            format!("{no_tools}: {} {}", failure.cause, failure.next),
        )),
        (Outcome::NotSent(why), _) => Err(fail(ErrorCode::NotConnected, format!("{no_tools}: {why}"))),
        _ => Err(fail(
            ErrorCode::ServerError,
            format!("{no_tools}: the request was cancelled."),
        )),
    }
}

fn row(index: u32, view: &ToolView<'_>) -> ToolItem {
    ToolItem {
        index,
        name: view.name.clone().into_owned(),
        title: view.title.clone().map(Into::into),
        description: view
            .description
            .as_ref()
            .map(|text| text.chars().take(ROW_DESCRIPTION).collect()),
        hints: ToolHints {
            read_only: view.annotations.read_only,
            destructive: view.annotations.destructive,
            idempotent: view.annotations.idempotent,
            open_world: view.annotations.open_world,
        },
        task_support: view
            .task_support
            .as_deref()
            .filter(|support| *support != "forbidden")
            .map(str::to_owned),
        has_output_schema: view.output_schema.is_some(),
        argument_count: convert::count(view.argument_count),
        callable: !view.name.is_empty(),
        violations: convert::violations(&view.violations),
    }
}

#[cfg(test)]
mod tests;
