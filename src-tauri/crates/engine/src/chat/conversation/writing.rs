//! Changes that are written before they take effect. Writing and taking effect are one step: it ends even if nobody waits
//! for it any more, since what is in the file has to be what is in memory.

use std::time::Duration;

use patchbay_contract::*;
use tokio::sync::OwnedMutexGuard;

use super::{Conversation, State, secrets::Masked};
use crate::{
    chat::{
        chats::on_disk,
        item::{Item, Line, VERSION},
        journal::Journal,
    },
    dispatch::error::{fail, fail_with},
    dispatch::nudges::Topic,
};

/// The maximum number of items.
const MOST_ITEMS: usize = 50_000;

/// How long the turn of a conversation that is deleted may take to stop.
const STOPPING: Duration = Duration::from_secs(5);

/// The file, for as long as nothing else may be written.
type Locked = OwnedMutexGuard<Option<Journal>>;

impl State {
    /// Checks that something may be added.
    pub(super) fn writable(&self) -> Result<(), CommandError> {
        if let Some(why) = &self.read_only {
            return Err(fail(ErrorCode::InvalidParams, why.clone()));
        }
        if self.items.len() + self.aside.len() >= MOST_ITEMS {
            let why = "The conversation has 50,000 items, the most it can have. Fork it, or begin a new one.";
            return Err(fail(ErrorCode::InvalidParams, why));
        }
        Ok(())
    }
}

impl Conversation {
    /// Waits until what is being written has taken effect. Nothing else is written while this is held.
    pub(in crate::chat) async fn file(&self) -> Locked {
        self.journal.clone().lock_owned().await
    }

    /// Adds lines to the file, then applies the change.
    ///
    /// # Errors
    /// They could not be written; then nothing changes.
    pub(super) async fn write(
        &self,
        mut journal: Locked,
        lines: &[Line],
        apply: impl FnOnce(&mut State, u64) + Send + 'static,
    ) -> Result<(), CommandError> {
        let (mut text, unsaved) = self.before_lines()?;
        for line in lines {
            push(&mut text, line)?;
        }
        let memory = self.memory.clone();
        on_disk(move || {
            if let Some(open) = journal.as_mut() {
                open.add(&text)?;
            }
            memory.touch(|state, revision| {
                state.begun = true;
                // Only this function removes any, and the file is locked until here.
                state.unsaved.drain(..unsaved);
                state.has_kept = !state.unsaved.is_empty();
                apply(state, revision);
            });
            memory.nudges.changed(Topic::Chats);
            Ok(())
        })
        .await
    }

    /// What is written before the next lines, and how many of it could not be written earlier.
    fn before_lines(&self) -> Result<(String, usize), CommandError> {
        let state = self.lock();
        state.writable()?;
        let mut text = String::new();
        if !state.begun {
            let head = Line::Conversation {
                version: VERSION,
                id: self.id.0.clone(),
                created_at_ms: state.created_at_ms,
            };
            let settings = state.settings.clone();
            push(&mut text, &head)?;
            push(&mut text, &Line::Settings { settings })?;
        }
        for line in &state.unsaved {
            push(&mut text, line)?;
        }
        Ok((text, state.unsaved.len()))
    }

    /// Shows the conversation up to an item, and adds items after it; what followed is kept as another branch. A turn is to
    /// follow.
    pub(in crate::chat) async fn branch(
        &self,
        head: Option<String>,
        items: Vec<Item>,
    ) -> Result<(), CommandError> {
        self.go_to(head, items, false).await
    }

    /// Shows the conversation up to an item that no turn is to answer.
    pub(in crate::chat) async fn show(&self, head: String) -> Result<(), CommandError> {
        self.go_to(Some(head), Vec::new(), true).await
    }

    async fn go_to(&self, head: Option<String>, items: Vec<Item>, idle: bool) -> Result<(), CommandError> {
        let items = self.masked(items);
        let mut lines = vec![Line::Head {
            item: head.clone(),
            idle,
        }];
        lines.extend(items.iter().map(|(item, _)| item.line()));
        let journal = self.file().await;
        self.write(journal, &lines, move |state, revision| {
            state.show(head.as_deref(), revision);
            state.put_all(items, revision);
            state.revision = revision;
        })
        .await
    }

    /// Writes items that are new or changed.
    pub(in crate::chat) async fn put(&self, items: Vec<Item>) -> Result<(), CommandError> {
        self.put_masked(self.masked(items)).await
    }

