/* SPDX-License-Identifier: MIT */
/* GADGET-2 binary files built byte by byte, in both byte orders. */
#include <math.h>

#include "io/bytes.h"
#include "models.h"
#include "slices.h"
#include "fixture.h"
#include "particles/particles.h"

/* ---- a file, record by record ----------------------------------------- */

struct image {
    unsigned char bytes[4096];
    size_t n;
    bool big, tagged;
};

static void
put_u32(struct image *f, uint32_t v)
{
    store_u32(f->bytes + f->n, v, f->big);
    f->n += 4;
}

static void
put_record(struct image *f, const char *tag, const void *bytes, size_t n)
{
    if (f->tagged) {
        put_u32(f, 8);
        memcpy(f->bytes + f->n, tag, 4);
        f->n += 4;
        put_u32(f, (uint32_t)n + 8);
        put_u32(f, 8);
    }
    put_u32(f, (uint32_t)n);
    memcpy(f->bytes + f->n, bytes, n);
    f->n += n;
    put_u32(f, (uint32_t)n);
}

/* A block of n numbers first, first + 1, ... of this width in bytes: integers
 * for ids, else reals. */
static void
put_block(struct image *f, const char *tag, size_t n, unsigned width, bool ids,
          double first)
{
    unsigned char bytes[512];
    for (size_t i = 0; i < n; i++) {
        double v = first + (double)i;
        unsigned char *to = bytes + i * width;
        if (ids && width == 4)
            store_u32(to, (uint32_t)v, f->big);
        else if (ids)
            store_u64(to, (uint64_t)v, f->big);
        else if (width == 4)
            store_f32(to, v, f->big);
        else
            store_f64(to, v, f->big);
    }
    put_record(f, tag, bytes, n * width);
}

struct header {
    int32_t count[6], files;
    double mass[6], time, box, redshift, omega_m, hubble;
};

static void
put_header(struct image *f, const struct header *h)
{
    unsigned char bytes[256] = {0};
    for (int t = 0; t < 6; t++) {
        store_u32(bytes + 4 * t, (uint32_t)h->count[t], f->big);
        store_f64(bytes + 24 + 8 * t, h->mass[t], f->big);
    }
    store_f64(bytes + 72, h->time, f->big);
    store_f64(bytes + 80, h->redshift, f->big);
    store_u32(bytes + 124, (uint32_t)h->files, f->big);
    store_f64(bytes + 128, h->box, f->big);
    store_f64(bytes + 136, h->omega_m, f->big);
    store_f64(bytes + 152, h->hubble, f->big);
    put_record(f, "HEAD", bytes, sizeof bytes);
}

/* 1 gas, 2 dark (mass 0.5 in the header) and 1 star particle: all blocks in
 * order, and some of gas that koshu ignores. */
static struct image
whole(bool big, bool tagged, unsigned width)
{
    struct image f = {.big = big, .tagged = tagged};
    const struct header h = {.count = {1, 2, 0, 0, 1, 0},
                             .files = 1,
                             .mass = {0, 0.5},
                             .time = 1.25,
                             .box = 8};
    put_header(&f, &h);
    put_block(&f, "POS ", 12, width, false, 1);
    put_block(&f, "VEL ", 12, width, false, 101);
    put_block(&f, "ID  ", 4, width, true, 7);
    put_block(&f, "MASS", 2, width, false, 3);
    put_block(&f, "U   ", 1, width, false, 900);
    put_block(&f, "RHO ", 1, width, false, 910);
    put_block(&f, "POT ", 4, width, false, -50);
    put_block(&f, "ACCE", 12, width, false, 920);
    return f;
}

static void
refuse(const struct image *f, koshu_status status, const char *words)
{
    struct koshu_particles *p = NULL;
    scratch_write("a.gad", f->bytes, f->n);
    assert_fails(context, status, words,
                 koshu_snapshot_read(context, "a.gad", NULL, &p));
    assert_null(p);
}

/* ---- what is read ----------------------------------------------------- */

static void
check_whole(const struct koshu_particle_view *v)
{
    const double mass[] = {3, 0.5, 0.5, 4};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(v->id[i], 7 + i);
        assert_true(v->x[i] == 1 + 3 * i && v->y[i] == 2 + 3 * i &&
                    v->z[i] == 3 + 3 * i);
        assert_true(v->vx[i] == 101 + 3 * i && v->vz[i] == 103 + 3 * i);
        assert_true(v->mass[i] == mass[i]);
        assert_true(v->potential[i] == -50 + i);
    }
}

