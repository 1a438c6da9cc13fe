//! Classifies results and finds their violations.

mod summary;

use patchbay_protocol::{
    Era, Revision, Rule, Violation, checks, json, methods, shapes,
    views::{
        self, CallToolResult, ClientCapabilities, InputAsked, InputRequired, ResultType, TaskView, ToolsPage,
        result_type,
    },
};

use crate::agreement::Agreement;
use crate::requests::Request;
pub(crate) use summary::summary;

/// The kind of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultKind<'a> {
    /// The complete result of the method.
    Complete,
    /// A task: the server continues in the background (`CreateTaskResult` of 2025-11-25, `resultType: task` of the
    /// extension).
    Task(Box<TaskView<'a>>),
    /// The server requires input first (`resultType: input_required`, modern era).
    InputRequired(Box<InputRound<'a>>),
    /// A `resultType` that is unknown or was not declared (modern era). Invalid by the specification.
    Unknown(String),
}

/// A result that requires input.
#[derive(Debug, Clone, PartialEq)]
pub struct InputRound<'a> {
    /// The input requests.
    pub view: InputRequired<'a>,
    /// Why the specification does not allow the call to continue, if so.
    pub refusal: Option<String>,
}

/// The examination of a complete result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Examination<'a> {
    /// Its violations. Pointers are into the message.
    pub violations: Vec<Violation>,
    /// The page of tools, if it is one.
    pub tools: Option<ToolsPage<'a>>,
    /// The task that it describes: its id, and whether it has ended.
    pub(crate) task: Option<(String, bool)>,
}

/// Classifies the result of a request and adds its violations.
pub(crate) fn classify<'a>(
    agreement: &Agreement,
    method: &str,
    request: &Request,
    result: &'a str,
    violations: &mut Vec<Violation>,
) -> ResultKind<'a> {
    if !agreement.is_modern() {
        // Before the modern era every result is complete, except those of calls that requested a task.
        let task = request
            .asked_for_task
            .then(|| TaskView::created(Era::Legacy, result))
            .flatten();
        return match task {
            Some(task) => created(task, violations),
            None => ResultKind::Complete,
        };
    }
    let (kind, violation) = result_type(result);
    let unknown = violation.is_some_and(|violation| violation.rule == Rule::ResultTypeUnknown);
    violations.extend(below_result(checks::result(Era::Modern, method, result)));
    let has_tasks = agreement.has_tasks(request);
    let client = request.client.as_deref().or(agreement.client.as_ref());
    let misplaced = match kind {
        ResultType::Complete => {
            if method == methods::TASKS_GET {
                violations.extend(below_result(undeclared_by_task(client, result)));
            }
            return ResultKind::Complete;
        }
        ResultType::InputRequired => {
            return input_required((client, agreement.revision), method, result, violations);
        }
        ResultType::Other(name) if unknown => return ResultKind::Unknown(methods::clip(&name)),
        // The only other known value is "task", which only the extension defines.
        ResultType::Other(_) if has_tasks && method == methods::TOOLS_CALL => {
            return match TaskView::created(Era::Modern, result) {
                Some(task) => created(task, violations),
                None => ResultKind::Unknown("task".to_owned()),
            };
        }
        ResultType::Other(name) if !has_tasks => (
            name,
            "`resultType` is \"task\", but the extension was not declared by both sides".to_owned(),
        ),
        ResultType::Other(name) => (name, format!("{method} must not be answered with a task")),
    };
    let (name, message) = misplaced;
    violations.push(Violation::at(
        Rule::ResultTypeUnknown,
        "/result/resultType",
        message,
    ));
    ResultKind::Unknown(name)
}

fn created<'a>(mut task: TaskView<'a>, violations: &mut Vec<Violation>) -> ResultKind<'a> {
    violations.extend(below_result(std::mem::take(&mut task.violations)));
    ResultKind::Task(Box::new(task))
}

fn input_required<'a>(
    (client, revision): (Option<&ClientCapabilities>, Option<Revision>),
    method: &str,
    result: &'a str,
    violations: &mut Vec<Violation>,
) -> ResultKind<'a> {
    let mut view = InputRequired::parse(result);
    let mut found = std::mem::take(&mut view.violations);
    let refusal = refusal(client, method, &view, &mut found);
    violations.extend(below_result(found));
    if let Some(revision) = revision {
        let shaped = shapes::input_required(revision, "/result", result);
        shapes::add(revision, violations, shaped);
    }
    ResultKind::InputRequired(Box::new(InputRound { view, refusal }))
}

/// Why a call that was answered with an input request cannot continue.
fn refusal(
    client: Option<&ClientCapabilities>,
    method: &str,
    view: &InputRequired<'_>,
    found: &mut Vec<Violation>,
) -> Option<String> {
    if !matches!(
        method,
        methods::TOOLS_CALL | methods::PROMPTS_GET | methods::RESOURCES_READ
    ) {
        let message = format!("{method} must not be answered with `input_required`");
        found.push(Violation::at(
            Rule::InputRequiredMisplaced,
            "/resultType",
            message.clone(),
        ));
        return Some(message);
    }
    if view.requests.is_empty() && view.state.is_none() && view.complete {
        return Some("the server asks for nothing".to_owned());
    }
    if !view.complete {
        return Some("the server asks for something that no client can give".to_owned());
    }
    for asked in &view.requests {
        let refused = client.and_then(|client| checks::undeclared_input(client, &asked.method, asked.params));
        if let Some((_, words)) = refused {
            found.extend(undeclared(client, asked));
            return Some(format!("{}: {words}", asked.method));
        }
    }
    None
}

