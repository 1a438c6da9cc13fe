//! Requests that an app of a server makes (MCP Apps): which tools it may call, and how its operations are labelled.

use patchbay_contract::{CommandError, ErrorCode, ToolItem};

use crate::dispatch::error::fail;

/// The label of an operation; it names the app that caused it, if one did.
pub(super) fn label(subject: String, by_app: Option<&str>) -> String {
    match by_app {
        Some(app) => format!("{subject} (by the app {app})"),
        None => subject,
    }
}

/// The label of an operation; it says if the user confirmed that a changed tool may be called.
pub(super) fn confirmed(subject: String, confirmed: bool) -> String {
    match confirmed {
        true => format!("{subject} (changes of the tool confirmed)")
            .trim_start()
            .to_owned(),
        false => subject,
    }
}

/// Refuses a call by an app of a tool that is not listed, or whose `visibility` has no `app` (SEP-1865, “Visibility”).
pub(super) fn check(tool: Option<&ToolItem>, name: &str) -> Result<(), CommandError> {
    let refused = |why: &str| {
        let message = format!("The app may not call {name:?}: {why}.");
        Err(fail(ErrorCode::InvalidParams, message))
    };
    match tool {
        None => refused("its server lists no such tool"),
        Some(ToolItem { app: Some(app), .. }) if !app.for_apps => refused("the tool is not for apps"),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use patchbay_contract::{ToolAppItem, ToolHints};

    use super::*;

    fn tool(app: Option<ToolAppItem>) -> ToolItem {
        ToolItem {
            index: 0,
            name: "t".to_owned(),
            title: None,
            description: None,
            icon: None,
            hints: ToolHints::default(),
            task_support: None,
            has_output_schema: false,
            app,
            callable: true,
            excluded: None,
            violations: Vec::new(),
        }
    }

    #[test]
    fn an_app_calls_only_listed_tools_that_are_for_apps() {
        let app = |for_apps| {
            Some(ToolAppItem {
                resource_uri: None,
                for_models: true,
                for_apps,
            })
        };
        assert!(check(Some(&tool(None)), "t").is_ok());
        assert!(check(Some(&tool(app(true))), "t").is_ok());
        let message = |tool: Option<ToolItem>| check(tool.as_ref(), "t").unwrap_err().message;
        assert!(message(Some(tool(app(false)))).contains("not for apps"));
        assert!(message(None).contains("no such tool"));
    }

    #[test]
    fn an_operation_names_the_app_that_caused_it() {
        assert_eq!(label("t".to_owned(), None), "t");
        assert_eq!(label("t".to_owned(), Some("ui://a")), "t (by the app ui://a)");
    }
}
