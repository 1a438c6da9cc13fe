use proptest::prelude::*;

use super::*;

#[test]
fn a_passphrase_derives_the_same_key() {
    let cost = Cost {
        memory_kib: 64,
        passes: 1,
        lanes: 1,
    };
    let key = |passphrase: &str, salt: &[u8]| Key::derive(&Secret::new(passphrase), salt, cost).unwrap();
    let one = key("correct horse", b"salt salt salt 1");
    assert_eq!(one.bytes(), key("correct horse", b"salt salt salt 1").bytes());
    assert_ne!(one.bytes(), key("correct horse ", b"salt salt salt 1").bytes());
    assert_ne!(one.bytes(), key("correct horse", b"salt salt salt 2").bytes());
}

#[test]
fn a_file_cannot_exhaust_the_memory() {
    assert!(Cost::default().is_bearable());
    let huge = Cost {
        memory_kib: u32::MAX,
        ..Cost::default()
    };
    assert!(!huge.is_bearable());
}

proptest! {
    // Ciphers are slow without optimization.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sealed_text_opens_only_with_its_key_and_name(text: Vec<u8>, what: String, other: String, at: prop::sample::Index, bit in 0..8_u8) {
        let key = Key::random().unwrap();
        let sealed = key.seal(&what, &text).unwrap();
        prop_assert_eq!(key.open(&what, &sealed).unwrap().to_vec(), text);
        if other != what {
            prop_assert!(key.open(&other, &sealed).is_none());
        }
        prop_assert!(Key::random().unwrap().open(&what, &sealed).is_none());
        let mut changed = sealed.clone();
        changed[at.index(sealed.len())] ^= 1 << bit;
        prop_assert!(key.open(&what, &changed).is_none());
        prop_assert!(key.open(&what, &sealed[..at.index(sealed.len())]).is_none());
        prop_assert_ne!(key.seal(&what, b"").unwrap(), key.seal(&what, b"").unwrap());
    }
}

/// Does not compile with a field that stays in memory.
#[test]
fn a_key_is_overwritten_when_it_is_dropped() {
    fn is_overwritten<T: zeroize::ZeroizeOnDrop>(_: &T) {}
    is_overwritten(&Key::random().unwrap().0);
}
