//! Tools that take time or change something: progress, logs, changes of lists and resources.

use std::time::Duration;

use patchbay_protocol::json;
use patchbay_protocol::views::LogLevel;

use super::result::{Problem, ToolResult};
use super::tool::{Run, Tool};
use crate::answer::object;
use crate::arguments::Arguments;
use crate::call::Call;
use crate::{catalog::resources, subscriptions};

/// The tool that is added and removed.
pub(super) const SURPRISE: &str = "surprise";

/// The tool.
#[derive(Debug, Clone, Copy)]
pub(super) enum ConcurrentTool {
    CountSlowly,
    Sleep,
    LogLevels,
    LogBurst,
    ToggleTool,
    Surprise,
    TouchCounter,
    ShowCounter,
    AddToCounter,
    WriteStderr,
    EndStreams,
    HangUp,
}

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "count_slowly",
        definition: r#"{
            "name": "count_slowly",
            "title": "Count slowly",
            "description": "Reports progress at each step. Can be cancelled.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "steps": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 10 },
                    "delay_ms": { "type": "integer", "minimum": 0, "maximum": 60000, "default": 500, "title": "Delay (ms)" }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::CountSlowly),
    },
    Tool {
        name: "sleep",
        definition: r#"{
            "name": "sleep",
            "title": "Sleep",
            "description": "Says nothing until it is over: for timeouts and cancellation.",
            "inputSchema": {
                "type": "object",
                "properties": { "seconds": { "type": "number", "minimum": 0, "maximum": 3600, "default": 30 } }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::Sleep),
    },
    Tool {
        name: "log_levels",
        definition: r#"{
            "name": "log_levels",
            "title": "Log at each level",
            "description": "One log message at each of the eight levels; which ones arrive depends on the level asked for.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "message": { "type": "string", "default": "A message" },
                    "structured": { "type": "boolean", "default": false, "title": "Structured data instead of text" }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::LogLevels),
    },
    Tool {
        name: "log_burst",
        definition: r#"{
            "name": "log_burst",
            "title": "Burst of logs",
            "description": "Many log messages at once, at level info.",
            "inputSchema": {
                "type": "object",
                "properties": { "count": { "type": "integer", "minimum": 1, "maximum": 1000000, "default": 1000 } }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::LogBurst),
    },
    Tool {
        name: "toggle_tool",
        definition: r#"{
            "name": "toggle_tool",
            "title": "Toggle a tool",
            "description": "Adds the tool `surprise` to the list, or takes it away, and says that the list has changed.",
            "inputSchema": { "type": "object" },
            "annotations": { "destructiveHint": false, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::ToggleTool),
    },
    Tool {
        name: SURPRISE,
        definition: r#"{
            "name": "surprise",
            "title": "Surprise",
            "description": "Here only after `toggle_tool`.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::Surprise),
    },
    Tool {
        name: "touch_counter",
        definition: r#"{
            "name": "touch_counter",
            "title": "Touch the counter",
            "description": "Changes the resource demo://counter and tells anyone who is subscribed to it.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::TouchCounter),
    },
    Tool {
        name: "write_stderr",
        definition: r#"{
            "name": "write_stderr",
            "title": "Write to stderr",
            "description": "Writes lines to the server's standard error.",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "text": { "type": "string", "default": "Something to read" },
                    "lines": { "type": "integer", "minimum": 1, "maximum": 100000, "default": 3 }
                }
            },
            "annotations": { "readOnlyHint": true, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::WriteStderr),
    },
    Tool {
        name: "end_streams",
        definition: r#"{
            "name": "end_streams",
            "title": "End subscriptions",
            "description": "Ends all open subscriptions gracefully, as a server does that shuts down (2026-07-28).",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::EndStreams),
    },
    Tool {
        name: "hang_up",
        definition: r#"{
            "name": "hang_up",
            "title": "Hang up",
            "description": "Ends the server without an answer: what a crash looks like.",
            "inputSchema": { "type": "object" },
            "annotations": { "readOnlyHint": false, "destructiveHint": true, "openWorldHint": false }
        }"#,
        run: Run::Concurrent(ConcurrentTool::HangUp),
    },
];

