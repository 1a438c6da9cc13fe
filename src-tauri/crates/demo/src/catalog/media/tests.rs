use super::*;

#[test]
fn checksums_match_known_values() {
    assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    assert_eq!(zlib_stored(b"abc")[10..], 0x024d_0127_u32.to_be_bytes());
}

#[test]
fn the_picture_is_a_png_of_the_given_size() {
    let png = png(300);
    assert!(
        png.starts_with(b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x01\x2c\x00\x00\x01\x2c\x08\x02")
    );
    assert!(png.ends_with(b"IEND\xaeB`\x82"));
    assert!(png.len() > 300 * 300 * 3);
}

#[test]
fn the_sound_is_a_wav_of_the_given_length() {
    let wav = wav(440, 500);
    assert_eq!(wav.len(), 44 + 8_000);
    assert_eq!(wav[4..8], (36 + 8_000_u32).to_le_bytes());
    assert!(wav[44..].iter().any(|byte| *byte != 0));
}
