//! Runs requests.

use std::sync::Arc;

use patchbay_protocol::json::{self, Object};
use patchbay_protocol::views::LogLevel;
use patchbay_protocol::{RequestId, Revision, error_codes, methods};

use crate::answer::{Answer, Failure, response};
use crate::call::Call;
use crate::catalog::{completion, prompts, resources, skills};
use crate::shared::Shared;
use crate::{handshake, subscriptions, tools};

/// A request, owned.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: RequestId,
    pub(crate) method: String,
    pub(crate) params: Option<String>,
}

impl Request {
    /// Whether it may take time, so that the session must not wait for it.
    pub(crate) fn takes_time(&self) -> bool {
        self.method == methods::TOOLS_CALL && tools::takes_time(self.params.as_deref())
    }
}

/// The response line; none for a stream, which is answered when it ends.
pub(crate) async fn answer(shared: Arc<Shared>, request: Request) -> Option<String> {
    let Request { id, method, params } = request;
    let params = params.as_deref();
    let call = match Call::new(shared, id.clone(), &method, params) {
        Ok(call) => call,
        Err(failure) => return Some(response(&id, Revision::LATEST_MODERN, Err(failure))),
    };
    if call.is_modern() && method == methods::SUBSCRIPTIONS_LISTEN {
        let refused = subscriptions::listen(&call, params).await.err();
        return refused.map(|failure| response(&id, call.revision, Err(failure)));
    }
    let answer = if method == methods::TOOLS_CALL {
        tools::call(&call, params).await
    } else {
        quick(&call, &method, params)
    };
    Some(response(&id, call.revision, answer))
}

fn quick(call: &Call, method: &str, params: Option<&str>) -> Result<Answer, Failure> {
    match (method, call.is_modern()) {
        (methods::INITIALIZE, false) => handshake::initialize(call, params),
        (methods::PING, false) => Ok(Answer::new()),
        (methods::LOGGING_SET_LEVEL, false) => set_level(call, params),
        (methods::RESOURCES_SUBSCRIBE, false) => watch(call, params, true),
        (methods::RESOURCES_UNSUBSCRIBE, false) => watch(call, params, false),
        (methods::SERVER_DISCOVER, true) => Ok(handshake::discover(call)),
        (methods::TOOLS_LIST, _) => tools::list(call, params),
        (methods::RESOURCES_LIST, _) => resources::list(call, params),
        (methods::RESOURCES_TEMPLATES_LIST, _) => resources::templates(params),
        (methods::RESOURCES_READ, _) => resources::read(call, params),
        (methods::PROMPTS_LIST, _) => prompts::list(params),
        (methods::PROMPTS_GET, _) => prompts::get(call, params),
        (methods::SKILLS_LIST, true) => skills::list(params),
        (methods::SKILLS_GET, true) => skills::get(params),
        (methods::COMPLETION_COMPLETE, _) => completion::complete(params),
        _ => Err(Failure::new(
            error_codes::METHOD_NOT_FOUND,
            format!("Method not found: {method}"),
        )),
    }
}

fn set_level(call: &Call, params: Option<&str>) -> Result<Answer, Failure> {
    let text = params
        .and_then(|text| Object::parse(text).ok())
        .and_then(|params| params.get("level"));
    let level = text.and_then(json::string).as_deref().and_then(LogLevel::parse);
    let level =
        level.ok_or_else(|| Failure::params(format!("{} is not a log level", text.unwrap_or("nothing"))))?;
    call.shared.state().level = level;
    Ok(Answer::new())
}

fn watch(call: &Call, params: Option<&str>, on: bool) -> Result<Answer, Failure> {
    let uri = resources::uri_of(params)?;
    if on {
        resources::exists(call, &uri)?;
        call.shared.state().watched.insert(uri);
    } else {
        call.shared.state().watched.remove(&uri);
    }
    Ok(Answer::new())
}
