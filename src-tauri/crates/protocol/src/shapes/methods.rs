//! Every method of every revision: who sends it, where it exists, the shapes of its params and its result.

use super::handshake::{DISCOVERED, INITIALIZE, INITIALIZED, LEVELS};
use super::inputs::{ELICITED, ROOTS, SAMPLED_RESULT, SAMPLING, TASK_METADATA, WITH_ELICITATION};
use super::lists::{
    CALLED, COMPLETED, FILTER, GOT_PROMPT, LISTENED, PROMPTS, READ, RESOURCES, TASK, TASKS, TEMPLATES, TOOLS,
};
use super::table::{Record, Revisions, Shape, Tag, opt, req};
use crate::{Direction, Era, Revision, methods as names};

const V2025_03_26: Revision = Revision::V2025_03_26;
const ALL: Revisions = Revisions::ALL;
const LEGACY: Revisions = Revisions::LEGACY;
const MODERN: Revisions = Revisions::MODERN;
const ONLY_2025_11_25: Revisions = Revisions::only(Revision::V2025_11_25);

/// Whether a method expects a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodKind {
    /// It does.
    Request,
    /// It does not.
    Notification,
}

/// Who may send a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sender {
    Client,
    Server,
    Both,
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Whether it expects a response.
    pub kind: MethodKind,
    from: Sender,
    within: Revisions,
    /// The params, if it has any of its own.
    pub(crate) params: Option<Shape>,
    /// The result, if it has any members of its own.
    pub(crate) result: Option<Shape>,
}

impl Method {
    /// Whether it may be sent in this direction.
    #[must_use]
    pub fn may_be_sent(&self, direction: Direction) -> bool {
        match self.from {
            Sender::Client => direction == Direction::ClientToServer,
            Sender::Server => direction == Direction::ServerToClient,
            Sender::Both => true,
        }
    }
}

/// A method of this revision.
#[must_use]
pub fn method(name: &str, revision: Revision) -> Option<&'static Method> {
    METHODS
        .iter()
        .find(|method| method.name == name && method.within.has(revision))
}

/// Where a method exists.
pub(crate) struct Elsewhere(Revisions);

/// Where a method exists; none if no revision has it, such as one of an extension.
pub(crate) fn known(name: &str) -> Option<Elsewhere> {
    let all = METHODS.iter().filter(|method| method.name == name);
    let within = all.fold(Revisions::NONE, |all, method| all.or(method.within));
    (within != Revisions::NONE).then_some(Elsewhere(within))
}

impl Elsewhere {
    /// Whether any revision of an era has it.
    pub(crate) fn is_in(&self, era: Era) -> bool {
        let of_era = match era {
            Era::Legacy => LEGACY,
            Era::Modern => MODERN,
        };
        self.0.and(of_era) != Revisions::NONE
    }

    pub(crate) fn revisions_in_words(&self) -> String {
        let names: Vec<&str> = self.0.iter().map(Revision::as_str).collect();
        names.join(", ")
    }
}

const fn request(
    name: &'static str,
    from: Sender,
    within: Revisions,
    params: Option<Shape>,
    result: Option<Shape>,
) -> Method {
    Method {
        name,
        kind: MethodKind::Request,
        from,
        within,
        params,
        result,
    }
}

const fn notification(name: &'static str, from: Sender, within: Revisions, params: Option<Shape>) -> Method {
    Method {
        kind: MethodKind::Notification,
        ..request(name, from, within, params, None)
    }
}

const fn of(record: &'static Record) -> Option<Shape> {
    Some(Shape::Record(record))
}

static PAGE: Record = Record {
    name: "PaginatedRequestParams",
    fields: &[opt("cursor", Shape::Text)],
};

/// Requests that have `_meta` only; it is checked in every message.
static PLAIN: Record = Record {
    name: "RequestParams",
    fields: &[],
};

static CALL: Record = Record {
    name: "CallToolRequestParams",
    fields: &[
        req("name", Shape::Text),
        opt("arguments", Shape::Object),
        opt("task", Shape::Record(&TASK_METADATA)).within(ONLY_2025_11_25),
        opt("inputResponses", Shape::Map(&Shape::InputResponse)).within(MODERN),
        opt("requestState", Shape::Text).within(MODERN),
    ],
};

static READ_PARAMS: Record = Record {
    name: "ReadResourceRequestParams",
    fields: &[
        req("uri", Shape::Text),
        opt("inputResponses", Shape::Map(&Shape::InputResponse)).within(MODERN),
        opt("requestState", Shape::Text).within(MODERN),
    ],
};

