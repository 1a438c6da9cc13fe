//! The file of a conversation after a crash, of a newer version, damaged; rules and their file.

use std::collections::{HashMap, HashSet};
use std::io::Write as _;

use patchbay_contract::{
    ChatAlias, ChatCallState, ChatId, ChatNoticeKind, ChatRule, ChatRuleScope, ChatSettings, ServerId,
    ToolHints,
};

use super::{answer, call, user};
use crate::chat::{
    chats::{peek_all, snippet},
    conversation::Conversation,
    item::{Item, Line, VERSION},
    journal::{Journal, StoredConversation, read},
    rules::{self, CallContext, Rules, Verdict},
    toolbox::{check, free, usable},
};

pub(super) fn lines(items: &[Item]) -> String {
    let head = Line::Conversation {
        version: VERSION,
        id: "c".to_owned(),
        created_at_ms: 1.0,
    };
    let all = std::iter::once(head).chain(items.iter().map(Item::line));
    all.map(|line| serde_json::to_string(&line).unwrap() + "\n")
        .collect()
}

#[test]
fn a_call_that_was_sent_before_a_crash_is_interrupted_and_the_others_were_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let mut text = lines(&[
        user("1", "hi"),
        answer("2", "", 3),
        Item::Call(Box::new(call("3", "2", ChatCallState::Running))),
        Item::Call(Box::new(call("4", "2", ChatCallState::Waiting))),
        Item::Call(Box::new(call("5", "2", ChatCallState::Done))),
    ]);
    let complete = text.len() as u64;
    // The line that was being written when it crashed.
    text += r#"{"type":"answer","id":"6","te"#;
    std::fs::write(&path, &text).unwrap();
    let kept = read(&path).unwrap();
    assert_eq!((kept.complete, &kept.read_only), (complete, &None));
    let states: Vec<ChatCallState> = kept
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Call(call) => Some(call.state),
            _ => None,
        })
        .collect();
    assert_eq!(
        states,
        [
            ChatCallState::Interrupted,
            ChatCallState::NotRun,
            ChatCallState::Done
        ]
    );
    let Some(Item::Notice(notice)) = kept.items.last() else {
        panic!("{:?}", kept.items.last());
    };
    assert_eq!(notice.kind, ChatNoticeKind::Interrupted);

    assert_eq!(
        kept.mended.len(),
        3,
        "it is written with the next change: {:?}",
        kept.mended
    );

    // What is written next takes the place of the line that was cut off.
    let mut journal = Journal::new(path.clone(), kept.complete);
    let more = serde_json::to_string(&user("7", "on").line()).unwrap() + "\n";
    journal.add(&more).unwrap();
    let after = std::fs::read_to_string(&path).unwrap();
    assert_eq!(after, text[..complete as usize].to_owned() + &more);
}

/// Whether the lines are on the disk is not known: they are written again, once, in the same place.
#[test]
fn lines_that_do_not_reach_the_disk_are_not_added() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chat.jsonl");
    let mut journal = Journal::new(path.clone(), 0);
    let (first, second) = (lines(&[user("1", "one")]), lines(&[user("2", "two")]));
    journal.add(&first).unwrap();
    let failing = |_: &std::fs::File| Err(std::io::Error::other("the disk is gone"));
    let error = journal.add_synced(&second, failing).unwrap_err().to_string();
    assert!(
        error.contains("Writing the conversation") && error.ends_with("the disk is gone"),
        "{error}"
    );
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        first,
        "nothing was added"
    );
    journal.add(&second).unwrap();
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        format!("{first}{second}")
    );
}

/// What is added to it would have no beginning.
#[test]
fn a_file_that_was_deleted_is_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chat.jsonl");
    let mut journal = Journal::new(path.clone(), 0);
    journal.add(&lines(&[user("1", "one")])).unwrap();
    std::fs::remove_file(&path).unwrap();
    let error = journal.add(&lines(&[user("2", "two")])).unwrap_err().to_string();
    assert!(error.contains("Opening the conversation"), "{error}");
    assert!(!path.exists());
}

