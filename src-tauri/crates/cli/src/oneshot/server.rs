//! Adds the server of `--stdio`, `--url` or `--server`, with its options, to the engine for this run only.

use std::path::PathBuf;

use patchbay_contract::{
    AuthorizationDraft, AuthorizationMode, DpopMode, EnvVar, EraChoice, HttpHeader, HttpKind, ProxyDraft,
    RootConsent, RootsGetParams, RootsGetResponse, RootsRule, ServerDraft, ServerId, ServerItem,
    ServerListParams, ServerListResponse, ServerUpdateParams, Timeouts, TransportDraft,
};
use patchbay_engine::{
    BrowserChoice, Engine, EngineOptions, EnvironmentChoice, InputChain, SecretsChoice, StoreChoice,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    args::{AuthorizationArgs, Dpop, Era, HttpArgs, ServerArgs, Transport},
    exit::{Exit, Problem},
    output,
};

/// Runs `work` with the engine of the app itself, with its servers, log and vault, for a command that asks nobody. What the app
/// has to say about its files goes to stderr: an unreadable one is set aside only once, and the window would not know.
///
/// # Errors
/// The folder is in use or cannot be used.
pub(crate) async fn with_app<T>(
    data_dir: Option<PathBuf>,
    json: bool,
    work: impl AsyncFnOnce(&Engine) -> T,
) -> Result<T, Problem> {
    let options = EngineOptions {
        data_dir,
        store: StoreChoice::Persistent,
        environment: EnvironmentChoice::Inherited,
        demo_program: None,
        front: "patchbay",
        inputs: InputChain::default(),
        browser: BrowserChoice::Nobody,
        secrets: SecretsChoice::Vault,
    };
    let engine = Engine::open(options).await?;
    let said = say_notices(&engine, 0, json);
    let done = work(&engine).await;
    // `servers.json` is read again before it is changed.
    say_notices(&engine, said, json);
    engine.shutdown().await;
    Ok(done)
}

/// Says the notices after the first `said` on stderr. Returns how many there are.
fn say_notices(engine: &Engine, said: usize, json: bool) -> usize {
    let notices = engine.notices();
    for notice in notices.iter().skip(said) {
        Problem::notice(output::visible(notice)).say(json);
    }
    notices.len()
}

/// Adds the server to the engine.
pub(crate) async fn configure(
    engine: &Engine,
    args: &ServerArgs,
    json: bool,
) -> Result<ServerId, (Exit, Problem)> {
    let usage = |problem: Problem| (Exit::Usage, problem);
    match (&args.which.stdio, &args.which.server) {
        (Some(line), _) => {
            let mut draft = engine
                .draft_of_command(line)
                .map_err(|error| usage(error.into()))?;
            if let TransportDraft::Stdio { cwd, .. } = &mut draft.transport
                && cwd.is_none()
            {
                // Relative paths are relative to the current directory.
                *cwd = std::env::current_dir()
                    .ok()
                    .map(|folder| folder.display().to_string());
            }
            add(engine, draft, args).await.map_err(usage)
        }
        (None, Some(name)) => saved(engine, name, args, json).await.map_err(usage),
        (None, None) => {
            let url = args.which.url.as_deref().unwrap_or_default();
            let mut draft = engine.draft_of_url(url);
            if draft.name.is_empty() {
                // A wrong address is reported when the server is added.
                "server".clone_into(&mut draft.name);
            }
            add(engine, draft, args).await.map_err(usage)
        }
    }
}

async fn add(engine: &Engine, mut draft: ServerDraft, args: &ServerArgs) -> Result<ServerId, Problem> {
    adjust(&mut draft, args);
    // A saved server may have the same name.
    let list: ServerListResponse = call(engine, "server_list", &ServerListParams {}).await?;
    let wanted = draft.name.clone();
    let mut number = 1;
    while list.items.iter().any(|item| item.draft.name == draft.name) {
        number += 1;
        draft.name = format!("{wanted} {number}");
    }
    Ok(engine.add_server(draft).await?)
}