static GET_PROMPT: Record = Record {
    name: "GetPromptRequestParams",
    fields: &[
        req("name", Shape::Text),
        opt("arguments", Shape::Map(&Shape::Text)),
        opt("inputResponses", Shape::Map(&Shape::InputResponse)).within(MODERN),
        opt("requestState", Shape::Text).within(MODERN),
    ],
};

static SUBSCRIBE: Record = Record {
    name: "SubscribeRequestParams",
    fields: &[req("uri", Shape::Text)],
};

static LEVEL: Record = Record {
    name: "SetLevelRequestParams",
    fields: &[req("level", Shape::Word(LEVELS))],
};

static PROMPT_REFERENCE: Record = Record {
    name: "PromptReference",
    fields: &[
        req("name", Shape::Text),
        opt("title", Shape::Text).since(Revision::V2025_06_18),
    ],
};

static TEMPLATE_REFERENCE: Record = Record {
    name: "ResourceTemplateReference",
    fields: &[req("uri", Shape::Text)],
};

const REFERENCES: &[Tag] = &[
    ("ref/prompt", ALL, &PROMPT_REFERENCE),
    ("ref/resource", ALL, &TEMPLATE_REFERENCE),
];

static ARGUMENT: Record = Record {
    name: "CompleteRequestParams/argument",
    fields: &[req("name", Shape::Text), req("value", Shape::Text)],
};

static CONTEXT: Record = Record {
    name: "CompleteRequestParams/context",
    fields: &[opt("arguments", Shape::Map(&Shape::Text))],
};

static COMPLETE: Record = Record {
    name: "CompleteRequestParams",
    fields: &[
        req("ref", Shape::Tagged(REFERENCES)),
        req("argument", Shape::Record(&ARGUMENT)),
        opt("context", Shape::Record(&CONTEXT)).since(Revision::V2025_06_18),
    ],
};

static LISTEN: Record = Record {
    name: "SubscriptionsListenRequestParams",
    fields: &[req("notifications", Shape::Record(&FILTER))],
};

static OF_TASK: Record = Record {
    name: "GetTaskRequest/params",
    fields: &[req("taskId", Shape::Text)],
};

static CANCELLED: Record = Record {
    name: "CancelledNotificationParams",
    fields: &[
        // 2025-11-25 made it optional, for tasks.
        req("requestId", Shape::Id).required_in(
            Revisions::only(Revision::V2024_11_05)
                .or(Revisions::only(V2025_03_26))
                .or(Revisions::only(Revision::V2025_06_18))
                .or(MODERN),
        ),
        opt("reason", Shape::Text),
    ],
};

static PROGRESS: Record = Record {
    name: "ProgressNotificationParams",
    fields: &[
        req("progressToken", Shape::Id),
        req("progress", Shape::Number),
        opt("total", Shape::Number),
        opt("message", Shape::Text).since(V2025_03_26),
    ],
};

static LOG: Record = Record {
    name: "LoggingMessageNotificationParams",
    fields: &[
        req("level", Shape::Word(LEVELS)),
        opt("logger", Shape::Text),
        req("data", Shape::Any),
    ],
};

static UPDATED: Record = Record {
    name: "ResourceUpdatedNotificationParams",
    fields: &[req("uri", Shape::Text)],
};

static ELICITATION_DONE: Record = Record {
    name: "ElicitationCompleteNotification/params",
    fields: &[req("elicitationId", Shape::Text)],
};

static ACKNOWLEDGED: Record = Record {
    name: "SubscriptionsAcknowledgedNotificationParams",
    fields: &[req("notifications", Shape::Record(&FILTER))],
};

use Sender::{Both, Client, Server};