/// It is written under another name first, which a killed Patchbay leaves (`Folders::remove_unfinished`).
#[test]
fn first_lines_that_cannot_be_written_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chat.jsonl");
    // Nothing can take the place of a folder with something in it.
    std::fs::create_dir_all(path.join("in the way")).unwrap();
    let mut journal = Journal::new(path.clone(), 0);
    let first = lines(&[user("1", "one")]);
    let error = journal.add(&first).unwrap_err().to_string();
    assert!(error.contains("Writing the conversation"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    std::fs::remove_dir_all(&path).unwrap();
    journal.add(&first).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
}

/// A folder in the place of a file cannot be read, as a disk that fails.
#[test]
fn a_conversation_that_cannot_be_read_now_is_not_remembered_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let listed = || peek_all(folder.path(), &[], &std::collections::HashMap::new(), None);
    std::fs::create_dir(&path).unwrap();
    let (_, remembered_by, summary) = listed().remove(0);
    assert!(
        summary
            .read_only
            .is_some_and(|why| why.contains("Reading the conversation"))
    );
    assert_eq!(remembered_by, None, "the next list reads it again");
    std::fs::remove_dir(&path).unwrap();
    std::fs::write(&path, lines(&[user("1", "hi")])).unwrap();
    let (_, remembered_by, summary) = listed().remove(0);
    assert_eq!((summary.messages, summary.read_only), (1, None));
    assert!(remembered_by.is_some());
}

#[test]
fn a_newer_file_and_a_damaged_one_are_read_only_with_what_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let text = lines(&[user("1", "hi")]).replace("\"version\":3", "\"version\":4");
    std::fs::write(&path, text + "{\"type\":\"dream\",\"id\":\"2\"}\n").unwrap();
    let newer = read(&path).unwrap();
    assert!(
        newer.read_only.as_ref().unwrap().contains("A newer Patchbay"),
        "{newer:?}"
    );
    assert_eq!(newer.items[0], user("1", "hi"));

    let mut file = std::fs::File::create(&path).unwrap();
    writeln!(file, "{}not JSON", lines(&[user("1", "hi")])).unwrap();
    let damaged = read(&path).unwrap();
    assert!(
        damaged.read_only.as_ref().unwrap().contains("Line 3"),
        "{damaged:?}"
    );
    assert_eq!(damaged.items[0], user("1", "hi"));

    std::fs::write(&path, "").unwrap();
    assert!(read(&path).unwrap().read_only.unwrap().contains("no beginning"));
}

#[test]
fn a_later_line_replaces_an_item_and_keeps_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let text = lines(&[
        user("1", "hi"),
        answer("2", "", 1),
        Item::Call(Box::new(call("3", "2", ChatCallState::Running))),
        answer("4", "so", 0),
        Item::Call(Box::new(call("3", "2", ChatCallState::Done))),
    ]);
    std::fs::write(&path, text).unwrap();
    let kept = read(&path).unwrap();
    let ids: Vec<&str> = kept.items.iter().map(Item::id).collect();
    assert_eq!(ids, ["1", "2", "3", "4"]);
    assert_eq!(kept.mended, []);
}

#[test]
fn another_branch_is_shown_as_the_file_says_and_the_rest_is_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let head = |item: Option<&str>| {
        let item = item.map(str::to_owned);
        serde_json::to_string(&Line::Head { item, idle: false }).unwrap() + "\n"
    };
    let line = |item: Item| serde_json::to_string(&item.line()).unwrap() + "\n";
    let text = lines(&[user("1", "hi"), answer("2", "so", 0)]) + &head(None) + &line(user("3", "ho"));
    std::fs::write(&path, text.clone() + &line(answer("4", "oh", 0))).unwrap();
    let ids = |items: &[Item]| items.iter().map(|item| item.id().to_owned()).collect::<Vec<_>>();
    let kept = read(&path).unwrap();
    assert_eq!(
        (ids(&kept.items), ids(&kept.aside)),
        (vec!["3".into(), "4".into()], vec!["1".into(), "2".into()])
    );
    assert_eq!(
        (kept.branches.leaf("1"), kept.branches.parent("3")),
        ("2".to_owned(), None)
    );

    // A crash after the new message: only its branch is interrupted.
    std::fs::write(&path, &text).unwrap();
    let kept = read(&path).unwrap();
    assert_eq!(ids(&kept.items), ["3", "4"]);
    assert!(matches!(kept.mended[..], [Item::Notice(_)]), "{:?}", kept.mended);

    // A head that is not there is damage.
    std::fs::write(&path, text + &head(Some("9"))).unwrap();
    let kept = read(&path).unwrap();
    assert!(kept.read_only.as_ref().unwrap().contains("no item 9"), "{kept:?}");
}

