use super::*;

fn tests(text: &str) -> Vec<(bool, Test)> {
    let terms = Filter::parse(text).unwrap().terms;
    terms.into_iter().map(|term| (term.negated, term.test)).collect()
}

fn error(text: &str) -> String {
    let FilterError { at, len, cause } = Filter::parse(text).unwrap_err();
    let marked: String = text.chars().skip(at).take(len).collect();
    format!("[{marked}] {cause}")
}

#[test]
fn every_term_is_parsed() {
    let limit = |compare, value| Limit { compare, value };
    let text = |text: &str| Test::Text(text.to_owned());
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let patterns = |names: &[&str]| {
        names
            .iter()
            .map(|name| Pattern::new(name.split('*')))
            .collect::<Vec<_>>()
    };
    for (written, test) in [
        ("server:one,two", Test::Server(names(&["one", "two"]))),
        ("server:\"my server\"", Test::Server(names(&["my server"]))),
        ("server:\"a,b\",c", Test::Server(names(&["a,b", "c"]))),
        ("tool:a\",\"b", Test::Tool(patterns(&["a,b"]))),
        ("tool:\"a, b\"*", Test::Tool(patterns(&["a, b*"]))),
        ("id:\"1,2\",3", Test::Id(names(&["1,2", "3"]))),
        (
            r#"tool:"5\*3",a*"#,
            Test::Tool(vec![Pattern::new(["5*3"]), Pattern::new(["a", ""])]),
        ),
        ("server:", Test::Server(names(&[""]))),
        ("connection:3", Test::Connection(3)),
        (
            "origin:tap,doctor",
            Test::Origin(vec![Origin::Tap, Origin::Doctor]),
        ),
        ("op:17", Test::Operation(vec![17])),
        ("kind:Request,http", Test::Kind(vec![Kind::Request, Kind::Http])),
        ("dir:received", Test::Direction(vec![Direction::ServerToClient])),
        ("status:timedout", Test::Status(vec![Status::TimedOut])),
        ("method:tools/*", Test::Method(patterns(&["tools/*"]))),
        ("TOOL:get-sum", Test::Tool(patterns(&["get-sum"]))),
        ("rule:bad-id", Test::Rule(patterns(&["bad-id"]))),
        (
            "otherrule:bad-id,list-*",
            Test::OtherRule(patterns(&["bad-id", "list-*"])),
        ),
        (
            "level:Error,stderr",
            Test::Log(vec![LogClass::Error, LogClass::Stderr]),
        ),
        ("logger:db.*", Test::Logger(patterns(&["db.*"]))),
        ("after:12", Test::After(12)),
        ("id:7", Test::Id(names(&["7"]))),
        ("task:a,B", Test::Task(names(&["a", "B"]))),
        ("has:violation", Test::Violation),
        ("dur>500ms", Test::Duration(limit(Compare::More, 500_000_000))),
        ("dur<=1.5s", Test::Duration(limit(Compare::AtMost, 1_500_000_000))),
        ("dur:>2min", Test::Duration(limit(Compare::More, 120_000_000_000))),
        ("size>=10kB", Test::Size(limit(Compare::AtLeast, 10_000))),
        ("size=12", Test::Size(limit(Compare::Equal, 12))),
        ("word", text("word")),
        ("\"two words\"", text("two words")),
        ("\"kind:nonsense\"", text("kind:nonsense")),
        (r#""a \"quoted\" \\ word""#, text(r#"a "quoted" \ word"#)),
        (r#""C:\Program Files\x""#, text(r"C:\Program Files\x")),
        (r#"server:"a\b,c""#, Test::Server(names(&[r"a\b,c"]))),
        ("/path:8080", text("/path:8080")),
        ("a=b", text("a=b")),
        ("-", text("-")),
        ("\"-word\"", text("-word")),
    ] {
        assert_eq!(tests(written), [(false, test.clone())], "{written}");
        if written != "-" {
            assert_eq!(tests(&format!("-{written}")), [(true, test)], "-{written}");
        }
    }
    assert_eq!(tests("  a \t kind:http  ").len(), 2);
    assert_eq!(Filter::parse(" "), Ok(Filter::default()));
}

#[test]
fn a_star_stands_for_anything_at_any_place() {
    let matches = |pattern: &str, name: &str| Pattern::new(pattern.split('*')).matches(name);
    for (pattern, names, others) in [
        (
            "*/list",
            &["tools/list", "/list", "a/b/LIST"][..],
            &["tools/list2", "list", ""][..],
        ),
        (
            "*search*",
            &["search", "WebSearch", "search_all", "a_search_b"],
            &["sea_rch", ""],
        ),
        (
            "schema-*-ref",
            &["schema-network-ref", "Schema--REF"],
            &["schema-ref", "schema-x-refs"],
        ),
        ("a*b*c", &["abc", "a-b-b-c", "aXbc"], &["acb", "ab", "abcd"]),
        ("a*a", &["aa", "aba"], &["a"]),
        ("**", &["", "x"], &[]),
        ("*", &["", "x"], &[]),
        ("tools/*", &["tools/", "TOOLS/call"], &["tool", "xtools/call"]),
        ("exact", &["EXACT"], &["exactly", "inexact", ""]),
        ("\u{e9}*\u{e9}", &["\u{e9}\u{e9}"], &["\u{e9}", "\u{c3}"]),
    ] {
        for name in names {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for name in others {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}

/// Trying every place for every piece would not end.
#[test]
fn a_pattern_of_many_pieces_takes_time_in_proportion() {
    let name = "a".repeat(1 << 20);
    let pattern = Pattern::new(vec!["a"; 1000].into_iter().chain(["b", ""]));
    assert!(!pattern.matches(&name));
    assert!(Pattern::new(vec!["a"; 1000]).matches(&name));
}

#[test]
fn an_invalid_filter_is_rejected_with_its_position() {
    for (text, expected) in [
        (
            "ok kidn:request",
            "[kidn:request] `kidn:` is unknown. Use one of server:, connection:, origin:, op:, kind:, dir:, \
            status:, method:, tool:, id:, task:, has:, rule:, otherrule:, level:, logger:, after:, dur>, size>, or put text that contains a colon in quotes",
        ),
        (
            "é kind:reqest",
            "[kind:reqest] \"reqest\" is unknown; allowed: request, notification, response, batch, invalid, \
            stderr, lifecycle, gap, http",
        ),
        (
            "kind:",
            "[kind:] `kind:` needs a value: request, notification, response, batch, invalid, stderr, lifecycle, gap, http",
        ),
        (
            "method:",
            "[method:] `method:` needs a value; put text that contains a colon in quotes",
        ),
        ("op:x", "[op:x] \"x\" is not a number; `op:` takes numbers"),
        (
            "dur>fast",
            "[dur>fast] `dur` takes a number and a unit (ns, us, µs, ms, s, min), such as dur>500ms",
        ),
        (
            "size>1tb",
            "[size>1tb] `size` takes a number and a unit (b, kb, mb, gb), such as size>10kb",
        ),
        (
            "has:cheese",
            "[has:cheese] \"cheese\" is unknown; `has:` takes: violation",
        ),
        ("a \"b c", "[\"b c] the quote is not closed; add a closing \""),
    ] {
        assert_eq!(error(text), expected);
    }
    let many = "a ".repeat(65);
    assert_eq!(error(&many), "[a] a filter has at most 64 terms");
    let shown = Filter::parse("ok kind:x").unwrap_err().to_string();
    assert!(
        shown.starts_with("The filter is invalid at character 4: \"x\" is unknown"),
        "{shown}"
    );
}

proptest::proptest! {
    /// In quotes, with a backslash before what means something there, a value means itself.
    #[test]
    fn a_quoted_value_is_one_value(value in ".{1,20}") {
        let escaped: String = value
            .chars()
            .flat_map(|char| r#""\*"#.contains(char).then_some('\\').into_iter().chain([char]))
            .collect();
        proptest::prop_assert_eq!(
            tests(&format!("server:\"{escaped}\" tool:\"{escaped}\"")),
            [
                (false, Test::Server(vec![value.clone()])),
                (false, Test::Tool(vec![Pattern::new([&*value])])),
            ]
        );
    }

    #[test]
    fn arbitrary_text_is_parsed_or_rejected_with_a_valid_position(text in ".{0,40}") {
        if let Err(error) = Filter::parse(&text) {
            proptest::prop_assert!(error.at + error.len <= text.chars().count());
            proptest::prop_assert!(error.len > 0);
        }
    }
}
