use super::*;

fn paths(names: &[&str]) -> BTreeSet<PathBuf> {
    names.iter().map(PathBuf::from).collect()
}

#[test]
fn a_file_that_changed_without_a_build_is_edited_and_others_are_written_by_it() {
    let mut sources = Sources::default();
    sources.add(&paths(&["src/a.ts", "src/b.ts"]));
    let (edited, written) = sources.sort(paths(&["src/a.ts", "dist/a.js", "dist/b.js"]));
    assert_eq!(edited, [PathBuf::from("src/a.ts")]);
    assert_eq!(written.len(), 2);
}

#[test]
fn restarts_in_a_row_that_lead_to_changes_are_a_loop() {
    let mut series = Series::default();
    for _ in 0..MOST_IN_A_ROW - 1 {
        assert!(!series.is_loop(true));
    }
    // Somebody edits.
    assert!(!series.is_loop(false));
    for _ in 0..MOST_IN_A_ROW - 1 {
        assert!(!series.is_loop(true));
    }
    assert!(series.is_loop(true));
    series.reset();
    assert!(!series.is_loop(true));
}
