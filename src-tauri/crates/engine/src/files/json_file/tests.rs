use std::sync::{Arc, Mutex};

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
    let change = file.begin().await;
    file.write(change, vec![3], || {}).await.unwrap();
    assert_eq!(JsonFile::open::<Vec<u32>>(path, true, "things").1, [3]);
}

/// The call of a page that is closed is dropped wherever it waits.
#[tokio::test]
async fn a_change_is_in_the_file_and_in_memory_even_if_its_caller_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("things.json");
    let (file, saved) = JsonFile::open::<Vec<u32>>(path.clone(), true, "things");
    let memory = Arc::new(Mutex::new(saved));
    let (change, shared) = (file.begin().await, memory.clone());
    let write = file.write(change, vec![3], move || *shared.lock().unwrap() = vec![3]);
    tokio::select! {
        biased;
        _ = write => {}
        () = std::future::ready(()) => {}
    }
    // The next change begins when this one has ended.
    let change = file.begin().await;
    assert_eq!(*memory.lock().unwrap(), [3]);
    assert_eq!(JsonFile::open::<Vec<u32>>(path.clone(), true, "things").1, [3]);

    // What is not written is not in memory either.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let shared = memory.clone();
    let refused = file.write(change, vec![4], move || *shared.lock().unwrap() = vec![4]);
    let error = refused.await.unwrap_err().message;
    assert!(error.starts_with("Writing failed for "), "{error}");
    assert_eq!(*memory.lock().unwrap(), [3]);
}
