/* SPDX-License-Identifier: MIT */
/*
 * Forces over ranks on a CUDA device, which the ranks may share, compared with
 * one rank alone, by each available transport. Skipped, with exit status 77,
 * where no device answers.
 */
#include <math.h>
#include <stdlib.h>

#include <koshu/integrator.h>
#include <koshu/solver.h>

#include "backend/backend.h"
#include "integrator.h"
#include "particles/particles.h"
#include "difference.h"
#include "states.h"

static koshu_status
sum(struct koshu_context *c, struct koshu_particles *p,
    enum koshu_precision precision, enum koshu_transport transport)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    options.precision = precision;
    options.softening = 1.0 / 64;
    options.transport = transport;
    koshu_status status = koshu_solver_create(c, &options, &solver);
    if (status != KOSHU_OK) return status;
    for (int times = 0; times < 2 && status == KOSHU_OK; times++)
        status = koshu_solver_forces(
                solver, p, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL);
    koshu_solver_destroy(solver);
    return status;
}

static struct columns
compared(const struct koshu_particle_view *v)
{
    return (struct columns){
            7, {v->ax, v->ay, v->az, v->potential, v->x, v->y, v->z}};
}

/* This rank's largest difference, relative to the largest value. */
static double
difference(struct koshu_particles *p, struct koshu_particles *whole)
{
    return relative_difference(p, whole, compared);
}

static void
assert_same_bits(struct koshu_particles *a, struct koshu_particles *b)
{
    struct koshu_particle_view v, w;
    assert_ok(context, koshu_particles_on_host(a, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &v));
    assert_ok(context, koshu_particles_on_host(b, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &w));
    const double *const one[] = {v.ax, v.ay, v.az, v.potential};
    const double *const two[] = {w.ax, w.ay, w.az, w.potential};
    for (int k = 0; k < 4; k++)
        assert_memory_equal(one[k], two[k], v.n * sizeof *one[k]);
}

/* The sums are taken in another order: float sums of a tile differ by about
 * 1e-7 of their value, double ones by 1e-14. */
static const double tolerance[] = {1e-6, 1e-7, 1e-13};
static const size_t sizes[] = {1000, 3001, 20011, 50000};

/* Every transport gives the same bits. */
static void
test_agrees_with_one_rank(void **state)
{
    (void)state;
    for (int precision = KOSHU_PRECISION_SINGLE;
         precision <= KOSHU_PRECISION_DOUBLE; precision++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            enum koshu_precision of = (enum koshu_precision)precision;
            struct koshu_particles *whole = poisoned(alone, sizes[s]);
            struct koshu_particles *p = poisoned(context, sizes[s]);
            assert_ok(alone, sum(alone, whole, of, KOSHU_TRANSPORT_AUTO));
            assert_ok(context, sum(context, p, of, KOSHU_TRANSPORT_HOST));
            assert_near(difference(p, whole), 0, tolerance[precision]);
            for (int t = KOSHU_TRANSPORT_AUTO; t < KOSHU_TRANSPORT_HOST; t++) {
                struct koshu_particles *q = poisoned(context, sizes[s]);
                koshu_status status =
                        sum(context, q, of, (enum koshu_transport)t);
                if (status != KOSHU_ERROR_UNSUPPORTED) {
                    assert_ok(context, status);
                    assert_same_bits(p, q);
                }
                koshu_particles_destroy(q);
            }
            koshu_particles_destroy(p);
            koshu_particles_destroy(whole);
        }
}

/* Prints which transports were available. */
static void
test_names_the_way(void **state)
{
    (void)state;
    struct koshu_particles *p = poisoned(context, 5000);
    for (int t = KOSHU_TRANSPORT_AUTO; t <= KOSHU_TRANSPORT_HOST; t++) {
        enum koshu_transport transport = (enum koshu_transport)t;
        koshu_status status =
                sum(context, p, KOSHU_PRECISION_SINGLE, transport);
        if (koshu_ranks_rank(context) == 0)
            print_message("%s: %s\n", koshu_transport_name(transport),
                          status == KOSHU_OK ? koshu_ranks_transport(context)
                                             : koshu_context_message(context));
        bool refused = status == KOSHU_ERROR_UNSUPPORTED && t > 0 &&
                       t < KOSHU_TRANSPORT_HOST;
        if (!refused) assert_ok(context, status);
    }
    koshu_particles_destroy(p);
}

