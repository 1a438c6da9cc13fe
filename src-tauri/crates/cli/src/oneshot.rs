//! One-shot commands: connect, send a request, print the response exactly as received, exit. They use a temporary store,
//! take no lock and send nothing unrequested.

use std::{io::ErrorKind, path::PathBuf, time::Duration};

use patchbay_contract::{
    CommandError, ErrorCode, ExchangeEvent, ExchangeOutcome, ListKind, ResultView, ServerId, TaskResultParams,
};
use patchbay_engine::{
    Ask, BrowserChoice, Ended as ExchangeEnded, Engine, EngineOptions, EnvironmentChoice, SecretsChoice,
    StoreChoice,
};

use crate::{
    args::{OnSampling, OneShot, ServerArgs},
    exit::{Exit, Problem},
    output,
    signals::Signals,
};

mod ask;
mod consent;
mod definitions;
pub(crate) mod keyboard;
pub(crate) mod passphrase;
mod recording;
pub(crate) mod server;
mod waiting;
mod work;

/// How long cancelled requests may take to end after a signal.
const CANCEL_GRACE: Duration = Duration::from_millis(500);

use ask::Terminal;
use keyboard::Keyboard;
use recording::RecordingFile;
use work::Work;

type Ended = Result<Exit, (Exit, Problem)>;

/// Runs one command.
pub(crate) async fn run(data_dir: Option<PathBuf>, command: OneShot, json: bool) -> Ended {
    let (server, what) = work::of(command)?;
    with_engine(data_dir, &server, json, async |engine, _| {
        work(engine, &server, what, json).await
    })
    .await
}

/// Opens an engine for this run and always closes it again. `work` asks with the keyboard of what asks beside it.
pub(crate) async fn with_engine(
    data_dir: Option<PathBuf>,
    server: &ServerArgs,
    json: bool,
    work: impl AsyncFnOnce(&Engine, &Keyboard) -> Ended,
) -> Ended {
    server
        .check()
        .map_err(|words| (Exit::Usage, Problem::usage(words)))?;
    if let Some(words) = Terminal::problem(&server.inputs) {
        return Err((Exit::Usage, Problem::usage(words)));
    }
    let keyboard = Keyboard::default();
    // From here on, a signal must not end the process before the servers are shut down.
    let mut signals = Signals::listen().map_err(|error| {
        (
            Exit::Usage,
            Problem::internal("Signals cannot be caught.", &error),
        )
    })?;
    let record = record_file(server)?;
    let engine = Engine::open(options(data_dir, server, &keyboard, json))
        .await
        .map_err(|error| (Exit::Usage, error.into()))?;
    if let Err(problem) = check_options(&engine, server).await {
        engine.shutdown().await;
        return Err((Exit::Usage, problem));
    }
    let _consent = consent::Watch::start(&engine, json, keyboard.clone());
    let ended = {
        let mut work = Box::pin(async {
            if let Some(OnSampling::Model(_)) = server.inputs.on_sampling {
                // The server asks in the middle of a call.
                passphrase::open_early(&engine).await;
            }
            work(&engine, &keyboard).await
        });
        tokio::select! {
            ended = &mut work => ended,
            number = signals.next() => {
                engine.cancel_all().await;
                // The cancellation is sent and, if the server is quick, its response recorded.
                let _ = tokio::time::timeout(CANCEL_GRACE, &mut work).await;
                Err((Exit::Signal(number), Problem::new("interrupted", "Interrupted.")))
            }
        }
    };
    let is_usage_error = matches!(ended, Err((Exit::Usage, _)));
    tokio::select! {
        recorded = finish(&engine, record, is_usage_error) => recorded.and(ended),
        number = signals.next() => {
            engine.abandon().await;
            Ok(Exit::Signal(number))
        }
    }
}

/// Checks the options that only the engine can check.
async fn check_options(engine: &Engine, server: &ServerArgs) -> Result<(), Problem> {
    if let Some(OnSampling::Model(name)) = &server.inputs.on_sampling {
        engine.check_model(name)?;
    }
    engine.check_root_sets(&server.inputs.root_set)?;
    if let Some(settings) = server.inputs.simulate.settings() {
        engine.check_simulator(&settings).await?;
    }
    Ok(())
}

