//! Listing over all pages, to the end, but not for ever.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use patchbay_client::Connection;
use patchbay_contract::*;
use patchbay_protocol::{
    Era, Rule, json, methods,
    views::{ToolView, ToolsPage},
};
use patchbay_traffic as traffic;

use crate::{asking, calls::freshness, convert, engine::Inner, error::fail_with};

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
    /// Of its pages the one that expires first.
    pub(super) freshness: Option<Freshness>,
    /// Of the nudge that told of it.
    pub(super) revision: u32,
    /// Whether tools with a wrong `x-mcp-header` must not be called: over HTTP, in the modern era.
    headers_matter: bool,
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
        self.freshness = sooner(self.freshness.take(), freshness(methods::TOOLS_LIST, &text));
        self.violations.extend(convert::violations(&page.violations));
        for view in page.tools {
            let index = convert::count(self.tools.len());
            let span = json::span_of(&text, view.raw);
            let mut item = row(index, &view, self.headers_matter);
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

/// Of two the one that expires first.
fn sooner(one: Option<Freshness>, other: Option<Freshness>) -> Option<Freshness> {
    let end = |freshness: &Freshness| freshness.since_at_ms + freshness.ttl_ms;
    [one, other]
        .into_iter()
        .flatten()
        .min_by(|one, other| end(one).total_cmp(&end(other)))
}

/// Asks for all pages.
pub(super) async fn list(
    inner: &Inner,
    connection: &Connection,
    over_http: bool,
) -> Result<ToolList, CommandError> {
    let modern = connection.status().borrow().era == Some(Era::Modern);
    let changes = connection.notices().borrow().tools_changed;
    let mut list = ToolList {
        pages: Vec::new(),
        tools: Vec::new(),
        violations: Vec::new(),
        changes,
        freshness: None,
        revision: 0,
        headers_matter: modern && over_http,
    };
    let mut names = HashMap::new();
    let mut cursors = HashSet::new();
    let mut params = None;
    loop {
        let failed = "The tools could not be listed";
        let answer = match asking::ask(inner, connection, methods::TOOLS_LIST, params, failed).await {
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
        let text = asking::text_of(inner, &answer);
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

fn row(index: u32, view: &ToolView<'_>, headers_matter: bool) -> ToolItem {
    let excluded = match &view.headers {
        None if headers_matter => Some(why_excluded(view)),
        _ => None,
    };
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
        callable: !view.name.is_empty() && excluded.is_none(),
        excluded,
        violations: convert::violations(&view.violations),
    }
}

/// What is wrong with a tool's `x-mcp-header`, in the words of the violation.
fn why_excluded(view: &ToolView<'_>) -> String {
    let found = view
        .violations
        .iter()
        .find(|violation| violation.rule == Rule::ToolHeaderInvalid);
    let why = found.map_or("an `x-mcp-header` is invalid", |violation| &violation.message);
    format!("The specification forbids to call it over HTTP: {why}.")
}

#[cfg(test)]
mod tests;
