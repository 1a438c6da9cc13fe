//! Starting a connection: its transport, its responders, its authorization.

use std::{path::PathBuf, sync::Arc, time::Duration};

use patchbay_client::{ClientInfo, ConnectOptions, Environment, connect};
use patchbay_contract::{
    BuildDraft, EnvVar, EraChoice, HttpKind, ProxyDraft, ServerDraft, ServerId, TransportDraft,
};
use patchbay_http as http;
use patchbay_protocol::{Era, Revision, limits::Limits};
use patchbay_secret::Secret;
use patchbay_traffic::{OperationId, Origin};
use patchbay_transport::{Connector, HttpConfig, StdioConfig};
use tokio::sync::mpsc;

use super::handle::ConnectionHandle;
use crate::{
    connections::owned::{OwnedTask, TaskKind},
    convert,
    files::eras,
    inputs::sampling::{ModelResponder, RulesResponder},
    inputs::simulator::Simulator,
    inputs::{LiveSimulator, ON_THE_WAY, Person, ServerChain, answer_questions},
    servers::roots::LiveRoots,
    state::EngineState,
};
use patchbay_config::{Server, secrets};

/// Masks the secrets of a server from now on.
fn mask(state: &EngineState, server: &ServerId, secrets: Vec<(String, Secret)>) {
    state.known_secrets.add_settings(server, &secrets);
    let values = secrets.into_iter().map(|(_, value)| value);
    state.recorder.redact(values.collect());
}

/// Starts a connection outside any slot: for a server as it is `saved`, with its secrets resolved.
pub(crate) fn start(
    state: &EngineState,
    saved: &Server,
    server: &Server,
    environment: Arc<Environment>,
    origin: Origin,
) -> ConnectionHandle {
    let environment = passed(&server.draft, environment);
    let (draft, limits) = (&server.draft, limits(&server.draft));
    mask(state, &saved.id, secrets::of(draft, &environment.vars));
    let advertised = draft.advertised.clone().unwrap_or_default();
    let era = era(draft.era, advertised.revision.as_deref());
    let remembered = state.eras.get(&server.id, &saved.draft.transport);
    let remembered = remembered.filter(|_| era == EraChoice::Auto);
    let transport = debugged(state, draft, state.transport_of(server));
    let (person, roots) = (person(state), LiveRoots::of(server, &state.roots));
    let simulator = simulator(state, saved, &roots, &person);
    let chain =
        with_models(state, state.inputs.chain(&roots, &person, &limits)).after_rules(simulator.clone());
    let (questions, asked) = mpsc::channel(ON_THE_WAY);
    let operation = state.begin("connection_open", &draft.name);
    let options = ConnectOptions {
        server_id: server.id.0.clone(),
        server_name: draft.name.clone(),
        origin,
        connector: connector(state, server, &transport, &environment, operation),
        era: convert::era_choice(era),
        remembered: remembered.as_ref().map(eras::to_verdict),
        timeouts: convert::timeouts(draft.timeouts),
        client_info: client_info(),
        capabilities: chain.capabilities(&advertised),
        offered_revision: advertised.revision,
        any_revision: advertised.any_revision,
        inputs: Some(questions.clone()),
        limits,
        health_ping: health_ping(draft),
        operation: Some(operation),
    };
    let connection = connect(options, state.recorder.clone());
    person.belongs_to(connection.status());
    let responding = answer_questions(chain, state.recorder.clone(), asked, connection.status());
    let responding = OwnedTask::supervised(&connection.supervisor(), TaskKind::AnswerQuestions, responding);
    ConnectionHandle {
        server_id: server.id.clone(),
        server_name: draft.name.clone(),
        transport: Arc::new(saved.draft.transport.clone()),
        remembered,
        status: connection.status(),
        _responding: Arc::new(responding),
        supervisor: connection.supervisor(),
        connection: Some(connection),
        environment,
        lists: Arc::default(),
        tasks: Arc::default(),
        subscribed: Arc::default(),
        roots,
        simulator: simulator.live.clone(),
        questions,
    }
}

/// The program under its debugger. One-shot commands start it without: the port may be that of the window.
fn debugged(state: &EngineState, draft: &ServerDraft, mut transport: TransportDraft) -> TransportDraft {
    if let (Some(debugger), TransportDraft::Stdio { command, args, .. }) = (&draft.debugger, &mut transport)
        && state.stays_open()
    {
        match patchbay_config::debugged(command, args, debugger) {
            Ok(under) => (*command, *args) = under,
            // Only settings that were written by hand.
            Err(problem) => {
                tracing::warn!(server = %draft.name, problem, "it is started without its debugger")
            }
        }
    }
    transport
}

/// A program that is run where a server is, with its variables: its build. None for a server that is reached over HTTP.
pub(crate) fn build_of(
    server: &Server,
    environment: Arc<Environment>,
    build: &BuildDraft,
) -> Option<StdioConfig> {
    let TransportDraft::Stdio { env, cwd, .. } = &server.draft.transport else {
        return None;
    };
    let environment = passed(&server.draft, environment);
    Some(StdioConfig {
        command: build.command.clone(),
        args: build.args.clone(),
        env: env
            .iter()
            .map(|var| (var.name.clone(), var.value.clone()))
            .collect(),
        cwd: cwd.as_ref().map(PathBuf::from),
        environment,
    })
}

/// The program of a server as it is started here, under its debugger if it has one. None for a server that is reached over
/// HTTP.
pub(crate) fn program_of(
    state: &EngineState,
    server: &Server,
    environment: Arc<Environment>,
) -> Option<StdioConfig> {
    let environment = passed(&server.draft, environment);
    match debugged(state, &server.draft, state.transport_of(server)) {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => Some(stdio(command, args, env, cwd, environment)),
        TransportDraft::Http { .. } => None,
    }
}

