//! Responders to input requests: each server has a chain, and the first responder that answers wins.
//!
//! To add a responder, implement [`Responder`] in a new file and add it with [`InputChain::with`]. The capabilities
//! declared to servers follow from the chain. Every automatic answer is recorded with its rule. Deliberately not here:
//! sending the answer, which is the client's task.

mod advertised;

use std::{
    fmt::Debug,
    path::PathBuf,
    pin::Pin,
    sync::{Arc, OnceLock},
    time::SystemTime,
};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use patchbay_client::{Input, InputKind, InputReply, InputRequest};
use patchbay_contract::{
    AdvertisedDraft, AnswerOutcome, AnsweredInput, InputProposal, ServerId, SimulatorSettings,
};
use patchbay_protocol::{
    json,
    limits::Limits,
    views::{APP_MIME_TYPE, APPS_EXTENSION, ClientCapabilities, TASKS_EXTENSION},
};
use patchbay_traffic::{Description, Kind, Recorder};
use tokio::sync::{mpsc, watch};

use super::{
    history::{History, kind_of, outcome_of},
    limit::ElicitationLimit,
    roots::Roots,
};
use crate::{convert, servers::roots::LiveRoots};

/// A request for input, on its way through the chain.
#[derive(Debug, Clone)]
pub struct InputQuestion {
    /// What is asked for.
    pub input: Input,
    /// What an earlier responder of the chain did, for the person. Set at most once.
    pub proposal: OnceLock<InputProposal>,
    /// Who decided, for the history: set by a responder whose decisions differ, in place of [`Responder::decided_by`]. None
    /// inside if the user did.
    pub decision: OnceLock<Option<String>>,
}

impl InputQuestion {
    /// One that no responder has seen.
    #[must_use]
    pub fn new(input: Input) -> Self {
        Self {
            input,
            proposal: OnceLock::new(),
            decision: OnceLock::new(),
        }
    }
}

/// What a responder can answer, as declared to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answers {
    /// The kind of request.
    pub kind: InputKind,
    /// The value of the client capability: JSON text of an object, such as `{"form":{}}`.
    pub capability: &'static str,
    /// Whether it answers every request of this kind, so that no later responder is needed.
    pub always: bool,
}

/// The answer of a responder; none passes the question to the next one in the chain.
pub type Response<'a> = Pin<Box<dyn Future<Output = Option<InputReply>> + Send + 'a>>;

/// Answers input requests.
pub trait Responder: Debug + Send + Sync {
    /// The name of the rule for the log: `--on-sampling decline`. None if a person decides, or if the responder records its
    /// decisions itself.
    fn rule(&self) -> Option<String>;

    /// The name of the rule for the history of answers; none if a person decides.
    fn decided_by(&self) -> Option<String> {
        self.rule()
    }

    /// What it can answer. Only what a responder of the chain answers is declared to the server.
    fn answers(&self) -> Vec<Answers>;

    /// Answers a question. The future is dropped when the server no longer waits.
    fn respond<'a>(&'a self, question: &'a InputQuestion) -> Response<'a>;

    /// A question was withdrawn before it reached the chain: nobody is asked, but the history of a person has it.
    fn withdrawn_unseen(&self, _question: &InputQuestion) {}
}

/// Tells the user why there is no answer.
type Report = fn(&str);

/// The responders that an engine uses for every server, in order. The default has none.
#[derive(Debug, Clone, Default)]
pub struct InputChain {
    rules: Vec<Arc<dyn Responder>>,
    /// The model that answers sampling, as named on the command line, and what is told why it does not answer.
    model: Option<(String, Report)>,
    /// The folders and the shared sets that are roots, in place of the settings of the server.
    roots: Option<(Vec<PathBuf>, Vec<String>)>,
    /// What is simulated in place of the settings of the server.
    simulator: Option<SimulatorSettings>,
    /// Asked after all rules.
    last: Option<Arc<dyn Responder>>,
    attended: bool,
}

impl InputChain {
    /// The front shows `input_list`, and a person answers what no rule answers.
    #[must_use]
    pub fn attended() -> Self {
        Self {
            attended: true,
            ..Self::default()
        }
    }

    /// Adds a responder after the existing ones. The person comes last.
    #[must_use]
    pub fn with(mut self, responder: impl Responder + 'static) -> Self {
        self.rules.push(Arc::new(responder));
        self
    }

    /// Asks this responder about what no rule and no simulator answers.
    #[must_use]
    pub fn with_last(mut self, responder: impl Responder + 'static) -> Self {
        self.last = Some(Arc::new(responder));
        self
    }

