//! Says when the embedded UI must be taken in anew: whenever `ui/dist` was built.

fn main() {
    println!("cargo::rerun-if-changed=../../../ui/dist");
}
