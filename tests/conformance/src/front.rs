//! A minimal front of the engine: it uses the contract, and answers input requests immediately.

use patchbay_contract::{
    AppEvent, AppTopic, AuthorizationAnswer, AuthorizationAnswerParams, AuthorizationCancelParams,
    AuthorizationDraft, AuthorizationGetParams, AuthorizationGetResponse, Done, EraChoice, ExchangeOutcome,
    HttpKind, InputAnswerParams, InputListResponse, ListParams, ProxyDraft, QuestionItem, RequestSendParams,
    ServerDraft, ServerId, ToolCallParams, ToolGetParams, ToolGetResponse, ToolItem, ToolListResponse,
    TransportDraft,
};
use patchbay_engine::{
    Ask, BrowserChoice, Engine, EngineOptions, EnvironmentChoice, InputChain, SecretsChoice, StoreChoice,
    StreamHandle,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use tokio::sync::mpsc;

use crate::{Failure, answers, browser};

/// An engine with one server.
pub(crate) struct Front {
    engine: Engine,
    server: ServerId,
    /// Watching makes the front able to answer input requests.
    _watch: StreamHandle,
}

/// A message of the stream `app_watch`.
#[derive(Deserialize)]
struct StreamMessage {
    event: Option<AppEvent>,
}

impl Front {
    /// Opens an engine with this one server.
    pub(crate) async fn open(
        url: &str,
        era: EraChoice,
        authorization: Option<AuthorizationDraft>,
    ) -> Result<Self, Failure> {
        let engine = Engine::open(EngineOptions {
            data_dir: None,
            store: StoreChoice::Temporary,
            environment: EnvironmentChoice::Inherited,
            demo_program: None,
            front: "the conformance suite",
            inputs: InputChain::attended(),
            browser: BrowserChoice::Shown,
            secrets: SecretsChoice::Memory,
        })
        .await?;
        let server = engine
            .add_server(draft(url, era, authorization))
            .await
            .map_err(said)?;
        let (sink, nudges) = mpsc::channel(16);
        let watch = engine.open_stream("app_watch", "{}", sink).map_err(said)?;
        tokio::spawn(answer_all(engine.clone(), nudges));
        Ok(Self {
            engine,
            server,
            _watch: watch,
        })
    }

    /// Connects and waits for the end of the handshake.
    pub(crate) async fn connect(&self) -> Result<(), Failure> {
        let ended = self.engine.connect(&self.server).await.map_err(said)?;
        ended.map_err(|failure| format!("{}: {}", failure.step, failure.cause).into())
    }

    /// Lists all tools.
    pub(crate) async fn tools(&self) -> Result<Vec<ToolItem>, Failure> {
        let params = ListParams {
            server_id: self.server.clone(),
            refresh: false,
            cursor: None,
        };
        let listed: ToolListResponse = call(&self.engine, "tool_list", &params).await?;
        Ok(listed.items)
    }

    /// One tool's definition.
    pub(crate) async fn tool(&self, tool: &ToolItem) -> Result<ToolGetResponse, Failure> {
        let params = ToolGetParams {
            server_id: self.server.clone(),
            index: tool.index,
        };
        call(&self.engine, "tool_get", &params).await
    }

    /// Calls a tool; the arguments are sent verbatim.
    pub(crate) async fn call_tool(&self, name: &str, arguments: &str) -> Result<ExchangeOutcome, Failure> {
        let params = ToolCallParams {
            server_id: self.server.clone(),
            name: name.to_owned(),
            arguments_json: arguments.to_owned(),
            meta_json: None,
            timeouts: None,
            as_task: None,
            by_app: None,
        };
        self.exchange(Ask::Tool(params)).await
    }

    /// Sends any request.
    pub(crate) async fn request(
        &self,
        method: &str,
        params: Option<String>,
    ) -> Result<ExchangeOutcome, Failure> {
        let params = RequestSendParams {
            server_id: self.server.clone(),
            method: method.to_owned(),
            params_json: params,
            timeouts: None,
            repeats: None,
            despite_changes: None,
        };
        self.exchange(Ask::Request(params)).await
    }

    async fn exchange(&self, ask: Ask) -> Result<ExchangeOutcome, Failure> {
        let ended = self.engine.exchange(ask, |_| {}).await.map_err(said)?;
        Ok(ended.outcome)
    }

    /// Closes the connection and the engine.
    pub(crate) async fn close(self) {
        self.engine.shutdown().await;
    }
}

/// Answers all input requests until the engine is closed.
async fn answer_all(engine: Engine, mut nudges: mpsc::Receiver<String>) {
    let mut opened = None;
    while let Some(nudge) = nudges.recv().await {
        let Ok(StreamMessage { event: Some(event) }) = serde_json::from_str(&nudge) else {
            continue;
        };
        match (event.topic, event.server_id) {
            (AppTopic::Authorization, Some(server_id)) => {
                authorize(&engine, server_id, &mut opened).await;
                continue;
            }
            (AppTopic::Inputs, _) => {}
            _ => continue,
        }
        let listed: Result<InputListResponse, Failure> =
            call(&engine, "input_list", &serde_json::json!({})).await;
        for request in listed.map(|listed| listed.items).unwrap_or_default() {
            let params = InputAnswerParams {
                answer: answers::to(&request),
                input_id: request.id,
            };
            // The caller may have stopped waiting.
            let _: Result<serde_json::Value, Failure> = call(&engine, "input_answer", &params).await;
        }
    }
}

/// Opens the page of a run that waits for the browser, once; chooses the first of several authorization servers, and
/// cancels for any other question.
async fn authorize(engine: &Engine, server_id: ServerId, opened: &mut Option<String>) {
    let params = AuthorizationGetParams {
        server_id: server_id.clone(),
        run_id: None,
    };
    let view: Result<AuthorizationGetResponse, Failure> = call(engine, "authorization_get", &params).await;
    let Some(run) = view.ok().and_then(|view| view.run) else {
        return;
    };
    match run.question {
        Some(QuestionItem::Callback) => {
            let Some(address) = run.authorization_url.filter(|url| opened.as_ref() != Some(url)) else {
                return;
            };
            *opened = Some(address.clone());
            tokio::spawn(async move {
                if let Err(error) = browser::agree(&address).await {
                    eprintln!("patchbay-conformance: the browser: {error}");
                }
            });
        }
        Some(QuestionItem::ChooseServer { issuers }) => {
            let issuer = issuers.into_iter().next().unwrap_or_default();
            let params = AuthorizationAnswerParams {
                server_id,
                run_id: run.id,
                answer: AuthorizationAnswer::ChooseServer { issuer },
            };
            let _: Result<Done, Failure> = call(engine, "authorization_answer", &params).await;
        }
        Some(QuestionItem::Client { .. } | QuestionItem::PrivateAddress { .. }) => {
            let params = AuthorizationCancelParams { server_id };
            let _: Result<Done, Failure> = call(engine, "authorization_cancel", &params).await;
        }
        None => {}
    }
}

async fn call<R: DeserializeOwned>(
    engine: &Engine,
    name: &str,
    params: &impl Serialize,
) -> Result<R, Failure> {
    let answer = engine.call(name, &serde_json::to_string(params)?).await;
    Ok(serde_json::from_str(&answer.map_err(said)?)?)
}

fn said(error: patchbay_contract::CommandError) -> Failure {
    error.message.into()
}

fn draft(url: &str, era: EraChoice, authorization: Option<AuthorizationDraft>) -> ServerDraft {
    let transport = TransportDraft::Http {
        url: url.to_owned(),
        kind: HttpKind::StreamableHttp,
        headers: Vec::new(),
        proxy: ProxyDraft::None,
        ca_file: None,
        client_certificate: None,
        accepted_fingerprint: None,
    };
    ServerDraft {
        era,
        authorization,
        ..ServerDraft::new("conformance", transport)
    }
}