    /// Answers sampling with a configured model: `PROVIDER`, `PROVIDER/MODEL`, or `MODEL` if there is one provider. `report` is
    /// told why it does not answer, which the server does not learn.
    #[must_use]
    pub fn with_model(mut self, name: impl Into<String>, report: Report) -> Self {
        self.model = Some((name.into(), report));
        self
    }

    /// Answers `roots/list` with these folders and those of the shared sets with these names, in place of the settings of the
    /// server.
    #[must_use]
    pub fn with_roots(mut self, folders: Vec<PathBuf>, sets: Vec<String>) -> Self {
        self.roots = Some((folders, sets));
        self
    }

    /// Simulates this in place of what the settings of the server say.
    #[must_use]
    pub fn with_simulator(mut self, settings: SimulatorSettings) -> Self {
        self.simulator = Some(settings);
        self
    }

    /// What is simulated in place of the settings of the server.
    pub(crate) fn simulator(&self) -> Option<&SimulatorSettings> {
        self.simulator.as_ref()
    }

    /// Whether a person answers what no rule answers.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        self.attended
    }

    /// The model that answers sampling, as named on the command line, and what is told why it does not answer.
    pub(crate) fn model(&self) -> Option<(&str, Report)> {
        let (name, report) = self.model.as_ref()?;
        Some((name, *report))
    }

    /// The chain of one server: the engine's rules, the server's own, then the person.
    pub(super) fn of_server(
        &self,
        roots: &Arc<LiveRoots>,
        person: Arc<dyn Responder>,
        limits: &Limits,
    ) -> ServerChain {
        let mut all = self.rules.clone();
        if let Some((folders, sets)) = &self.roots {
            all.push(Arc::new(Roots::with_sets(folders, sets, roots)));
        }
        let rules = all.len();
        // Without a person, only explicitly configured capabilities are declared.
        if self.attended || roots.is_configured() {
            all.push(roots.clone());
        }
        if let Some(last) = &self.last {
            all.push(last.clone());
        }
        if self.attended {
            all.push(Arc::new(ElicitationLimit::new(limits)));
            all.push(person);
        }
        ServerChain {
            responders: all,
            rules,
            is_attended: self.attended,
            history: None,
        }
    }
}

/// The responders of one connection, in order.
#[derive(Debug)]
pub(crate) struct ServerChain {
    responders: Vec<Arc<dyn Responder>>,
    /// How many of them are rules of the command line, which come first.
    rules: usize,
    /// Whether a person sees the results, and thus the apps.
    is_attended: bool,
    history: Option<Arc<History>>,
}

impl ServerChain {
    /// Remembers the answers there.
    pub(super) fn remembered_in(mut self, history: Arc<History>) -> Self {
        self.history = Some(history);
        self
    }

    /// Adds a rule of the command line after the existing ones.
    pub(crate) fn with_rule(mut self, responder: Arc<dyn Responder>) -> Self {
        self.responders.insert(self.rules, responder);
        self.rules += 1;
        self
    }

    /// Adds a responder after the rules of the command line and before what the settings of the server say.
    pub(crate) fn after_rules(mut self, responder: Arc<dyn Responder>) -> Self {
        self.responders.insert(self.rules, responder);
        self
    }

    /// Adds a responder before the person, or last if nobody is present.
    pub(crate) fn before_person(mut self, responder: Arc<dyn Responder>) -> Self {
        // Before the limit too, which counts what reaches the person.
        let at = self.responders.len() - 2 * usize::from(self.is_attended);
        self.responders.insert(at, responder);
        self
    }

    /// The capabilities declared to the server: what the chain answers and is not switched off, and the extensions. Apps
    /// need someone to show them to.
    pub(crate) fn capabilities(&self, advertised: &AdvertisedDraft) -> ClientCapabilities {
        let kinds = [InputKind::Roots, InputKind::Sampling, InputKind::Elicitation];
        let answered: Vec<(InputKind, String)> = kinds
            .into_iter()
            .filter_map(|kind| Some((kind, self.capability(kind)?)))
            .collect();
        advertised::declared(advertised, &answered, self.extensions())
    }

    /// The supported extensions, with their settings.
    fn extensions(&self) -> String {
        let apps = if self.is_attended {
            format!(",\"{APPS_EXTENSION}\":{{\"mimeTypes\":[\"{APP_MIME_TYPE}\"]}}")
        } else {
            String::new()
        };
        format!("{{\"{TASKS_EXTENSION}\":{{}}{apps}}}")
    }

