use super::LateFile;

#[test]
fn what_could_not_be_read_is_returned_once_it_can() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("found.json");
    // It cannot be read, as on a disk that fails.
    std::fs::create_dir(&path).unwrap();
    let (file, content) = LateFile::open::<Vec<u32>>(path.clone());
    assert!(content.is_empty());
    assert!(file.rest::<Vec<u32>>().unwrap_err().contains("found.json"));
    std::fs::remove_dir(&path).unwrap();
    std::fs::write(&path, "[1]").unwrap();
    assert_eq!(file.rest::<Vec<u32>>(), Ok(vec![1]));
    assert_eq!(file.rest::<Vec<u32>>(), Ok(vec![]), "only once");
    assert_eq!(LateFile::open::<Vec<u32>>(path).1, [1]);
}
