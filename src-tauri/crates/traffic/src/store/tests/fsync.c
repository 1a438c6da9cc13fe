/* Loaded before libc: `fsync` and `fdatasync` fail with EIO from the call of each thread that FAIL_FSYNC_FROM names. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fails(unsigned *calls) {
    const char *from = getenv("FAIL_FSYNC_FROM");
    *calls += 1;
    if (from == NULL || *calls < (unsigned)atoi(from))
        return 0;
    errno = EIO;
    return 1;
}

int fsync(int file) {
    static __thread unsigned calls;
    return fails(&calls) ? -1 : (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    static __thread unsigned calls;
    return fails(&calls) ? -1 : (int)syscall(SYS_fdatasync, file);
}
