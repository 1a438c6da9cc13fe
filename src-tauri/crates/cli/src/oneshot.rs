//! One-shot commands: connect, ask, print what came back exactly as received, end. They use a temporary store, take no
//! lock and send nothing that was not asked for.

use std::{collections::HashSet, fs::File, io::ErrorKind, path::PathBuf, time::Duration};

use bytes::Bytes;
use patchbay_contract::ServerId;
use patchbay_engine::{
    BrowserChoice, Engine, EngineOptions, EnvironmentChoice, RawOutcome, RawProgress, SecretsChoice,
    StoreChoice, check_object,
};

use crate::{
    args::{OneShot, Prompts, Resources, ServerArgs, Tools},
    exit::{Exit, Problem},
    output,
    signals::Signals,
};

mod consent;
mod passphrase;
pub(crate) mod server;

/// How long cancelled requests may take to end after a signal.
const LAST_WORDS: Duration = Duration::from_millis(500);

type Ended = Result<Exit, (Exit, Problem)>;

/// What to ask.
enum Ask {
    Once { method: String, params: Option<String> },
    Pages { method: &'static str },
    Call { name: String, arguments: String },
}

/// Runs one command.
pub(crate) async fn run(data_dir: Option<PathBuf>, command: OneShot, json: bool) -> Ended {
    let (server, ask) = ask_of(command)?;
    with_engine(data_dir, &server, json, async |engine| {
        work(engine, &server, ask, json).await
    })
    .await
}

/// Opens an engine for this run only and closes it, whatever happens meanwhile.
pub(crate) async fn with_engine(
    data_dir: Option<PathBuf>,
    server: &ServerArgs,
    json: bool,
    work: impl AsyncFnOnce(&Engine) -> Ended,
) -> Ended {
    server
        .check()
        .map_err(|words| (Exit::Usage, Problem::usage(words)))?;
    // From here on a signal must not end us before the servers are shut down.
    let mut signals = Signals::listen().map_err(|error| {
        (
            Exit::Usage,
            Problem::internal("Signals cannot be caught.", &error),
        )
    })?;
    let record = record_file(server)?;
    let options = EngineOptions {
        data_dir,
        store: StoreChoice::Temporary,
        environment: EnvironmentChoice::Inherited,
        demo_program: std::env::current_exe().ok(),
        front: "patchbay",
        inputs: server.inputs.chain(),
        browser: match server.authorization.no_browser {
            true => BrowserChoice::Nobody,
            false => BrowserChoice::System,
        },
        secrets: SecretsChoice::Vault,
    };
    let engine = Engine::open(options)
        .await
        .map_err(|error| (Exit::Usage, error.into()))?;
    let _consent = consent::Watch::start(&engine, json);
    let ended = {
        let mut work = Box::pin(work(&engine));
        tokio::select! {
            ended = &mut work => ended,
            number = signals.next() => {
                engine.cancel_all().await;
                // The cancellation is written and, if the server is quick, its answer recorded.
                let _ = tokio::time::timeout(LAST_WORDS, &mut work).await;
                Err((Exit::Signal(number), Problem::new("interrupted", "Interrupted.")))
            }
        }
    };
    tokio::select! {
        recorded = finish(&engine, record) => recorded.and(ended),
        number = signals.next() => {
            engine.abandon().await;
            Ok(Exit::Signal(number))
        }
    }
}

async fn work(engine: &Engine, server: &ServerArgs, ask: Ask, json: bool) -> Ended {
    let id = server::configure(engine, server).await?;
    let mut connected = engine.connect(&id).await;
    if let Err(error) = &connected
        && passphrase::opened(engine, error).await
    {
        connected = engine.connect(&id).await;
    }
    match connected.map_err(|error| (Exit::NotConnected, error.into()))? {
        Ok(()) => {}
        Err(failure) => {
            // Of a connection, a status is told where the server wants an authorization first.
            let unauthorized = failure.http_status.is_some();
            return Err(Problem::failure(failure, unauthorized));
        }
    }
    match ask {
        Ask::Once { method, params } => {
            let outcome = engine
                .request_raw(&id, &method, params, None)
                .await
                .map_err(refused)?;
            print(outcome).map(|_| Exit::Ok)
        }
        Ask::Call { name, arguments } => {
            let progress = move |progress: RawProgress| {
                if !json {
                    output::words(&progress_words(&progress));
                }
            };
            let outcome = engine
                .call_tool_raw(&id, &name, &arguments, None, progress)
                .await
                .map_err(refused)?;
            print(outcome).map(|_| Exit::Ok)
        }
        Ask::Pages { method } => pages(engine, &id, method).await,
    }
}

/// Closes the connections, writes the recording, removes the temporary store.
async fn finish(engine: &Engine, record: Option<File>) -> Result<(), (Exit, Problem)> {
    engine.disconnect().await;
    let recorded = match record {
        Some(file) => engine
            .export_recording(file)
            .await
            .map_err(|error| (Exit::Usage, error.into())),
        None => Ok(()),
    };
    engine.shutdown().await;
    recorded
}

/// Follows cursors to the end, printing each page's result on a line.
async fn pages(engine: &Engine, id: &ServerId, method: &str) -> Ended {
    let mut seen = HashSet::new();
    let mut params = None;
    loop {
        let outcome = engine
            .request_raw(id, method, params, None)
            .await
            .map_err(refused)?;
        let Some(cursor) = print(outcome)? else {
            return Ok(Exit::Ok);
        };
        let quoted = serde_json::Value::from(cursor.as_str());
        params = Some(format!("{{\"cursor\":{quoted}}}"));
        if !seen.insert(cursor) {
            let words =
                format!("The server gave the cursor {quoted} twice; its list goes round and was left there.");
            return Err((Exit::Ok, Problem::new("serverError", words)));
        }
    }
}

/// Prints what came back; gives the cursor of the next page. What is not plainly good is told beside it.
fn print(outcome: RawOutcome) -> Result<Option<String>, (Exit, Problem)> {
    match outcome {
        RawOutcome::Result(result) => {
            let open = answer(&result.text)?;
            if result.tool_error {
                let words = "The tool ran and reported an error (`isError`); its result stands on stdout.";
                return Err((Exit::ToolError, Problem::new("toolError", words)));
            }
            Ok(result.next_cursor.filter(|_| open))
        }
        RawOutcome::Error(error) => {
            answer(&error)?;
            let words = "The server answered with a JSON-RPC error; it stands on stdout.";
            Err((Exit::RpcError, Problem::new("serverError", words)))
        }
        RawOutcome::InputRequired(result) => {
            answer(&result)?;
            let words = "The server asks for input first (`input_required`) and no rule answers it. \
                         See `--on-elicitation`, `--on-sampling` and `--root`.";
            Err((Exit::Ok, Problem::new("inputRequired", words)))
        }
        RawOutcome::TimedOut { after } => {
            let words = format!(
                "No answer within {:.1} s; the request was cancelled.",
                after.as_secs_f64()
            );
            Err((Exit::TimedOut, Problem::new("timedOut", words)))
        }
        RawOutcome::ConnectionLost(failure) => Err(Problem::failure(failure, false)),
        RawOutcome::Unanswered(why) => {
            let (exit, problem) = Problem::failure(why.failure, why.unauthorized);
            let problem = match why.may_have_run {
                true => {
                    problem.and("The request may have been carried out all the same; it was not sent again.")
                }
                false => problem,
            };
            Err((exit, problem))
        }
        RawOutcome::Cancelled => Err((Exit::Signal(2), Problem::new("interrupted", "Interrupted."))),
        RawOutcome::NotSent(why) => Err((Exit::NotConnected, Problem::new("notConnected", why))),
    }
}

/// Writes a result; false if nobody reads any more, which is no error.
fn answer(text: &Bytes) -> Result<bool, (Exit, Problem)> {
    match output::answer(text) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err((
            Exit::Usage,
            Problem::internal("The result could not be written to stdout.", &error),
        )),
    }
}

