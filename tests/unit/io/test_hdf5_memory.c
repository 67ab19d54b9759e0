/* SPDX-License-Identifier: MIT */
/*
 * One allocation fails, possibly inside libhdf5: these functions replace those
 * of libc for every library of the process. The result must then be right, or
 * reported as out of memory; never as a damaged file.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hdf5.h>

#include "io/io.h"
#include "models.h"
#include "fixture.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* Shared with the child that reads. */
static struct {
    atomic_bool armed;
    atomic_long so_far;
    long failing;
} * count;

static bool
is_to_be_had(void)
{
    return !count || !count->armed || count->so_far++ != count->failing;
}

#pragma GCC visibility push(default)

void *
malloc(size_t size)
{
    return is_to_be_had() ? __libc_malloc(size) : NULL;
}

void *
calloc(size_t n, size_t size)
{
    return is_to_be_had() ? __libc_calloc(n, size) : NULL;
}

void *
realloc(void *memory, size_t size)
{
    return is_to_be_had() ? __libc_realloc(memory, size) : NULL;
}

void *
aligned_alloc(size_t alignment, size_t size)
{
    return is_to_be_had() ? __libc_memalign(alignment, size) : NULL;
}

#pragma GCC visibility pop

static koshu_status
read_snapshot(void)
{
    struct koshu_particles *p = NULL;
    count->armed = true;
    koshu_status status = koshu_snapshot_read(context, "a.hdf5", NULL, &p);
    count->armed = false;
    if (status == KOSHU_OK) assert_int_equal(koshu_particles_count(p), 100);
    koshu_particles_destroy(p);
    return status;
}

/* In a separate process, because HDF5 may be unusable after running out of
 * memory. */
static koshu_status
in_process(koshu_status (*work)(void), char message[256])
{
    static const size_t size = 256;
    int ends[2], how;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        koshu_status status = work();
        dprintf(ends[1], "%s", koshu_context_message(context));
        _exit((int)status);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], message, size - 1);
    message[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    return (koshu_status)WEXITSTATUS(how);
}

/* Each allocation fails in turn. */
static void
each_fails(koshu_status (*work)(void))
{
    long wrong = 0, k = 0;
    do {
        count->so_far = 0;
        count->failing = k;
        char message[256];
        koshu_status status = in_process(work, message);
        if (status == KOSHU_OK || status == KOSHU_ERROR_OUT_OF_MEMORY) continue;
        print_message("allocation %ld: %s: %s\n", k, koshu_status_name(status),
                      message);
        wrong++;
    } while (count->so_far > k++);
    print_message("%ld allocations\n", k);
    assert_int_equal(wrong, 0);
    assert_true(k > 100);
}

static void
snapshots_are_read_or_there_is_no_memory(void **state)
{
    (void)state;
    each_fails(read_snapshot);
}

/* Allows less memory than a file can need, so that koshu knows the child's to
 * be scarce. */
static void
limit_memory(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    limit.rlim_cur = 1 << 30;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
}

static int
set_up(void **state)
{
    scratch_begin(state);
    limit_memory();
    count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(count != MAP_FAILED);
    model_write(context, "a.hdf5", KOSHU_FORMAT_HDF5, 100);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(snapshots_are_read_or_there_is_no_memory),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_end);
}