    /// The combined capability of the responders for one kind.
    fn capability(&self, kind: InputKind) -> Option<String> {
        let mut members: Vec<(String, String)> = Vec::new();
        let mut is_answered = false;
        let answers = self.responders.iter().flat_map(|responder| responder.answers());
        for answer in answers.filter(|answer| answer.kind == kind) {
            is_answered = true;
            let object = json::Object::parse(answer.capability).ok();
            for (name, value) in object.iter().flat_map(json::Object::iter) {
                if members.iter().all(|(known, _)| known != name) {
                    members.push((name.to_string(), value.to_owned()));
                }
            }
            if answer.always {
                break;
            }
        }
        let members: Vec<String> = members
            .iter()
            .map(|(name, value)| format!("{}:{value}", json::quote(name)))
            .collect();
        is_answered.then(|| format!("{{{}}}", members.join(",")))
    }

    /// The first answer, and the responder that gave it.
    pub(super) async fn respond(&self, question: &InputQuestion) -> (InputReply, Option<&dyn Responder>) {
        for responder in &self.responders {
            if let Some(reply) = responder.respond(question).await {
                return (reply, Some(responder.as_ref()));
            }
        }
        (InputReply::Cancelled, None)
    }

    /// A question was withdrawn before any responder saw it.
    fn withdrawn_unseen(&self, question: &InputQuestion) {
        for responder in &self.responders {
            responder.withdrawn_unseen(question);
        }
    }
}

/// Answers the questions of one connection until it ends. Several may be open at a time; they reach each responder in order
/// of arrival.
pub(crate) async fn answer_questions<S>(
    chain: ServerChain,
    recorder: Recorder,
    mut requests: mpsc::Receiver<InputRequest>,
    mut status: watch::Receiver<S>,
) {
    let mut open = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            request = requests.recv() => match request {
                Some(request) => open.push(answer(&chain, &recorder, request)),
                None => return,
            },
            Some(()) = open.next(), if !open.is_empty() => {}
            over = status.changed() => if over.is_err() {
                return;
            },
        }
    }
}

async fn answer(chain: &ServerChain, recorder: &Recorder, request: InputRequest) {
    let InputRequest { input, mut reply } = request;
    let question = InputQuestion::new(input);
    if reply.is_closed() {
        chain.withdrawn_unseen(&question);
        return;
    }
    let (answer, responder) = tokio::select! {
        biased;
        // Withdrawn by the server, or its call or connection has ended: nothing was answered.
        () = reply.closed() => return,
        answered = chain.respond(&question) => answered,
    };
    if let Some(rule) = responder.and_then(Responder::rule) {
        record(recorder, &question, &answer, &rule);
    }
    let decided_by = match question.decision.get() {
        Some(decision) => decision.clone(),
        None => responder.and_then(Responder::decided_by),
    };
    if let Some(history) = &chain.history {
        history.put(answered_input(&question, &answer, decided_by));
    }
    // An error means that it was withdrawn in this very moment.
    let _ = reply.send(answer);
}

/// The answer for the history; `rule` is none if the user gave it.
fn answered_input(question: &InputQuestion, reply: &InputReply, rule: Option<String>) -> AnsweredInput {
    ended_input(question, outcome_of(reply), rule)
}

/// How a question ended, for the history.
pub(super) fn ended_input(
    question: &InputQuestion,
    outcome: AnswerOutcome,
    rule: Option<String>,
) -> AnsweredInput {
    AnsweredInput {
        server_id: ServerId(question.input.server_id.clone()),
        server_name: question.input.server_name.clone(),
        kind: kind_of(question.input.kind),
        seq: convert::seq(question.input.seq),
        about_seq: question.input.about.map(convert::seq),
        outcome,
        rule,
        at_ms: convert::at_ms(SystemTime::now()),
    }
}

/// Records beside the question which rule answered it.
pub(super) fn record(recorder: &Recorder, question: &InputQuestion, answer: &InputReply, rule: &str) {
    let verb = match answer {
        InputReply::Result(_) => "Answered",
        InputReply::Error { .. } | InputReply::Cancelled => "Refused",
    };
    note(
        recorder,
        question,
        format!("{verb} {} by rule: {rule}", question.input.method),
    );
}

/// Records beside a question what was done with it.
pub(super) fn note(recorder: &Recorder, question: &InputQuestion, text: String) {
    // A closed store means that the engine is shutting down.
    if let Ok(seq) = recorder.lifecycle(question.input.connection, text, None, question.input.operation) {
        recorder.describe(
            seq,
            Description {
                related_to: Some(question.input.seq),
                ..Description::new(Kind::Lifecycle)
            },
        );
    }
}

#[cfg(test)]
mod tests;
