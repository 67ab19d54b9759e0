/* SPDX-License-Identifier: MIT */
/* Any consecutive particles read from a file equal those of the whole file:
 * each rank reads its own. */
#ifndef KOSHU_TESTS_IO_SLICES_H
#define KOSHU_TESTS_IO_SLICES_H

#include "io/snapshot_files.h"

#include "fixture.h"

static inline struct koshu_particles *
read_slice(const char *path, struct koshu_slice slice,
           struct koshu_particle_view *v)
{
    struct koshu_snapshot_files f;
    struct koshu_reader *reader;
    struct koshu_particles *p;
    assert_ok(context, koshu_snapshot_files_open(context, path, &f));
    assert_ok(context, koshu_particles_create_slice(context, (size_t)f.info.n,
                                                    slice, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_SNAPSHOT_FIELDS,
                                               KOSHU_ACCESS_WRITE, v));
    assert_ok(context, koshu_reader_open(context, path, &reader));
    assert_ok(context, koshu_formats[f.info.format]->read(reader, &f.info,
                                                          slice.first, v));
    koshu_reader_close(reader);
    koshu_snapshot_files_close(&f);
    return p;
}

static inline void
check_slices(const char *path, size_t n)
{
    struct koshu_particle_view all, v;
    struct koshu_particles *const whole =
            read_slice(path, (struct koshu_slice){0, n}, &all);
    for (size_t first = 0; first < n; first++)
        for (size_t m = 0; first + m <= n; m++) {
            struct koshu_particles *const p =
                    read_slice(path, (struct koshu_slice){first, m}, &v);
            for (size_t k = 0; k < KOSHU_SNAPSHOT_ARRAYS && m > 0; k++)
                assert_memory_equal(koshu_particle_array(&v, k),
                                    (char *)koshu_particle_array(&all, k) +
                                            first * KOSHU_ARRAY_ELEMENT,
                                    m * KOSHU_ARRAY_ELEMENT);
            koshu_particles_destroy(p);
        }
    koshu_particles_destroy(whole);
}

#endif
