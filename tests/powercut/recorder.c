/* Notes what a process does to the files of one folder, and what it sends, in the order in which it happens.

   Loaded with LD_PRELOAD. POWERCUT_FOLDER is the folder, without a link in its path; POWERCUT_RECORD the file to append to;
   POWERCUT_SYNC_US how much longer than here a synchronisation lasts, in microseconds. tests/powercut/record.py reads what is
   written here.

   The order in the record is one in which a power cut can find things:
   - what a write, a truncation, a creation, a removal or a renaming has changed is noted before the caller knows that it is done;
   - of a synchronisation, the beginning is noted before the disk is asked and the end after it has answered; what was noted before
     the beginning was there to be synchronised;
   - what is sent, or written to standard error, is noted before it leaves.
   Each note is one append to the record, so those of several threads and processes do not mix. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPENED = 1, WRITTEN, CUT, REMOVED, RENAMED, SYNCING, SYNCED, SENT, NOT_SENT, MAPPED, NOT_FOLLOWED };

struct head {
    uint32_t kind, thread;
    uint64_t file; /* its inode; of what is sent, the number of the socket */
    int64_t at;    /* the place in the file, its new size, or how many bytes were sent */
    uint32_t name, data;
};

#define FILES 65536
static uint64_t inode_of[FILES]; /* of each handle that is open in the folder; 0 is no file's */
static char folder[PATH_MAX];
static size_t folder_length;
static int record = -1;
static useconds_t sync_us;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void fail(const char *why) {
    dprintf(2, "the recorder of power cuts: %s: %s\n", why, strerror(errno));
    abort();
}

__attribute__((constructor)) static void begin(void) {
    const char *asked = getenv("POWERCUT_FOLDER"), *path = getenv("POWERCUT_RECORD"), *us = getenv("POWERCUT_SYNC_US");
    if (!asked || !path) return;
    snprintf(folder, sizeof folder, "%s", asked);
    folder_length = strlen(folder);
    sync_us = us ? (useconds_t)atoi(us) : 0;
    record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (record < 0) fail("it cannot write its record");
}

static void note_parts(enum kind kind, uint64_t file, int64_t at, const char *name, const struct iovec *parts, int count) {
    size_t size = 0;
    int saved = errno;
    struct iovec all[2 + 64];
    if (count > 64) fail("too many parts at once");
    for (int i = 0; i < count; i++) size += parts[i].iov_len, all[2 + i] = parts[i];
    struct head head = {kind, (uint32_t)syscall(SYS_gettid), file, at, (uint32_t)strlen(name), (uint32_t)size};
    all[0] = (struct iovec){&head, sizeof head};
    all[1] = (struct iovec){(void *)name, head.name};
    ssize_t whole = (ssize_t)(sizeof head + head.name + size);
    if (syscall(SYS_writev, record, all, 2 + count) != whole) fail("it cannot write its record");
    errno = saved;
}

static void note(enum kind kind, uint64_t file, int64_t at, const char *name, const void *data, size_t size) {
    struct iovec part = {(void *)data, size};
    note_parts(kind, file, at, name, &part, size ? 1 : 0);
}

