//! Binary `patchbay`.

use std::process::ExitCode;

fn main() -> ExitCode {
    patchbay_cli::run()
}
