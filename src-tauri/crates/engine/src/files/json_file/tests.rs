use super::JsonFile;

/// A folder in its place cannot be read, as a disk that fails.
#[tokio::test]
async fn what_could_not_be_read_is_read_again_and_never_overwritten_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.json");
    std::fs::create_dir(&path).unwrap();
    let (file, mut content) = JsonFile::open::<Vec<u32>>(path.clone(), true, "things");
    assert!(content.is_empty());
    let refused = file.check(|saved: Vec<u32>| content = saved).unwrap_err().message;
    assert!(
        refused.contains("The things in ")
            && refused.contains("Check the disk")
            && refused.ends_with("when it is needed."),
        "{refused}"
    );
    std::fs::remove_dir(&path).unwrap();
    std::fs::write(&path, "[1, 2]").unwrap();
    file.check(|saved| content = saved).unwrap();
    assert_eq!(content, [1, 2]);
    // From now on the content in memory counts.
    std::fs::write(&path, "[]").unwrap();
    file.check(|saved| content = saved).unwrap();
    assert_eq!(content, [1, 2]);
    file.write(vec![3]).await.unwrap();
    assert_eq!(JsonFile::open::<Vec<u32>>(path, true, "things").1, [3]);
}
