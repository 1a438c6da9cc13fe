//! Stores of older versions, interrupted migrations, concurrent processes, and missing indexes.

use super::files::{folder, query};
use super::*;
use crate::disk::schema::migrate_to;

/// A store of schema version 2 with a call that broke a rule.
fn second(path: &std::path::Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mut db = Connection::open(path).unwrap();
    assert!(migrate_to(&mut db, 2).is_ok());
    db.execute_batch(
        r#"INSERT INTO run (id, wall_ns, last_seq) VALUES (1, 0, 0);
         INSERT INTO connection (id, run, server_id, server_name) VALUES (1, 1, 'one', 'ONE'), (2, 1, 'doctor', 'D');
         INSERT INTO record (seq, connection, kind, direction, at_ns, size, redactions, violation_count, method, summary,
                 status, pair, rpc_id, violations)
             VALUES (1, 1, 0, 0, 5, 3, 0, 0, 'tools/call', 'get-sum', 1, 2, '1', NULL),
                 (2, 1, 2, 1, 6, 3, 0, 2, 'tools/call', NULL, 1, 1, '1',
                  '{"rule":"a","severity":"warning","message":"say ''\"x\"''\u000a,","pointer":"/id"}' || char(10)
                  || '{"rule":"b","severity":"error","message":"m","spec":"s"}' || char(10)),
                 (3, 2, 4, 0, 7, 3, 0, 1, NULL, NULL, NULL, NULL, NULL, 'not JSON'),
                 (4, 1, 1, 1, 8, 3, 0, 0, 'notifications/message', 'error db pool: a: b', NULL, NULL, NULL, NULL),
                 (5, 1, 1, 1, 9, 3, 0, 0, 'notifications/message', '?: a b', NULL, NULL, NULL, NULL),
                 (6, 1, 5, NULL, 10, 3, 0, 0, NULL, 'a line', NULL, NULL, NULL, NULL);
         INSERT INTO body (seq, bytes) VALUES (1, x'6f6c64'), (2, x'6e6577'), (3, x'786f7a');"#,
    )
    .unwrap();
}

async fn check(path: PathBuf) {
    let harness = Harness::at(Some(path));
    let rows = harness.all().await;
    assert_eq!(
        script(&rows),
        "1 one -> Request #1 tools/call \"get-sum\" Ok <->2 3 B\n\
         2 one <- Response #1 tools/call Ok <->1 !2 3 B\n\
         3  -> Invalid \"xoz\" !1 3 B\n\
         4 one <- Notification notifications/message \"error db pool: a: b\" 3 B\n\
         5 one <- Notification notifications/message \"?: a b\" 3 B\n\
         6 one Stderr \"a line\" 3 B\n"
    );
    assert_eq!(rows[2].origin, Origin::Doctor);
    let tools: Vec<_> = rows.iter().map(|row| row.tool.as_deref()).collect();
    assert_eq!(tools, [Some("get-sum"), Some("get-sum"), None, None, None, None]);
    let loggers: Vec<_> = rows.iter().filter_map(|row| row.logger.as_deref()).collect();
    assert_eq!(loggers, ["db pool"]);
    let violations = harness.store.record(2).await.unwrap().unwrap().violations;
    let found: Vec<_> = violations
        .iter()
        .map(|found| {
            (
                &*found.rule,
                found.severity,
                &*found.message,
                found.pointer.as_deref(),
                found.spec.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("a", crate::Severity::Warning, "say '\"x\"'\n,", Some("/id"), None),
            ("b", crate::Severity::Error, "m", None, Some("s")),
        ]
    );
    for (filter, expected) in [
        ("rule:b", vec![2]),
        ("tool:get-sum", vec![1, 2]),
        ("xo", vec![3]),
        ("id:1", vec![1, 2]),
        ("level:error,stderr", vec![4, 6]),
        ("level:unknown", vec![5]),
        ("logger:\"db pool\"", vec![4]),
    ] {
        let rows = harness
            .store
            .rows(&Filter::parse(filter).unwrap(), 0, PAGE)
            .await
            .unwrap();
        assert_eq!(
            rows.iter().map(|row| row.seq).collect::<Vec<_>>(),
            expected,
            "{filter}"
        );
    }
    harness.store.close().await.unwrap();
}

#[tokio::test]
async fn a_store_of_an_older_version_migrates_without_loss() {
    let (_folder, path) = folder();
    second(&path);
    check(path.clone()).await;
    // And again, from the saved index.
    check(path).await;
}

#[tokio::test]
async fn an_interrupted_migration_continues() {
    for done in [3, 4, 5] {
        let (_folder, path) = folder();
        second(&path);
        let mut db = Connection::open(&path).unwrap();
        // One step is complete; the next one was interrupted.
        assert!(migrate_to(&mut db, done).is_ok());
        let broken = db.transaction().unwrap();
        broken
            .execute_batch("CREATE TABLE half (id INTEGER); DELETE FROM record; PRAGMA user_version = 9")
            .unwrap();
        broken.rollback().unwrap();
        drop(db);
        check(path).await;
    }
}

#[tokio::test]
async fn concurrent_migrations_both_succeed() {
    let (_folder, path) = folder();
    second(&path);
    let start = Arc::new(std::sync::Barrier::new(2));
    let migrate = || {
        let (path, start) = (path.clone(), Arc::clone(&start));
        std::thread::spawn(move || {
            let mut db = Connection::open(path).unwrap();
            db.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
            start.wait();
            crate::disk::schema::migrate(&mut db).is_ok()
        })
    };
    let both = [migrate(), migrate()];
    for one in both {
        assert!(one.join().unwrap());
    }
    check(path).await;
}

#[tokio::test]
async fn a_damaged_or_missing_index_is_rebuilt() {
    let (_folder, path) = folder();
    second(&path);
    check(path.clone()).await;
    let damage = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    assert_eq!(query(&path, "SELECT count(*) FROM facet"), 1);
    damage("UPDATE facet SET sets = x'00ff'");
    check(path.clone()).await;
    damage("DELETE FROM facet; DELETE FROM text_page");
    check(path).await;
}