fn stdio(
    command: String,
    args: Vec<String>,
    env: Vec<EnvVar>,
    cwd: Option<String>,
    environment: Arc<Environment>,
) -> StdioConfig {
    StdioConfig {
        command,
        args,
        env: env.into_iter().map(|var| (var.name, var.value)).collect(),
        cwd: cwd.map(PathBuf::from),
        environment,
    }
}

/// Masks the secrets of a server with resolved references, which another program of it gets too.
pub(crate) fn mask_settings(state: &EngineState, server: &Server, environment: &Environment) {
    mask(state, &server.id, secrets::of(&server.draft, &environment.vars));
}

/// The variables that a server gets.
pub(super) fn passed(draft: &ServerDraft, environment: Arc<Environment>) -> Arc<Environment> {
    match draft.inherit_environment {
        Some(true) => environment,
        _ => Arc::new(environment.short()),
    }
}

/// The era to speak: with `auto`, that of the revision to offer, if it is a known one.
fn era(choice: EraChoice, offered: Option<&str>) -> EraChoice {
    match (choice, offered.and_then(Revision::parse).map(Revision::era)) {
        (EraChoice::Auto, Some(Era::Legacy)) => EraChoice::Legacy,
        (EraChoice::Auto, Some(Era::Modern)) => EraChoice::Modern,
        (choice, _) => choice,
    }
}

/// What the connection may cost. Changes that are no longer allowed count as the default.
fn limits(draft: &ServerDraft) -> Limits {
    let mut limits = Limits::default();
    for (name, value) in &draft.limits {
        if let Err(error) = limits.set(name, *value) {
            tracing::warn!(server = %draft.name, "{error}");
        }
    }
    limits
}

/// How often to ping; never if none.
fn health_ping(draft: &ServerDraft) -> Option<Duration> {
    let interval = draft.health_ping_ms.filter(|ms| *ms > 0)?;
    Some(Duration::from_millis(interval.into()))
}

/// The person at the end of a chain.
fn person(state: &EngineState) -> Arc<Person> {
    Arc::new(Person::new(
        state.inputs.clone(),
        state.exchanges.clone(),
        state.recorder.clone(),
    ))
}

/// The simulator of a connection, on or off.
fn simulator(
    state: &EngineState,
    saved: &Server,
    roots: &Arc<LiveRoots>,
    person: &Arc<Person>,
) -> Arc<Simulator> {
    let settings = state.options.inputs.simulator().unwrap_or(&saved.simulator);
    Arc::new(Simulator {
        live: Arc::new(LiveSimulator::new(settings.clone())),
        roots: roots.clone(),
        person: state.inputs.is_attended().then(|| person.clone()),
        recorder: state.recorder.clone(),
        patience: Duration::from_millis(saved.draft.timeouts.request_ms.into()),
    })
}

/// The chain with the models that answer in place of the person.
fn with_models(state: &EngineState, chain: ServerChain) -> ServerChain {
    match state.options.inputs.model() {
        Some((name, report)) => chain.with_rule(Arc::new(ModelResponder {
            models: state.models.clone(),
            recorder: state.recorder.clone(),
            name: name.to_owned(),
            report,
        })),
        // Without a person only what was asked for on the command line is done.
        None if !state.inputs.is_attended() => chain,
        None => chain.before_person(Arc::new(RulesResponder {
            sampling: state.sampling.clone(),
            recorder: state.recorder.clone(),
        })),
    }
}

/// The client information sent to servers.
fn client_info() -> ClientInfo {
    ClientInfo {
        name: "patchbay".to_owned(),
        title: Some("Patchbay".to_owned()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// What a server is reached by.
fn connector(
    state: &EngineState,
    server: &Server,
    transport: &TransportDraft,
    environment: &Arc<Environment>,
    operation: OperationId,
) -> Arc<dyn Connector> {
    match transport.clone() {
        TransportDraft::Stdio {
            command,
            args,
            env,
            cwd,
        } => Arc::new(stdio(command, args, env, cwd, environment.clone())),
        TransportDraft::Http {
            ref url,
            kind,
            headers,
            ..
        } => Arc::new(HttpConfig {
            kind: match kind {
                HttpKind::Auto => patchbay_transport::HttpKind::Auto,
                HttpKind::StreamableHttp => patchbay_transport::HttpKind::StreamableHttp,
                HttpKind::Sse => patchbay_transport::HttpKind::Sse,
            },
            settings: http_settings(transport, &state.proxy.choice()).unwrap_or_default(),
            headers: headers
                .into_iter()
                .map(|header| (header.name, header.value))
                .collect(),
            authorizer: state.authorizer(server),
            operation: Some(operation),
            ..HttpConfig::new(url)
        }),
    }
}

/// The HTTP settings of a server, with the proxy of Patchbay where it uses that; none for a program.
pub(crate) fn http_settings(
    transport: &TransportDraft,
    of_app: &http::ProxyChoice,
) -> Option<http::Settings> {
    let TransportDraft::Http {
        proxy,
        ca_file,
        client_certificate,
        accepted_fingerprint,
        ..
    } = transport
    else {
        return None;
    };
    Some(http::Settings {
        proxy: match proxy {
            ProxyDraft::App => of_app.clone(),
            ProxyDraft::System => http::ProxyChoice::System,
            ProxyDraft::None => http::ProxyChoice::None,
            ProxyDraft::Url { url } => http::ProxyChoice::Url(url.clone()),
        },
        ca_file: ca_file.as_ref().map(PathBuf::from),
        client_certificate: client_certificate.as_ref().map(PathBuf::from),
        accepted_fingerprint: accepted_fingerprint.clone(),
        ..http::Settings::default()
    })
}
