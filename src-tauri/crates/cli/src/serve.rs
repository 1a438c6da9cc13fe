//! `patchbay serve`: the whole UI for a browser on this machine, at an address that opens in one browser.
//!
//! `session_auth` knows the one-time token and the session, `access` checks every request, `pages` serves the UI and
//! bodies, `socket` connects a page to the engine, `connections` limits the connections of browsers, and `unread` the time that
//! nothing is read from one.

mod access;
mod connections;
mod pages;
mod serving;
mod session_auth;
mod socket;
mod unread;

use std::{net::Ipv4Addr, path::PathBuf, sync::Arc};

use axum::{Router, middleware, routing};
use patchbay_engine::{
    BrowserChoice, Engine, EngineOptions, EnvironmentChoice, InputChain, SecretsChoice, StoreChoice,
    start_diagnostics,
};
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

use crate::{
    args::ServeArgs,
    exit::{Exit, Problem},
    output,
    signals::Signals,
};
use connections::Limits;
use serving::Serving;
use session_auth::SessionAuth;

/// Serves until a signal arrives, then shuts everything down.
pub(crate) async fn run(
    data_dir: Option<PathBuf>,
    args: ServeArgs,
    json: bool,
) -> Result<Exit, (Exit, Problem)> {
    let failed = |problem: Problem| (Exit::Usage, problem);
    if let Err(error) = start_diagnostics(data_dir.as_deref()) {
        Problem::notice(format!("Diagnostics are not written: {error}")).say(json);
    }
    let mut signals = Signals::listen().map_err(|error| {
        failed(Problem::internal(
            "Signal handlers could not be installed.",
            &error,
        ))
    })?;
    let options = EngineOptions {
        data_dir,
        store: StoreChoice::Persistent,
        environment: EnvironmentChoice::Inherited,
        demo_program: std::env::current_exe().ok(),
        front: "`patchbay serve`",
        inputs: InputChain::attended(),
        browser: BrowserChoice::System,
        secrets: SecretsChoice::Vault,
    };
    let engine = Engine::open(options)
        .await
        .map_err(|error| failed(error.into()))?;
    engine.connect_at_start();
    // They end after the engine, so that pages are notified of the shutdown.
    let mut connections = JoinSet::new();
    let ended = tokio::select! {
        served = serve(&engine, args.port, json, &mut connections) => served.map_err(failed),
        _ = signals.next() => Ok(()),
    };
    tokio::select! {
        () = engine.shutdown() => ended.map(|()| Exit::Ok),
        number = signals.next() => {
            engine.abandon().await;
            Ok(Exit::Signal(number))
        }
    }
}

async fn serve(engine: &Engine, port: u16, json: bool, connections: &mut JoinSet<()>) -> Result<(), Problem> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .map_err(|error| {
            let message = format!(
                "Cannot listen on 127.0.0.1:{port}. Choose another port, or leave out `--port` for a free one."
            );
            Problem::internal(&message, &error)
        })?;
    let port = listener
        .local_addr()
        .map_err(|error| Problem::internal("The listening port could not be determined.", &error))?
        .port();
    let auth = SessionAuth::new(port)
        .map_err(|error| Problem::internal("The system's random number generator failed.", &error))?;
    let address = auth.address();
    let serving = Arc::new(Serving {
        engine: engine.clone(),
        auth,
        limits: Limits::default(),
        closing: watch::Sender::new(false),
    });
    let _closing = Closing(serving.clone());
    // The address is the only line on stdout; everything else goes to stderr.
    if output::deliver(address).await.is_err() {
        return Err(Problem::new(
            "internal",
            "The address could not be printed, so no browser could connect.",
        ));
    }
    let words =
        "Open this address in a browser on this machine. Press Ctrl-C to stop Patchbay and all its servers.";
    Problem::notice(words).say(json);
    let limits = serving.limits;
    match connections::serve(listener, &router(serving), limits, connections).await {}
}

/// Tells open sockets that Patchbay is shutting down.
struct Closing(Arc<Serving>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.closing.send_replace(true);
    }
}

fn router(serving: Arc<Serving>) -> Router {
    Router::new()
        .route("/session", routing::post(access::session))
        .route("/ws", routing::get(socket::open))
        .route("/body/{id}", routing::get(pages::body))
        .route("/app/{id}", routing::get(pages::app_frame))
        .fallback(pages::file)
        .layer(middleware::from_fn_with_state(serving.clone(), access::guard))
        .with_state(serving)
}

#[cfg(test)]
mod tests;
