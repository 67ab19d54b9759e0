/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fixture.h"
#include "particles/particles.h"

static struct koshu_particles *
make(size_t n)
{
    struct koshu_particles *p = NULL;
    assert_ok(context, koshu_particles_create(context, n, &p));
    return p;
}

static void
a_new_store_is_zero_and_numbered(void **state)
{
    (void)state;
    struct koshu_particles *p = make(5);
    struct koshu_particle_const_view v = {.size = sizeof v};
    assert_ok(context, koshu_particles_acquire_read(p, KOSHU_FIELD_ALL, &v));
    assert_int_equal(v.n, 5);
    for (size_t i = 0; i < v.n; i++) {
        assert_int_equal(v.id[i], i);
        assert_true(v.mass[i] == 0 && v.az[i] == 0 && v.potential[i] == 0);
    }
    assert_int_equal((uintptr_t)v.x % KOSHU_ALIGNMENT, 0);
    koshu_particles_release_read(p);
    koshu_particles_destroy(p);
}

static void
nonsense_is_refused(void **state)
{
    (void)state;
    struct koshu_particles *p = NULL;
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct koshu_particle_view w = {.size = sizeof w};
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "at least 1",
                 koshu_particles_create(context, 0, &p));
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY, " particles: ",
                 koshu_particles_create(context, SIZE_MAX / 8, &p));
    /* more than the machine has is refused before any is allocated */
    setenv("KOSHU_MEMORY", "100G", 1);
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY,
                 "4000000000 particles: 358 GiB of memory needed, and "
                 "KOSHU_MEMORY has 1",
                 koshu_particles_create(context, 4000000000, &p));
    unsetenv("KOSHU_MEMORY");
    p = make(2);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "fields",
                 koshu_particles_acquire_read(p, 1u << 20, &v));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "KOSHU_ACCESS_WRITE or",
                 koshu_particles_acquire_write(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &w));
    v.size = w.size = 0;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_particles_acquire_read(p, KOSHU_FIELD_MASS, &v));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "size is not set",
                 koshu_particles_acquire_write(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_WRITE, &w));
    /* none of these has lent a view */
    const size_t order[] = {1, 0};
    assert_ok(context, koshu_particles_permute(p, 2, order));
    koshu_particles_destroy(p);
}

static void
fields_of_block_steps_come_when_requested(void **state)
{
    (void)state;
    struct koshu_particles *p = make(3);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    assert_null(v.jx);
    assert_null(v.tick);
    assert_ok(context,
              koshu_particles_on_host(p, KOSHU_FIELD_JERK | KOSHU_FIELD_STEP,
                                      KOSHU_ACCESS_READ_WRITE, &v));
    for (size_t i = 0; i < 3; i++) {
        assert_true(v.jx[i] == 0 && v.jy[i] == 0 && v.jz[i] == 0);
        assert_true(v.tick[i] == 0 && v.step[i] == 0);
        v.jy[i] = (double)i;
        v.step[i] = i;
    }
    const size_t order[] = {2, 0, 1};
    assert_ok(context, koshu_particles_permute(p, 3, order));
    for (size_t i = 0; i < 3; i++)
        assert_true(v.jy[i] == (double)order[i] && v.step[i] == order[i]);
    koshu_particles_destroy(p);
}

static void
permute_moves_every_field(void **state)
{
    (void)state;
    struct koshu_particles *p = make(3);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_WRITE, &v));
    for (size_t i = 0; i < 3; i++) v.x[i] = v.vz[i] = 10.0 * (double)i;
    const size_t order[] = {2, 0, 1}, twice[] = {0, 0, 1}, beyond[] = {0, 1, 3};
    assert_ok(context, koshu_particles_permute(p, 3, order));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(v.id[i], order[i]);
        assert_true(v.x[i] == 10.0 * (double)order[i] && v.vz[i] == v.x[i]);
    }
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "named twice",
                 koshu_particles_permute(p, 3, twice));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "no such particle",
                 koshu_particles_permute(p, 3, beyond));
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "an order of 2 particles for a store of 3",
                 koshu_particles_permute(p, 2, order));
    assert_int_equal(v.id[0], 2);
    koshu_particles_destroy(p);
}

static void
check_names_the_particle(void **state)
{
    (void)state;
    struct koshu_particles *p = make(4);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_check(p));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_WRITE, &v));
    v.id[2] = 77;
    v.vy[2] = NAN;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE,
                 "particle 2 (id 77): vy = nan", koshu_particles_check(p));
    v.mass[3] = NAN;
    v.z[1] = INFINITY;
    assert_fails(context, KOSHU_ERROR_NOT_FINITE, "particle 1 (id 1): z = inf",
                 koshu_particles_check(p));
    v.z[1] = v.vy[2] = 0;
    v.mass[3] = -1;
    assert_fails(context, KOSHU_ERROR_BAD_INPUT, "particle 3 (id 3): mass = -1",
                 koshu_particles_check(p));
    koshu_particles_destroy(p);
}

