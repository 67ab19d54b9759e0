/* SPDX-License-Identifier: MIT */
/* The snapshot readers; FUZZ_FORMAT selects the format of the seeds. A damaged
 * file's format is recognised from its content, as usual. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <koshu/initial.h>
#include <koshu/snapshot.h>

#include "foreign.h"
#include "fuzz.h"

#define TEXT(x) #x
#define NAME(x) TEXT(x)
const char fuzz_name[] = NAME(FUZZ_FORMAT);

static void
require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "%s: %s\n", fuzz_name, what);
    abort();
}

static struct koshu_context *
context_of(void)
{
    static struct koshu_context *context;
    if (!context)
        require(koshu_context_create(NULL, &context) == KOSHU_OK, "a context");
    return context;
}

/* ---- seeds ------------------------------------------------------------- */

enum { FOREIGN_SEED = 3 };

static int
write_foreign(const char *path)
{
    struct foreign f = foreign_begin(path);
    const hsize_t n[2] = {3, 3}, chunk[2] = {2, 2};
    const double x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    H5Pset_deflate(list, 4);
    put_dataset(f.dark, "Coordinates", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, 2, n,
                list, x);
    H5Pclose(list);
    foreign_end(f);
    return 1;
}

int
fuzz_write_seed(int k, const char *path)
{
    static const size_t sizes[FOREIGN_SEED] = {1, 3, 20};
    struct koshu_context *context = context_of();
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_snapshot_info info = koshu_snapshot_info_default();
    struct koshu_particles *particles;
    require(koshu_format_find(context, fuzz_name, &info.format) == KOSHU_OK,
            "the format");
    if (k == FOREIGN_SEED && info.format == KOSHU_FORMAT_HDF5)
        return write_foreign(path);
    if (k >= FOREIGN_SEED) return 0;
    options.n = sizes[k];
    info.has_potential = k > 0;
    info.softening = k;
    require(koshu_initial_create(context, &options, &particles) == KOSHU_OK,
            koshu_context_message(context));
    require(koshu_snapshot_write(particles, path, &info, "n: 1\n") == KOSHU_OK,
            koshu_context_message(context));
    koshu_particles_destroy(particles);
    return 1;
}

/* ---- the target -------------------------------------------------------- */

static void
check_failure(koshu_status status, const char *path)
{
    const char *message = koshu_context_message(context_of());
    require(status == KOSHU_ERROR_BAD_FORMAT ||
                    status == KOSHU_ERROR_BAD_INPUT ||
                    status == KOSHU_ERROR_OUT_OF_MEMORY,
            koshu_status_name(status));
    require(strstr(message, path) || status == KOSHU_ERROR_OUT_OF_MEMORY,
            "the message does not name the file");
    require(!strchr(message, '\n'), "the message has more than one line");
}

static void
read_file(const char *path)
{
    struct koshu_particles *particles = NULL;
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_snapshot_info before = {.size = sizeof before};
    koshu_status looked = koshu_snapshot_inspect(context_of(), path, &before);
    if (looked != KOSHU_OK) check_failure(looked, path);
    koshu_status status =
            koshu_snapshot_read(context_of(), path, &info, &particles);
    if (status != KOSHU_OK) {
        require(!particles, "particles in spite of a failure");
        check_failure(status, path);
        return;
    }
    require(looked == KOSHU_OK && before.n == info.n,
            "read, but not inspected to the same end");
    require(koshu_particles_count(particles) == info.n, "another n");
    require(koshu_particles_check(particles) == KOSHU_OK, "bad particles");
    koshu_particles_destroy(particles);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[64];
    int fd = memfd_create("fuzz", 0);
    require(fd >= 0 && write(fd, bytes, n) == (ssize_t)n, "a file in memory");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_file(path);
    close(fd);
    return 0;
}
