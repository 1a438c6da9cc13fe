//! Which parameters of which tools are in HTTP headers (2026-07-28), according to the lists seen on this connection.

mod known;

use std::time::Duration;

use patchbay_protocol::{
    headers::{self, ParamHeader},
    json::Object,
    limits::TEXT_BYTES,
    message::{Outcome as ResponseOutcome, RpcError},
    methods,
    views::{ToolView, ToolsPage},
};

use super::{Actor, outgoing::Outgoing};
use crate::{
    Answer, Outcome,
    call::Call,
    events::DeferredWakes,
    pending::{Purpose, Relist},
};

pub(super) use known::KnownTools;

/// How many pages of tools are read again for one refused call.
const PAGES: u32 = 50;
/// The advice when the list says what was known already.
const NOTHING_NEW: &str =
    "The list of tools was read again, and says nothing else about the headers of this tool.";
/// The advice when there is no new list.
pub(super) const NOT_LISTED: &str = "The list of tools could not be read again, so the headers of this tool may have changed. Refresh the list.";

impl Actor {
    /// Takes note of a page of tools.
    pub(super) fn learn_tools(&mut self, page: &ToolsPage<'_>) {
        for tool in &page.tools {
            self.learn_tool(tool);
        }
    }

    fn learn_tool(&mut self, tool: &ToolView<'_>) {
        if !self.headed {
            return;
        }
        let known = match &tool.headers {
            Some(headers) => Ok(headers.clone()),
            None => Err(self.shown(&why_excluded(tool), TEXT_BYTES)),
        };
        self.tools
            .learn(&tool.name, known, self.options.limits.list_bytes);
    }

    /// The parameters that a request repeats in headers.
    ///
    /// # Errors
    /// It calls a tool that must not be called, or not with these arguments; why.
    pub(super) fn param_headers(&self, method: &str, params: Option<&str>) -> Result<&[ParamHeader], String> {
        if !self.headed || method != methods::TOOLS_CALL {
            return Ok(&[]);
        }
        let params = params.and_then(|params| Object::parse(params).ok());
        let name = params.as_ref().and_then(|params| params.string("name"));
        let arguments = params.as_ref().and_then(|params| params.get("arguments"));
        match name.and_then(|name| self.tools.get(&name)) {
            Some(Ok(tool)) => match headers::unsafe_argument(arguments.unwrap_or("{}"), tool) {
                Some(why) => Err(format!("{why}.")),
                None => Ok(tool),
            },
            Some(Err(reason)) => Err(reason.clone()),
            None => Ok(&[]),
        }
    }

    /// The parameters of a call in headers, as the tools known now say.
    pub(super) fn param_values(&self, call: &Call) -> Vec<(String, String)> {
        let params = call.request.params.as_deref();
        let tool = self
            .param_headers(&call.request.method, params)
            .unwrap_or_default();
        let mut all = headers::of_request(&call.request.method, params, tool);
        all.retain(|(name, _)| name.starts_with(headers::PARAM_PREFIX));
        all
    }

    /// The server refused the headers of a call: its tool may have changed. The list is read again, once.
    pub(super) async fn relist(&mut self, mut call: Box<Call>, refused: Answer) {
        call.relisted = true;
        let relist = Relist {
            call,
            refused,
            pages: 0,
        };
        self.relist_page(Box::new(relist), None).await;
    }

    async fn relist_page(&mut self, mut relist: Box<Relist>, cursor: Option<&str>) {
        relist.pages += 1;
        let params =
            cursor.map(|cursor| format!("{{\"cursor\":{}}}", patchbay_protocol::json::quote(cursor)));
        let outgoing = Outgoing {
            params: params.as_deref(),
            related: relist.call.latest,
            operation: relist.call.request.operation,
            timeouts: relist.call.timeouts_left(),
            ..Outgoing::new(methods::TOOLS_LIST)
        };
        if outgoing.timeouts.max_total.is_zero() {
            return give_back(*relist, NOT_LISTED, &self.wakes);
        }
        match self.send_request(outgoing).await {
            Ok(sent) => self.wait_for(sent, Purpose::Relist(relist)),
            Err(_) => give_back(*relist, NOT_LISTED, &self.wakes),
        }
    }

    /// A page of the list came, for which people were asked for as long as `held`: once the tool is among those seen, the call is
    /// sent once more, if that changes anything.
    pub(super) async fn relisted(
        &mut self,
        mut relist: Box<Relist>,
        held: Duration,
        said: &ResponseOutcome<'_>,
    ) {
        relist.call.human_wait += held;
        let ResponseOutcome::Result(result) = said else {
            return give_back(*relist, NOT_LISTED, &self.wakes);
        };
        let page = ToolsPage::parse(result);
        let name = relist
            .call
            .request
            .params
            .as_deref()
            .and_then(|params| Object::parse(params).ok())
            .and_then(|params| params.string("name"))
            .map(std::borrow::Cow::into_owned);
        let tool = page
            .tools
            .iter()
            .rfind(|tool| Some(&*tool.name) == name.as_deref());
        if let Some(tool) = tool {
            self.learn_tool(tool);
        }
        let found = tool.is_some();
        match &page.next_cursor {
            Some(cursor) if !found && relist.pages < PAGES => {
                self.relist_page(relist, Some(cursor)).await;
            }
            _ if found && self.param_values(&relist.call) != relist.call.param_values => {
                self.leg(relist.call).await;
            }
            _ => give_back(*relist, NOTHING_NEW, &self.wakes),
        }
    }

    /// What to do about an error whose code says it.
    pub(super) fn advice(&self, error: &RpcError<'_>) -> Option<String> {
        use patchbay_protocol::error_codes::{
            HEADER_MISMATCH, MISSING_CLIENT_CAPABILITY, UNSUPPORTED_PROTOCOL_VERSION,
        };
        let data = error.data.and_then(|data| Object::parse(data).ok());
        let member = |name: &str| {
            let said = data.as_ref().and_then(|data| data.get(name))?;
            Some(self.shown(said, TEXT_BYTES))
        };
        Some(match error.code? {
            HEADER_MISMATCH => {
                "The server says that the headers disagree with the body: compare both in the log.".to_owned()
            }
            MISSING_CLIENT_CAPABILITY => match member("requiredCapabilities") {
                Some(needed) => format!(
                    "The server needs a capability that was not declared: {needed}. Let somebody answer such requests, then connect again."
                ),
                None => {
                    "The server needs a capability that was not declared, and does not say which.".to_owned()
                }
            },
            UNSUPPORTED_PROTOCOL_VERSION => match member("supported") {
                Some(versions) => {
                    format!("The server speaks other revisions: {versions}. Connect again to agree on one.")
                }
                None => "The server speaks other revisions, and does not say which.".to_owned(),
            },
            _ => return None,
        })
    }
}

/// Ends a call with the answer that refused it.
pub(super) fn give_back(relist: Relist, advice: &str, wakes: &DeferredWakes) {
    let Relist { call, refused, .. } = relist;
    call.finish(wakes, Outcome::Error, Some(refused), Some(advice.to_owned()));
}

fn why_excluded(tool: &ToolView<'_>) -> String {
    let reasons: Vec<&str> = tool
        .violations
        .iter()
        .filter(|violation| violation.rule == patchbay_protocol::Rule::ToolHeaderInvalid)
        .map(|violation| violation.message.as_str())
        .collect();
    format!("The tool {} is excluded: {}.", tool.name, reasons.join("; "))
}
