//! The simulator: automatic answers to what a server requests, to see how the server copes with each of them.

use serde::{Deserialize, Serialize};

use crate::{InputId, InputKind, ServerId};

/// How the requests of one server are answered automatically.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct SimulatorSettings {
    /// Whether anything is simulated. The rest is kept while it is off.
    pub is_on: bool,
    /// For `sampling/createMessage`; none: not simulated.
    pub sampling: Option<Simulation>,
    /// For `elicitation/create`; none: not simulated.
    pub elicitation: Option<Simulation>,
    /// For `roots/list`; none: not simulated.
    pub roots: Option<Simulation>,
}

impl SimulatorSettings {
    /// The simulation of a kind of request, as it is set.
    #[must_use]
    pub fn of(&self, kind: InputKind) -> Option<&Simulation> {
        match kind {
            InputKind::Sampling => self.sampling.as_ref(),
            InputKind::Elicitation => self.elicitation.as_ref(),
            InputKind::Roots => self.roots.as_ref(),
        }
    }

    /// The kinds of requests that are simulated now.
    #[must_use]
    pub fn simulated(&self) -> Vec<InputKind> {
        let kinds = [InputKind::Sampling, InputKind::Elicitation, InputKind::Roots];
        kinds
            .into_iter()
            .filter(|kind| self.is_on && self.of(*kind).is_some())
            .collect()
    }
}

/// How one kind of request is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Simulation {
    /// The answer.
    pub answer: SimulatedAnswer,
    /// How long each answer is held back, in milliseconds; at most a day.
    #[serde(default)]
    pub delay_ms: u32,
}

/// An automatic answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SimulatedAnswer {
    /// A valid answer: the defaults of a form and samples for its required fields, a text for sampling, the folders of the
    /// server's settings for roots.
    Defaults {},
    /// `decline` for elicitation, the error -1 for sampling, an empty list for roots.
    Decline {},
    /// `cancel` for elicitation. Sampling and roots have no such answer: they get the error for a request that nobody
    /// answered.
    Cancel {},
    /// None at all. The request waits until the server gives up or the user answers.
    NoAnswer {},
    /// A result that does not match the schema.
    Invalid {},
    /// A JSON-RPC error. A modern request cannot transmit it: the request it belongs to ends.
    Error {
        /// The code.
        code: i32,
        /// The message.
        message: String,
    },
    /// A list of answers, given in order on each connection.
    Script {
        /// The list.
        script: ScriptSource,
        /// What happens after the last answer.
        at_end: ScriptEnd,
    },
}

/// Where the answers of a script are: a JSON array of `"defaults"`, `"decline"`, `"cancel"`, `"noAnswer"`, `"invalid"`, `"ask"`,
/// `{"result":{…}}`, `{"content":{…}}`, `{"text":"…"}` and `{"error":{"code":…,"message":"…"}}`; an object may have a `delayMs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ScriptSource {
    /// Here.
    Text {
        /// JSON text, at most 1 MiB.
        json: String,
    },
    /// In a file, which is read for each request.
    File {
        /// An absolute path.
        path: String,
    },
}

/// What happens after the last answer of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ScriptEnd {
    /// Further requests are refused with an error that says so.
    Stop,
    /// The first answer is given again.
    Repeat,
    /// Further requests are not simulated: a rule, a model or the user answers.
    Ask,
}

/// A pending request that the simulator holds back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SimulatedInput {
    /// What it does, in words: `decline, after 5 s`.
    pub rule: String,
    /// When it answers, in ms since the Unix epoch; none if it never does.
    pub answers_at_ms: Option<f64>,
}

/// Parameters of `simulator_get`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SimulatorGetParams {
    /// The server.
    pub server_id: ServerId,
}

/// Response of `simulator_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SimulatorGetResponse {
    /// The settings.
    pub settings: SimulatorSettings,
    /// How many answers of each script were given on the current connection.
    pub given: Vec<ScriptPosition>,
}

/// How far a script is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ScriptPosition {
    /// The kind of request.
    pub kind: InputKind,
    /// How many of its answers were given.
    pub given: u32,
}

/// Parameters of `simulator_set`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SimulatorSetParams {
    /// The server.
    pub server_id: ServerId,
    /// The settings. Scripts begin with their first answer.
    pub settings: SimulatorSettings,
}

/// Parameters of `simulator_check`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SimulatorCheckParams {
    /// The script.
    pub script: ScriptSource,
    /// The kind of request that it answers.
    pub kind: InputKind,
}

/// Response of `simulator_check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SimulatorCheckResponse {
    /// The script can be used.
    Valid {
        /// How many answers it has.
        answers: u32,
    },
    /// It cannot.
    Invalid {
        /// The reason and its place, in a sentence.
        problem: String,
    },
}

/// Parameters of `input_take_over`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct InputTakeOverParams {
    /// The input request.
    pub input_id: InputId,
}
