//! The limits of one connection, as the settings of its server change them.
//!
//! To add one, add a row here, read it where the bound holds, and lower it in a test there: `tests/it/source/limits.rs` fails
//! for a row that nothing reads or no test names.

use std::fmt;

/// What the number of a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// Bytes.
    Bytes,
    /// Milliseconds.
    Milliseconds,
}

/// One limit that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Its name in settings and on the command line.
    pub name: &'static str,
    /// What it limits, and what happens beyond: whole sentences.
    pub meaning: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// Its default.
    pub default: u32,
    /// The least that can be set.
    pub least: u32,
    /// The most that can be set.
    pub most: u32,
}

/// Why a limit cannot be set, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitError(String);

impl fmt::Display for LimitError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for LimitError {}

macro_rules! limits {
    ($(#[doc = $meaning:literal] $field:ident: $name:literal, $unit:ident, $default:expr, $least:expr, $most:expr;)+) => {
        /// What one connection may cost.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Limits { $(#[doc = $meaning] pub $field: usize,)+ }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($field: $default as usize,)+ }
            }
        }

        impl Limits {
            /// All of them, in the order in which they are shown.
            pub const ALL: &'static [Limit] = &[$(Limit {
                name: $name,
                meaning: $meaning.trim_ascii(),
                unit: Unit::$unit,
                default: $default,
                least: $least,
                most: $most,
            },)+];

            fn place(&mut self, name: &str) -> Option<&mut usize> {
                match name {
                    $($name => Some(&mut self.$field),)+
                    _ => None,
                }
            }
        }
    };
}

impl Limits {
    /// The defaults with these changes, by name.
    ///
    /// # Errors
    /// A name is not that of a limit, or a value is out of its range.
    pub fn with<'a>(changes: impl IntoIterator<Item = (&'a str, u32)>) -> Result<Self, LimitError> {
        let mut limits = Self::default();
        for (name, value) in changes {
            limits.set(name, value)?;
        }
        Ok(limits)
    }

    /// Changes one limit.
    ///
    /// # Errors
    /// There is no limit of this name, or the value is out of its range.
    pub fn set(&mut self, name: &str, value: u32) -> Result<(), LimitError> {
        let Some(Limit { least, most, .. }) = Self::ALL.iter().find(|limit| limit.name == name) else {
            let names: Vec<&str> = Self::ALL.iter().map(|limit| limit.name).collect();
            return Err(LimitError(format!(
                "There is no limit `{name}`. The limits are {}.",
                names.join(", ")
            )));
        };
        if !(least..=most).contains(&&value) {
            return Err(LimitError(format!(
                "The limit `{name}` must be from {least} to {most}, not {value}."
            )));
        }
        if let Some(place) = self.place(name) {
            *place = value as usize;
        }
        Ok(())
    }
}

const KIB: u32 = 1 << 10;
const MIB: u32 = 1 << 20;

limits! {
    /// The size of a frame: a line over stdio, an event or a body over HTTP. A longer one is recorded up to the limit; a line, and an event of HTTP+SSE, ends the connection, anything else its request.
    frame_bytes: "frameBytes", Bytes, 256 * MIB, 64 * KIB, 256 * MIB;
    /// The messages of one frame (a batch, or several on a line) that are taken apart. The others are recorded as one text with a violation.
    messages_per_frame: "messagesPerFrame", Count, 10_000, 1, 100_000;
    /// The violations of one message that are kept. The last one says how many more there are.
    violations_per_message: "violationsPerMessage", Count, 1_000, 10, 1_000;
    /// The unanswered requests of a server that are remembered. The answers to others are not recognized.
    open_requests: "openRequests", Count, 4_096, 16, 65_536;
    /// The size of an HTTP body after decompression. A larger one ends its request.
    body_bytes: "bodyBytes", Bytes, 256 * MIB, 64 * KIB, 256 * MIB;
    /// How many times larger than received a body may become by decompression, from 1 MiB on. Beyond, its request ends.
    compression_ratio: "compressionRatio", Count, 500, 10, 5_000;
    /// Redirects in a row that are followed. One more ends the request.
    redirects: "redirects", Count, 5, 0, 20;
    /// The longest delay that a server may ask for before it is asked again (Retry-After, retry). A longer one is shortened.
    retry_delay_ms: "retryDelayMs", Milliseconds, 86_400_000, 1_000, 86_400_000;
    /// Attempts in a row to open an interrupted event stream again. After that it is given up.
    reconnects: "reconnects", Count, 5, 0, 1_000;
    /// The pages of a list that are requested. A list with more is cut off, with a violation.
    list_pages: "listPages", Count, 1_000, 1, 100_000;
    /// The rows of a list. A list with more is cut off, with a violation.
    list_rows: "listRows", Count, 100_000, 10, 1_000_000;
    /// The size of a page of a list. A larger one is recorded and not listed, with a violation.
    page_bytes: "pageBytes", Bytes, 32 * MIB, 16 * KIB, 256 * MIB;
    /// The memory of one list: its pages as received, and its rows. A larger one is cut off, with a violation.
    list_bytes: "listBytes", Bytes, 64 * MIB, 64 * KIB, 1024 * MIB;
    /// The memory of all lists of the connection. What does not fit is cut off, with a violation.
    lists_bytes: "listsBytes", Bytes, 128 * MIB, 64 * KIB, 1024 * MIB;
    /// The requests for input (sampling, elicitation, roots) that wait for an answer at the same time. Others are answered with an error.
    waiting_inputs: "waitingInputs", Count, 256, 1, 1_000;
    /// The size of all requests for input that wait for an answer. Others are answered with an error.
    waiting_input_bytes: "waitingInputBytes", Bytes, 16 * MIB, 16 * KIB, 32 * MIB;
    /// Rounds of input that one request may take (2026-07-28). After that the request ends.
    input_rounds: "inputRounds", Count, 10, 1, 1_000;
    /// Elicitations within a minute that reach the user. Others are cancelled.
    elicitations_per_minute: "elicitationsPerMinute", Count, 60, 1, 10_000;
    /// The time to check a result against the schema of its tool. After that it counts as not checked.
    schema_check_ms: "schemaCheckMs", Milliseconds, 2_000, 50, 60_000;
    /// Evaluations of a part of a schema in one check. A schema that needs more is not checked: it is too expensive.
    schema_evaluations: "schemaEvaluations", Count, 2_000_000, 100, 100_000_000;
}
