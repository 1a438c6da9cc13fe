//! Says when the embedded UI must be embedded again: whenever `ui/dist` was built.

fn main() {
    println!("cargo::rerun-if-changed=../../../ui/dist");
}