static void
a_store_with_a_view_is_not_permuted(void **state)
{
    (void)state;
    struct koshu_particles *p = make(2);
    struct koshu_particle_const_view v = {.size = sizeof v};
    struct koshu_particle_view w = {.size = sizeof w};
    const size_t order[] = {1, 0};
    for (int k = 0; k < 2; k++)
        assert_ok(context, koshu_particles_acquire_read(p, KOSHU_FIELD_ID, &v));
    assert_ok(context, koshu_particles_refuse_views(p, KOSHU_ACCESS_WRITE, ""));
    koshu_particles_release_read(p);
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "koshu_particles_permute(): a view of the particles for "
                 "reading is not released",
                 koshu_particles_permute(p, 2, order));
    assert_int_equal(v.id[0], 0);
    koshu_particles_release_read(p);

    assert_ok(context,
              koshu_particles_acquire_write(p, KOSHU_FIELD_MASS,
                                            KOSHU_ACCESS_READ_WRITE, &w));
    koshu_particles_release_read(p); /* without a view on loan */
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "for writing is not released",
                 koshu_particles_permute(p, 2, order));
    assert_fails(
            context, KOSHU_ERROR_INVALID_ARGUMENT, "the caller: a view",
            koshu_particles_refuse_views(p, KOSHU_ACCESS_WRITE, "the caller"));
    for (int k = 0; k < 2; k++) koshu_particles_release_write(p);
    assert_ok(context, koshu_particles_permute(p, 2, order));
    koshu_particles_destroy(p);
}

/* A program compiled when views had fewer arrays. */
static void
a_shorter_view_gets_what_fits(void **state)
{
    (void)state;
    struct koshu_particles *p = make(3);
    struct {
        size_t size, n;
        const uint64_t *id;
        const double *next;
    } shorter = {.size = 3 * sizeof(size_t), .next = (const double *)&p};
    assert_ok(context, koshu_particles_acquire_read(
                               p, KOSHU_FIELD_ALL,
                               (struct koshu_particle_const_view *)&shorter));
    assert_int_equal(shorter.size, 3 * sizeof(size_t));
    assert_int_equal(shorter.n, 3);
    assert_int_equal(shorter.id[2], 2);
    assert_ptr_equal(shorter.next, &p);
    koshu_particles_destroy(p);
}

static void
fields_and_accesses_have_names(void **state)
{
    (void)state;
    enum koshu_field field;
    enum koshu_access access;
    int n = 0;
    for (; koshu_field_name(1u << n); n++) {
        assert_ok(context,
                  koshu_field_find(context, koshu_field_name(1u << n), &field));
        assert_int_equal(field, 1u << n);
    }
    assert_int_equal(KOSHU_FIELD_INITIAL_MASS, 1u << (n - 1));
    assert_null(koshu_field_name(KOSHU_FIELD_ALL));
    for (n = 0; koshu_access_name(n); n++) {
        assert_ok(context,
                  koshu_access_find(NULL, koshu_access_name(n), &access));
        assert_int_equal(access, n);
    }
    assert_int_equal(n, KOSHU_ACCESS_READ_WRITE + 1);
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'velocity'",
                 koshu_field_find(context, "velocities", &field));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "read, write, read-write",
                 koshu_access_find(context, "append", &access));
}

/* A device copy in host memory that keeps only x and counts its copies. */
struct toy_copy {
    double x[4];
    int to_host, from_host, destroyed;
};

static koshu_status
toy_to_host(void *self, unsigned fields, const struct koshu_particle_view *v)
{
    struct toy_copy *m = self;
    if (fields & KOSHU_FIELD_POSITION) memcpy(v->x, m->x, sizeof m->x);
    m->to_host++;
    return KOSHU_OK;
}

static koshu_status
toy_from_host(void *self, unsigned fields, const struct koshu_particle_view *v)
{
    struct toy_copy *m = self;
    if (fields & KOSHU_FIELD_POSITION) memcpy(m->x, v->x, sizeof m->x);
    m->from_host++;
    return KOSHU_OK;
}

static void
toy_destroy(void *self)
{
    ((struct toy_copy *)self)->destroyed++;
}

static const struct koshu_device_copy_ops ops = {.to_host = toy_to_host,
                                                 .from_host = toy_from_host,
                                                 .destroy = toy_destroy};

static void
a_field_is_copied_only_when_stale(void **state)
{
    (void)state;
    struct toy_copy copy = {0};
    struct koshu_particles *p = make(4);
    struct koshu_particle_view v;
    assert_fails(context, KOSHU_ERROR_INTERNAL, "no device copy",
                 koshu_particles_on_device(p, KOSHU_FIELD_POSITION,
                                           KOSHU_ACCESS_READ));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_WRITE, &v));
    v.x[1] = 3;
    assert_ok(context, koshu_particles_set_device_copy(p, &ops, &copy));
    assert_ptr_equal(koshu_particles_device_copy(p, &ops), &copy);

    /* requested twice but copied once */
    for (int k = 0; k < 2; k++)
        assert_ok(context, koshu_particles_on_device(p, KOSHU_FIELD_POSITION,
                                                     KOSHU_ACCESS_READ_WRITE));
    assert_int_equal(copy.from_host, 1);
    assert_true(copy.x[1] == 3);
    assert_int_equal(koshu_particles_bytes_copied(p), 3 * 4 * 8);

    copy.x[1] = 5; /* changed by the device; the host must see it */
    for (int k = 0; k < 2; k++)
        assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                                   KOSHU_ACCESS_READ, &v));
    assert_int_equal(copy.to_host, 1);
    assert_true(v.x[1] == 5);

    assert_ok(context, koshu_particles_set_device_copy(p, NULL, NULL));
    assert_int_equal(copy.destroyed, 1);
    koshu_particles_destroy(p);
}

