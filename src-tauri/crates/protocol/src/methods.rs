//! Method names, and one line about what a message is about.

mod summary;

pub use summary::{clip, error_summary, notification_summary, summary};

macro_rules! methods {
    ($($(#[doc = $doc:literal])+ $name:ident = $wire:literal;)+) => {
        $($(#[doc = $doc])+ pub const $name: &str = $wire;)+
        /// Every method of every revision.
        pub const ALL: &[&str] = &[$($name,)+];

        /// A method's name without owning it, if it is one of [`ALL`].
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
    /// Its end.
    INITIALIZED = "notifications/initialized";
    /// The modern look-up of versions and capabilities.
    SERVER_DISCOVER = "server/discover";
    /// Whether the peer is alive (legacy).
    PING = "ping";
    /// The sender no longer wants an answer.
    CANCELLED = "notifications/cancelled";
    /// How far a request is.
    PROGRESS = "notifications/progress";
    /// A log message.
    MESSAGE = "notifications/message";
    /// From which level to log (legacy).
    LOGGING_SET_LEVEL = "logging/setLevel";
    /// The tools.
    TOOLS_LIST = "tools/list";
    /// Runs one.
    TOOLS_CALL = "tools/call";
    /// The list of tools is another now.
    TOOLS_LIST_CHANGED = "notifications/tools/list_changed";
    /// The resources.
    RESOURCES_LIST = "resources/list";
    /// The resource templates.
    RESOURCES_TEMPLATES_LIST = "resources/templates/list";
    /// Reads one.
    RESOURCES_READ = "resources/read";
    /// Subscribes to changes (legacy).
    RESOURCES_SUBSCRIBE = "resources/subscribe";
    /// No longer (legacy).
    RESOURCES_UNSUBSCRIBE = "resources/unsubscribe";
    /// A resource changed.
    RESOURCES_UPDATED = "notifications/resources/updated";
    /// The list of resources is another now.
    RESOURCES_LIST_CHANGED = "notifications/resources/list_changed";
    /// The prompts.
    PROMPTS_LIST = "prompts/list";
    /// Fills one in.
    PROMPTS_GET = "prompts/get";
    /// The list of prompts is another now.
    PROMPTS_LIST_CHANGED = "notifications/prompts/list_changed";
    /// Completes an argument.
    COMPLETION_COMPLETE = "completion/complete";
    /// Asks the client's model.
    SAMPLING_CREATE_MESSAGE = "sampling/createMessage";
    /// Asks the user.
    ELICITATION_CREATE = "elicitation/create";
    /// An elicitation by URL has ended (2025-11-25).
    ELICITATION_COMPLETE = "notifications/elicitation/complete";
    /// Asks for the client's roots.
    ROOTS_LIST = "roots/list";
    /// The list of roots is another now (legacy).
    ROOTS_LIST_CHANGED = "notifications/roots/list_changed";
    /// Opens a stream of notifications (modern).
    SUBSCRIPTIONS_LISTEN = "subscriptions/listen";
    /// The stream is open (modern).
    SUBSCRIPTIONS_ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
    /// A task's state.
    TASKS_GET = "tasks/get";
    /// A task's result.
    TASKS_RESULT = "tasks/result";
    /// The tasks.
    TASKS_LIST = "tasks/list";
    /// Gives a task input (extension).
    TASKS_UPDATE = "tasks/update";
    /// Ends a task.
    TASKS_CANCEL = "tasks/cancel";
    /// A task changed (2025-11-25).
    TASKS_STATUS = "notifications/tasks/status";
    /// A task changed (extension).
    TASKS = "notifications/tasks";
}