/* The part of an absolute path that is below the folder, "" for the folder itself, NULL for a path elsewhere. */
static const char *below(const char *path) {
    if (record < 0 || strncmp(path, folder, folder_length)) return NULL;
    if (path[folder_length] == 0) return "";
    return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static const char *absolute(int directory, const char *path, char *room) {
    char start[PATH_MAX] = "";
    if (path[0] == '/') return path;
    if (directory == AT_FDCWD) {
        if (!getcwd(start, sizeof start)) return path;
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
        ssize_t length = readlink(link, start, sizeof start - 1);
        if (length < 0) return path;
        start[length] = 0;
    }
    snprintf(room, 2 * PATH_MAX, "%s/%s", start, path);
    return room;
}

/* The index that the processes share is in memory, and is built anew after a crash. */
static int is_index(const char *name) {
    size_t length = strlen(name);
    return length >= 4 && !strcmp(name + length - 4, "-shm");
}

/* The inode of what is open there, or 0: a handle may have been closed and used again for something else. */
static uint64_t tracked(int fd) {
    struct stat now;
    if (record < 0 || fd < 0 || fd >= FILES || !inode_of[fd]) return 0;
    if (fstat(fd, &now) || now.st_ino != inode_of[fd] || !(S_ISREG(now.st_mode) || S_ISDIR(now.st_mode))) inode_of[fd] = 0;
    return inode_of[fd];
}

static int opened(int fd, int flags) {
    char link[64], path[PATH_MAX];
    struct stat now;
    int saved = errno;
    if (record < 0 || fd < 0) return fd;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    const char *name = below(path);
    if (fd >= FILES) {
        if (name) fail("too many files are open");
    } else if (!name || fstat(fd, &now)) {
        inode_of[fd] = 0;
    } else if (is_index(name)) {
        inode_of[fd] = 0;
        note(MAPPED, now.st_ino, 0, name, NULL, 0);
    } else {
        inode_of[fd] = now.st_ino;
        note(OPENED, now.st_ino, 0, name, NULL, 0);
        if (flags & O_TRUNC) note(CUT, now.st_ino, 0, "", NULL, 0);
    }
    errno = saved;
    return fd;
}

#define MODE(flags, mode)                           \
    mode_t mode = 0;                                \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {        \
        va_list rest;                               \
        va_start(rest, flags);                      \
        mode = va_arg(rest, mode_t);                \
        va_end(rest);                               \
    }

int open(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(REAL(open)(path, flags, mode), flags);
}
int open64(const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(REAL(open64)(path, flags, mode), flags);
}
int openat(int directory, const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(REAL(openat)(directory, path, flags, mode), flags);
}
int openat64(int directory, const char *path, int flags, ...) {
    MODE(flags, mode)
    return opened(REAL(openat64)(directory, path, flags, mode), flags);
}
int creat(const char *path, mode_t mode) { return opened(REAL(creat)(path, mode), O_TRUNC); }
int creat64(const char *path, mode_t mode) { return opened(REAL(creat64)(path, mode), O_TRUNC); }

/* What is written. */

static ssize_t wrote(int fd, const void *data, ssize_t size, off_t at) {
    uint64_t file = size > 0 ? tracked(fd) : 0;
    if (file) note(WRITTEN, file, at < 0 ? lseek(fd, 0, SEEK_CUR) - size : at, "", data, (size_t)size);
    return size;
}

static int is_socket(int fd) {
    struct stat now;
    return record >= 0 && !fstat(fd, &now) && S_ISSOCK(now.st_mode);
}

static ssize_t sent(int fd, ssize_t size, size_t wanted) {
    if (size != (ssize_t)wanted) note(NOT_SENT, (uint64_t)fd, size < 0 ? 0 : size, "", NULL, 0);
    return size;
}

/* What goes to standard error, which is the log, tells something as well. */
static int tells(int fd) { return record >= 0 && (fd == STDERR_FILENO || is_socket(fd)); }

ssize_t write(int fd, const void *data, size_t size) {
    if (tells(fd)) {
        note(SENT, (uint64_t)fd, 0, "", data, size);
        return sent(fd, REAL(write)(fd, data, size), size);
    }
    return wrote(fd, data, REAL(write)(fd, data, size), -1);
}
ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return wrote(fd, data, REAL(pwrite)(fd, data, size, at), at); }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    return wrote(fd, data, REAL(pwrite64)(fd, data, size, at), at);
}

static int truncated(int fd, off_t size, int result) {
    uint64_t file = result ? 0 : tracked(fd);
    if (file) note(CUT, file, size, "", NULL, 0);
    return result;
}
int ftruncate(int fd, off_t size) { return truncated(fd, size, REAL(ftruncate)(fd, size)); }
int ftruncate64(int fd, off64_t size) { return truncated(fd, size, REAL(ftruncate64)(fd, size)); }

/* Names. */

static void not_followed_at(int directory, const char *path, const char *what) {
    char room[2 * PATH_MAX];
    if (record >= 0 && below(absolute(directory, path, room))) note(NOT_FOLLOWED, 0, 0, what, NULL, 0);
}

static int removed(int directory, const char *path, int result) {
    char room[2 * PATH_MAX];
    const char *name = result ? NULL : below(absolute(directory, path, room));
    if (name && !is_index(name)) note(REMOVED, 0, 0, name, NULL, 0);
    return result;
}
int unlink(const char *path) { return removed(AT_FDCWD, path, REAL(unlink)(path)); }
int unlinkat(int directory, const char *path, int flags) { return removed(directory, path, REAL(unlinkat)(directory, path, flags)); }

