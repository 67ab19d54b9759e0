/* SPDX-License-Identifier: MIT */
/*
 * Whichever allocation fails, the call reports it, and its objects can be
 * destroyed: each job is repeated with another of its allocations failing each
 * time. The sanitizers detect leaks and double frees.
 */
#include <math.h>

#include <koshu/diagnostics.h>
#include <koshu/integrator.h>
#include <koshu/initial.h>
#include <koshu/j_store.h>
#include <koshu/nwalk.h>
#include <koshu/solver.h>

#include "base/base.h"
#include "check.h"
#include "integrator.h"
#include "no_memory.h"

/* ---- jobs ---------------------------------------------------------------- */

enum { N = 100, FEW = 20 };

static koshu_status
make_sphere(struct koshu_context *context, struct koshu_particles **particles)
{
    struct koshu_initial_options o = koshu_initial_options_default();
    o.n = N;
    return koshu_initial_create(context, &o, particles);
}

static koshu_status
sum_forces(struct koshu_context *context)
{
    static double x[N], sum[4][N];
    for (int k = 0; k < N; k++) x[k] = k;
    const struct koshu_force_options o = koshu_force_options_default();
    static int64_t i_id[N], j_id[N];
    for (int k = 0; k < N; k++) i_id[k] = j_id[k] = 3 * k;
    const struct koshu_i_particles i = {
            .n = N, .x = x, .y = x, .z = x, .id = i_id};
    const struct koshu_j_particles j = {
            .n = N, .x = x, .y = x, .z = x, .mass = x, .id = j_id};
    const struct koshu_force_result result = {
            .ax = sum[0], .ay = sum[1], .az = sum[2], .potential = sum[3]};
    return koshu_force_direct(context, &i, &j, &o, &result);
}

static koshu_status
sum_walks(struct koshu_context *context)
{
    static float x[4 * N], sum[4 * N];
    static const int offset[] = {0, 10, N};
    for (int k = 0; k < 4 * N; k++) x[k] = (float)k;
    return koshu_force_nwalk(context, x, x, sum, offset, offset, 2);
}

static koshu_status
use_memory(struct koshu_context *context)
{
    static double x[N], mass[N], h2[FEW], a[3][FEW];
    static int64_t id[N];
    static uint64_t count[FEW], index[FEW * FEW], nearest[FEW];
    struct koshu_j_store_start_options o =
            koshu_j_store_start_options_default();
    struct koshu_j_store *m = NULL;
    koshu_status status;
    for (int k = 0; k < N; k++) {
        x[k] = k;
        mass[k] = 1;
        id[k] = k / 2;
    }
    for (int k = 0; k < FEW; k++) h2[k] = 9;
    const struct koshu_j_particles j = {
            .n = N, .x = x, .y = x, .z = x, .mass = mass, .id = id};
    const struct koshu_i_particles i = {
            .n = FEW, .x = x, .y = x, .z = x, .h2 = h2};
    const struct koshu_force_result result = {
            .ax = a[0], .ay = a[1], .az = a[2], .nearest = nearest};
    o.softening = 0.1;
    o.nearest = true;
    KOSHU_TRY_CLEANUP(koshu_j_store_create(context, 10, NULL, &m));
    KOSHU_TRY_CLEANUP(koshu_j_store_reserve(m, N));
    KOSHU_TRY_CLEANUP(koshu_j_store_set(m, NULL, &j));
    KOSHU_TRY_CLEANUP(koshu_j_store_start(m, &i, N, &o));
    KOSHU_TRY_CLEANUP(koshu_j_store_wait(m, &result));
    KOSHU_TRY_CLEANUP(koshu_j_store_neighbours(m, FEW, count, index, NULL));
cleanup:
    koshu_j_store_destroy(m);
    return status;
}

static koshu_status
walk_tree(struct koshu_context *context)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    struct koshu_particles *p = NULL;
    struct koshu_solver *solver = NULL;
    struct koshu_tree_errors errors = {.size = sizeof errors};
    koshu_status status;
    o.method = KOSHU_METHOD_TREE;
    KOSHU_TRY_CLEANUP(make_sphere(context, &p));
    KOSHU_TRY_CLEANUP(koshu_solver_create(context, &o, &solver));
    KOSHU_TRY_CLEANUP(koshu_solver_forces(solver, p, KOSHU_FIELD_ACCELERATION));
    KOSHU_TRY_CLEANUP(koshu_solver_tree_errors(solver, p, FEW, &errors));
    KOSHU_TRY_CLEANUP(koshu_solver_reorder(solver, p));
cleanup:
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
    return status;
}

