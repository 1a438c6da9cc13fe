//! The end of an exchange with a view of its result: checked against its schema, violations recorded, tasks stored.

use patchbay_client::Connection;
use patchbay_contract::*;
use patchbay_protocol::views::TaskView;

use super::{
    outcome::{Ended, Ending, Subject, freshness},
    result_view::{self, MaskedAnswer},
};
use crate::{
    calls::schema_check,
    calls::tasks::task_item,
    connections::ConnectionHandle,
    dispatch::error::{blocking, fail},
    dispatch::nudges::Topic,
    state::Engine,
};

/// The end of an exchange, with a view of its result.
pub(super) async fn ended(
    engine: &Engine,
    (live, connection): (&ConnectionHandle, &Connection),
    ending: Ending,
    subject: Subject,
) -> Result<Ended, CommandError> {
    match ending {
        Ending::Result(answered) => result_of(engine, connection, answered, subject).await,
        Ending::Task(answered) => task(engine, live, &answered, subject),
        Ending::Other(outcome, answered) => Ok(Ended {
            outcome,
            answer: answered.map(|answered| answered.exact()),
        }),
    }
}

/// Reads a result and records its violations.
pub(crate) async fn result_of(
    engine: &Engine,
    connection: &Connection,
    answered: MaskedAnswer,
    subject: Subject,
) -> Result<Ended, CommandError> {
    let seq = answered.answer.seq;
    let freshness = freshness(&subject.method, &answered.body_text());
    let answer = Some(answered.exact());
    let Subject { method, tool, .. } = subject;
    let schema = tool.and_then(|tool| tool.output_schema);
    let has_schema = schema.is_some();
    // On a blocking thread: a result may have many megabytes.
    let read = move || {
        let (view, structured) = answered.view(&method, has_schema);
        (answered.raw(), view, structured)
    };
    let (raw, mut view, structured) = blocking("The result could not be read.", read).await?;
    if let ResultView::Tool { tool } = &mut view {
        if let (Some(shown), Some(schema), Some(value)) = (&mut tool.structured, schema, structured) {
            shown.check = Some(schema_check::check(schema, value, connection.limits()).await);
        }
        if let Some(fault) = result_view::fault(tool) {
            engine.state.recorder.violations(seq, vec![fault]);
            connection.count_problems(1).await;
        }
    }
    let outcome = ExchangeOutcome::Result { raw, view, freshness };
    Ok(Ended { outcome, answer })
}

fn task(
    engine: &Engine,
    live: &ConnectionHandle,
    answered: &MaskedAnswer,
    subject: Subject,
) -> Result<Ended, CommandError> {
    let text = answered.body_text();
    let Some(view) = TaskView::created(live.era(), &text) else {
        return Err(fail(
            ErrorCode::Internal,
            "The task that the server created could not be read. See the traffic log.",
        ));
    };
    let tool = subject.tool.as_ref().map(|tool| tool.name.clone());
    let task = task_item(&view, Some(answered.answer.seq), tool);
    live.tasks.put(task.clone(), answered.answer.seq, subject);
    if let Some(connection) = &live.connection {
        // What came right after the response may have been read before the task was known.
        let latest = connection.task_progress();
        live.tasks
            .take_progress(&latest.borrow(), |text| engine.state.masked(text));
    }
    engine.state.nudges.changed(Topic::Tasks(live.server_id.clone()));
    let raw = answered.raw();
    Ok(Ended {
        outcome: ExchangeOutcome::Task { task, raw },
        answer: Some(answered.exact()),
    })
}