/// The engine of one command: with the user's settings, and files of its own.
fn options(data_dir: Option<PathBuf>, server: &ServerArgs, keyboard: &Keyboard, json: bool) -> EngineOptions {
    EngineOptions {
        data_dir,
        store: StoreChoice::Temporary,
        environment: EnvironmentChoice::Inherited,
        demo_program: std::env::current_exe().ok(),
        front: "patchbay",
        inputs: server
            .inputs
            .chain(Terminal::new(&server.inputs, keyboard.clone()), json),
        browser: match server.authorization.no_browser {
            true => BrowserChoice::Nobody,
            false => BrowserChoice::System,
        },
        secrets: match server.in_memory {
            true => SecretsChoice::Memory,
            false => SecretsChoice::Vault,
        },
    }
}

async fn work(engine: &Engine, server: &ServerArgs, what: Work, json: bool) -> Ended {
    let id = server::configure(engine, server, json).await?;
    connect(engine, &id, json).await?;
    let ask = match what {
        Work::List(kind) => return list(engine, &id, kind).await,
        Work::Diff => {
            let name = server.which.server.as_deref().unwrap_or_default();
            return definitions::diff(engine, &id, name, json).await;
        }
        Work::Accept(names) => return definitions::accept(engine, &id, names).await,
        Work::Send(ask) => ask(id.clone()),
    };
    let is_call = matches!(ask, Ask::Tool(_));
    let progress = move |event| {
        if let ExchangeEvent::Progress {
            progress,
            total,
            message,
            ..
        } = event
            && is_call
            && !json
        {
            output::words(&progress_words(progress, total, message.as_deref()));
        }
    };
    let mut ended = engine.exchange(ask, progress).await.map_err(refused)?;
    if let (true, ExchangeOutcome::Task { task, .. }) = (is_call, &ended.outcome) {
        let result = Ask::TaskResult(TaskResultParams {
            server_id: id,
            task_id: task.task_id.clone(),
        });
        ended = engine.exchange(result, |_| {}).await.map_err(refused)?;
    }
    print(ended).await.map(|()| Exit::Ok)
}

/// Connects a server; asks for the passphrase of the vault if that is needed, and says why it takes long.
pub(crate) async fn connect(engine: &Engine, id: &ServerId, json: bool) -> Result<(), (Exit, Problem)> {
    let mut connected = waiting::said(engine, id, json, engine.connect(id)).await;
    if let Err(error) = &connected
        && passphrase::opened(engine, error).await
    {
        connected = waiting::said(engine, id, json, engine.connect(id)).await;
    }
    match connected.map_err(|error| (Exit::NotConnected, error.into()))? {
        Ok(()) => Ok(()),
        Err(failure) => {
            // A failed connection has an HTTP status only if the server requires authorization first.
            let unauthorized = failure.http_status.is_some();
            Err(Problem::failure(failure, unauthorized))
        }
    }
}

/// Closes the connections, writes the recording and removes the temporary store. After a usage error a file without a recording to
/// replace it stays as it was.
async fn finish(
    engine: &Engine,
    record: Option<RecordingFile>,
    is_usage_error: bool,
) -> Result<(), (Exit, Problem)> {
    engine.disconnect().await;
    let recorded = match record {
        Some(file) => export(engine, file, is_usage_error).await,
        None => Ok(()),
    };
    engine.shutdown().await;
    recorded.map_err(|problem| (Exit::Usage, problem))
}

async fn export(engine: &Engine, mut file: RecordingFile, is_usage_error: bool) -> Result<(), Problem> {
    if !is_usage_error {
        let replaced = file.replace();
        replaced.map_err(|error| Problem::internal("The recording could not be written.", &error))?;
    }
    Ok(engine.export_recording(file).await?)
}

/// Prints each page of a list on one line.
async fn list(engine: &Engine, id: &ServerId, kind: ListKind) -> Ended {
    let listed = engine.list_pages(id, kind).await.map_err(refused)?;
    for page in listed.pages {
        if !answer(page).await? {
            return Ok(Exit::Ok);
        }
    }
    if let Some(failed) = listed.failed {
        print(failed).await?;
    }
    let early = ["list-cursor-repeated", "list-too-large", "list-endless"];
    let early = |rule: &str| early.contains(&rule);
    match listed.violations.into_iter().find(|found| early(&found.rule)) {
        Some(found) => {
            let words = format!("The list was not read to its end: {}.", found.message);
            Err((Exit::Ok, Problem::new("serverError", words)))
        }
        None => Ok(Exit::Ok),
    }
}