static koshu_status
integrate(struct koshu_context *context)
{
    const struct koshu_integrator_options blocks = hermite_options();
    struct koshu_solver_options o = koshu_solver_options_default();
    struct koshu_particles *p = NULL;
    struct koshu_solver *s = NULL;
    struct koshu_integrator *leapfrog = NULL;
    struct koshu_integrator *hermite = NULL;
    struct koshu_diagnostics diagnostics = {.size = sizeof diagnostics};
    koshu_status status;
    o.softening = 0.1;
    o.precision = KOSHU_PRECISION_MIXED;
    KOSHU_TRY_CLEANUP(make_sphere(context, &p));
    KOSHU_TRY_CLEANUP(koshu_solver_create(context, &o, &s));
    KOSHU_TRY_CLEANUP(koshu_integrator_create(s, p, 0, NULL, &leapfrog));
    KOSHU_TRY_CLEANUP(koshu_integrator_advance(leapfrog, 1, true));
    KOSHU_TRY_CLEANUP(koshu_diagnostics_compute(p, &diagnostics));
    KOSHU_TRY_CLEANUP(koshu_integrator_create(s, p, 0, &blocks, &hermite));
    KOSHU_TRY_CLEANUP(koshu_integrator_advance(hermite, 0x1p-6, true));
cleanup:
    koshu_integrator_destroy(hermite);
    koshu_integrator_destroy(leapfrog);
    koshu_solver_destroy(s);
    koshu_particles_destroy(p);
    return status;
}

/* Makes the first two particles a binary. */
static koshu_status
marry(struct koshu_particles *p)
{
    const unsigned fields = KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY;
    const double apart = 0x1p-10;
    struct koshu_particle_view v = {.size = sizeof v};
    KOSHU_TRY(koshu_particles_acquire_write(p, fields, KOSHU_ACCESS_READ_WRITE,
                                            &v));
    v.x[1] = v.x[0] + apart;
    v.y[1] = v.y[0];
    v.z[1] = v.z[0];
    v.vx[1] = v.vx[0];
    v.vy[1] = v.vy[0] + sqrt(2.0 / FEW / apart);
    v.vz[1] = v.vz[0];
    koshu_particles_release_write(p);
    return KOSHU_OK;
}

/* With few-body groups, and as a single few-body system. */
static koshu_status
regularise(struct koshu_context *context)
{
    struct koshu_integrator_options blocks = hermite_options();
    const struct koshu_integrator_options whole = scheme_options(
            KOSHU_SCHEME_ARCHAIN, KOSHU_STEP_RULE_DEFAULT, 0x1p-9, 0);
    struct koshu_initial_options o = koshu_initial_options_default();
    struct koshu_particles *p = NULL;
    struct koshu_solver *s = NULL;
    struct koshu_integrator *hermite = NULL;
    struct koshu_integrator *archain = NULL;
    koshu_status status;
    o.n = FEW;
    blocks.regularisation = 0x1p-6;
    KOSHU_TRY_CLEANUP(koshu_initial_create(context, &o, &p));
    KOSHU_TRY_CLEANUP(marry(p));
    KOSHU_TRY_CLEANUP(koshu_solver_create(context, NULL, &s));
    KOSHU_TRY_CLEANUP(koshu_integrator_create(s, p, 0, &blocks, &hermite));
    KOSHU_TRY_CLEANUP(koshu_integrator_advance(hermite, 0x1p-7, true));
    KOSHU_TRY_CLEANUP(koshu_integrator_create(s, p, 0, &whole, &archain));
    KOSHU_TRY_CLEANUP(koshu_integrator_advance(archain, 0x1p-9, true));
cleanup:
    koshu_integrator_destroy(archain);
    koshu_integrator_destroy(hermite);
    koshu_solver_destroy(s);
    koshu_particles_destroy(p);
    return status;
}

typedef koshu_status job_function(struct koshu_context *context);

/* Runs the job in its own context with its k-th allocation failing. A job that
 * can do without it may succeed; others must report lack of memory. */
static void
do_without(job_function *job, const char *backend, long k)
{
    struct koshu_context_options o = koshu_context_options_default();
    struct koshu_context *context = NULL;
    char message[128] = "a context";
    o.backend = backend;
    o.threads = 1;
    allocations = 0;
    the_one_that_fails = k;
    koshu_status status = koshu_context_create(&o, &context);
    if (status == KOSHU_OK) {
        status = job(context);
        snprintf(message, sizeof message, "%s", koshu_context_message(context));
    }
    koshu_context_destroy(context);
    the_one_that_fails = NONE_FAILS;
    if (status == KOSHU_OK) return;
    if (status != KOSHU_ERROR_OUT_OF_MEMORY || k == NONE_FAILS || !message[0] ||
        message[0] == ':') /* must say what the memory was for */
        fail_msg("%s, without piece %ld: %s: %s", backend, k,
                 koshu_status_name(status), message);
}

static void
every_piece_of_memory_may_be_missing(void **state)
{
    (void)state;
    static job_function *const jobs[] = {sum_forces, sum_walks, use_memory,
                                         walk_tree,  integrate, regularise};
    static const char *const backends[] = {"cpu", "ref"};
    for (size_t j = 0; j < sizeof jobs / sizeof jobs[0]; j++)
        for (int b = 0; b < 2; b++) {
            do_without(jobs[j], backends[b], NONE_FAILS);
            const long pieces = allocations;
            assert_true(pieces > 1);
            for (long k = 0; k < pieces; k++)
                do_without(jobs[j], backends[b], k);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(every_piece_of_memory_may_be_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
