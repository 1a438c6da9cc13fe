use super::{command_words, line, split};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(
        split(text).as_deref(),
        Some(
            expected
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
                .as_slice()
        ),
        "{text}"
    );
}

#[test]
fn words_are_those_of_a_shell() {
    check(
        r#"a 'b c' "d \" \\ \x" e\ f \; '' # g"#,
        &["a", "b c", r#"d " \ \x"#, "e f", ";", ""],
    );
    check("a#b\nc\\\nd \"e\nf\\\ng\"", &["a#b", "c", "d", "e\nfg"]);
    check("  ", &[]);
    assert_eq!(split("a 'b"), None);
    assert_eq!(
        command_words("x -y"),
        Some(("x".to_owned(), vec!["-y".to_owned()]))
    );
    assert_eq!(command_words("''"), None);
}

#[test]
fn paths_of_windows_keep_their_backslashes() {
    check(
        r"C:\Users\me\server.exe --root C:\data\ --log=D:\logs\x.txt",
        &[
            r"C:\Users\me\server.exe",
            "--root",
            r"C:\data\",
            r"--log=D:\logs\x.txt",
        ],
    );
    check(
        r"\\host\share\x.exe .\server.exe ..\$x",
        &[r"\\host\share\x.exe", r".\server.exe", r"..$x"],
    );
    check(r#""C:\Program Files\x\" y"#, &[r"C:\Program Files\x\", "y"]);
    check(
        r#""'C:\data\" --log="'D:\logs\""#,
        &[r"'C:\data\", r"--log='D:\logs\"],
    );
    check(
        r#"""C:\data\ --log=""D:\logs\"#,
        &[r"C:\data\", r"--log=D:\logs\"],
    );
    // Escaped as in a shell or in JSON.
    check(r"C:\\Users\\me", &[r"C:\Users\me"]);
}

#[test]
fn quotation_marks_without_end_are_read_once() {
    for marks in ["\"", "\"'", "='"] {
        let text = marks.repeat((1 << 20) / marks.len());
        assert!(split(&text).is_none_or(|words| words.len() == 1), "{marks}");
    }
}

#[test]
fn a_line_ends_where_no_quotation_mark_is_open() {
    let end = |text| line(text).map(|(words, end)| (words.len(), end));
    assert_eq!(end("a b\nc"), Some((2, 3)));
    assert_eq!(end("a 'b\nc' d\ne"), Some((3, 9)));
    assert_eq!(end("a \\\nb\nc"), Some((2, 5)));
    assert_eq!(end(r"cd C:\data\"), Some((2, 11)));
    assert_eq!(end("node C:\\data\\\nx"), Some((2, 13)));
    assert_eq!(end("a 'b\nc"), None);
}