impl ConcurrentTool {
    pub(super) async fn run(self, call: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
        match self {
            Self::CountSlowly => count_slowly(call, arguments).await,
            Self::Sleep => sleep(arguments).await,
            Self::LogLevels => log_levels(call, arguments).await,
            Self::LogBurst => log_burst(call, arguments).await,
            Self::ToggleTool => Ok(toggle_tool(call).await),
            Self::Surprise => Ok(ToolResult::text("Surprise! `toggle_tool` takes me away again.")),
            Self::TouchCounter => {
                let count = add_to_counter(call, 1).await;
                Ok(ToolResult::text(&format!(
                    "{} is at {count} now.",
                    resources::COUNTER
                )))
            }
            Self::ShowCounter => Ok(counter(call.shared.state().counter)),
            Self::AddToCounter => {
                let step = arguments.integer("step", 1, 1_000)?;
                Ok(counter(add_to_counter(call, step).await))
            }
            Self::WriteStderr => write_stderr(call, arguments).await,
            Self::EndStreams => {
                let ended = subscriptions::end_all(call).await;
                Ok(ToolResult::text(&format!("Subscriptions ended: {ended}.")))
            }
            Self::HangUp => {
                call.shared.stderr("hanging up, as asked".to_owned()).await;
                call.shared.end.notify_one();
                std::future::pending().await
            }
        }
    }
}

async fn count_slowly(call: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let steps = arguments.integer("steps", 10, 1_000)?;
    let delay = Duration::from_millis(arguments.integer("delay_ms", 500, 60_000)?);
    for step in 1..=steps {
        tokio::time::sleep(delay).await;
        call.progress(step, steps, &format!("Step {step} of {steps}"))
            .await;
    }
    Ok(ToolResult::text(&format!("Counted to {steps}.")))
}

async fn sleep(arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let seconds = if arguments.raw("seconds").is_some() {
        arguments.number("seconds")?
    } else {
        30.0
    };
    let time = Duration::try_from_secs_f64(seconds.min(3_600.0));
    tokio::time::sleep(time.map_err(|_| format!("{seconds} is no time to sleep"))?).await;
    Ok(ToolResult::text(&format!("Slept for {seconds} s.")))
}

async fn log_levels(call: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let message = arguments
        .optional_string("message")?
        .unwrap_or("A message".into());
    let structured = arguments.raw("structured").is_some() && arguments.boolean("structured")?;
    for level in LogLevel::ALL {
        let text = json::quote(&format!("{message} ({})", level.as_str()));
        match structured {
            true => call.log(level, "demo.structured", &structured_data(&text)).await,
            false => call.log(level, "demo.levels", &text).await,
        }
    }
    Ok(ToolResult::text("Logged once at each level."))
}

/// Data that a viewer must show exactly and must not run: nested, with a number beyond 2^53, with markup.
fn structured_data(message: &str) -> String {
    let place = object(&[("file", json::quote("src/main.rs")), ("line", "42".to_owned())]);
    let markup = "<img src=x onerror=\"window.hostile = true\"><script>window.hostile = true</script>";
    object(&[
        ("message", message.to_owned()),
        ("at", place),
        ("bytes", "9007199254740993".to_owned()),
        ("tags", r#"["cache","miss",null]"#.to_owned()),
        ("markup", json::quote(markup)),
    ])
}

async fn log_burst(call: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let count = arguments.integer("count", 1_000, 1_000_000)?;
    for number in 1..=count {
        let data = object(&[("number", number.to_string()), ("of", count.to_string())]);
        call.log(LogLevel::Info, "demo.burst", &data).await;
    }
    Ok(ToolResult::text(&format!("Logged {count} times.")))
}

async fn toggle_tool(call: &Call) -> ToolResult {
    let here = {
        let mut state = call.shared.state();
        state.surprise = !state.surprise;
        state.surprise
    };
    subscriptions::tools_changed(&call.shared).await;
    ToolResult::text(if here {
        "`surprise` is here now."
    } else {
        "`surprise` is gone."
    })
}

/// Changes the counter, tells the subscribers, and returns its value.
async fn add_to_counter(call: &Call, step: u64) -> u64 {
    let count = {
        let mut state = call.shared.state();
        state.counter = state.counter.saturating_add(step);
        state.counter
    };
    subscriptions::resource_changed(&call.shared, resources::COUNTER).await;
    count
}

/// The counter as text, and structured for the app.
fn counter(count: u64) -> ToolResult {
    ToolResult::text(&format!("The counter is at {count}."))
        .with_structured(object(&[("count", count.to_string())]))
}

async fn write_stderr(call: &Call, arguments: &Arguments<'_>) -> Result<ToolResult, Problem> {
    let text = arguments
        .optional_string("text")?
        .unwrap_or("Something to read".into());
    let lines = arguments.integer("lines", 3, 100_000)?;
    for number in 1..=lines {
        call.shared.stderr(format!("{text} ({number} of {lines})")).await;
    }
    Ok(ToolResult::text(&format!("Wrote {lines} lines to stderr.")))
}
