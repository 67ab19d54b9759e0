/* SPDX-License-Identifier: MIT */
/* Tipsy files built byte by byte, in both byte orders. */
#include <math.h>

#include "io/bytes.h"
#include "models.h"
#include "slices.h"
#include "fixture.h"
#include "particles/particles.h"

struct image {
    unsigned char bytes[1024];
    size_t n;
    bool big;
};

static void
put_header(struct image *f, double time, const int32_t counts[5], bool pad)
{
    store_f64(f->bytes, time, f->big);
    for (int k = 0; k < 5; k++)
        store_u32(f->bytes + 8 + 4 * k, (uint32_t)counts[k], f->big);
    f->n = pad ? 32 : 28;
}

/* A record of numbers first, first + 1, ... */
static void
put_record(struct image *f, int floats, double first)
{
    for (int k = 0; k < floats; k++) {
        store_f32(f->bytes + f->n, first + k, f->big);
        f->n += 4;
    }
}

/* 1 gas, 2 dark, 1 star. */
static struct image
whole(bool big, bool pad)
{
    struct image f = {.big = big};
    const int32_t counts[5] = {4, 3, 1, 2, 1};
    put_header(&f, 2.5, counts, pad);
    put_record(&f, 12, 100);
    put_record(&f, 9, 200);
    put_record(&f, 9, 300);
    put_record(&f, 11, 400);
    return f;
}

static void
refuse(const struct image *f, koshu_status status, const char *words)
{
    struct koshu_particles *p = NULL;
    scratch_write("a.tipsy", f->bytes, f->n);
    assert_fails(context, status, words,
                 koshu_snapshot_read(context, "a.tipsy", NULL, &p));
    assert_null(p);
}

static void
all_families_are_read_in_either_order(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        struct image f = whole(k & 1, k & 2);
        struct koshu_particles *p;
        struct koshu_particle_view v;
        struct koshu_snapshot_info info = {.size = sizeof info};
        scratch_write("a.tipsy", f.bytes, f.n);
        assert_ok(context, koshu_snapshot_read(context, "a.tipsy", &info, &p));
        assert_int_equal(info.n, 4);
        assert_int_equal(info.n_types, 3);
        assert_true(info.time == 2.5 && info.single && info.has_potential);
        assert_true(info.softening == 207); /* eps of the first dark particle */
        assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                                   KOSHU_ACCESS_READ, &v));
        const double phi[4] = {111, 208, 308, 410};
        for (int i = 0; i < 4; i++) {
            assert_int_equal(v.id[i], i);
            assert_true(v.mass[i] == 100 * (i + 1));
            assert_true(v.x[i] == 100 * (i + 1) + 1);
            assert_true(v.vz[i] == 100 * (i + 1) + 6);
            assert_true(v.potential[i] == phi[i]);
        }
        check_slices("a.tipsy", 4);
        koshu_particles_destroy(p);
    }
}

static void
particles_are_written_as_dark(void **state)
{
    (void)state;
    size_t n;
    model_write(context, "a.tipsy", KOSHU_FORMAT_TIPSY, 3);
    unsigned char *bytes = scratch_read("a.tipsy", &n);
    assert_int_equal(n, 32 + 3 * 36);
    assert_true(load_f64(bytes, true) == 0.1);
    const int32_t counts[5] = {3, 3, 0, 3, 0};
    for (int k = 0; k < 5; k++)
        assert_int_equal((int32_t)load_u32(bytes + 8 + 4 * k, true), counts[k]);
    assert_true(load_f32(bytes + 32 + 36 + 28, true) == 1.0 / 64);
    free(bytes);
}

static void
files_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    struct image f = whole(true, true);
    f.n -= 1;
    refuse(&f, KOSHU_ERROR_BAD_FORMAT,
           "1 gas, 2 dark and 1 star particles make a file of 196 bytes, but "
           "it has 195");
    f = whole(false, true);
    f.n += 4;
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "but it has 200");
    const int32_t negative[5] = {3, 3, -1, 3, 1}, none[5] = {0, 3, 0, 0, 0};
    const int32_t flat[5] = {4, 2, 1, 2, 1}, odd[5] = {5, 3, 1, 2, 1};
    const int32_t huge[5] = {INT32_MAX, 3, 0, INT32_MAX, 0};
    f = whole(true, true);
    put_header(&f, 0, huge, true);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "make a file of 77309411324 bytes");
    f = (struct image){.big = true};
    put_header(&f, 0, negative, true);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "-1 gas particles");
    put_header(&f, 0, flat, true);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "not the beginning of a snapshot");
    put_header(&f, 0, odd, true);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "not the beginning of a snapshot");
    put_header(&f, 0, none, true);
    refuse(&f, KOSHU_ERROR_BAD_INPUT, "holds no particles");
    f = whole(true, true);
    store_f64(f.bytes, NAN, true);
    refuse(&f, KOSHU_ERROR_BAD_INPUT, "the time is not a number");
    f = whole(true, true);
    store_f32(f.bytes + 32 + 4, INFINITY, true);
    refuse(&f, KOSHU_ERROR_BAD_INPUT, "a.tipsy: particle 0 (id 0): x = inf");
    f = whole(true, true);
    store_f32(f.bytes + 32 + 48 + 28, -1, true);
    refuse(&f, KOSHU_ERROR_BAD_INPUT, "the softening is negative");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(all_families_are_read_in_either_order),
            cmocka_unit_test(particles_are_written_as_dark),
            cmocka_unit_test(files_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