/// What is wrong if the client did not declare that it can be asked for this. The pointer is into the result.
fn undeclared(client: Option<&ClientCapabilities>, asked: &InputAsked<'_>) -> Option<Violation> {
    let missing = checks::missing_capability(client?, &asked.method, asked.params)?;
    let message = format!("{}, but the client did not declare `{missing}`", asked.method);
    let pointer = views::below("/inputRequests", &asked.key);
    Some(Violation::at(Rule::UndeclaredCapability, pointer, message))
}

/// What a task asks for though the client did not declare it. Pointers are into the result.
fn undeclared_by_task(client: Option<&ClientCapabilities>, result: &str) -> Vec<Violation> {
    // Only a result that contains the word needs parsing.
    if !result.contains("\"inputRequests\"") {
        return Vec::new();
    }
    let asked = TaskView::parse(Era::Modern, result).input_requests;
    asked
        .iter()
        .filter_map(|asked| undeclared(client, asked))
        .collect()
}

/// The violations of a task with what it has by its status: a result, input requests. Pointers are into the task.
pub(crate) fn of_task(agreement: &Agreement, task: TaskView<'_>) -> Vec<Violation> {
    let mut found = task.violations;
    if let Some(result) = task.result {
        found.extend(below("/result", called(agreement, result)));
    }
    if let (Some(revision), true) = (agreement.revision, agreement.is_modern()) {
        shapes::add(
            revision,
            &mut found,
            shapes::input_required(revision, "", task.raw),
        );
        if let Some(result) = task.result {
            let shaped = shapes::result(revision, methods::TOOLS_CALL, result);
            shapes::add(revision, &mut found, shaped);
        }
    }
    // Unlike a result, neither a task in a notification nor the result within a task has one.
    found.retain(is_not_result_type);
    found
}

fn is_not_result_type(violation: &Violation) -> bool {
    !matches!(violation.rule, Rule::ResultTypeMissing | Rule::ResultTypeUnknown)
}

/// The violations of a result of a tool. Pointers are into the result.
fn called(agreement: &Agreement, result: &str) -> Vec<Violation> {
    let mut view = CallToolResult::parse(result);
    let mut found = std::mem::take(&mut view.violations);
    if let Some(revision) = agreement.revision {
        found.extend(checks::structured_content(revision, &view));
    }
    found
}

/// The violations of the tools of a page. Pointers are into the result.
fn of_tools(agreement: &Agreement, page: &ToolsPage<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (index, tool) in page.tools.iter().enumerate() {
        let place = format!("/tools/{index}");
        found.extend(tool.violations.iter().map(|violation| {
            let within = violation.pointer.as_deref().unwrap_or_default();
            Violation {
                pointer: Some(format!("{place}{within}")),
                ..violation.clone()
            }
        }));
        let of_revision = agreement
            .revision
            .and_then(|revision| checks::output_schema(revision, tool));
        found.extend(below(&place, of_revision.into_iter().collect()));
    }
    found
}

/// Examines a complete result.
pub(crate) fn examine<'a>(agreement: &Agreement, method: &str, result: &'a str) -> Examination<'a> {
    let mut examined = Examination::default();
    // Of the client's requests, only a call can be run as a task, in both eras.
    let method = match method {
        methods::TASKS_RESULT if !agreement.is_modern() => methods::TOOLS_CALL,
        method => method,
    };
    match method {
        methods::TOOLS_CALL => examined.violations = called(agreement, result),
        methods::TOOLS_LIST => {
            let mut page = ToolsPage::parse(result);
            examined.violations = std::mem::take(&mut page.violations);
            examined.violations.extend(of_tools(agreement, &page));
            examined.tools = Some(page);
        }
        methods::TASKS_GET => {
            let task = TaskView::parse(agreement.era.unwrap_or(Era::Legacy), result);
            let ended = task.status.is_some_and(|status| status.is_final());
            examined.task = Some((task.id.clone().into_owned(), ended));
            examined.violations = of_task(agreement, task);
        }
        _ => {}
    }
    // `resultType` was checked when the result was classified, for the era that has it.
    examined.violations.retain(is_not_result_type);
    examined.violations = below_result(std::mem::take(&mut examined.violations));
    // The results of a handshake were checked when the revision was agreed.
    let handshake = matches!(method, methods::INITIALIZE | methods::SERVER_DISCOVER);
    if let (Some(revision), false) = (agreement.revision, handshake) {
        let found = shapes::result(revision, method, result);
        shapes::drop_absent(revision, method, &mut examined.violations);
        shapes::add(revision, &mut examined.violations, found);
    }
    examined
}

/// Whether a tool result reports an error.
pub(crate) fn is_tool_error(result: &str) -> bool {
    // Only a result that contains the word needs parsing.
    result.contains("\"isError\"") && json::member(result, "isError").and_then(json::boolean) == Some(true)
}

/// Adds the violations of a handshake's result, except those that are known: a later `server/discover` was classified before.
pub(crate) fn add_unknown(violations: &mut Vec<Violation>, mut found: Vec<Violation>) {
    found.retain(|violation| !violations.contains(violation));
    violations.append(&mut found);
}

/// Violations of a result, with pointers into the message.
pub(crate) fn below_result(violations: Vec<Violation>) -> Vec<Violation> {
    below("/result", violations)
}

/// Violations of a part of a message, with pointers into the message.
pub(crate) fn below(place: &str, mut violations: Vec<Violation>) -> Vec<Violation> {
    for violation in &mut violations {
        if let Some(pointer) = &mut violation.pointer {
            pointer.insert_str(0, place);
        }
    }
    violations
}
