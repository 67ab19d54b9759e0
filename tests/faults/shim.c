/* SPDX-License-Identifier: MIT */
/*
 * A library to preload (LD_PRELOAD) for scripts/fault-check. In a program
 * called koshu it makes calls of any library fail, according to environment
 * variables:
 *
 *     FAULT_ALLOCATION=k   the k-th allocation after main() starts fails
 *     FAULT_NOTE=FILE      writes there which library requested it
 *     FAULT_COUNT=FILE     writes there at the end how many there were
 *     FAULT_SHORT=k        every k-th read and write handles half of the bytes
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __libc_start_main(int (*function)(int, char **, char **), int argc,
                      char **argv, void (*first)(void), void (*last)(void),
                      void (*unload)(void), void *stack);

/* glibc's own functions, which need no dlsym() and so no allocation */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

static atomic_ulong allocations, transfers;
static unsigned long failing, every;
static const char *count_file, *note_file;

static unsigned long
number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

static void
begin(void)
{
    if (strcmp(program_invocation_short_name, "koshu") != 0) return;
    failing = number("FAULT_ALLOCATION");
    every = number("FAULT_SHORT");
    count_file = getenv("FAULT_COUNT");
    note_file = getenv("FAULT_NOTE");
    allocations = 0;
}

typedef int main_function(int argc, char **argv, char **environment);
static main_function *program;

static int
begin_and_run(int argc, char **argv, char **environment)
{
    begin();
    return program(argc, argv, environment);
}

/* Allocations before main() are not koshu's: the linked CUDA runtime registers
 * its kernels then, and aborts without memory. */
int
__libc_start_main(main_function *function, int argc, char **argv,
                  void (*first)(void), void (*last)(void), void (*unload)(void),
                  void *stack)
{
    __typeof__(&__libc_start_main) next;
    *(void **)&next = dlsym(RTLD_NEXT, "__libc_start_main");
    program = function;
    return next(begin_and_run, argc, argv, first, last, unload, stack);
}

static void
put(const char *path, const char *text)
{
    const size_t n = strlen(text);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0 && write(fd, text, n) == (ssize_t)n) close(fd);
}

__attribute__((destructor)) static void
end(void)
{
    char text[32];
    snprintf(text, sizeof text, "%lu\n", (unsigned long)allocations);
    if (count_file) put(count_file, text);
}

/* ---- memory -------------------------------------------------------------- */

/* The library that requested the allocation: libhdf5 if it is among the
 * callers, even if libc allocates on its behalf. */
static void
note_caller(void)
{
    void *frames[64];
    Dl_info library;
    const char *name = "";
    const int n = backtrace(frames, 64);
    for (int k = 0; k < n; k++) {
        if (!dladdr(frames[k], &library) || !library.dli_fname) continue;
        if (k == 3 || strstr(library.dli_fname, "hdf5"))
            name = library.dli_fname;
        if (strstr(name, "hdf5")) break;
    }
    put(note_file, name);
}

static int
fails(void)
{
    /* also set while backtrace() allocates memory itself */
    static atomic_int noting;
    if (noting || ++allocations != failing) return 0;
    if (note_file) {
        noting = 1;
        note_caller();
        noting = 0;
    }
    errno = ENOMEM;
    return 1;
}

void *
malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *
calloc(size_t n, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(n, bytes);
}

void *
realloc(void *memory, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(memory, bytes);
}

void *
aligned_alloc(size_t alignment, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(alignment, bytes);
}

int
posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    if (fails()) return ENOMEM;
    *memory = __libc_memalign(alignment, bytes);
    return *memory ? 0 : ENOMEM;
}

/* ---- files --------------------------------------------------------------- */

static size_t
part(size_t bytes)
{
    if (!every || bytes < 2 || ++transfers % every != 0) return bytes;
    return bytes / 2;
}

#define NEXT(name)                 \
    static __typeof__(&name) next; \
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

ssize_t
read(int fd, void *to, size_t bytes)
{
    NEXT(read);
    return next(fd, to, part(bytes));
}

ssize_t
write(int fd, const void *from, size_t bytes)
{
    NEXT(write);
    return next(fd, from, part(bytes));
}

ssize_t
pread(int fd, void *to, size_t bytes, off_t at)
{
    NEXT(pread);
    return next(fd, to, part(bytes), at);
}

ssize_t
pwrite(int fd, const void *from, size_t bytes, off_t at)
{
    NEXT(pwrite);
    return next(fd, from, part(bytes), at);
}

ssize_t
pread64(int fd, void *to, size_t bytes, off_t at)
{
    NEXT(pread64);
    return next(fd, to, part(bytes), at);
}

ssize_t
pwrite64(int fd, const void *from, size_t bytes, off_t at)
{
    NEXT(pwrite64);
    return next(fd, from, part(bytes), at);
}
