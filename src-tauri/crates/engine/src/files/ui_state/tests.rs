use super::UiState;

#[tokio::test]
async fn the_state_survives_a_restart_and_must_be_json() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ui.json");
    let state = UiState::open(Some(file.clone()));
    assert_eq!(state.get().await, None);
    state.set("{\"b\":1,\"a\":2}".to_owned()).await.unwrap();
    assert!(state.set("{".to_owned()).await.is_err());
    assert!(
        state
            .set(format!("\"{}\"", "x".repeat(1024 * 1024)))
            .await
            .is_err()
    );
    assert_eq!(
        UiState::open(Some(file)).get().await.as_deref(),
        Some("{\"b\":1,\"a\":2}")
    );
}

#[tokio::test]
async fn a_damaged_file_counts_as_empty() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ui.json");
    std::fs::write(&file, "{\"half\":").unwrap();
    assert_eq!(UiState::open(Some(file)).get().await, None);
}
