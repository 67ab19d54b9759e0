/* SPDX-License-Identifier: MIT */
/* Direct sums over ranks, in the accumulation and the transfer phase. */
#include <math.h>
#include <stdlib.h>

#include <koshu/solver.h>

#include "devices/devices.h"
#include "particles/particles.h"
#include "difference.h"
#include "reports.h"
#include "states.h"

static void
sum(struct koshu_context *c, struct koshu_particles *p,
    enum koshu_precision precision, size_t capacity, bool potential)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    options.precision = precision;
    options.softening = 1.0 / 64;
    options.j_capacity = capacity;
    assert_ok(c, koshu_solver_create(c, &options, &solver));
    unsigned fields =
            KOSHU_FIELD_ACCELERATION | (potential ? KOSHU_FIELD_POTENTIAL : 0u);
    assert_ok(c, koshu_solver_forces(solver, p, fields));
    uint64_t n = koshu_particles_total(p);
    assert_int_equal(solver_interactions(solver), n * n);
    koshu_solver_destroy(solver);
}

static struct columns
compared(const struct koshu_particle_view *v)
{
    return (struct columns){4, {v->ax, v->ay, v->az, v->potential}};
}

/* Relative to the largest acceleration and potential. */
static double
difference(struct koshu_particles *p, struct koshu_particles *whole)
{
    return relative_difference(p, whole, compared);
}

static const size_t sizes[] = {1, 2, 3, 7, 8, 64, 333};
/* capacity for all slices, for one, and for two of the larger ones */
static const size_t capacities[] = {0, 1, 84, 200};

/* Compared with the sum on one rank. Sums of 333 terms in another order differ
 * by a few roundings, in single precision of 6e-8 each. */
static void
test_agrees_with_one_rank(void **state)
{
    (void)state;
    static const double tolerance[] = {2e-6, 2e-6, 1e-14};
    for (int precision = KOSHU_PRECISION_SINGLE;
         precision <= KOSHU_PRECISION_DOUBLE; precision++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            struct koshu_particles *whole = poisoned(alone, sizes[s]);
            sum(alone, whole, (enum koshu_precision)precision, 0, true);
            for (int c = 0; c < 4; c++) {
                struct koshu_particles *p = poisoned(context, sizes[s]);
                sum(context, p, (enum koshu_precision)precision, capacities[c],
                    true);
                assert_near(difference(p, whole), 0, tolerance[precision]);
                koshu_particles_destroy(p);
            }
            koshu_particles_destroy(whole);
        }
}

/* A single mass changed on the last rank shows on every rank. */
static void
test_sees_every_particle(void **state)
{
    (void)state;
    enum { N = 50 };
    struct koshu_particles *whole = poisoned(alone, N);
    struct koshu_particles *p = poisoned(context, N);
    struct koshu_particle_view v;
    sum(alone, whole, KOSHU_PRECISION_DOUBLE, 0, true);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    size_t last = N - 1 - koshu_particles_first(p);
    if (last < v.n) v.mass[last] *= 1.001;
    sum(context, p, KOSHU_PRECISION_DOUBLE, 0, true);
    /* at least a fiftieth of the mass, times a thousandth, at distances of the
     * order of the system */
    assert_true(difference(p, whole) > 1e-8);
    koshu_particles_destroy(p);
    koshu_particles_destroy(whole);
}

/* Repeats the call, and uses a solver that has served a larger store. */
static void
test_same_bits(void **state)
{
    (void)state;
    enum { N = 333 };
    for (int c = 0; c < 4; c++) {
        struct koshu_particles *a = poisoned(context, N),
                               *b = poisoned(context, N);
        struct koshu_particle_view v, w;
        sum(context, a, KOSHU_PRECISION_SINGLE, capacities[c], true);
        sum(context, b, KOSHU_PRECISION_SINGLE, capacities[c], true);
        assert_ok(context, koshu_particles_on_host(a, KOSHU_FIELD_ALL,
                                                   KOSHU_ACCESS_READ, &v));
        assert_ok(context, koshu_particles_on_host(b, KOSHU_FIELD_ALL,
                                                   KOSHU_ACCESS_READ, &w));
        size_t size = v.n * sizeof *v.ax;
        assert_memory_equal(v.ax, w.ax, size);
        assert_memory_equal(v.ay, w.ay, size);
        assert_memory_equal(v.az, w.az, size);
        assert_memory_equal(v.potential, w.potential, size);
        koshu_particles_destroy(a);
        koshu_particles_destroy(b);
    }
}

