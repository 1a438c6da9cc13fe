use super::*;

fn printed(parts: &[&[u8]]) -> Output {
    let mut output = Output::default();
    for part in parts {
        output.add(part);
    }
    output
}

#[test]
fn the_output_is_text_without_colours_and_overwritten_lines() {
    let output = printed(&[b"\x1b[31merror\x1b[0m: no\r\n", b"10 %\r50 %\r100 %\nend \xff"]);
    assert_eq!(output.text(), "error: no\n100 %\nend \u{fffd}");
    assert_eq!(output.dropped() as usize, 0);
}

#[test]
fn the_newest_lines_are_kept() {
    let line = format!("{}\n", "x".repeat(99));
    let many = vec![line.as_bytes(); 10_000];
    let output = printed(&many);
    assert!(output.bytes.len() <= 2 * OUTPUT_BYTES);
    let text = output.text();
    assert!(text.len() <= OUTPUT_BYTES && text.len() > OUTPUT_BYTES - 200);
    assert!(text.starts_with(&line), "from the beginning of a line");
    assert_eq!(output.dropped() as usize + text.len(), 1_000_000);
    // One endless line is cut anywhere.
    let endless = printed(&[&vec![b'y'; 3 * OUTPUT_BYTES]]);
    assert_eq!(endless.text().len(), OUTPUT_BYTES);
}

#[test]
fn the_end_is_said_in_words() {
    let limit = Duration::from_secs(300);
    let of = |ended| end(ended, limit, Duration::from_secs(1));
    assert!(of(Ok(Some(Exit::Code(0)))).succeeded);
    let failed = of(Ok(Some(Exit::Code(2))));
    assert_eq!((failed.succeeded, failed.words.as_str()), (false, "exit code 2"));
    let late = of(Ok(None));
    assert!(!late.succeeded && late.words.contains("300 s"), "{}", late.words);
    let missing = of(Err(Failure::new("Start", "No such program.", "Install it.")));
    assert_eq!(missing.words, "No such program. Install it.");
}
