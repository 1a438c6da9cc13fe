//! Windows: a program and all that it starts are one job. The job ends with the last handle to it, which is ours, so it also ends
//! when this process is killed.

use process_wrap::tokio::{CommandWrap, CreationFlags, JobObject, KillOnDrop};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

/// Makes a command the first program of a job. It gets no console: started from the window, which has none, a console would be
/// another window on the screen.
pub(super) fn own(command: &mut CommandWrap) {
    command
        .wrap(KillOnDrop)
        .wrap(CreationFlags(CREATE_NO_WINDOW))
        .wrap(JobObject);
}