/* One solver for stores of different sizes in turn. */
static void
test_one_solver_for_all(void **state)
{
    (void)state;
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = 1.0 / 64;
    options.j_capacity = 90;
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    static const size_t n[] = {333, 5, 100, 334};
    for (int k = 0; k < 4; k++) {
        struct koshu_particles *whole = poisoned(alone, n[k]);
        struct koshu_particles *p = poisoned(context, n[k]);
        sum(alone, whole, KOSHU_PRECISION_DOUBLE, 0, true);
        assert_ok(context, koshu_solver_forces(solver, p,
                                               KOSHU_FIELD_ACCELERATION |
                                                       KOSHU_FIELD_POTENTIAL));
        assert_near(difference(p, whole), 0, 1e-14);
        koshu_particles_destroy(p);
        koshu_particles_destroy(whole);
    }
    koshu_solver_destroy(solver);
}

/* Fields that were not requested stay unchanged. */
static void
test_leaves_the_potential(void **state)
{
    (void)state;
    struct koshu_particles *p = poisoned(context, 64);
    struct koshu_particle_view v;
    sum(context, p, KOSHU_PRECISION_SINGLE, 0, false);
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    for (size_t i = 0; i < v.n; i++) {
        assert_true(isnan(v.potential[i]));
        assert_true(isfinite(v.ax[i]));
    }
    koshu_particles_destroy(p);
}

/* ---- devices that ranks share -------------------------------------------- */

static char reported[512];

static void
listen(void *user, enum koshu_log_level level, const char *message)
{
    (void)user;
    if (level != KOSHU_LOG_LEVEL_WARNING) return;
    size_t n = strlen(reported);
    snprintf(reported + n, sizeof reported - n, "%s;", message);
}

/* Ranks 0 and 1 share a device, the others have none. */
static void
test_says_who_shares_a_device(void **state)
{
    (void)state;
    struct koshu_context_options options = koshu_context_options_default();
    struct koshu_context *c;
    options.log = listen;
    assert_int_equal(koshu_context_create(&options, &c), KOSHU_OK);
    if (koshu_ranks_launched()) assert_ok(c, koshu_ranks_initialise(c));
    int rank = koshu_ranks_rank(c), n = koshu_ranks_count(c);
    char unit[KOSHU_UNIT_NAME] = "";
    if (rank < 2) snprintf(unit, sizeof unit, "GPU-0123");
    for (int times = 0; times < 2; times++) {
        bool one_each = true;
        assert_ok(c, koshu_sharing_look(c, unit, &one_each));
        assert_false(one_each);
        if (rank > 0 || n == 1)
            assert_string_equal(reported, "");
        else
            assert_non_null(strstr(reported, "2 ranks share 1 GPU:"));
        char missing[32];
        snprintf(missing, sizeof missing, ";%d of %d ranks", n - 2, n);
        if (rank == 0 && n > 2) assert_non_null(strstr(reported, missing));
    }
    char *second = strstr(reported, "share");
    /* the message is printed only once */
    if (second) assert_null(strstr(second + 1, "share"));
    koshu_context_destroy(c);
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_one_rank),
        cmocka_unit_test(test_sees_every_particle),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_one_solver_for_all),
        cmocka_unit_test(test_leaves_the_potential),
        cmocka_unit_test(test_says_who_shares_a_device),
};
RANKS_MAIN(tests)
