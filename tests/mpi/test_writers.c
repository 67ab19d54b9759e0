/* SPDX-License-Identifier: MIT */
/* Snapshots in several files written by several ranks, and snapshots of any
 * kind read by one rank or several. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "domain/domain.h"
#include "io/io.h"
#include "particles/particles.h"
#include "ranks.h"

static char folder[64];

/* All ranks write into a directory that the first one creates. */
static void
enter_folder(void)
{
    if (koshu_ranks_rank(context) == 0) {
        snprintf(folder, sizeof folder, "/tmp/koshu-writers-XXXXXX");
        assert_non_null(mkdtemp(folder));
    }
    assert_ok(context, koshu_broadcast(context, 0, folder, sizeof folder));
    assert_int_equal(chdir(folder), 0);
}

static void
leave_folder(void)
{
    char command[128];
    assert_ok(context, koshu_wait_for_all(context));
    assert_int_equal(chdir("/"), 0);
    if (koshu_ranks_rank(context) > 0) return;
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* Particle k of all has mass k + 1 and position (k, -k, k / 2). */
static struct koshu_particles *
make_particles(size_t n)
{
    struct koshu_particles *p;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_create(context, n, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < v.n; i++) {
        const double k = (double)(koshu_particles_first(p) + i);
        v.mass[i] = k + 1;
        v.x[i] = k;
        v.y[i] = -k;
        v.z[i] = k / 2;
    }
    return p;
}

/* Checks a file of so many particles, of which each rank of the context reads
 * its own. */
static void
check_particles(struct koshu_context *c, const char *path, size_t n,
                uint64_t files)
{
    struct koshu_snapshot_info info = {.size = sizeof info};
    struct koshu_particles *p;
    struct koshu_particle_view v;
    assert_ok(c, koshu_snapshot_read(c, path, &info, &p));
    assert_int_equal(info.n, n);
    assert_int_equal(info.files, files);
    assert_ok(c, koshu_particles_on_host(p, KOSHU_FIELD_ALL, KOSHU_ACCESS_READ,
                                         &v));
    for (size_t i = 0; i < v.n; i++) {
        const size_t k = koshu_particles_first(p) + i;
        assert_int_equal(v.id[i], k);
        assert_true(v.mass[i] == (double)k + 1 && v.x[i] == (double)k &&
                    v.y[i] == -(double)k && v.z[i] == (double)k / 2);
    }
    koshu_particles_destroy(p);
}

static void
test_any_number_of_files_has_all_particles(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        uint64_t files, expected;
        enum koshu_format format;
    } cases[] = {{1000, 2, 2, KOSHU_FORMAT_HDF5},
                 {1000, 3, 3, KOSHU_FORMAT_GADGET2},
                 {1001, 11, 11, KOSHU_FORMAT_HDF5},
                 {5, 4, 4, KOSHU_FORMAT_HDF5},
                 {2, 9, 2, KOSHU_FORMAT_GADGET1},
                 {1, 2, 1, KOSHU_FORMAT_HDF5},
                 {100, 1, 1, KOSHU_FORMAT_TIPSY},
                 {100, 1, 1, KOSHU_FORMAT_CSV},
                 /* reads that do not start at a chunk boundary */
                 {150001, 1, 1, KOSHU_FORMAT_HDF5}};
    enter_folder();
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char path[64];
        struct koshu_particles *p = make_particles(cases[k].n);
        struct koshu_snapshot_info info = koshu_snapshot_info_default();
        info.format = cases[k].format;
        info.files = cases[k].files;
        snprintf(path, sizeof path, "s%zu%s", k,
                 koshu_format_ending(info.format));
        assert_ok(context, koshu_snapshot_write(p, path, &info, NULL));
        if (koshu_ranks_rank(context) == 0)
            check_particles(alone, path, cases[k].n, cases[k].expected);
        check_particles(context, path, cases[k].n, cases[k].expected);
        koshu_particles_destroy(p);
    }
    leave_folder();
}

/* A file that one rank cannot write makes all ranks fail. */
static void
test_a_writer_that_fails_fails_for_all(void **state)
{
    (void)state;
    struct koshu_particles *p = make_particles(100);
    struct koshu_snapshot_info info = koshu_snapshot_info_default();
    info.files = 4;
    enter_folder();
    if (koshu_ranks_rank(context) == 0)
        assert_int_equal(system("mkdir a.3.hdf5"), 0);
    assert_ok(context, koshu_wait_for_all(context));
    koshu_status status = koshu_snapshot_write(p, "a.hdf5", &info, NULL);
    assert_fails(context, KOSHU_ERROR_IO, "a.3.hdf5", status);
    koshu_particles_destroy(p);
    leave_folder();
}

/* If one rank does not see a file, or reads wrong data, no rank gets
 * particles. */
static void
test_a_reader_that_fails_fails_for_all(void **state)
{
    (void)state;
    const int ranks = koshu_ranks_count(context);
    struct koshu_particles *p = make_particles(100), *q;
    struct koshu_snapshot_info info = koshu_snapshot_info_default();
    char words[64];
    info.format = KOSHU_FORMAT_CSV;
    enter_folder();
    assert_ok(context, koshu_snapshot_write(p, "a.csv", &info, NULL));
    if (koshu_ranks_rank(context) == 0)
        assert_int_equal(system("sed s/-99,/-99x,/ a.csv >b.csv"), 0);
    assert_ok(context, koshu_wait_for_all(context));
    if (koshu_ranks_rank(context) == ranks - 1) assert_int_equal(chdir("/"), 0);
    snprintf(words, sizeof words, "rank %d: 'a.csv' is not there, where rank 0",
             ranks - 1);
    if (ranks > 1)
        assert_fails(context, KOSHU_ERROR_NOT_FOUND, words,
                     koshu_snapshot_read(context, "a.csv", NULL, &q));
    assert_int_equal(chdir(folder), 0);
    assert_fails(context, KOSHU_ERROR_BAD_FORMAT, "'-99x' is not",
                 koshu_snapshot_read(context, "b.csv", NULL, &q));
    assert_null(q);
    koshu_particles_destroy(p);
    leave_folder();
}

/* Each file has the particles of consecutive ranks, and each rank writes to one
 * file. */
static void
test_groups(void **state)
{
    (void)state;
    const int ranks = koshu_ranks_count(context);
    for (size_t n = 1; n < 20; n += 3)
        for (uint64_t files = 0; files < 12; files++) {
            struct koshu_writers w;
            uint64_t sums[2];
            assert_ok(context, koshu_writers_begin(context, n, files, &w));
            const bool first = koshu_is_first_rank(w.context);
            sums[0] = first ? w.rows.n : 0;
            sums[1] = first ? w.files.n : 0;
            assert_ok(context, koshu_sum_counts(context, sums, 2));
            assert_int_equal(sums[0], n);
            assert_int_equal(sums[1], w.n_files);
            assert_in_range(w.n_files, 1, n);
            assert_in_range(w.groups, 1, ranks);
            if (files <= (uint64_t)ranks && files <= n)
                assert_int_equal(w.files.n, 1);
            koshu_writers_end(&w);
        }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_any_number_of_files_has_all_particles),
        cmocka_unit_test(test_a_writer_that_fails_fails_for_all),
        cmocka_unit_test(test_a_reader_that_fails_fails_for_all),
};
RANKS_MAIN(tests)
