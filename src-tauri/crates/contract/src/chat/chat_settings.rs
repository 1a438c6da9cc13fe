//! What a conversation is made with: its model, its tools under their aliases, and the rules for running them.

use serde::{Deserialize, Serialize};

use crate::{ChatId, ProviderId, ServerId, ToolHints};

/// The settings of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ChatSettings {
    /// Who answers.
    pub answers: ChatAnswers,
    /// The system prompt, without the instructions of servers.
    pub system_prompt: String,
    /// The servers whose tools the model gets, while they are connected.
    pub servers: Vec<ServerId>,
    /// The servers whose instructions are added to the system prompt.
    pub instructions_of: Vec<ServerId>,
    /// The tools of these servers that the model does not get.
    pub excluded: Vec<ChatToolRef>,
    /// The most tools that the model gets at once. With more, it gets a search tool in their place. Some providers take at most 128.
    pub max_tools: u32,
    /// About how many tokens their definitions may have together; none: no limit.
    pub max_tool_tokens: Option<u32>,
    /// The names under which the model knows the tools. An alias stays, also while its server is not connected.
    pub aliases: Vec<ChatAlias>,
    /// The maximum number of tokens of one answer.
    pub max_tokens: u32,
    /// The temperature; none: the provider's own.
    pub temperature: Option<f64>,
    /// How much the model thinks before it answers.
    pub thinking: ChatThinking,
    /// After this many answers a turn pauses until the user lets it go on.
    pub max_rounds: u32,
    /// After this many tokens a turn pauses, as far as the provider counts them.
    pub max_turn_tokens: u32,
    /// The rules of this conversation that run calls without asking.
    pub rules: Vec<ChatRule>,
}

impl Default for ChatSettings {
    fn default() -> Self {
        Self {
            answers: ChatAnswers::Manual {},
            system_prompt: String::new(),
            servers: Vec::new(),
            instructions_of: Vec::new(),
            excluded: Vec::new(),
            max_tools: 128,
            max_tool_tokens: None,
            aliases: Vec::new(),
            max_tokens: 4096,
            temperature: None,
            thinking: ChatThinking::Default {},
            max_rounds: 20,
            max_turn_tokens: 200_000,
            rules: Vec::new(),
        }
    }
}

/// Who answers in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChatAnswers {
    /// The user, in place of a model.
    Manual {},
    /// A model.
    Model {
        /// Its provider.
        provider_id: ProviderId,
        /// The model.
        model: String,
    },
}

/// How much a model thinks before it answers, where its provider has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChatThinking {
    /// As the provider does by itself: nothing is sent.
    Default {},
    /// As much as the model finds right for an effort.
    Effort {
        /// The effort.
        effort: ChatEffort,
    },
    /// At most a number of tokens, in addition to those of the answer.
    Budget {
        /// The number, at least 1,024.
        tokens: u32,
    },
}

/// How hard a model tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ChatEffort {
    /// Little.
    Low,
    /// Between the others.
    Medium,
    /// Much.
    High,
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatToolRef {
    /// The server.
    pub server_id: ServerId,
    /// The tool's name.
    pub tool: String,
}

/// The name under which the model knows a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatAlias {
    /// The server.
    pub server_id: ServerId,
    /// The tool's name.
    pub tool: String,
    /// 1 to 64 letters, digits, `_` and `-`: what all providers take.
    pub alias: String,
}

/// A rule that runs calls without asking. Calls of destructive tools are never covered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatRule {
    /// Which calls.
    pub covers: ChatRuleScope,
    /// The server.
    pub server_id: ServerId,
    /// When the user made the rule, in ms since the Unix epoch.
    pub at_ms: f64,
}

/// Which calls of a server a rule covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ChatRuleScope {
    /// Calls of one tool.
    Tool {
        /// Its name.
        tool: String,
    },
    /// Calls of tools that the server marks as read-only. Applies only while the user trusts the server's annotations
    /// (`trustAnnotations` of its settings).
    ReadOnly {},
    /// Calls of all its tools.
    Server {},
}

/// Parameters of `chat_rules_get`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
pub struct ChatRulesGetParams {}

/// Response of `chat_rules_get`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatRulesGetResponse {
    /// The rules for all conversations.
    pub rules: Vec<ChatRule>,
}

/// Parameters of `chat_rule_remove`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatRuleRemoveParams {
    /// The server of the rule.
    pub server_id: ServerId,
    /// What it covers.
    pub covers: ChatRuleScope,
}

/// Parameters of `chat_tools`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatToolsParams {
    /// The conversation.
    pub chat_id: ChatId,
}

/// Response of `chat_tools`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatToolsResponse {
    /// The chosen servers, in the order of the settings.
    pub servers: Vec<ChatServer>,
    /// Their tools that a model may call.
    pub tools: Vec<ChatTool>,
    /// The whole system prompt as the model gets it; empty if there is none.
    pub system_prompt: String,
    /// The search tool, if it is given in place of the tools.
    pub search: Option<ChatToolSearch>,
}

/// The search tool: what it finds, the model gets from then on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatToolSearch {
    /// The name that the model gets.
    pub alias: String,
    /// Why it is given in place of the tools, in a sentence.
    pub because: String,
    /// Its definition as the model gets it.
    pub given_json: String,
    /// The size of the definition in bytes.
    pub bytes: u32,
    /// How many tools it searches.
    pub searched: u32,
}

/// A chosen server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatServer {
    /// The server.
    pub server_id: ServerId,
    /// Its name.
    pub name: String,
    /// Why the model gets none of its tools, in a sentence.
    pub problem: Option<String>,
    /// The size of its instructions in bytes; none if it has none, or is not connected.
    pub instructions_bytes: Option<u32>,
}

/// A tool that a model may get.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ChatTool {
    /// The server.
    pub server_id: ServerId,
    /// The tool's name.
    pub tool: String,
    /// The name that the model gets.
    pub alias: String,
    /// Why that is not the tool's own name, in a sentence.
    pub renamed: Option<String>,
    /// Whether it is chosen.
    pub included: bool,
    /// Whether the model gets its definition with each request; otherwise it has to find it first.
    pub offered: bool,
    /// Why the model does not get it although it is chosen, in a sentence.
    pub blocked: Option<String>,
    /// The first 300 characters of the description.
    pub description: Option<String>,
    /// The server's claims (untrusted).
    pub hints: ToolHints,
    /// The definition as the model gets it: JSON text with `name`, `description` and `inputSchema`.
    pub given_json: String,
    /// Its size in bytes. About four bytes are a token.
    pub bytes: u32,
}
