//! Archives that must not be unpacked.

use std::io::Write as _;

use serde_json::json;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::{Made, bytes, file, made, manifest};
use crate::bundle::Signature;

fn with(name: &str, content: &[u8]) -> Made {
    file(&bytes(&[
        ("manifest.json", manifest().to_string().as_bytes()),
        ("server/index.js", b"x"),
        (name, content),
    ]))
}

/// The message with which unpacking it fails; nothing is left.
fn not_unpacked(made: &Made) -> String {
    let unpacked = made.open().unwrap().unpack(&made.bundles().join("x"));
    assert_eq!(std::fs::read_dir(made.bundles()).unwrap().count(), 0);
    unpacked.unwrap_err().to_string()
}

#[test]
fn paths_that_lead_elsewhere_refuse_the_bundle() {
    for (name, why) in [
        ("../evil", "leads out of the bundle"),
        ("a/../../evil", "leads out of the bundle"),
        ("a//b", "leads out of the bundle"),
        ("/etc/evil", "is absolute"),
        ("C:/evil", "is absolute"),
        ("a\\..\\evil", "is absolute, or that of another system"),
        ("a\u{202e}js", "has control characters or invisible ones"),
        ("a\nb", "has control characters or invisible ones"),
    ] {
        let refused = with(name, b"x").refusal();
        assert!(
            refused.starts_with("Reading the bundle failed: The path"),
            "{refused}"
        );
        assert!(
            refused.contains(why) && refused.ends_with("for a correct one."),
            "{name}: {refused}"
        );
    }
}

#[test]
fn links_and_devices_refuse_the_bundle() {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    zip.start_file("manifest.json", SimpleFileOptions::default())
        .unwrap();
    zip.write_all(manifest().to_string().as_bytes()).unwrap();
    zip.add_symlink("link", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    let refused = file(&zip.finish().unwrap().into_inner()).refusal();
    assert!(refused.contains("`link` is a symbolic link."), "{refused}");
}

/// 64 MiB of one byte are packed a thousandfold.
#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    let made = with("zeros", &vec![0; 64 << 20]);
    let refused = made.refusal();
    assert!(refused.contains("bytes would become"), "{refused}");
}

/// An archive whose directory lies about the size of a file.
#[test]
fn a_file_that_is_larger_than_it_says_leaves_nothing() {
    let mut zip = bytes(&[
        ("manifest.json", manifest().to_string().as_bytes()),
        ("server/index.js", b"x"),
        ("large", &[b'a'; 1000]),
    ]);
    // The size in the directory, the last place where 1000 is followed by the length of the name.
    let place = |zip: &[u8]| zip.windows(4).rposition(|four| four == 1000_u32.to_le_bytes());
    let at = place(&zip).unwrap();
    zip[at..at + 4].copy_from_slice(&10_u32.to_le_bytes());
    let refused = not_unpacked(&file(&zip));
    assert!(
        refused.contains("Download or build the bundle again."),
        "{refused}"
    );
}

#[test]
fn damaged_archives_name_the_next_step() {
    let refused = file(b"this is text").refusal();
    assert!(refused.contains("It is not a zip archive"), "{refused}");
    let whole = bytes(&[
        ("manifest.json", manifest().to_string().as_bytes()),
        ("server/index.js", b"x"),
    ]);
    let refused = file(&whole[..whole.len() - 30]).refusal();
    assert!(refused.contains("or its end is missing"), "{refused}");
    let refused = file(&bytes(&[("other.json", b"{}")])).refusal();
    assert!(
        refused.contains("It has no manifest.json at its top"),
        "{refused}"
    );
    let folder = tempfile::tempdir().unwrap();
    let refused = crate::bundle::Bundle::open(folder.path())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("is not a file."), "{refused}");
    let refused = crate::bundle::Bundle::open(&folder.path().join("x"))
        .unwrap_err()
        .to_string();
    assert!(refused.contains("cannot be read"), "{refused}");
}

/// A byte of a file was changed: its checksum tells.
#[test]
fn a_damaged_file_leaves_nothing() {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    zip.start_file("manifest.json", stored).unwrap();
    zip.write_all(manifest().to_string().as_bytes()).unwrap();
    zip.start_file("server/index.js", stored).unwrap();
    zip.write_all(b"unmistakable").unwrap();
    let mut bytes = zip.finish().unwrap().into_inner();
    let at = bytes
        .windows(12)
        .position(|part| part == b"unmistakable")
        .unwrap();
    bytes[at] = b'U';
    let refused = not_unpacked(&file(&bytes));
    assert!(refused.contains("It is damaged"), "{refused}");
}

#[test]
fn two_files_of_one_name_leave_nothing() {
    // `a` is a file, and the folder of another one.
    let made = file(&bytes(&[
        ("manifest.json", manifest().to_string().as_bytes()),
        ("server/index.js", b"x"),
        ("a", b"x"),
        ("a/b", b"x"),
    ]));
    let refused = not_unpacked(&made);
    assert!(refused.starts_with("Unpacking the bundle failed"), "{refused}");
    assert!(
        refused.ends_with("ask its author for a correct one."),
        "{refused}"
    );
}

/// Readers of archives do not agree which of them counts.
#[test]
fn a_name_that_is_there_twice_refuses_the_bundle() {
    let mut zip = bytes(&[
        ("manifest.json", manifest().to_string().as_bytes()),
        ("server/index.js", b"x"),
        ("server/other.js", b"y"),
    ]);
    let (other, name) = (b"server/other.js", b"server/index.js");
    while let Some(at) = zip.windows(other.len()).position(|part| part == other) {
        zip[at..at + name.len()].copy_from_slice(name);
    }
    let refused = file(&zip).refusal();
    assert!(refused.contains("two files of the same name"), "{refused}");
}

#[test]
fn a_signature_is_found_after_the_archive() {
    let plain = std::fs::read(&made(&manifest()).path).unwrap();
    let mut signed = plain.clone();
    signed.extend(b"MCPB_SIG_V1");
    signed.extend(5_u32.to_le_bytes());
    signed.extend(b"12345MCPB_SIG_END");
    let made = file(&signed);
    let mut bundle = made.open().unwrap();
    assert_eq!(bundle.signature, Signature::Unverified { bytes: 32 });
    bundle.unpack(&made.bundles().join("x")).unwrap();
    let mut cut = plain;
    cut.extend(b"12345MCPB_SIG_END");
    assert_eq!(file(&cut).open().unwrap().signature, Signature::Damaged);
}

#[test]
fn many_files_are_refused() {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for index in 0..=50_000 {
        zip.start_file(
            index.to_string(),
            SimpleFileOptions::default().compression_method(CompressionMethod::Stored),
        )
        .unwrap();
    }
    let refused = file(&zip.finish().unwrap().into_inner()).refusal();
    assert!(refused.contains("more than 50000"), "{refused}");
}

#[test]
fn a_large_manifest_is_refused() {
    let mut large = manifest();
    large["long_description"] = json!("x".repeat(2 << 20));
    let refused = made(&large).refusal();
    assert!(refused.contains("manifest.json has more than 1 MiB"), "{refused}");
}
