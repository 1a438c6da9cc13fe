use super::Separate;
use std::path::{Path, PathBuf};

#[test]
fn separate_folders_are_numbered_beside_the_wanted_one() {
    let mut separate = Separate::new(Some(PathBuf::from("/data/patchbay")));
    assert!(!separate.is_tried(Some(Path::new("/data/patchbay"))));
    assert_eq!(separate.peek(), Some(PathBuf::from("/data/patchbay-2")));
    assert_eq!(separate.next(), Some(PathBuf::from("/data/patchbay-2")));
    assert!(separate.is_tried(Some(Path::new("/data/patchbay-2"))));
    assert!(!separate.is_tried(Some(Path::new("/data/patchbay"))));
    assert_eq!(separate.next(), Some(PathBuf::from("/data/patchbay-3")));
}

#[test]
fn without_a_wanted_folder_there_is_no_separate_one() {
    let mut separate = Separate::new(None);
    assert_eq!(separate.next(), None);
    assert!(!separate.is_tried(None));
}