fn refused(error: patchbay_contract::CommandError) -> (Exit, Problem) {
    let exit = match error.code {
        patchbay_contract::ErrorCode::NotConnected => Exit::NotConnected,
        _ => Exit::Usage,
    };
    (exit, error.into())
}

fn progress_words(progress: &RawProgress) -> String {
    let total = progress
        .total
        .map(|total| format!(" of {total}"))
        .unwrap_or_default();
    let message = progress
        .message
        .as_deref()
        .map(|message| format!(": {message}"))
        .unwrap_or_default();
    format!("progress {}{total}{message}", progress.progress)
}

/// Made before anything is started, so that a wrong path costs nothing.
fn record_file(server: &ServerArgs) -> Result<Option<File>, (Exit, Problem)> {
    let create = |path: &PathBuf| {
        File::create(path).map_err(|error| {
            let message = format!("The recording cannot be written to {}.", path.display());
            (Exit::Usage, Problem::internal(&message, &error))
        })
    };
    server.record.as_ref().map(create).transpose()
}

/// Takes a command apart; JSON that is wrong is found before anything is started.
fn ask_of(command: OneShot) -> Result<(ServerArgs, Ask), (Exit, Problem)> {
    let (server, ask) = match command {
        OneShot::Request {
            server,
            method,
            params,
        } => (server, Ask::Once { method, params }),
        OneShot::Tools(Tools::List { server }) => (server, Ask::Pages { method: "tools/list" }),
        OneShot::Tools(Tools::Call {
            server,
            name,
            arguments,
        }) => (server, Ask::Call { name, arguments }),
        OneShot::Resources(Resources::List { server }) => (
            server,
            Ask::Pages {
                method: "resources/list",
            },
        ),
        OneShot::Resources(Resources::Templates { server }) => (
            server,
            Ask::Pages {
                method: "resources/templates/list",
            },
        ),
        OneShot::Resources(Resources::Read { server, uri }) => {
            let params = Some(format!("{{\"uri\":{}}}", serde_json::Value::from(uri)));
            (
                server,
                Ask::Once {
                    method: "resources/read".to_owned(),
                    params,
                },
            )
        }
        OneShot::Prompts(Prompts::List { server }) => (
            server,
            Ask::Pages {
                method: "prompts/list",
            },
        ),
        OneShot::Prompts(Prompts::Get {
            server,
            name,
            arguments,
        }) => {
            let wrong = |error: patchbay_contract::CommandError| (Exit::Usage, error.into());
            let name = serde_json::Value::from(name);
            let params = match arguments {
                None => format!("{{\"name\":{name}}}"),
                Some(arguments) => {
                    check_object("arguments", &arguments).map_err(wrong)?;
                    format!("{{\"name\":{name},\"arguments\":{arguments}}}")
                }
            };
            (
                server,
                Ask::Once {
                    method: "prompts/get".to_owned(),
                    params: Some(params),
                },
            )
        }
    };
    let checked = match &ask {
        Ask::Once {
            params: Some(params), ..
        } => check_object("params", params),
        Ask::Call { arguments, .. } => check_object("arguments", arguments),
        Ask::Once { params: None, .. } | Ask::Pages { .. } => Ok(()),
    };
    checked.map_err(|error| (Exit::Usage, error.into()))?;
    Ok((server, ask))
}
