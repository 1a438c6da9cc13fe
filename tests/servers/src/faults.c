/* Loaded before libc (LD_PRELOAD): counts what a process does to files whose path begins with FAULTS_BELOW (`pipe:` and `socket:`
 * are those without a path), and makes it fail, slow, or the end of the process. FAULTS_CONTROL is a file of eight numbers that the
 * test reads and writes meanwhile. With FAULTS_CALLS, renames that do not go through libc are seen too; what the process starts must
 * not rename anything then. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { WRITE = 1, SYNC = 2, READ = 4, NAME = 8, CREATE = 16 };
enum { NOTHING, FAIL, KILL, DELAY, HALF };

struct control {
    uint32_t kinds;           /* which operations are counted */
    uint32_t from;            /* the first one that is struck, from 1 on */
    uint32_t count;           /* how many are struck */
    uint32_t action;
    uint32_t value;           /* an errno, or milliseconds */
    _Atomic uint32_t counted; /* so far */
    _Atomic uint32_t struck;  /* so far */
};

static struct control *control;
static char below[PATH_MAX];

static void see_calls(void);

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("FAULTS_BELOW"), *path = getenv("FAULTS_CONTROL");
    /* What this process starts is left alone. */
    unsetenv("LD_PRELOAD");
    if (folder == NULL || path == NULL || strlen(folder) >= sizeof below)
        return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (file < 0)
        return;
    void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (page == MAP_FAILED)
        return;
    strcpy(below, folder);
    control = page;
    if (getenv("FAULTS_CALLS") != NULL)
        see_calls();
}

static int is_below(const char *path) {
    return path != NULL && strncmp(path, below, strlen(below)) == 0;
}

static int is_file_below(int file) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return is_below(path);
}

/* What happens to this operation: NOTHING, FAIL with errno set, or HALF of it. */
static int struck(int kind) {
    if ((control->kinds & (uint32_t)kind) == 0)
        return NOTHING;
    uint32_t number = atomic_fetch_add(&control->counted, 1) + 1;
    if (control->action == NOTHING || number < control->from || number - control->from >= control->count)
        return NOTHING;
    atomic_fetch_add(&control->struck, 1);
    switch (control->action) {
    case FAIL:
        errno = (int)control->value;
        return FAIL;
    case HALF:
        if (kind == WRITE)
            return HALF;
        /* fall through */
    case KILL:
        kill(getpid(), SIGKILL);
        return NOTHING;
    case DELAY: {
        struct timespec time = {control->value / 1000, (long)(control->value % 1000) * 1000000};
        nanosleep(&time, NULL);
        return NOTHING;
    }
    default:
        return NOTHING;
    }
}

static int of_file(int file, int kind) {
    if (control == NULL || (control->kinds & (uint32_t)kind) == 0)
        return NOTHING;
    int before = errno;
    int below_it = is_file_below(file);
    errno = before;
    return below_it ? struck(kind) : NOTHING;
}

static int of_path(const char *path, int kind) {
    return control != NULL && is_below(path) ? struck(kind) : NOTHING;
}

static void die(void) { kill(getpid(), SIGKILL); }

ssize_t write(int file, const void *bytes, size_t size) {
    switch (of_file(file, WRITE)) {
    case FAIL:
        return -1;
    case HALF:
        syscall(SYS_write, file, bytes, size / 2);
        die();
    }
    return syscall(SYS_write, file, bytes, size);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    switch (of_file(file, WRITE)) {
    case FAIL:
        return -1;
    case HALF:
        if (count > 0)
            syscall(SYS_write, file, parts[0].iov_base, parts[0].iov_len / 2);
        die();
    }
    return syscall(SYS_writev, file, parts, count);
}