/// All of them, by name. `tasks/get`, `tasks/update`, `tasks/cancel` and `notifications/tasks` of the modern era belong to an
/// extension, whose messages their views check.
static METHODS: &[Method] = &[
    request(
        names::INITIALIZE,
        Client,
        LEGACY,
        of(&INITIALIZE),
        of(&INITIALIZED),
    ),
    request(
        names::SERVER_DISCOVER,
        Client,
        MODERN,
        of(&PLAIN),
        of(&DISCOVERED),
    ),
    request(names::PING, Both, LEGACY, of(&PLAIN), None),
    request(names::LOGGING_SET_LEVEL, Client, LEGACY, of(&LEVEL), None),
    request(names::TOOLS_LIST, Client, ALL, of(&PAGE), of(&TOOLS)),
    request(names::TOOLS_CALL, Client, ALL, of(&CALL), of(&CALLED)),
    request(names::RESOURCES_LIST, Client, ALL, of(&PAGE), of(&RESOURCES)),
    request(
        names::RESOURCES_TEMPLATES_LIST,
        Client,
        ALL,
        of(&PAGE),
        of(&TEMPLATES),
    ),
    request(names::RESOURCES_READ, Client, ALL, of(&READ_PARAMS), of(&READ)),
    request(names::RESOURCES_SUBSCRIBE, Client, LEGACY, of(&SUBSCRIBE), None),
    request(names::RESOURCES_UNSUBSCRIBE, Client, LEGACY, of(&SUBSCRIBE), None),
    request(names::PROMPTS_LIST, Client, ALL, of(&PAGE), of(&PROMPTS)),
    request(names::PROMPTS_GET, Client, ALL, of(&GET_PROMPT), of(&GOT_PROMPT)),
    request(
        names::COMPLETION_COMPLETE,
        Client,
        ALL,
        of(&COMPLETE),
        of(&COMPLETED),
    ),
    request(
        names::SUBSCRIPTIONS_LISTEN,
        Client,
        MODERN,
        of(&LISTEN),
        of(&LISTENED),
    ),
    request(
        names::SAMPLING_CREATE_MESSAGE,
        Server,
        LEGACY,
        of(&SAMPLING),
        of(&SAMPLED_RESULT),
    ),
    request(
        names::ELICITATION_CREATE,
        Server,
        LEGACY.and(WITH_ELICITATION),
        Some(Shape::Elicitation),
        of(&ELICITED),
    ),
    request(names::ROOTS_LIST, Server, LEGACY, of(&PLAIN), of(&ROOTS)),
    request(names::TASKS_GET, Both, ONLY_2025_11_25, of(&OF_TASK), of(&TASK)),
    // That of a client. A server answers with the result of the tool that ran as the task.
    request(
        names::TASKS_RESULT,
        Both,
        ONLY_2025_11_25,
        of(&OF_TASK),
        Some(Shape::InputResponse),
    ),
    request(
        names::TASKS_CANCEL,
        Both,
        ONLY_2025_11_25,
        of(&OF_TASK),
        of(&TASK),
    ),
    request(names::TASKS_LIST, Both, ONLY_2025_11_25, of(&PAGE), of(&TASKS)),
    request(names::TASKS_GET, Client, MODERN, of(&OF_TASK), None),
    request(names::TASKS_UPDATE, Client, MODERN, of(&OF_TASK), None),
    request(names::TASKS_CANCEL, Client, MODERN, of(&OF_TASK), None),
    notification(names::INITIALIZED, Client, LEGACY, of(&PLAIN)),
    notification(names::ROOTS_LIST_CHANGED, Client, LEGACY, of(&PLAIN)),
    notification(names::CANCELLED, Both, ALL, of(&CANCELLED)),
    notification(names::PROGRESS, Both, LEGACY, of(&PROGRESS)),
    notification(names::PROGRESS, Server, MODERN, of(&PROGRESS)),
    notification(names::MESSAGE, Server, ALL, of(&LOG)),
    notification(names::TOOLS_LIST_CHANGED, Server, ALL, of(&PLAIN)),
    notification(names::PROMPTS_LIST_CHANGED, Server, ALL, of(&PLAIN)),
    notification(names::RESOURCES_LIST_CHANGED, Server, ALL, of(&PLAIN)),
    notification(names::RESOURCES_UPDATED, Server, ALL, of(&UPDATED)),
    notification(
        names::ELICITATION_COMPLETE,
        Server,
        ONLY_2025_11_25,
        of(&ELICITATION_DONE),
    ),
    notification(names::TASKS_STATUS, Both, ONLY_2025_11_25, of(&TASK)),
    notification(
        names::SUBSCRIPTIONS_ACKNOWLEDGED,
        Server,
        MODERN,
        of(&ACKNOWLEDGED),
    ),
    notification(names::TASKS, Server, MODERN, None),
];

#[cfg(test)]
pub(super) fn all() -> &'static [Method] {
    METHODS
}

#[cfg(test)]
impl Method {
    pub(super) fn exists(&self, revision: Revision) -> bool {
        self.within.has(revision)
    }
}