async fn saved(engine: &Engine, name: &str, args: &ServerArgs, json: bool) -> Result<ServerId, Problem> {
    let list: ServerListResponse = call(engine, "server_list", &ServerListParams {}).await?;
    let Some(mut found) = list.items.iter().find(|item| item.draft.name == name).cloned() else {
        let known: Vec<String> = list
            .items
            .iter()
            .map(|item| format!("\"{}\"", item.draft.name))
            .collect();
        let known = match known.is_empty() {
            true => "No server is saved yet.".to_owned(),
            false => format!("Saved are: {}.", known.join(", ")),
        };
        let known = format!("There is no server named \"{name}\". {known}");
        return Err(Problem::new("notFound", with_notices(engine, known)));
    };
    if found.draft.disabled && !args.use_disabled {
        return Err(Problem::usage(format!(
            "\"{name}\" is disabled. Enable it in Patchbay, or add --use-disabled to use it for this run."
        )));
    }
    if matches!(found.draft.transport, TransportDraft::Stdio { .. })
        && (args.http.is_given() || args.authorization.is_given())
    {
        return Err(Problem::usage(format!(
            "\"{name}\" is a program: HTTP and authorization options do not apply."
        )));
    }
    if matches!(found.draft.transport, TransportDraft::Http { .. })
        && (!args.env.is_empty() || args.inherit_env)
    {
        return Err(Problem::usage(format!(
            "\"{name}\" is an HTTP server: its environment cannot be set."
        )));
    }
    if !found.simulated.is_empty() && args.inputs.simulate.simulate.is_empty() {
        let words =
            format!("The simulator of \"{name}\" is on; --simulate off switches it off for this run.");
        Problem::notice(words).say(json);
    }
    if !args.inputs.has_roots() {
        warn_of_withheld(engine, &found, json).await?;
    }
    let before = found.draft.clone();
    found.draft.disabled = false;
    adjust(&mut found.draft, args);
    if found.draft != before {
        let update = ServerUpdateParams {
            plain_secrets: false,
            input_answers: Default::default(),
            chosen_roots: Vec::new(),
            server_id: found.id.clone(),
            draft: found.draft,
        };
        call::<_, patchbay_contract::Done>(engine, "server_update", &update).await?;
    }
    Ok(found.id)
}