static int renamed(int from, const char *old, int to, const char *new, int result) {
    char rooms[2][2 * PATH_MAX];
    if (result || record < 0) return result;
    const char *before = below(absolute(from, old, rooms[0])), *after = below(absolute(to, new, rooms[1]));
    if (before && after)
        note(RENAMED, 0, 0, before, after, strlen(after));
    else if (before || after)
        note(NOT_FOLLOWED, 0, 0, "rename from or to another folder", NULL, 0);
    return result;
}
int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new, REAL(rename)(old, new)); }
int renameat(int from, const char *old, int to, const char *new) {
    return renamed(from, old, to, new, REAL(renameat)(from, old, to, new));
}
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    if (flags & RENAME_EXCHANGE) not_followed_at(to, new, "renameat2");
    return renamed(from, old, to, new, REAL(renameat2)(from, old, to, new, flags));
}

/* Barriers. One that fails has no end. */

static int synchronised(int fd, int (*really)(int)) {
    uint64_t file = tracked(fd);
    if (!file) return really(fd);
    note(SYNCING, file, 0, "", NULL, 0);
    if (sync_us) usleep(sync_us);
    int result = really(fd);
    if (!result) note(SYNCED, file, 0, "", NULL, 0);
    return result;
}
int fsync(int fd) { return synchronised(fd, REAL(fsync)); }
int fdatasync(int fd) { return synchronised(fd, REAL(fdatasync)); }

/* What is sent. */

ssize_t send(int fd, const void *data, size_t size, int flags) {
    if (record < 0) return REAL(send)(fd, data, size, flags);
    note(SENT, (uint64_t)fd, 0, "", data, size);
    return sent(fd, REAL(send)(fd, data, size, flags), size);
}
ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    if (record < 0) return REAL(sendto)(fd, data, size, flags, to, length);
    note(SENT, (uint64_t)fd, 0, "", data, size);
    return sent(fd, REAL(sendto)(fd, data, size, flags, to, length), size);
}
ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    size_t size = 0;
    if (record < 0) return REAL(sendmsg)(fd, message, flags);
    for (size_t i = 0; i < message->msg_iovlen; i++) size += message->msg_iov[i].iov_len;
    note_parts(SENT, (uint64_t)fd, 0, "", message->msg_iov, (int)message->msg_iovlen);
    return sent(fd, REAL(sendmsg)(fd, message, flags), size);
}

/* Ways to change a file that are not followed: who uses one of them is told so when the record is read. */

static void not_followed(int fd, const char *what) {
    if (tracked(fd) || is_socket(fd)) note(NOT_FOLLOWED, 0, 0, what, NULL, 0);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    not_followed(fd, "writev");
    return REAL(writev)(fd, parts, count);
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
    not_followed(fd, "pwritev");
    return REAL(pwritev)(fd, parts, count, at);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
    not_followed(fd, "pwritev64");
    return REAL(pwritev64)(fd, parts, count, at);
}
ssize_t sendfile(int to, int from, off_t *at, size_t size) {
    not_followed(to, "sendfile");
    return REAL(sendfile)(to, from, at, size);
}
ssize_t sendfile64(int to, int from, off64_t *at, size_t size) {
    not_followed(to, "sendfile64");
    return REAL(sendfile64)(to, from, at, size);
}
ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *at, size_t size, unsigned flags) {
    not_followed(to, "copy_file_range");
    return REAL(copy_file_range)(from, start, to, at, size, flags);
}
int fallocate(int fd, int mode, off_t at, off_t size) {
    not_followed(fd, "fallocate");
    return REAL(fallocate)(fd, mode, at, size);
}
int fallocate64(int fd, int mode, off64_t at, off64_t size) {
    not_followed(fd, "fallocate64");
    return REAL(fallocate64)(fd, mode, at, size);
}
int posix_fallocate(int fd, off_t at, off_t size) {
    not_followed(fd, "posix_fallocate");
    return REAL(posix_fallocate)(fd, at, size);
}
int posix_fallocate64(int fd, off64_t at, off64_t size) {
    not_followed(fd, "posix_fallocate64");
    return REAL(posix_fallocate64)(fd, at, size);
}
void *mmap(void *where, size_t size, int protection, int flags, int fd, off_t at) {
    if ((flags & MAP_SHARED) && (protection & PROT_WRITE)) not_followed(fd, "mmap");
    return REAL(mmap)(where, size, protection, flags, fd, at);
}
void *mmap64(void *where, size_t size, int protection, int flags, int fd, off64_t at) {
    if ((flags & MAP_SHARED) && (protection & PROT_WRITE)) not_followed(fd, "mmap64");
    return REAL(mmap64)(where, size, protection, flags, fd, at);
}
int link(const char *old, const char *new) {
    not_followed_at(AT_FDCWD, new, "link");
    return REAL(link)(old, new);
}
