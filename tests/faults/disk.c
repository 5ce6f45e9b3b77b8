/* Writes down what a process does to the files of one folder: LD_PRELOAD this, with COMPANION_DISK_FOLDER and COMPANION_DISK_LOG set.
   A record: kind (w rite, t runcate, s ynced, u nlinked, r enamed), descriptor, offset, length of path, length of data; then path and data.
   A write is noted before it is done, a sync after it was done. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct __attribute__((packed)) head { char kind; int32_t fd; int64_t at; uint32_t path; uint32_t data; };

static const char *folder;
static size_t folder_length;
static int journal = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void start(void) {
    const char *log = getenv("COMPANION_DISK_LOG");
    folder = getenv("COMPANION_DISK_FOLDER");
    if (!folder || !log) return;
    folder_length = strlen(folder);
    journal = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(char kind, int fd, const char *path, int64_t at, const void *data, size_t length) {
    struct head head = {kind, fd, at, (uint32_t)strlen(path), (uint32_t)length};
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)data, length}};
    pthread_mutex_lock(&lock);
    if (syscall(SYS_writev, journal, parts, 3) != (long)(sizeof head + head.path + length)) abort();
    pthread_mutex_unlock(&lock);
}

static int ours(const char *path) {
    return journal >= 0 && strncmp(path, folder, folder_length) == 0 && (path[folder_length] == 0 || path[folder_length] == '/');
}

static int path_of(int fd, char *path) {
    char link[40];
    if (journal < 0 || fd == journal) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return ours(path);
}

#define REAL(result, name, ...) \
    static result (*real)(__VA_ARGS__); \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define PWRITE(name, offset_type) \
    ssize_t name(int fd, const void *data, size_t length, offset_type at) { \
        char path[PATH_MAX]; \
        REAL(ssize_t, name, int, const void *, size_t, offset_type); \
        if (path_of(fd, path)) note('w', fd, path, at, data, length); \
        return real(fd, data, length, at); \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t length) {
    char path[PATH_MAX];
    REAL(ssize_t, write, int, const void *, size_t);
    if (path_of(fd, path)) note('w', fd, path, lseek(fd, 0, SEEK_CUR), data, length);
    return real(fd, data, length);
}

#define TRUNCATE(name, offset_type) \
    int name(int fd, offset_type to) { \
        char path[PATH_MAX]; \
        REAL(int, name, int, offset_type); \
        if (path_of(fd, path)) note('t', fd, path, to, "", 0); \
        return real(fd, to); \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
    int name(int fd) { \
        char path[PATH_MAX]; \
        REAL(int, name, int); \
        int result = real(fd); \
        if (result == 0 && path_of(fd, path)) note('s', fd, path, 0, "", 0); \
        return result; \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(int, unlink, const char *);
    if (ours(path)) note('u', -1, path, 0, "", 0);
    return real(path);
}

int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    if (ours(from)) note('r', -1, from, 0, to, strlen(to));
    return real(from, to);
}
