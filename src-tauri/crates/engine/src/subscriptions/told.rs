//! Notifications on their way to the UI: the same one, many times in a moment, is told once, with its count.

use std::time::Duration;

use patchbay_contract::SubscriptionEvent;
use patchbay_protocol::{json, methods};
use patchbay_traffic::{Seq, Store};
use tokio::time::Instant;

use crate::{
    bodies, convert,
    streams::{Closed, Events},
};

/// How long notifications are gathered.
const PACE: Duration = Duration::from_millis(50);
/// More different ones than this are not gathered.
const MOST: usize = 500;

/// What was heard and is not told yet.
#[derive(Debug, Default)]
pub(super) struct Told {
    gathered: Vec<Heard>,
    due: Option<Instant>,
}

#[derive(Debug)]
struct Heard {
    method: String,
    subject: Option<String>,
    count: u32,
    seq: Seq,
}

impl Told {
    pub(super) fn heard(&mut self, method: String, subject: Option<String>, seq: Seq) {
        self.due.get_or_insert_with(|| Instant::now() + PACE);
        let same = self
            .gathered
            .iter_mut()
            .find(|heard| heard.method == method && heard.subject == subject);
        if let Some(heard) = same {
            heard.count += 1;
            heard.seq = heard.seq.max(seq);
        } else if self.gathered.len() < MOST {
            self.gathered.push(Heard {
                method,
                subject,
                count: 1,
                seq,
            });
        }
    }

    /// Ends when it is time to tell; never while there is nothing to tell. Cancel safe.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => tokio::time::sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    pub(super) async fn tell(&mut self, events: &Events<SubscriptionEvent>) -> Result<(), Closed> {
        self.due = None;
        for heard in self.gathered.drain(..) {
            let event = SubscriptionEvent::Notified {
                method: heard.method,
                subject: heard.subject,
                count: heard.count,
                seq: convert::seq(heard.seq),
            };
            events.send(event).await?;
        }
        Ok(())
    }
}

/// What a notification is about: the resource, or the task. Read from its record.
pub(super) async fn subject(store: &Store, method: &str, seq: Seq) -> Option<String> {
    let member = match method {
        methods::RESOURCES_UPDATED => "uri",
        methods::TASKS | methods::TASKS_STATUS => "taskId",
        _ => return None,
    };
    let bytes = bodies::record_bytes(store, seq).await.ok()??;
    let text = String::from_utf8_lossy(&bytes);
    let message = json::Object::parse(&text).ok()?;
    let params = json::Object::parse(message.get("params")?).ok()?;
    params.string(member).map(Into::into)
}