/// What a crash cut short is written once: the end of a later turn is not taken for another crash.
#[tokio::test]
async fn a_crash_is_told_once_however_often_the_file_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.jsonl");
    let running = Item::Call(Box::new(call("3", "2", ChatCallState::Running)));
    std::fs::write(&path, lines(&[user("1", "hi"), answer("2", "", 1), running])).unwrap();
    let kept = read(&path).unwrap();
    let journal = Journal::new(path.clone(), kept.complete);
    let nudges = std::sync::Arc::new(crate::dispatch::nudges::Nudges::new());
    let opened = Conversation::new(ChatId("c".to_owned()), kept, Some(journal), nudges, None);
    opened
        .put(vec![user("5", "on"), answer("6", "so", 0)])
        .await
        .unwrap();
    let again = read(&path).unwrap();
    let ids: Vec<&str> = again.items.iter().map(Item::id).collect();
    assert_eq!(ids, ["1", "2", "3", "4", "5", "6"]);
    assert_eq!(again.mended, []);
}

#[test]
fn a_rule_covers_what_it_says_and_never_a_destructive_call_or_a_loop() {
    let server = ServerId("s".to_owned());
    let rule = |covers| ChatRule {
        covers,
        server_id: server.clone(),
        at_ms: 0.0,
    };
    let asked = |tool, hints, repeats, calls| CallContext {
        server: &server,
        server_name: "S",
        tool,
        hints,
        trusted: true,
        repeats,
        calls,
        changed: false,
        carries: None,
    };
    let (none, read) = (
        ToolHints::default(),
        ToolHints {
            read_only: Some(true),
            ..ToolHints::default()
        },
    );
    let destructive = ToolHints {
        destructive: Some(true),
        ..read
    };
    let decide =
        |rules: Vec<ChatRule>, call: &CallContext<'_>| rules::decide(&ChatSettings::default(), &rules, call);
    let tool = || {
        vec![rule(ChatRuleScope::Tool {
            tool: "echo".to_owned(),
        })]
    };
    assert!(matches!(
        decide(tool(), &asked("echo", none, 0, 1)),
        Verdict::Run(_)
    ));
    assert_eq!(decide(tool(), &asked("other", none, 0, 1)), Verdict::Ask(None));
    let read_only = || vec![rule(ChatRuleScope::ReadOnly {})];
    assert_eq!(
        decide(read_only(), &asked("echo", none, 0, 1)),
        Verdict::Ask(None)
    );
    assert_eq!(
        decide(read_only(), &asked("echo", read, 0, 1)),
        Verdict::Run("rule: run read-only tools of S in all conversations".to_owned())
    );
    let untrusted = CallContext {
        trusted: false,
        ..asked("echo", read, 0, 1)
    };
    let Verdict::Ask(Some(because)) = decide(read_only(), &untrusted) else {
        panic!("annotations of any server are trusted");
    };
    assert!(
        because.contains("does not apply") && because.contains("trust"),
        "{because}"
    );
    // Another rule that covers the call still runs it.
    assert!(matches!(
        decide([read_only(), tool()].concat(), &untrusted),
        Verdict::Run(_)
    ));
    let all = || vec![rule(ChatRuleScope::Server {})];
    for (call, words) in [
        (asked("echo", destructive, 0, 1), "destructive"),
        (asked("echo", none, 3, 1), "4th time"),
        (asked("echo", none, 0, 200), "200 calls at once"),
    ] {
        let Verdict::Ask(Some(because)) = decide(all(), &call) else {
            panic!("{call:?}");
        };
        assert!(because.contains(words), "{because}");
    }
    let elsewhere = ServerId("t".to_owned());
    let other = CallContext {
        server: &elsewhere,
        ..asked("echo", none, 0, 1)
    };
    assert_eq!(decide(all(), &other), Verdict::Ask(None));
    let carries = CallContext {
        carries: Some("It carries data.".to_owned()),
        ..asked("echo", none, 0, 1)
    };
    let because = Verdict::Ask(Some("It carries data.".to_owned()));
    assert_eq!(decide(all(), &carries), because);
    // What was trusted is not what the server lists now.
    let changed = CallContext {
        changed: true,
        ..asked("echo", read, 0, 1)
    };
    for rules in [tool(), read_only(), all()] {
        let Verdict::Ask(Some(because)) = decide(rules, &changed) else {
            panic!("a changed tool runs without asking");
        };
        assert!(because.contains("has changed since you reviewed it"), "{because}");
    }
}

