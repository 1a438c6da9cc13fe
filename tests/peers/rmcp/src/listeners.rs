//! Who listens to the server (`subscriptions/listen`), and what they are told.

use rmcp::model::ErrorData;
use rmcp::service::SubscriptionContext;
use tokio::sync::watch;

/// All who listen; shared by the clones of a server, of which there is one for each request over HTTP.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listeners {
    told: watch::Sender<Told>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Told {
    /// How many listen.
    listeners: usize,
    /// How often the list of tools changed.
    changes: u64,
    /// How often all of them were sent away.
    ends: u64,
}

impl Listeners {
    /// Tells them that the list of tools changed; waits for somebody to tell it to.
    pub(crate) async fn change(&self) {
        self.somebody().await;
        self.told.send_modify(|told| told.changes += 1);
    }

    /// Ends what they listen to; waits for somebody who does.
    pub(crate) async fn end(&self) {
        self.somebody().await;
        self.told.send_modify(|told| told.ends += 1);
    }

    /// The sender lives as long as we do.
    async fn somebody(&self) {
        let _ = self.told.subscribe().wait_for(|told| told.listeners > 0).await;
    }

    /// One who listens, until the client or the server ends it.
    pub(crate) async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut news = self.told.subscribe();
        let mut before = *news.borrow_and_update();
        let _here = Here::enter(&self.told);
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = news.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                }
            }
            let now = *news.borrow_and_update();
            if now.changes != before.changes {
                let told = context.sink().notify_tool_list_changed().await;
                told.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
            }
            if now.ends != before.ends {
                return Ok(());
            }
            before = now;
        }
    }
}

/// One is counted for as long as this lives.
struct Here<'a>(&'a watch::Sender<Told>);

impl<'a> Here<'a> {
    fn enter(told: &'a watch::Sender<Told>) -> Self {
        told.send_modify(|told| told.listeners += 1);
        Self(told)
    }
}

impl Drop for Here<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|told| told.listeners -= 1);
    }
}
