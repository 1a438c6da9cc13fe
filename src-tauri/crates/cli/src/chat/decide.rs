//! What is done with a call that no rule runs.

use patchbay_contract::{ChatCall, ChatDecision};

use crate::{
    args::Approve,
    oneshot::keyboard::Keyboard,
    output::{self, visible},
};

/// Decides about a call that waits. If nobody is there (`is_attended`), what stdin has is data and no decision.
pub(super) async fn decide(
    approve: Approve,
    call: &ChatCall,
    keyboard: &Keyboard,
    is_attended: bool,
) -> ChatDecision {
    let run = || ChatDecision::Run {
        edited_json: None,
        remember: None,
    };
    let deny = |reason: &str| ChatDecision::Deny {
        reason: reason.to_owned(),
    };
    if call.definition_changed {
        return deny("The definition of the tool changed, and nobody accepted the change.");
    }
    match approve {
        // Also what is marked as destructive: the user said all.
        Approve::All => run(),
        // A reason to ask is one against it: nobody is asked here.
        Approve::ReadOnly => deny(
            call.asked_because
                .as_deref()
                .unwrap_or("Only tools that are marked as read-only run here."),
        ),
        Approve::None => deny("No calls run here."),
        Approve::Ask => {
            let because = call.asked_because.as_deref().unwrap_or_default();
            let mut dialog = keyboard.dialog().await;
            output::words(&visible(because));
            if let Some(reason) = &call.not_checked {
                output::words(&visible(&format!("The arguments are not checked: {reason}.")));
            }
            for problem in &call.problems {
                let words = format!("The arguments do not match the schema: {problem}");
                output::words(&visible(&words));
            }
            let prompt = format!(
                "Run {} of {} with {}? y, n, or the reason against it: ",
                visible(&call.tool),
                visible(&call.server_name),
                visible(&call.arguments_json)
            );
            let line = match is_attended {
                true => dialog.line(&prompt).await,
                false => {
                    output::words(&prompt);
                    None
                }
            };
            match line.as_deref().map(str::trim) {
                Some("y" | "yes") => run(),
                Some("n" | "no" | "") => deny(""),
                Some(reason) => deny(reason),
                None => deny("Nobody answered whether it may run."),
            }
        }
    }
}