ssize_t send(int file, const void *bytes, size_t size, int flags) {
    switch (of_file(file, WRITE)) {
    case FAIL:
        return -1;
    case HALF:
        syscall(SYS_sendto, file, bytes, size / 2, flags, NULL, 0);
        die();
    }
    return syscall(SYS_sendto, file, bytes, size, flags, NULL, 0);
}

ssize_t recv(int file, void *bytes, size_t size, int flags) {
    return of_file(file, READ) == FAIL ? -1 : syscall(SYS_recvfrom, file, bytes, size, flags, NULL, NULL);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    switch (of_file(file, WRITE)) {
    case FAIL:
        return -1;
    case HALF:
        syscall(SYS_pwrite64, file, bytes, size / 2, at);
        die();
    }
    return syscall(SYS_pwrite64, file, bytes, size, at);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) { return pwrite64(file, bytes, size, at); }

int ftruncate64(int file, off64_t size) {
    switch (of_file(file, WRITE)) {
    case FAIL:
        return -1;
    case HALF:
        die();
    }
    return (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

ssize_t read(int file, void *bytes, size_t size) {
    return of_file(file, READ) == FAIL ? -1 : syscall(SYS_read, file, bytes, size);
}

ssize_t pread64(int file, void *bytes, size_t size, off64_t at) {
    return of_file(file, READ) == FAIL ? -1 : syscall(SYS_pread64, file, bytes, size, at);
}

ssize_t pread(int file, void *bytes, size_t size, off_t at) { return pread64(file, bytes, size, at); }

int fsync(int file) { return of_file(file, SYNC) == FAIL ? -1 : (int)syscall(SYS_fsync, file); }

int fdatasync(int file) { return of_file(file, SYNC) == FAIL ? -1 : (int)syscall(SYS_fdatasync, file); }

int rename(const char *from, const char *to) {
    return of_path(to, NAME) == FAIL ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
    return of_path(path, NAME) == FAIL ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int unlinkat(int folder, const char *path, int flags) {
    return of_path(path, NAME) == FAIL ? -1 : (int)syscall(SYS_unlinkat, folder, path, flags);
}

int mkdir(const char *path, mode_t mode) {
    return of_path(path, NAME) == FAIL ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

static int opened(const char *path, int flags, mode_t mode) {
    if ((flags & O_CREAT) != 0 && of_path(path, CREATE) == FAIL)
        return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

#define OPEN(name)                                      \
    int name(const char *path, int flags, ...) {        \
        va_list more;                                   \
        va_start(more, flags);                          \
        mode_t mode = va_arg(more, mode_t);             \
        va_end(more);                                   \
        return opened(path, flags, mode);               \
    }

OPEN(open)
OPEN(open64)

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define ARGUMENT(context, number) \
    ((context)->uc_mcontext.gregs[(number) == 0 ? REG_RDI : (number) == 1 ? REG_RSI : (number) == 2 ? REG_RDX : REG_R10])
#define RESULT(context) ((context)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define ARGUMENT(context, number) ((context)->uc_mcontext.regs[number])
#define RESULT(context) ((context)->uc_mcontext.regs[0])
#endif

#ifdef ARCHITECTURE
/* Does what `renameat` was to do. */
static void renamed(int signal, siginfo_t *info, void *more) {
    (void)signal;
    (void)info;
    ucontext_t *context = more;
    int before = errno;
    const char *to = (const char *)ARGUMENT(context, 3);
    int fails = of_path(to, NAME) == FAIL;
    if (!fails)
        fails = syscall(SYS_renameat2, (int)ARGUMENT(context, 0), ARGUMENT(context, 1), (int)ARGUMENT(context, 2), to, 0) != 0;
    RESULT(context) = fails ? -errno : 0;
    errno = before;
}

/* `renameat` becomes a signal; nothing else is changed. libc's calls do not use it here. */
static void see_calls(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    struct sigaction action = {.sa_sigaction = renamed, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGSYS, &action, NULL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        sigaction(SIGSYS, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
}
#else
static void see_calls(void) {}
#endif
