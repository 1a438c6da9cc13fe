//! The export of the traffic log to a file.

use serde::{Deserialize, Serialize};

use crate::Seq;

/// Parameters of `traffic_export`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct TrafficExportParams {
    /// The filter, as in `traffic_tail`. A frame with several messages is exported if one of them matches.
    pub filter: String,
    /// The first record; none: from the oldest on.
    pub from: Option<Seq>,
    /// The last record; none: up to the newest at the start of the export.
    pub to: Option<Seq>,
    /// An existing folder, as an absolute path; none: the user's downloads folder. The name of the file is chosen by
    /// Patchbay: no existing file is replaced.
    pub folder: Option<String>,
}

/// The events of an export: progress, then one `finished`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "export", derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TrafficExportEvent {
    /// Records that were read so far, at most ten times a second.
    Progress {
        /// The number of records read.
        records: f64,
        /// The number of records to read.
        total: f64,
    },
    /// The file is complete.
    Finished {
        /// The absolute path of the file, on the machine on which Patchbay runs.
        path: String,
        /// The number of lines: messages, stray lines and lines of stderr, as recorded.
        lines: f64,
        /// The size of the file in bytes.
        bytes: f64,
    },
}