/* All ranks notice a mass that changes on one rank only. */
static void
test_sees_a_change_elsewhere(void **state)
{
    (void)state;
    enum { N = 6000 };
    struct koshu_particles *whole = poisoned(alone, N),
                           *p = poisoned(context, N);
    struct koshu_particle_view v;
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_solver *solver;
    unsigned fields = KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL;
    options.softening = 1.0 / 64;
    assert_ok(context, koshu_solver_create(context, &options, &solver));
    assert_ok(context, koshu_solver_forces(solver, p, fields));
    assert_ok(context, koshu_particles_on_host(p, KOSHU_FIELD_MASS,
                                               KOSHU_ACCESS_READ_WRITE, &v));
    size_t last = N - 1 - koshu_particles_first(p);
    if (last < v.n) v.mass[last] *= 1000;
    assert_ok(alone, koshu_particles_on_host(whole, KOSHU_FIELD_MASS,
                                             KOSHU_ACCESS_READ_WRITE, &v));
    v.mass[N - 1] *= 1000;
    assert_ok(context, koshu_solver_forces(solver, p, fields));
    assert_ok(alone,
              sum(alone, whole, KOSHU_PRECISION_SINGLE, KOSHU_TRANSPORT_AUTO));
    assert_near(difference(p, whole), 0, tolerance[KOSHU_PRECISION_SINGLE]);
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
    koshu_particles_destroy(whole);
}

/* ---- integrators --------------------------------------------------------- */

static void
leap(struct koshu_context *c, struct koshu_particles *p,
     struct koshu_solver *solver)
{
    struct koshu_integrator_options options =
            koshu_integrator_options_default();
    struct koshu_integrator *leapfrog;
    options.dt = 1.0 / 64;
    assert_ok(c, koshu_integrator_create(solver, p, 0, &options, &leapfrog));
    for (int k = 1; k <= 4; k++)
        assert_ok(c, koshu_integrator_advance(leapfrog, k / 64.0, k == 4));
    koshu_integrator_destroy(leapfrog);
}

static void
blocks(struct koshu_context *c, struct koshu_particles *p,
       struct koshu_solver *solver)
{
    struct koshu_integrator_options options = hermite_options();
    struct koshu_integrator *hermite;
    options.dt = 1.0 / 16;
    options.eta = 0.05;
    assert_ok(c, koshu_integrator_create(solver, p, 0, &options, &hermite));
    while (koshu_integrator_time(hermite) != 1.0 / 16)
        assert_ok(c, koshu_integrator_advance(hermite, 1.0 / 16, true));
    koshu_integrator_destroy(hermite);
}

typedef void integrator(struct koshu_context *, struct koshu_particles *,
                        struct koshu_solver *);

static struct koshu_particles *
integrate(struct koshu_context *c, integrator *how, size_t n)
{
    struct koshu_solver_options options = koshu_solver_options_default();
    struct koshu_particles *p = poisoned(c, n);
    struct koshu_solver *solver;
    options.precision = KOSHU_PRECISION_DOUBLE;
    options.softening = 1.0 / 64;
    assert_ok(c, koshu_solver_create(c, &options, &solver));
    how(c, p, solver);
    koshu_solver_destroy(solver);
    return p;
}

/* Particles stay on the devices between steps; with block steps the j-particles
 * do. Rounding of 1e-16 grows within a few steps, but repeating the run gives
 * the same bits. */
static void
test_integrators(void **state)
{
    (void)state;
    static const struct {
        integrator *how;
        size_t n;
    } runs[] = {{leap, 3001}, {blocks, 257}};
    for (int k = 0; k < 2; k++) {
        struct koshu_particles *whole =
                integrate(alone, runs[k].how, runs[k].n);
        struct koshu_particles *p = integrate(context, runs[k].how, runs[k].n);
        struct koshu_particles *q = integrate(context, runs[k].how, runs[k].n);
        assert_near(difference(p, whole), 0, 1e-11);
        assert_same_bits(p, q);
        koshu_particles_destroy(whole);
        koshu_particles_destroy(p);
        koshu_particles_destroy(q);
    }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_the_way),
        cmocka_unit_test(test_agrees_with_one_rank),
        cmocka_unit_test(test_sees_a_change_elsewhere),
        cmocka_unit_test(test_integrators),
};

/* Called before MPI is initialised. */
static bool
has_device(void)
{
    struct koshu_context *c = test_context(NULL, 1);
    struct koshu_backend *backend;
    bool has = koshu_backend_of(c, &backend) == KOSHU_OK &&
               backend->ops->partition;
    koshu_context_destroy(c);
    return has;
}

int
main(void)
{
    if (!has_device()) {
        printf("no CUDA device answers\n");
        return 77;
    }
    int failed = cmocka_run_group_tests(tests, ranks_begin, ranks_end);
    koshu_ranks_finalise();
    return failed;
}