/* The middle of an array that has left the host is zero: its memory is the
 * system's. */
static void
large_fields_leave_the_host(void **state)
{
    (void)state;
    enum { N = KOSHU_LARGE_BLOCK / sizeof(double) };
    struct toy_copy copy = {0};
    struct koshu_particles *p = make(N);
    struct koshu_particle_view v;
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_WRITE, &v));
    v.x[1] = v.x[N / 2] = 3;
    assert_ok(context, koshu_particles_set_device_copy(p, &ops, &copy));
    koshu_particles_leave_host(p);
    assert_ok(context, koshu_particles_on_device(p, KOSHU_FIELD_POSITION,
                                                 KOSHU_ACCESS_READ));
    assert_true(copy.x[1] == 3);
#ifdef __linux__
    assert_true(v.x[N / 2] == 0);
#endif
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ, &v));
    assert_int_equal(copy.to_host, 1);
    assert_true(v.x[1] == 3);
    koshu_particles_destroy(p);
}

static void
fields_are_unwritten_until_they_are_written(void **state)
{
    (void)state;
    const unsigned id = KOSHU_FIELD_ID, written = id | KOSHU_FIELD_POSITION;
    struct toy_copy copy = {0};
    struct koshu_particles *p = make(4);
    struct koshu_particle_view v;
    assert_int_equal(koshu_particles_unwritten(p), ~id);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ, &v));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_POSITION,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    assert_int_equal(koshu_particles_unwritten(p), ~written);
    assert_ok(context,
              koshu_particles_scale(p, &(struct koshu_unit_factors){2, 3, 4}));
    assert_int_equal(koshu_particles_unwritten(p), ~written);
    assert_ok(context, koshu_particles_set_device_copy(p, &ops, &copy));
    assert_ok(context, koshu_particles_on_device(p, KOSHU_FIELD_VELOCITY,
                                                 KOSHU_ACCESS_WRITE));
    assert_int_equal(koshu_particles_unwritten(p),
                     ~(written | KOSHU_FIELD_VELOCITY));
    koshu_particles_destroy(p);
}

/* ... and keep their addresses, which Python's arrays rely on. */
static void
vectors_lie_at_equal_distances(void **state)
{
    (void)state;
    const unsigned fields = KOSHU_FIELD_ALL | KOSHU_FIELD_JERK;
    for (size_t n = 1; n < 40; n += 6) {
        struct koshu_particles *p = make(n);
        struct koshu_particle_const_view v = {.size = sizeof v}, w = v;
        assert_ok(context, koshu_particles_acquire_read(p, fields, &v));
        koshu_particles_release_read(p);
        const double *x[][3] = {{v.x, v.y, v.z},
                                {v.vx, v.vy, v.vz},
                                {v.ax, v.ay, v.az},
                                {v.jx, v.jy, v.jz}};
        for (size_t k = 0; k < 4; k++) {
            assert_true(x[k][1] - x[k][0] >= (ptrdiff_t)n);
            assert_true(x[k][2] - x[k][1] == x[k][1] - x[k][0]);
            assert_int_equal((uintptr_t)x[k][1] % KOSHU_ALIGNMENT, 0);
        }
        size_t order[40];
        for (size_t i = 0; i < n; i++) order[i] = n - 1 - i;
        assert_ok(context, koshu_particles_permute(p, n, order));
        assert_ok(context, koshu_particles_acquire_read(p, fields, &w));
        assert_ptr_equal(v.vy, w.vy);
        koshu_particles_release_read(p);
        koshu_particles_destroy(p);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(a_new_store_is_zero_and_numbered),
            cmocka_unit_test(a_store_with_a_view_is_not_permuted),
            cmocka_unit_test(a_shorter_view_gets_what_fits),
            cmocka_unit_test(fields_and_accesses_have_names),
            cmocka_unit_test(nonsense_is_refused),
            cmocka_unit_test(fields_of_block_steps_come_when_requested),
            cmocka_unit_test(permute_moves_every_field),
            cmocka_unit_test(check_names_the_particle),
            cmocka_unit_test(a_field_is_copied_only_when_stale),
            cmocka_unit_test(large_fields_leave_the_host),
            cmocka_unit_test(fields_are_unwritten_until_they_are_written),
            cmocka_unit_test(vectors_lie_at_equal_distances),
    };
    return cmocka_run_group_tests(tests, context_begin, context_end);
}