static void
both_orders_widths_and_formats_are_read(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        unsigned width = k & 4 ? 8 : 4;
        struct image f = whole(k & 1, k & 2, width);
        struct koshu_particles *p;
        struct koshu_particle_view v;
        struct koshu_snapshot_info info = {.size = sizeof info};
        scratch_write("a.gad", f.bytes, f.n);
        assert_ok(context, koshu_snapshot_read(context, "a.gad", &info, &p));
        assert_int_equal(info.format,
                         k & 2 ? KOSHU_FORMAT_GADGET2 : KOSHU_FORMAT_GADGET1);
        assert_int_equal(info.single, width == 4);
        assert_int_equal(info.n, 4);
        assert_int_equal(info.n_types, 3);
        assert_true(info.time == 1.25 && info.box_size == 8);
        assert_true(info.has_potential);
        assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                                   KOSHU_ACCESS_READ, &v));
        check_whole(&v);
        check_slices("a.gad", 4);
        koshu_particles_destroy(p);
    }
}

/* ---- what is written -------------------------------------------------- */

/* One particle with its mass in the block. */
static struct image
single(const struct header *h)
{
    struct image f = {.tagged = false};
    put_header(&f, h);
    put_block(&f, "POS ", 3, 4, false, 1);
    put_block(&f, "VEL ", 3, 4, false, 11);
    put_block(&f, "ID  ", 1, 4, true, 7);
    put_block(&f, "MASS", 1, 4, false, 3);
    return f;
}

static void
one_mass_is_a_block_too(void **state)
{
    (void)state;
    struct koshu_particles *p;
    struct koshu_particle_view v;
    const struct image f = single(&(struct header){.count = {0, 1}});
    scratch_write("a.gad", f.bytes, f.n);
    assert_ok(context, koshu_snapshot_read(context, "a.gad", NULL, &p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    assert_true(v.n == 1 && v.mass[0] == 3 && v.id[0] == 7);
    koshu_particles_destroy(p);
}

/* The time is the scale factor of the redshift, within a thousandth. */
static void
a_universe_has_a_time_that_fits(void **state)
{
    (void)state;
    for (int fits = 0; fits < 2; fits++) {
        struct koshu_snapshot_info info = {.size = sizeof info};
        const struct image f =
                single(&(struct header){.count = {0, 1},
                                        .time = fits ? 0.5 : 0.49,
                                        .redshift = 1,
                                        .omega_m = 0.3,
                                        .hubble = 0.7});
        scratch_write("a.gad", f.bytes, f.n);
        assert_ok(context, koshu_snapshot_inspect(context, "a.gad", &info));
        assert_true(info.omega_m == (fits ? 0.3 : 0));
        assert_true(info.hubble == (fits ? 0.7 : 0));
        assert_string_equal(info.inconsistent,
                            fits ? ""
                                 : "its Time is 0.49, and the scale factor of "
                                   "its Redshift, 1, is 0.5");
    }
}

static void
equal_masses_go_into_the_header(void **state)
{
    (void)state;
    struct koshu_snapshot_info info = model_info(KOSHU_FORMAT_GADGET1);
    struct koshu_particles *p = model_particles(context, 3), *q;
    struct koshu_particle_view v;
    size_t n;
    info.has_potential = false;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    for (int i = 0; i < 3; i++) v.mass[i] = 1.0 / 3;
    assert_ok(context, koshu_snapshot_write(p, "a.gad1", &info, NULL));
    unsigned char *bytes = scratch_read("a.gad1", &n);
    assert_int_equal(n, 264 + 44 + 44 + 20); /* header, POS, VEL, ID */
    assert_int_equal(load_u32(bytes, false), 256);
    assert_int_equal(load_u32(bytes + 4 + 4, false), 3);
    assert_true(load_f64(bytes + 4 + 32, false) == 1.0 / 3);
    free(bytes);
    assert_ok(context, koshu_snapshot_read(context, "a.gad1", NULL, &q));
    assert_ok(context, koshu_particles_on_host(q, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &v));
    assert_true(v.mass[2] == 1.0 / 3); /* a double, unlike the other blocks */
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
}

static void
masses_of_zero_are_kept(void **state)
{
    (void)state;
    struct koshu_snapshot_info info = model_info(KOSHU_FORMAT_GADGET2);
    struct koshu_particles *p = NULL, *q;
    struct koshu_particle_view v;
    info.has_potential = false;
    assert_ok(context, koshu_particles_create(context, 2, &p));
    assert_ok(context, koshu_snapshot_write(p, "a.gad", &info, NULL));
    assert_ok(context, koshu_snapshot_read(context, "a.gad", NULL, &q));
    assert_ok(context, koshu_particles_on_host(q, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &v));
    assert_true(v.mass[0] == 0 && v.mass[1] == 0);
    koshu_particles_destroy(p);
    koshu_particles_destroy(q);
}

static void
ids_are_as_wide_as_they_must(void **state)
{
    (void)state;
    struct koshu_snapshot_info info = model_info(KOSHU_FORMAT_GADGET1);
    struct koshu_particles *p = model_particles(context, 3), *q;
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    const uint64_t ids[2] = {UINT32_MAX, (uint64_t)UINT32_MAX + 1};
    size_t n[2];
    for (int k = 0; k < 2; k++) {
        v.id[1] = ids[k];
        assert_ok(context, koshu_snapshot_write(p, "a.gad1", &info, NULL));
        free(scratch_read("a.gad1", &n[k]));
        struct koshu_particle_view w;
        assert_ok(context, koshu_snapshot_read(context, "a.gad1", NULL, &q));
        assert_ok(context, koshu_particles_on_host(q, KOSHU_FIELD_ID,
                                                   KOSHU_ACCESS_READ, &w));
        assert_int_equal(w.id[1], ids[k]);
        koshu_particles_destroy(q);
    }
    assert_int_equal(n[1] - n[0], 3 * 4);
    koshu_particles_destroy(p);
}

/* ---- what is refused -------------------------------------------------- */

static void
headers_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    const struct {
        struct header header;
        koshu_status status;
        const char *words;
    } bad[] = {
            {{.count = {0, -2}},
             KOSHU_ERROR_BAD_FORMAT,
             "-2 particles of type 1; a count cannot be negative"},
            {{.count = {0, 2}, .mass = {0, -1}},
             KOSHU_ERROR_BAD_FORMAT,
             "type 1 have the mass -1"},
            {{.count = {0, 2}, .mass = {NAN}},
             KOSHU_ERROR_BAD_FORMAT,
             "type 0 have the mass"},
            {{.count = {0}}, KOSHU_ERROR_BAD_INPUT, "holds no particles"},
            {{.count = {0, 2}},
             KOSHU_ERROR_BAD_FORMAT,
             "without the block of pos"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        for (int tagged = 0; tagged < 2; tagged++) {
            struct image f = {.tagged = tagged};
            put_header(&f, &bad[k].header);
            refuse(&f, bad[k].status, bad[k].words);
        }
}

static void
markers_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct image f = whole(false, false, 4);
    store_u32(f.bytes + 260, 255, false);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT,
           "the record that begins at byte 0 has 256 bytes by its first "
           "marker, but 255 by its last");
    f = whole(false, false, 4);
    store_u32(f.bytes + 264, 0xfffffff0u, false);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT,
           "byte 268: a record: expected 4294967284");
    f = whole(true, true, 4);
    store_u32(f.bytes, 9, true);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "not the beginning of a snapshot");
}

