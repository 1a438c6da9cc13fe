//! The connection doctor: diagnoses step by step why a server cannot be reached. The lower steps are tried one by one; the
//! upper steps are one real connection attempt, which is recorded like any other.

mod attempt;
mod reach;

use patchbay_contract::*;
use patchbay_traffic::Origin;

use crate::{
    connections::{self, http_settings},
    dispatch::streams::{Closed, Events},
    servers::stored,
    state::Engine,
};
use patchbay_config::{Server, checked};

/// The stream `doctor_run`.
pub(crate) async fn run(
    engine: Engine,
    params: DoctorRunParams,
    events: Events<DoctorStep>,
) -> Result<(), CommandError> {
    let (saved, server) = match params.subject {
        DoctorSubject::Server { server_id } => {
            let saved = engine.state.enabled(&server_id)?;
            let server = stored::resolved(&engine.state, &saved).await?;
            (saved, server)
        }
        DoctorSubject::Draft { draft, server_id } => {
            // A draft is not configured yet. Its references are resolved, then it gets an unused id, so that nothing of a
            // configured server (credentials, a stored era) is used for it.
            let none = ServerId(String::new());
            let mut saved = Server {
                id: server_id.unwrap_or_else(|| none.clone()),
                draft: checked(*draft)?,
                is_demo: false,
                simulator: Default::default(),
            };
            let mut server = stored::resolved(&engine.state, &saved).await?;
            saved.id = none.clone();
            server.id = none;
            (saved, server)
        }
    };
    engine.state.open_vault_for_proxy(&server).await?;
    let mut report = Report { next: 0, events };
    // Nobody is listening any more, so the run ends.
    let _ = examine(&engine, &saved, &server, &mut report).await;
    Ok(())
}

async fn examine(
    engine: &Engine,
    saved: &Server,
    server: &Server,
    report: &mut Report,
) -> Result<(), Closed> {
    let reachable = match (
        &server.draft.transport,
        http_settings(&server.draft.transport, &engine.state.proxy.choice()),
    ) {
        (TransportDraft::Http { url, .. }, Some(settings)) => reach::http(url, &settings, report).await?,
        _ => true,
    };
    if !reachable {
        for kind in [
            DoctorStepKind::Http,
            DoctorStepKind::Protocol,
            DoctorStepKind::Authorization,
        ] {
            report.skip(kind, attempt::title(kind), "Not reached.").await?;
        }
        return Ok(());
    }
    let environment = engine.state.environment_of(server).await;
    let live = connections::start(&engine.state, saved, server, environment, Origin::Doctor);
    let result = attempt::watch(engine, &live, report).await;
    if let Some(connection) = live.connection {
        connection.close().await;
    }
    result
}

/// Reports the steps as they begin and end.
struct Report {
    next: u32,
    events: Events<DoctorStep>,
}

/// A step that began.
struct RunningStep {
    index: u32,
    kind: DoctorStepKind,
    title: String,
}

impl RunningStep {
    /// The ended step, without details.
    fn ended(&self, status: DoctorStatus) -> DoctorStep {
        DoctorStep {
            index: self.index,
            kind: self.kind,
            title: self.title.clone(),
            status,
            sent: None,
            received: None,
            next: None,
            duration_ms: None,
            seq: None,
            certificate: None,
        }
    }
}

impl Report {
    async fn begin(&mut self, kind: DoctorStepKind, title: impl Into<String>) -> Result<RunningStep, Closed> {
        let running = self.place(kind, title);
        self.send(&running.ended(DoctorStatus::Running)).await?;
        Ok(running)
    }

    /// A step that is reported only when it has ended.
    fn place(&mut self, kind: DoctorStepKind, title: impl Into<String>) -> RunningStep {
        let index = self.next;
        self.next += 1;
        RunningStep {
            index,
            kind,
            title: title.into(),
        }
    }

    async fn send(&self, step: &DoctorStep) -> Result<(), Closed> {
        self.events.send(step.clone()).await
    }

    async fn skip(&mut self, kind: DoctorStepKind, title: &str, why: &str) -> Result<(), Closed> {
        let step = DoctorStep {
            received: Some(why.to_owned()),
            ..self.place(kind, title).ended(DoctorStatus::Skipped)
        };
        self.send(&step).await
    }
}

#[cfg(test)]
mod tests;