/// What is missing, with what is wrong with `servers.json`: that may be why.
pub(crate) fn with_notices(engine: &Engine, missing: String) -> String {
    let notices = engine.server_notices();
    let notices = notices.iter().map(|notice| output::visible(notice));
    std::iter::once(missing)
        .chain(notices)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Says which roots of the settings are not sent, because the user has not allowed them.
async fn warn_of_withheld(engine: &Engine, server: &ServerItem, json: bool) -> Result<(), Problem> {
    let Some(RootsRule::Folders { .. }) = server.draft.roots else {
        return Ok(());
    };
    let params = RootsGetParams {
        server_id: server.id.clone(),
    };
    let roots: RootsGetResponse = call(engine, "roots_get", &params).await?;
    let open = roots
        .folders
        .iter()
        .filter(|root| root.consent == RootConsent::Open);
    let open: Vec<&str> = open.map(|root| &*root.path).collect();
    if !open.is_empty() {
        let words = format!(
            "Not sent as roots, because you have not allowed them for \"{}\" yet: {}. Allow them in Patchbay, or give --root DIR.",
            server.draft.name,
            open.join(", ")
        );
        Problem::notice(words).say(json);
    }
    Ok(())
}

/// Options override saved settings.
fn adjust(draft: &mut ServerDraft, args: &ServerArgs) {
    if let Some(era) = args.era {
        draft.era = match era {
            Era::Auto => EraChoice::Auto,
            Era::Legacy => EraChoice::Legacy,
            Era::Modern => EraChoice::Modern,
        };
    }
    if let Some(timeout) = args.timeout {
        // A script needs a fixed upper limit, regardless of progress.
        draft.timeouts = Timeouts {
            request_ms: timeout,
            max_total_ms: timeout,
            reset_on_progress: false,
            count_input_wait: draft.timeouts.count_input_wait,
        };
    }
    draft.timeouts.count_input_wait |= args.count_input_wait;
    if args.trust_annotations {
        draft.trust_annotations = Some(true);
    }
    if args.inherit_env {
        draft.inherit_environment = Some(true);
    }
    args.advertised.adjust(&mut draft.advertised);
    draft.limits.extend(args.limit.iter().cloned());
    match &mut draft.transport {
        TransportDraft::Stdio { env, .. } => {
            for (name, value) in &args.env {
                env.retain(|var| var.name != *name);
                env.push(EnvVar {
                    name: name.clone(),
                    value: value.clone(),
                });
            }
        }
        http @ TransportDraft::Http { .. } => {
            adjust_http(http, &args.http);
            adjust_authorization(&mut draft.authorization, &args.authorization);
        }
    }
}

fn adjust_authorization(draft: &mut Option<AuthorizationDraft>, args: &AuthorizationArgs) {
    let mut changed = draft.take().unwrap_or_default();
    if let Some(id) = &args.client_id {
        changed.client_id = Some(id.clone());
        changed.client_secret = args.client_secret_env.as_ref().map(|secret| secret.0.clone());
        changed.private_key = args.client_key.as_ref().map(|key| key.0.clone());
    }
    if args.client_credentials {
        changed.mode = AuthorizationMode::ClientCredentials;
    }
    if let Some(assertion) = args.assertion() {
        changed.mode = AuthorizationMode::Workload;
        changed.assertion = Some(assertion);
    }
    if let Some(dpop) = args.dpop {
        changed.dpop = match dpop {
            Dpop::Auto => None,
            Dpop::Always => Some(DpopMode::Always),
            Dpop::Never => Some(DpopMode::Never),
        };
    }
    if !args.scope.is_empty() {
        changed.scopes = Some(args.scope.join(" "));
    }
    changed.redirect_port = args.redirect_port.or(changed.redirect_port);
    *draft = Some(changed).filter(|changed| *changed != AuthorizationDraft::default());
}

fn adjust_http(draft: &mut TransportDraft, args: &HttpArgs) {
    let TransportDraft::Http {
        kind,
        headers,
        proxy,
        ca_file,
        client_certificate,
        accepted_fingerprint,
        ..
    } = draft
    else {
        return;
    };
    if let Some(transport) = args.transport {
        *kind = match transport {
            Transport::Auto => HttpKind::Auto,
            Transport::StreamableHttp => HttpKind::StreamableHttp,
            Transport::Sse => HttpKind::Sse,
        };
    }
    for (name, value) in &args.header {
        headers.retain(|header| !header.name.eq_ignore_ascii_case(name));
        headers.push(HttpHeader {
            name: name.clone(),
            value: value.clone(),
            is_secret: true,
        });
    }
    if let Some(given) = &args.proxy {
        *proxy = match given.as_str() {
            "none" => ProxyDraft::None,
            "system" => ProxyDraft::System,
            url => ProxyDraft::Url { url: url.to_owned() },
        };
    }
    let shown = |path: &Option<PathBuf>| {
        let path = path.as_ref()?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Some(path.display().to_string())
    };
    *ca_file = shown(&args.ca_file).or(ca_file.take());
    *client_certificate = shown(&args.client_certificate).or(client_certificate.take());
    *accepted_fingerprint = args.accept_fingerprint.clone().or(accepted_fingerprint.take());
}

pub(crate) async fn call<P: Serialize, R: DeserializeOwned>(
    engine: &Engine,
    name: &str,
    params: &P,
) -> Result<R, Problem> {
    let unreadable = |error: serde_json::Error| Problem::internal("A command could not be run.", &error);
    let params = serde_json::to_string(params).map_err(unreadable)?;
    let answer = engine.call(name, &params).await?;
    serde_json::from_str(&answer).map_err(unreadable)
}
