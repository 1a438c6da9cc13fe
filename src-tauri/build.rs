//! Generates what `tauri::generate_context!` reads: the configuration, the capability, the icons, the built UI.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The page is embedded: a new page is a new binary.
    println!("cargo:rerun-if-changed=../ui/dist");
    if !std::path::Path::new("../ui/dist/index.html").is_file() {
        println!(
            "cargo:warning=ui/dist is missing; build the UI first: npm --prefix ui ci && npm --prefix ui run build"
        );
    }
    let doors = tauri_build::AppManifest::new().commands(&[
        "call",
        "open_stream",
        "close_stream",
        "body",
        "dropped_file",
    ]);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(doors))?;
    Ok(())
}
