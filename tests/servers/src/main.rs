//! The program `patchbay-test-server`; see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    patchbay_test_server::run(std::env::args().skip(1))
}