/// Prints the response exactly as received. Anything other than a plain result is explained on stderr.
async fn print(ended: ExchangeEnded) -> Result<(), (Exit, Problem)> {
    if let Some(text) = ended.answer {
        answer(text).await?;
    }
    let problem = match ended.outcome {
        ExchangeOutcome::Result {
            view: ResultView::Tool { tool },
            ..
        } if tool.is_error => {
            let words = "The tool ran and reported an error (`isError`); its result is on stdout.";
            (Exit::ToolError, Problem::new("toolError", words))
        }
        ExchangeOutcome::Result { .. } | ExchangeOutcome::Task { .. } => return Ok(()),
        ExchangeOutcome::RpcError { .. } => {
            let words = "The server answered with a JSON-RPC error; it is on stdout.";
            (Exit::RpcError, Problem::new("serverError", words))
        }
        ExchangeOutcome::InvalidResult { reason, .. } => {
            let words = format!("The result is invalid; it is on stdout. {reason}");
            (Exit::Invalid, Problem::new("invalidResult", words))
        }
        ExchangeOutcome::CancelledByServer { reason } => {
            let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            let words = format!("The server cancelled the request{reason}.");
            (Exit::Invalid, Problem::new("cancelledByServer", words))
        }
        ExchangeOutcome::InputRequired { reason, .. } => {
            let words = format!(
                "The server asks for input first (`input_required`), which it did not get: {}. \
                 See `--on-elicitation`, `--on-sampling` and `--root`.",
                reason.trim_end_matches('.')
            );
            (Exit::Invalid, Problem::new("inputRequired", words))
        }
        ExchangeOutcome::TimedOut { after_ms } => {
            let words = format!(
                "No response within {:.1} s; the request was cancelled.",
                after_ms / 1000.0
            );
            (Exit::TimedOut, Problem::new("timedOut", words))
        }
        ExchangeOutcome::ConnectionLost {
            failure,
            may_have_run,
        } => may_have(may_have_run, Problem::failure(failure, false)),
        ExchangeOutcome::HttpStatus {
            message,
            may_have_run,
            unauthorized,
            ..
        } => may_have(may_have_run, Problem::unanswered(message, unauthorized)),
        ExchangeOutcome::Cancelled {} => (Exit::Signal(2), Problem::new("interrupted", "Interrupted.")),
        ExchangeOutcome::NotSent { message } => (Exit::NotConnected, Problem::new("notConnected", message)),
    };
    Err(problem)
}

/// Adds to a problem that the request may have had an effect.
fn may_have(run: bool, (exit, problem): (Exit, Problem)) -> (Exit, Problem) {
    match run {
        true => (
            exit,
            problem.and("The request may still have been carried out; it was not sent again."),
        ),
        false => (exit, problem),
    }
}

/// Writes a result. Returns false if the reader has closed stdout, which is not an error.
pub(crate) async fn answer(text: impl AsRef<[u8]> + Send + 'static) -> Result<bool, (Exit, Problem)> {
    is_read(output::deliver(text).await)
}

/// Whether what was written was read.
pub(crate) fn is_read(written: std::io::Result<()>) -> Result<bool, (Exit, Problem)> {
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err((
            Exit::Usage,
            Problem::internal("The result could not be written to stdout.", &error),
        )),
    }
}

fn refused(error: CommandError) -> (Exit, Problem) {
    let exit = match error.code {
        ErrorCode::NotConnected => Exit::NotConnected,
        ErrorCode::DefinitionChanged => Exit::DefinitionChanged,
        _ => Exit::Usage,
    };
    (exit, error.into())
}

fn progress_words(progress: f64, total: Option<f64>, message: Option<&str>) -> String {
    let total = total.map(|total| format!(" of {total}")).unwrap_or_default();
    let message = message.map(|message| format!(": {message}")).unwrap_or_default();
    format!("progress {progress}{total}{message}")
}

/// Opened before anything is started, so that a wrong path fails early.
fn record_file(server: &ServerArgs) -> Result<Option<RecordingFile>, (Exit, Problem)> {
    let open = |path: &PathBuf| {
        RecordingFile::open(path).map_err(|error| {
            let message = format!(
                "The recording cannot be written to {}. Choose another file for `--record`.",
                path.display()
            );
            (Exit::Usage, Problem::internal(&message, &error))
        })
    };
    server.record.as_ref().map(open).transpose()
}
