//! `--limit`, and the limits in the settings of a saved server.

use super::{Patchbay, scripted};

#[test]
fn a_limit_of_the_command_line_takes_effect_and_is_said() {
    let patchbay = Patchbay::new();
    let server = scripted("pages");
    let list = |limit: &[&str]| {
        let args = [&["tools", "list", "--era", "legacy", "--stdio", &server], limit].concat();
        let ended = patchbay.run(&args).code(0);
        (ended.stdout.lines().count(), ended.stderr)
    };
    let (pages, said) = list(&[]);
    assert_eq!((pages, said.as_str()), (3, ""));
    let (pages, said) = list(&["--limit", "listPages=2"]);
    assert_eq!(pages, 2);
    assert!(said.contains("still a `nextCursor` after 2 pages"), "{said}");
}

#[test]
fn a_limit_that_there_is_not_or_that_is_out_of_range_is_a_usage_error() {
    let patchbay = Patchbay::new();
    let server = scripted("pages");
    for (limit, why) in [
        ("listPage=2", "There is no limit `listPage`"),
        ("listPages=0", "must be from 1 to 100000, not 0"),
        ("listPages=many", "`many` is not a number"),
        ("listPages", "must look like NAME=NUMBER"),
    ] {
        let ended = patchbay
            .run(&["tools", "list", "--limit", limit, "--stdio", &server])
            .code(1);
        assert!(ended.stderr.contains(why), "{limit}: {}", ended.stderr);
        assert!(ended.stdout.is_empty(), "{limit}: {}", ended.stdout);
    }
}

#[test]
fn an_answer_beyond_the_limit_of_a_frame_ends_with_its_cause() {
    let patchbay = Patchbay::new();
    let args = [
        "tools",
        "call",
        "--era",
        "legacy",
        "--limit",
        "frameBytes=1048576",
        "--stdio",
    ];
    let ended = patchbay.run(&[&args[..], &[&scripted("legacy"), "big", r#"{"n":3}"#]].concat());
    assert!(ended.code.is_some_and(|code| code > 0), "{ended:?}");
    assert!(
        ended.stderr.contains("more than 1 MiB without ending the line"),
        "{}",
        ended.stderr
    );
}
