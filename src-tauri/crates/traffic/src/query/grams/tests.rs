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
        pages.add(block * BLOCK + 3, text.as_bytes());
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
    taken.add(63 * BLOCK + 4, b"more");
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

/// The numbers of all runs of these texts.
fn numbers(texts: &[String]) -> Box<[u64; OPEN]> {
    let mut open = Box::new([0; OPEN]);
    for text in texts {
        for length in 1..=3 {
            for run in text.to_ascii_lowercase().as_bytes().windows(length) {
                let number = match *run {
                    [a] => one(a),
                    [a, b] => two(a, b),
                    [a, b, c] => three(a, b, c),
                    _ => unreachable!("at most three bytes"),
                };
                set(&mut open, hash(number));
            }
        }
    }
    open
}

#[test]
fn every_run_of_texts_that_resemble_each_other_is_indexed() {
    let mut random = 1_u64;
    let mut below = |limit: usize| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    for length in [0, 1, 2, 3, 60, 200, 20_000] {
        let mut page = Page::new();
        let mut texts: Vec<String> = Vec::new();
        for round in 0..40 {
            // Mostly an earlier text with one part replaced. Of few characters, so that parts are equal by chance, or of so many
            // that the table of runs is too small for them.
            let characters = if length > 1_000 { 100 } else { 4 };
            let letters = |count: usize, below: &mut dyn FnMut(usize) -> usize| -> String {
                (0..count).map(|_| char::from(below(characters) as u8)).collect()
            };
            let mut text = match round % 5 {
                0 => letters(length, &mut below),
                _ => texts[below(texts.len())].clone(),
            };
            let (start, end) = (below(text.len() + 1), below(text.len() + 1));
            let inserted = letters(1, &mut below) + &letters(round % 7, &mut below);
            text.replace_range(start.min(end)..(start.min(end) + 5).min(text.len()), &inserted);
            page.text(text.as_bytes());
            texts.push(text);
            assert!(page.open == numbers(&texts), "{length}, {round}");
        }
        // The next block has none of them.
        let last = texts.pop().unwrap_or_default();
        page.enter(1);
        page.text(last.as_bytes());
        assert!(page.open == numbers(&[last]), "{length}: the next block");
    }
}
