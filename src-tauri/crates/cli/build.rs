//! Rebuilds the program whenever `ui/dist` changes, because the UI is embedded in it.

fn main() {
    println!("cargo::rerun-if-changed=../../../ui/dist");
}
