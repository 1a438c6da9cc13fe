use super::*;

#[test]
fn classes_cover_every_number_in_order() {
    assert_eq!(range(0), (0, 0));
    for at in 1..CLASSES {
        assert_eq!(range(at - 1).1 + 1, range(at).0, "{at}");
        let (from, to) = range(at);
        assert_eq!((class(from), class(to)), (at, at));
    }
    assert_eq!(range(CLASSES - 1).1, u64::MAX);
}

fn index() -> Index {
    let mut index = Index::default();
    for seq in [1, 2, 70_000] {
        let facets = Facets {
            connection: 3,
            kind: Some(Kind::Request),
            direction: Some(Direction::ServerToClient),
            status: Some(Status::Ok),
            latency_ns: Some(seq),
            size: 100 * seq,
            method: Some("ping".to_owned()),
            tool: (seq > 1).then(|| "t".to_owned()),
            log: Some(LogClass::Alert),
            logger: Some("db".to_owned()),
            rules: vec!["r".to_owned()],
        };
        index.insert(seq, &facets);
    }
    index
}

#[test]
fn a_saved_segment_round_trips() {
    let from = index();
    assert_eq!(from.segments(), [0, 1]);
    let mut to = Index::default();
    for segment in from.segments() {
        to.load(&from.save(segment).unwrap()).unwrap();
    }
    assert_eq!((to.last(), to.segments()), (70_000, vec![0, 1]));
    for segment in [0, 1] {
        let parts = |index: &Index| {
            let mut parts: Vec<(u8, Vec<u8>, Set)> = index
                .parts()
                .into_iter()
                .filter(|(.., set)| !set.is_empty())
                .map(|(table, key, set)| (table, key, set.clone()))
                .collect();
            parts.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
            parts
        };
        assert_eq!(parts(&from), parts(&to), "{segment}");
    }
}

#[test]
fn a_damaged_segment_is_rejected_completely() {
    let bytes = index().save(0).unwrap();
    for end in [1, 4, 7, bytes.len() / 2, bytes.len() - 1] {
        let mut index = Index::default();
        assert!(index.load(&bytes[..end]).is_err(), "{end}");
        assert!(index.all().is_empty());
    }
    let mut wrong = bytes;
    wrong[0] = 99;
    assert!(Index::default().load(&wrong).is_err());
}

#[test]
fn log_lines_of_several_classes_are_found_by_one_term() {
    let mut index = Index::default();
    let classes = [
        None,
        Some(LogClass::Error),
        Some(LogClass::Stderr),
        Some(LogClass::Debug),
    ];
    for (seq, log) in (1..).zip(classes) {
        let logger = (seq > 2).then(|| format!("db.{seq}"));
        let facets = Facets {
            log,
            logger,
            ..Facets::default()
        };
        index.insert(seq, &facets);
    }
    let found = |text: &str| {
        let filter = crate::Filter::parse(text).unwrap();
        let bounds = index.bounds(&filter.terms, index.all(), &[]);
        assert_eq!(bounds.sure, bounds.possible, "{text}");
        bounds.sure.iter().collect::<Vec<_>>()
    };
    assert_eq!(found("level:error,stderr"), [2, 3]);
    assert_eq!(found("-level:error"), [1, 3, 4]);
    assert_eq!(found("logger:DB.*"), [3, 4]);
    assert_eq!(found("level:debug,stderr logger:db.4"), [4]);
    assert_eq!(found("after:2"), [3, 4]);
    assert_eq!(found("after:4"), Vec::<u64>::new());
}

#[test]
fn names_beyond_the_limit_are_still_candidates() {
    let mut index = Index::default();
    for seq in 1..=NAMES as u64 + 2 {
        let method = Some(format!("m{seq}"));
        index.insert(
            seq,
            &Facets {
                method,
                ..Facets::default()
            },
        );
    }
    let filter = crate::Filter::parse("method:m1,m4098").unwrap();
    let bounds = index.bounds(&filter.terms, index.all(), &[]);
    assert_eq!(bounds.sure.iter().collect::<Vec<_>>(), [1]);
    assert_eq!(bounds.possible.iter().collect::<Vec<_>>(), [1, 4097, 4098]);
}

#[test]
fn a_record_with_other_rules_is_found_whatever_else_it_violates() {
    let mut index = Index::default();
    for (seq, rules) in (1..).zip([
        &[][..],
        &["cr"],
        &["cr", "not-json"],
        &["list-a"],
        &["list-b", "cr"],
    ]) {
        let rules = rules.iter().map(|rule| (*rule).to_owned()).collect();
        index.insert(
            seq,
            &Facets {
                rules,
                ..Facets::default()
            },
        );
    }
    let found = |text: &str| {
        let filter = crate::Filter::parse(text).unwrap();
        let bounds = index.bounds(&filter.terms, index.all(), &[]);
        assert_eq!(bounds.sure, bounds.possible, "{text}");
        bounds.sure.iter().collect::<Vec<_>>()
    };
    assert_eq!(found("otherrule:cr"), [3, 4, 5]);
    assert_eq!(found("otherrule:CR,list-*"), [3]);
    assert_eq!(found("-otherrule:cr"), [1, 2]);
    assert_eq!(found("otherrule:*"), Vec::<u64>::new());
}
