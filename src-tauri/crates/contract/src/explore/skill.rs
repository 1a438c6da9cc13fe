//! Skills: rows of their list (extension `io.modelcontextprotocol/skills`). Their files are read as resources.

use serde::{Deserialize, Serialize};

use crate::ViolationItem;

/// One row of the list of skills. A malformed skill is a row with violations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct SkillItem {
    /// Its index in the list as received, over all pages. URIs may repeat; the index does not.
    pub index: u32,
    /// The URI of its `SKILL.md`, which identifies it on its server; empty if it has none.
    pub uri: String,
    /// `name` of its frontmatter: a label that several skills may share; empty if it has none.
    pub name: String,
    /// The first 300 characters of `description` of its frontmatter.
    pub description: Option<String>,
    /// The number of its files; none if they are dynamic or malformed.
    pub file_count: Option<u32>,
    /// The sum of the sizes that the server states for its files, in bytes; none if they are dynamic or malformed.
    pub total_size: Option<f64>,
    /// Violations of its definition.
    pub violations: Vec<ViolationItem>,
}