static void
blocks_of_another_size_are_refused(void **state)
{
    (void)state;
    const struct header h = {.count = {0, 2}};
    struct image f = {.tagged = true};
    put_header(&f, &h);
    put_block(&f, "POS ", 5, 4, false, 1);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT,
           "positions: the header's counts make a block of 24 or 48 bytes, "
           "but it has 20");
    f = (struct image){.tagged = true};
    put_header(&f, &h);
    put_block(&f, "POS ", 6, 4, false, 1);
    put_block(&f, "VEL ", 6, 4, false, 1);
    put_block(&f, "MASS", 2, 4, false, 1);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "ends without the block of ids");
    f = (struct image){.n = 0}; /* identified by its first four bytes alone */
    put_u32(&f, 256);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "the file is truncated");
    f = whole(false, true, 4);
    store_u32(f.bytes + 20 + 256, 12, false);
    refuse(&f, KOSHU_ERROR_BAD_FORMAT, "by its last");
}

static void
particles_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    struct image f = whole(false, false, 8);
    store_f64(f.bytes + 264 + 4 + 8 * 4, NAN, false);
    refuse(&f, KOSHU_ERROR_BAD_INPUT, "a.gad: particle 1 (id 8): y = ");
    f = whole(false, false, 8);
    store_f64(f.bytes + 264 + 2 * (8 + 96) + (8 + 32) + 4, -3, false);
    refuse(&f, KOSHU_ERROR_BAD_INPUT, "particle 0 (id 7): mass = -3");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(both_orders_widths_and_formats_are_read),
            cmocka_unit_test(one_mass_is_a_block_too),
            cmocka_unit_test(a_universe_has_a_time_that_fits),
            cmocka_unit_test(equal_masses_go_into_the_header),
            cmocka_unit_test(masses_of_zero_are_kept),
            cmocka_unit_test(ids_are_as_wide_as_they_must),
            cmocka_unit_test(headers_that_make_no_sense_are_refused),
            cmocka_unit_test(markers_that_do_not_fit_are_refused),
            cmocka_unit_test(blocks_of_another_size_are_refused),
            cmocka_unit_test(particles_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_begin, scratch_end);
}
