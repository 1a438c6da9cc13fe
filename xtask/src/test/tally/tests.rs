use super::*;

fn check(log: &str, passed: u32, failed: u32, skipped: &[&str]) {
    let expected = Tally {
        passed,
        failed,
        skipped: skipped.iter().map(|&reason| reason.to_owned()).collect(),
    };
    assert_eq!(count(log), expected, "{log}");
}

#[test]
fn libtest_is_summed_over_its_binaries() {
    let log = "running 3 tests\ntest result: ok. 3 passed; 0 failed; 0 ignored\n\
               test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.1s";
    check(log, 13, 2, &[]);
}

#[test]
fn vitest_counts_tests_and_not_files() {
    check(
        " Test Files  1 failed | 4 passed (5)\n      Tests  3 failed | 41 passed (44)\n",
        41,
        3,
        &[],
    );
}

#[test]
fn playwright_and_scripts() {
    check(
        "  1 failed\n    [chromium] › a.spec.ts:3:1 › x\n  21 passed (9.0s)\n",
        21,
        1,
        &[],
    );
    check("5 passed, 1 failed\n", 5, 1, &[]);
}

#[test]
fn what_was_not_tried_is_named() {
    check(
        "SKIPPED mcp-server-time: no venv\ntest result: ok. 1 passed; 0 failed\n",
        1,
        0,
        &["mcp-server-time: no venv"],
    );
}

#[test]
fn other_numbers_are_not_counted() {
    check(
        "checked 12 files, 3 passed the parser\nTests are fun\n$ passed\n",
        0,
        0,
        &[],
    );
}

#[test]
fn node_test_counts_what_passed_and_failed() {
    check(
        "ℹ tests 7\nℹ suites 0\nℹ pass 6\nℹ fail 1\nℹ duration_ms 1812.1\n",
        6,
        1,
        &[],
    );
}

#[test]
fn node_test_names_what_it_skipped() {
    check(
        "﹣ a window: it opens (1.4ms) # the server is missing\n✔ another (5.2ms)\n﹣ a third (0.1ms) # SKIP\n\
         ℹ tests 3\nℹ pass 1\nℹ fail 0\nℹ skipped 2\nℹ todo 0\n",
        1,
        0,
        &[
            "a window: it opens (1.4ms) # the server is missing",
            "a third (0.1ms) # SKIP",
        ],
    );
    check("ℹ pass 1\nℹ skipped 1\n", 1, 0, &["a test that is not named"]);
}

#[test]
fn node_test_counts_a_test_that_was_ended_as_failed() {
    check("ℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ cancelled 1\n", 1, 1, &[]);
}
