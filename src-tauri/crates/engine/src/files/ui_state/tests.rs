use super::UiState;

#[tokio::test]
async fn the_state_survives_a_restart_and_must_be_json() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ui.json");
    let state = UiState::open(Some(file.clone()));
    assert_eq!(state.get().await.unwrap(), None);
    state.set("{\"b\":1,\"a\":2}".to_owned()).await.unwrap();
    assert!(state.set("{".to_owned()).await.is_err());
    assert!(
        state
            .set(format!("\"{}\"", "x".repeat(1024 * 1024)))
            .await
            .is_err()
    );
    assert_eq!(
        UiState::open(Some(file)).get().await.unwrap().as_deref(),
        Some("{\"b\":1,\"a\":2}")
    );
}

#[tokio::test]
async fn a_damaged_file_counts_as_empty() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ui.json");
    std::fs::write(&file, "{\"half\":").unwrap();
    assert_eq!(UiState::open(Some(file)).get().await.unwrap(), None);
}

/// A folder in place of the file is an error of reading that ends.
#[tokio::test]
async fn a_file_that_cannot_be_read_now_is_not_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let (file, away) = (dir.path().join("ui.json"), dir.path().join("away"));
    std::fs::write(&away, "{\"kept\":1}").unwrap();
    std::fs::create_dir(&file).unwrap();
    let state = UiState::open(Some(file.clone()));
    assert!(state.get().await.is_err());
    assert!(state.set("{}".to_owned()).await.is_err());
    std::fs::remove_dir(&file).unwrap();
    std::fs::rename(&away, &file).unwrap();
    assert_eq!(state.get().await.unwrap().as_deref(), Some("{\"kept\":1}"));
    state.set("{\"kept\":2}".to_owned()).await.unwrap();
    assert_eq!(state.get().await.unwrap().as_deref(), Some("{\"kept\":2}"));
}
