//! Method names, and one-line summaries of messages.

mod summary;

pub use summary::{clip, error_summary, message_count, notification_summary, summary};

macro_rules! methods {
    ($($(#[doc = $doc:literal])+ $name:ident = $wire:literal;)+) => {
        $($(#[doc = $doc])+ pub const $name: &str = $wire;)+
        /// The static name of a method, if it is one of any revision.
        #[must_use]
        pub fn intern(method: &str) -> std::borrow::Cow<'static, str> {
            match method {
                $($wire => std::borrow::Cow::Borrowed($name),)+
                other => std::borrow::Cow::Owned(other.to_owned()),
            }
        }
    };
}

methods! {
    /// The legacy handshake.
    INITIALIZE = "initialize";
    /// The end of the legacy handshake.
    INITIALIZED = "notifications/initialized";
    /// The modern discovery of versions and capabilities.
    SERVER_DISCOVER = "server/discover";
    /// Whether the peer is alive (legacy).
    PING = "ping";
    /// The sender no longer needs the result.
    CANCELLED = "notifications/cancelled";
    /// The progress of a request.
    PROGRESS = "notifications/progress";
    /// A log message.
    MESSAGE = "notifications/message";
    /// Sets the log level (legacy).
    LOGGING_SET_LEVEL = "logging/setLevel";
    /// Lists the tools.
    TOOLS_LIST = "tools/list";
    /// Calls a tool.
    TOOLS_CALL = "tools/call";
    /// The list of tools changed.
    TOOLS_LIST_CHANGED = "notifications/tools/list_changed";
    /// Lists the resources.
    RESOURCES_LIST = "resources/list";
    /// Lists the resource templates.
    RESOURCES_TEMPLATES_LIST = "resources/templates/list";
    /// Reads a resource.
    RESOURCES_READ = "resources/read";
    /// Subscribes to changes of a resource (legacy).
    RESOURCES_SUBSCRIBE = "resources/subscribe";
    /// Unsubscribes (legacy).
    RESOURCES_UNSUBSCRIBE = "resources/unsubscribe";
    /// A resource changed.
    RESOURCES_UPDATED = "notifications/resources/updated";
    /// The list of resources changed.
    RESOURCES_LIST_CHANGED = "notifications/resources/list_changed";
    /// Lists the prompts.
    PROMPTS_LIST = "prompts/list";
    /// Gets a prompt with arguments.
    PROMPTS_GET = "prompts/get";
    /// The list of prompts changed.
    PROMPTS_LIST_CHANGED = "notifications/prompts/list_changed";
    /// Lists the skills (extension `io.modelcontextprotocol/skills`).
    SKILLS_LIST = "skills/list";
    /// Describes one skill by its URI (the same extension).
    SKILLS_GET = "skills/get";
    /// Completes an argument.
    COMPLETION_COMPLETE = "completion/complete";
    /// Requests a completion from the client's model.
    SAMPLING_CREATE_MESSAGE = "sampling/createMessage";
    /// Requests input from the user.
    ELICITATION_CREATE = "elicitation/create";
    /// An elicitation by URL has ended (2025-11-25).
    ELICITATION_COMPLETE = "notifications/elicitation/complete";
    /// Requests the client's roots.
    ROOTS_LIST = "roots/list";
    /// The list of roots changed (legacy).
    ROOTS_LIST_CHANGED = "notifications/roots/list_changed";
    /// Opens a stream of notifications (modern).
    SUBSCRIPTIONS_LISTEN = "subscriptions/listen";
    /// The stream is open (modern).
    SUBSCRIPTIONS_ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
    /// A task's state.
    TASKS_GET = "tasks/get";
    /// A task's result.
    TASKS_RESULT = "tasks/result";
    /// Lists the tasks.
    TASKS_LIST = "tasks/list";
    /// Sends input to a task (extension).
    TASKS_UPDATE = "tasks/update";
    /// Cancels a task.
    TASKS_CANCEL = "tasks/cancel";
    /// A task changed (2025-11-25).
    TASKS_STATUS = "notifications/tasks/status";
    /// A task changed (extension).
    TASKS = "notifications/tasks";
}
