//! When the writer wakes up for the quota.

use std::collections::VecDeque;

use super::*;
use crate::disk::open;
use crate::intake::queue::{Content, Unnumbered};
use crate::{Origin, Quota};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// A writer that does only what a test has it do.
fn writer() -> (tempfile::TempDir, Writer) {
    let folder = tempfile::tempdir().unwrap();
    let (_, mut writer) = open::open(&folder.path().join("traffic.sqlite")).unwrap();
    // What the beginning of a log does.
    writer.clean_up();
    while writer.deleting {
        writer.clean_up();
    }
    (folder, writer)
}

fn set(writer: &mut Writer, quota: Quota) {
    *lock(&writer.shared.quota) = quota;
    writer.checked = None;
    writer.clean_up();
}

/// Writes a record of now, and cleans up as after every batch.
fn record(writer: &mut Writer) {
    let queue = &writer.shared.queue;
    let connection = queue.connection("one".into(), "one".into(), Origin::Client);
    let record = Unnumbered {
        at_ns: writer.shared.now_ns(),
        connection,
        redactions: 0,
        content: Content::Stderr("line".into()),
    };
    assert!(queue.record_at_once(record).is_ok());
    queue.hurry();
    let mut items = VecDeque::new();
    let shared = std::sync::Arc::clone(&writer.shared);
    assert!(shared.queue.take(&mut items, None));
    assert!(writer.work(&mut items, &mut Default::default()).is_ok());
    writer.clean_up();
}

/// The last check was so long ago that the next one is due.
fn later(writer: &mut Writer) {
    writer.checked = writer.checked.and_then(|checked| checked.checked_sub(EVERY));
}

#[test]
fn without_a_reason_the_writer_does_not_wake_up() {
    let (_folder, mut writer) = writer();
    assert_eq!(writer.patience(), None);
    let no_age = Quota::default();
    let of_age = |age| Quota {
        bytes: None,
        age: Some(age),
    };
    // There is no record to remove.
    set(&mut writer, of_age(HOUR));
    assert_eq!(writer.patience(), None);
    set(&mut writer, no_age);
    record(&mut writer);
    later(&mut writer);
    writer.clean_up();
    assert_eq!(writer.patience(), None);
    // More than an `Instant` can say.
    set(&mut writer, of_age(Duration::MAX));
    assert!(writer.patience().is_some_and(|patience| patience > HOUR));
    let mut items = VecDeque::new();
    writer.shared.queue.close();
    assert!(!writer.shared.queue.take(&mut items, writer.patience()));
}

#[test]
fn a_check_that_was_skipped_is_made_up_for() {
    let (_folder, mut writer) = writer();
    set(&mut writer, Quota::default());
    let checked = writer.checked;
    record(&mut writer);
    assert_eq!(writer.checked, checked, "it is too soon");
    assert!(writer.patience().is_some_and(|patience| patience <= EVERY));
    later(&mut writer);
    assert_eq!(writer.patience(), Some(Duration::ZERO));
    writer.clean_up();
    assert_eq!(writer.patience(), None);
}

#[test]
fn the_writer_wakes_up_when_the_oldest_record_expires() {
    let (_folder, mut writer) = writer();
    record(&mut writer);
    let quota = Quota {
        bytes: None,
        age: Some(HOUR),
    };
    set(&mut writer, quota);
    let patience = writer.patience().unwrap();
    assert!(patience <= HOUR && patience > HOUR / 2, "{patience:?}");
    // An hour passes.
    writer.wall_ns += HOUR.as_nanos() as i64;
    assert!(writer.patience().is_some_and(|patience| patience <= EVERY));
    later(&mut writer);
    assert_eq!(writer.patience(), Some(Duration::ZERO));
    writer.clean_up();
    assert!(writer.shared.index().all().is_empty());
    while writer.deleting {
        writer.clean_up();
    }
    later(&mut writer);
    writer.clean_up();
    assert_eq!(writer.patience(), None);
}

/// Every removal resets the views of the log, so that they are rare.
#[test]
fn a_tenth_of_the_maximum_age_is_removed_at_once() {
    const AGE: Duration = Duration::from_secs(60);
    let (_folder, mut writer) = writer();
    let quota = Quota {
        bytes: None,
        age: Some(AGE),
    };
    set(&mut writer, quota);
    // A record and a check each second.
    let mut checks = |count: u64| {
        let before = writer.shared.index().epoch();
        for _ in 0..count {
            writer.wall_ns += EVERY.as_nanos() as i64;
            record(&mut writer);
            later(&mut writer);
            writer.clean_up();
            while writer.deleting {
                writer.clean_up();
            }
            let now = writer.now();
            let all = writer.shared.index().all().clone();
            assert_eq!(writer.older_than(now - AGE, all.len()).unwrap(), 0);
        }
        let kept = writer.shared.index().all().len();
        (writer.shared.index().epoch() - before, kept)
    };
    assert_eq!(checks(55), (0, 55));
    let (removals, kept) = checks(60);
    assert!((1..=10).contains(&removals), "{removals}");
    assert!(kept >= 53, "{kept}");
}
