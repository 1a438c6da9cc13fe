use super::*;

/// The blocks of the first page that may contain the text.
fn blocks(pages: Pages, db: &Connection, text: &str) -> Vec<u64> {
    let memory = std::sync::Mutex::new(pages);
    let found = Needed::text(text).blocks(0, db, &memory).unwrap();
    (0..64).filter(|block| found >> block & 1 == 1).collect()
}

fn database() -> Connection {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch("CREATE TABLE text_page (id INTEGER PRIMARY KEY, words BLOB NOT NULL)")
        .unwrap();
    db
}

/// One text in each of these blocks, with others around it.
fn pages(texts: &[(u64, &str)]) -> Pages {
    let mut pages = Pages::default();
    pages.reach(0);
    for (block, text) in texts {
        pages.add(block * BLOCK + 3, &[text.as_bytes()]);
    }
    pages
}

const TEXTS: &[(u64, &str)] = &[(0, "Checksum"), (5, "a caf\u{e9}"), (5, "x"), (63, "{\"id\":17}")];

#[test]
fn any_substring_finds_its_block() {
    let cases: &[(&str, &[u64])] = &[
        ("checksum", &[0]),
        ("CKSU", &[0]),
        ("cksum and more", &[]),
        ("caf\u{e9}", &[5]),
        ("\u{e9}", &[5]),
        ("x", &[5]),
        ("17", &[63]),
        ("\"id\":17", &[63]),
        ("nowhere", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(
            &blocks(pages(TEXTS), &database(), text),
            expected,
            "{text} in memory"
        );
        let db = database();
        let mut written = pages(TEXTS);
        written.write(&db, 0).unwrap();
        assert_eq!(&blocks(Pages::default(), &db, text), expected, "{text} on disk");
    }
}

#[test]
fn a_missing_or_changed_page_is_searched() {
    let all: Vec<u64> = (0..64).collect();
    assert_eq!(blocks(Pages::default(), &database(), "nowhere"), all);
    let db = database();
    pages(TEXTS).write(&db, 0).unwrap();
    changed(&db, 7 * BLOCK).unwrap();
    changed(&db, PAGE).unwrap();
    assert_eq!(blocks(Pages::default(), &db, "nowhere"), [7]);
    assert_eq!(blocks(Pages::default(), &db, "checksum"), [0, 7]);
}

#[test]
fn a_reloaded_page_is_unchanged_and_can_be_extended() {
    let db = database();
    pages(TEXTS).write(&db, 0).unwrap();
    let mut taken = Pages::default();
    taken.take(&db, 63 * BLOCK + 3).unwrap();
    taken.add(63 * BLOCK + 4, &[b"more"]);
    assert_eq!(blocks(taken, &db, "more"), [63]);
    let mut taken = Pages::default();
    taken.take(&db, 63 * BLOCK).unwrap();
    // It is only in memory now, so after a crash its records are searched.
    assert_eq!(blocks(taken, &db, "nowhere"), (0..64).collect::<Vec<_>>());
}

proptest::proptest! {
    /// A block that contains a text is never missed.
    #[test]
    fn substrings_are_always_found(text in "[a-cA-C\u{e9}\"]{1,12}", from in 0_usize..12, len in 1_usize..12) {
        let part: String = text.chars().skip(from).take(len).collect();
        let found = blocks(pages(&[(9, &text)]), &database(), &part);
        proptest::prop_assert!(found.contains(&9));
    }
}