#[tokio::test]
async fn rules_are_kept_and_a_file_that_cannot_be_read_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("chat-rules.json");
    let rule = || ChatRule {
        covers: ChatRuleScope::Server {},
        server_id: ServerId("s".to_owned()),
        at_ms: 5.0,
    };
    let kept = Rules::open(Some(path.clone()));
    kept.change(|all| rules::add(all, rule())).await.unwrap();
    kept.change(|all| rules::add(all, rule())).await.unwrap();
    assert_eq!(Rules::open(Some(path.clone())).all(), [rule()]);
    std::fs::write(&path, "{").unwrap();
    let damaged = Rules::open(Some(path.clone()));
    assert!(damaged.all().is_empty());
    let refused = damaged.change(|all| rules::add(all, rule())).await.unwrap_err();
    assert!(refused.message.contains("cannot be read"), "{}", refused.message);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{");
    // It is read again when it can be.
    Rules::open(Some(path.with_extension("other")))
        .change(|all| rules::add(all, rule()))
        .await
        .unwrap();
    std::fs::rename(path.with_extension("other"), &path).unwrap();
    assert_eq!(damaged.all(), [rule()]);
}

#[test]
fn aliases_are_names_that_all_providers_take() {
    assert_eq!(usable("dir/read file.v2"), "dir_read_file_v2");
    assert_eq!(usable(""), "tool");
    assert_eq!(usable(&"é".repeat(100)), "_".repeat(64));
    let (mut taken, mut numbers) = (HashSet::new(), HashMap::new());
    let mut next = |plain: &str| free([plain.to_owned(), format!("s_{plain}")], &mut taken, &mut numbers);
    assert_eq!(
        ["a", "a", "a_3", "a", "a", "b"].map(&mut next),
        ["a", "s_a", "a_3", "a_2", "a_4", "b"]
    );
    let long = "x".repeat(64);
    let [.., third] = [&*long, &*long, &*long].map(&mut next);
    assert_eq!(third, format!("{}_2", "x".repeat(57)));
    // A server may list as many tools with one name.
    let many: HashSet<String> = (0..100_000).map(|_| next("___")).collect();
    assert_eq!(many.len(), 100_000);
    let alias = |alias: &str| ChatAlias {
        server_id: ServerId("s".to_owned()),
        tool: alias.to_owned(),
        alias: alias.to_owned(),
    };
    assert!(check(&[alias("a"), alias("b")]).is_ok());
    assert!(
        check(&[alias("a"), alias("a")])
            .unwrap_err()
            .contains("Two tools")
    );
    for wrong in ["", "a b", "a.b", &"x".repeat(65)] {
        assert!(check(&[alias(wrong)]).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_search_shows_the_text_around_what_it_found() {
    let text = format!(
        "{} İstanbul weather {}",
        "before ".repeat(30),
        "after ".repeat(30)
    );
    let found = snippet(&text, "weather").unwrap();
    assert!(found.contains("İstanbul weather after"), "{found}");
    assert!(found.len() < 200, "{found}");
    assert_eq!(snippet("abc", "d"), None);
}

/// What has happened is shown even if the disk is full, and is in the file as soon as that can be written.
#[tokio::test]
async fn what_could_not_be_saved_is_shown_and_written_with_the_next_change() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("chats");
    std::fs::write(&blocked, "not a folder").unwrap();
    let path = blocked.join("c.jsonl");
    let (id, stored) = (ChatId("c".to_owned()), StoredConversation::default());
    let nudges = std::sync::Arc::new(crate::dispatch::nudges::Nudges::new());
    let conversation = Conversation::new(id, stored, Some(Journal::new(path.clone(), 0)), nudges, None);
    let refused = conversation.put(vec![user("1", "lost")]).await;
    assert!(refused.is_err() && conversation.items().is_empty());
    let told = conversation
        .notice(
            ChatNoticeKind::Failed,
            "The disk is full.",
            "Free some space.",
            None,
        )
        .await;
    assert!(told.is_err());
    let ended = call("2", "1", ChatCallState::Done);
    let kept = conversation.keep(vec![Item::Call(Box::new(ended))]).await;
    assert!(kept.is_err());
    let shown = conversation.items();
    assert!(
        matches!(&shown[..], [Item::Notice(notice), Item::Call(_)] if notice.cause == "The disk is full."),
        "{shown:?}"
    );

    // Nor can it be at the end of Patchbay, unless that has changed by then.
    assert!(conversation.write_kept().await.is_err());

    std::fs::remove_file(&blocked).unwrap();
    conversation.write_kept().await.unwrap();
    assert_eq!(read(&path).unwrap().items[..2], shown[..]);
    for (id, text) in [("3", "again"), ("4", "more")] {
        conversation.put(vec![user(id, text)]).await.unwrap();
    }
    let saved = read(&path).unwrap();
    assert_eq!(saved.read_only, None);
    assert_eq!(saved.items[..4], conversation.items()[..]);
}