    /// Writes copies of items of another conversation, each with what it was before its secrets were masked, if that is known. They
    /// stay masked, also if a secret is no longer known to be one.
    pub(in crate::chat) async fn copy(&self, items: Vec<(Item, Option<Item>)>) -> Result<(), CommandError> {
        let (items, unmasked): (Vec<Item>, Vec<Option<Item>>) = items.into_iter().unzip();
        let items = self.masked(items).into_iter().zip(unmasked);
        let items = items.map(|((item, now), before)| (item, before.or(now)));
        self.put_masked(items.collect()).await
    }

    async fn put_masked(&self, items: Vec<Masked>) -> Result<(), CommandError> {
        let lines: Vec<Line> = items.iter().map(|(item, _)| item.line()).collect();
        let journal = self.file().await;
        self.write(journal, &lines, move |state, revision| {
            state.put_all(items, revision);
            state.revision = revision;
        })
        .await
    }

    /// Keeps what has happened already: if it cannot be written now, it is shown, and written before the next change.
    ///
    /// # Errors
    /// It is not written yet.
    pub(in crate::chat) async fn keep(&self, items: Vec<Item>) -> Result<(), CommandError> {
        let written = self.put(items.clone()).await;
        if written.is_err() {
            let items = self.masked(items);
            self.touch(|state, revision| {
                state.unsaved.extend(items.iter().map(|(item, _)| item.line()));
                state.has_kept = true;
                state.put_all(items, revision);
                state.revision = revision;
            });
        }
        written
    }

    /// Writes what was kept and is not written yet, before Patchbay ends: no later change would write it.
    ///
    /// # Errors
    /// It cannot be written now either.
    pub(in crate::chat) async fn write_kept(&self) -> Result<(), CommandError> {
        let journal = self.file().await;
        if !self.lock().has_kept {
            return Ok(());
        }
        self.write(journal, &[], |_, _| {}).await
    }

    /// Changes the settings as they are now, and returns them. No other change comes between reading and writing them.
    pub(in crate::chat) async fn change_settings(
        &self,
        change: impl FnOnce(&mut ChatSettings) + Send,
    ) -> Result<ChatSettings, CommandError> {
        let journal = self.file().await;
        let before = self.settings();
        let mut settings = before.clone();
        change(&mut settings);
        if settings == before {
            return Ok(settings);
        }
        let changed = settings.clone();
        let apply = move |state: &mut State, revision| {
            state.settings = changed;
            state.revision = revision;
        };
        // Settings alone do not make a file: a conversation that was never used leaves none.
        if !self.lock().begun {
            self.touch(apply);
            return Ok(settings);
        }
        let line = Line::Settings {
            settings: settings.clone(),
        };
        self.write(journal, &[line], apply).await?;
        Ok(settings)
    }

    pub(in crate::chat) async fn rename(&self, title: String) -> Result<(), CommandError> {
        let line = Line::Title { title: title.clone() };
        let journal = self.file().await;
        self.write(journal, &[line], move |state, revision| {
            state.title = title;
            state.revision = revision;
        })
        .await
    }

    /// Stops the turn and waits for its end, or until it takes too long and is dropped, then deletes the file.
    ///
    /// # Errors
    /// The file could not be deleted; then the conversation can be continued as before.
    pub(in crate::chat) async fn remove(&self) -> Result<(), CommandError> {
        self.stop();
        // A turn that is dropped tells no server that a call or task of it is cancelled.
        if tokio::time::timeout(STOPPING, self.ended()).await.is_err() {
            tracing::debug!("a turn of a deleted conversation does not stop");
        }
        let mut journal = self.file().await;
        let why = "This conversation was deleted.".to_owned();
        let mut before = None;
        self.touch(|state, revision| {
            before = state.read_only.replace(why);
            state.phase = ChatPhase::Idle;
            // Also one that began while the file was being written.
            state.running = None;
            state.revision = revision;
        });
        let removed = on_disk(move || {
            if let Some(open) = journal.as_mut() {
                open.remove()?;
            }
            *journal = None;
            Ok(())
        })
        .await;
        if removed.is_err() {
            self.touch(|state, revision| {
                state.read_only = before;
                state.revision = revision;
            });
        }
        removed
    }
}

fn push(text: &mut String, line: &Line) -> Result<(), CommandError> {
    let not_written = |error| fail_with(ErrorCode::Internal, "The conversation was not written.", error);
    *text += &serde_json::to_string(line).map_err(not_written)?;
    text.push('\n');
    Ok(())
}
