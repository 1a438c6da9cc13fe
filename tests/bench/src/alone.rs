//! One run of one client in a process of its own, so that no client meets the heap and the threads that another left behind.
//! The process is this program again, and prints one number.

use patchbay_rmcp::Failure;
use tokio::process::Command;

/// Runs this program with `args` and returns the number that it prints.
///
/// # Errors
/// It could not be started, or printed something else; then what it wrote to stderr.
pub(crate) async fn number(args: &[&str]) -> Result<f64, Failure> {
    let output = Command::new(std::env::current_exe()?)
        .args(args)
        .kill_on_drop(true)
        .output()
        .await?;
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().parse().map_err(|_| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("`{}`: {}", args.join(" "), errors.trim()).into()
    })
}
