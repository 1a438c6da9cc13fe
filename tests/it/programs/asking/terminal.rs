//! A terminal with somebody who answers questions.

use std::process::{Command, Stdio};

use crate::programs::Ended;

/// Runs a command in a terminal of its own. Each answer is typed once, when its question, a regular expression, is in what is
/// shown since the last answer. Prints what is shown, and exits as the command did.
const IN_A_TERMINAL: &str = r#"
import os, pty, re, select, signal, sys
count = int(sys.argv[1])
answers = [pair.split("\n") for pair in sys.argv[2:2 + count]]
command = sys.argv[2 + count:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
shown = unread = b""
while True:
    if not select.select([terminal], [], [], 40)[0]:
        shown += b"\nNothing more is shown; not asked: " + repr(answers).encode()
        os.kill(pid, signal.SIGKILL)
        break
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    shown += data
    unread += data.replace(b"\r", b"")
    for pair in answers:
        if re.search(pair[0].encode(), unread, re.DOTALL):
            answers.remove(pair)
            unread = b""
            os.write(terminal, pair[1].encode() + b"\n")
            break
sys.stdout.buffer.write(shown)
sys.stdout.flush()
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) if status != signal.SIGKILL else 99)
"#;

/// How a command ends whose questions get these answers; all that it writes is its stdout.
pub(crate) fn answered(command: &Command, answers: &[(&str, &str)]) -> Ended {
    let mut python = Command::new("python3");
    python
        .args(["-c", IN_A_TERMINAL, &answers.len().to_string()])
        .args(
            answers
                .iter()
                .map(|(question, answer)| format!("{question}\n{answer}")),
        )
        .arg(command.get_program())
        .args(command.get_args())
        .stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        python.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => python.env(name, value),
            None => python.env_remove(name),
        };
    }
    let ended: Ended = python.output().unwrap().into();
    Ended {
        stdout: ended.stdout.replace('\r', ""),
        ..ended
    }
}
