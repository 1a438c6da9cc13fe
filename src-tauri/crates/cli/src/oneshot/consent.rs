//! Consent in the browser: prints the address to stderr and reads the redirected address from the terminal, for machines
//! that the browser cannot reach. Says also that the log cannot be written, for which connections may wait.

use std::io::IsTerminal as _;

use futures_util::{
    FutureExt as _,
    future::{BoxFuture, OptionFuture},
};
use patchbay_contract::{
    AppEvent, AppInfoParams, AppInfoResponse, AppTopic, AuthorizationAnswer, AuthorizationAnswerParams,
    AuthorizationGetParams, AuthorizationGetResponse, Done, QuestionItem, RunId, RunState, ServerId,
};
use patchbay_engine::{Engine, StreamHandle};
use serde::Deserialize;
use tokio::{sync::mpsc, task::JoinHandle};

use super::{keyboard::Keyboard, server::call};
use crate::{exit::Problem, output};

/// Watches until it is dropped.
pub(crate) struct Watch {
    task: Option<(JoinHandle<()>, StreamHandle)>,
}

/// A message of the stream.
#[derive(Deserialize)]
struct StreamMessage {
    event: Option<AppEvent>,
}

impl Watch {
    #[expect(
        clippy::disallowed_methods,
        reason = "`Watch` keeps the handle and aborts it when dropped"
    )]
    pub(crate) fn start(engine: &Engine, json: bool, keyboard: Keyboard) -> Self {
        let (sink, nudges) = mpsc::channel(16);
        // Without this stream only the messages are missing.
        let task = engine.open_stream("app_watch", "{}", sink).ok().map(|stream| {
            let watching = watch(engine.clone(), nudges, json, keyboard);
            (tokio::spawn(watching), stream)
        });
        Self { task }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some((task, _)) = &self.task {
            task.abort();
        }
    }
}

async fn watch(engine: Engine, mut nudges: mpsc::Receiver<String>, json: bool, keyboard: Keyboard) {
    let mut opened = None;
    let mut pasting: Option<BoxFuture<'static, ()>> = None;
    let mut warned = None;
    loop {
        let nudge = tokio::select! {
            nudge = nudges.recv() => nudge,
            Some(()) = OptionFuture::from(pasting.as_mut()) => {
                pasting = None;
                continue;
            }
        };
        let Some(nudge) = nudge else { return };
        if is_of_log(&nudge) {
            say_log_problem(&engine, json).await;
        }
        let Some(server_id) = authorizing(&nudge) else {
            continue;
        };
        let params = AuthorizationGetParams {
            server_id: server_id.clone(),
            run_id: None,
        };
        let view: Result<AuthorizationGetResponse, Problem> =
            call(&engine, "authorization_get", &params).await;
        let Ok(AuthorizationGetResponse {
            run: Some(run),
            problem,
            ..
        }) = view
        else {
            continue;
        };
        if run.state == RunState::Done
            && let Some(problem) = problem
            && warned.as_ref() != Some(&problem)
        {
            Problem::notice(&problem).say(json);
            warned = Some(problem);
        }
        let (Some(QuestionItem::Callback), Some(address)) = (&run.question, &run.authorization_url) else {
            // From now on, lines are typed for something else.
            pasting = None;
            continue;
        };
        // A run may show more than one address.
        if opened.as_ref() != Some(address) {
            opened = Some(address.clone());
            show(address, json);
            let may_paste = !json && std::io::stdin().is_terminal();
            pasting = may_paste.then(|| paste(engine.clone(), keyboard.clone(), server_id, run.id).boxed());
        }
    }
}

/// The server whose authorization changed, if the message reports that.
fn authorizing(message: &str) -> Option<ServerId> {
    let event = serde_json::from_str::<StreamMessage>(message).ok()?.event?;
    event.server_id.filter(|_| event.topic == AppTopic::Authorization)
}

fn is_of_log(message: &str) -> bool {
    serde_json::from_str::<StreamMessage>(message)
        .is_ok_and(|message| message.event.is_some_and(|event| event.topic == AppTopic::Log))
}

/// Says why the log cannot be written, or that it can again.
async fn say_log_problem(engine: &Engine, json: bool) {
    let info: Result<AppInfoResponse, Problem> = call(engine, "app_info", &AppInfoParams {}).await;
    match info.map(|info| info.log_problem) {
        Ok(Some(problem)) => Problem::new("storage", problem).say(json),
        Ok(None) => Problem::notice("The traffic log can be written again.").say(json),
        Err(_) => {}
    }
}

fn show(address: &str, json: bool) {
    if json {
        let words = Problem::new(
            "authorizing",
            "Authorization required. Open the address in `detail` in a browser.",
        );
        return words.with_detail(address).say(json);
    }
    output::words(&format!(
        "The server requires authorization. Continue in the browser; if none opens, open this address:\n{address}"
    ));
}

/// Asks for the address until one is accepted, or the input ends.
async fn paste(engine: Engine, keyboard: Keyboard, server_id: ServerId, run_id: RunId) {
    let prompt = "If the browser cannot reach this machine, paste the address of its last page here:\n";
    while let Some(text) = keyboard.line(prompt).await {
        if !text.trim().is_empty() && is_taken(&engine, server_id.clone(), run_id.clone(), text).await {
            return;
        }
    }
}

/// Whether a pasted address was accepted. Says why not.
async fn is_taken(engine: &Engine, server_id: ServerId, run_id: RunId, text: String) -> bool {
    let params = AuthorizationAnswerParams {
        server_id,
        run_id,
        answer: AuthorizationAnswer::Callback { text },
    };
    let taken: Result<Done, Problem> = call(engine, "authorization_answer", &params).await;
    taken.inspect_err(|problem| problem.say(false)).is_ok()
}
