/* SPDX-License-Identifier: MIT */
/*
 * One rank runs out of memory, and the others must not wait for it: each
 * allocation of one rank fails in turn, and all ranks get the same status.
 */
#include <string.h>

#include <koshu/diagnostics.h>
#include <koshu/integrator.h>
#include <koshu/initial.h>
#include <koshu/solver.h>

#include "base/base.h"
#include "domain/domain.h"
#include "integrator.h"
#include "no_memory.h"
#include "ranks.h"

enum { N = 40, VICTIM = 1 };

struct job {
    enum koshu_method method;
    double box; /* edge of a periodic box; 0: none */
    koshu_status (*run)(struct koshu_solver *solver,
                        struct koshu_particles *particles);
};

static koshu_status
leap(struct koshu_solver *solver, struct koshu_particles *particles)
{
    struct koshu_diagnostics diagnostics = {.size = sizeof diagnostics};
    struct koshu_integrator *l;
    KOSHU_TRY(koshu_integrator_create(solver, particles, 0, NULL, &l));
    koshu_status status = koshu_integrator_advance(l, 1, true);
    if (status == KOSHU_OK)
        status = koshu_diagnostics_compute(particles, &diagnostics);
    koshu_integrator_destroy(l);
    return status;
}

static koshu_status
make_blocks(struct koshu_solver *solver, struct koshu_particles *particles)
{
    const struct koshu_integrator_options o = hermite_options();
    struct koshu_integrator *h;
    KOSHU_TRY(koshu_integrator_create(solver, particles, 0, &o, &h));
    koshu_status status = koshu_integrator_advance(h, 0x1p-9, true);
    koshu_integrator_destroy(h);
    return status;
}

static koshu_status
do_job(const struct job *job)
{
    struct koshu_solver_options o = koshu_solver_options_default();
    struct koshu_initial_options i = koshu_initial_options_default();
    struct koshu_tree_options tree = koshu_tree_options_default();
    struct koshu_laplace_options fmm = koshu_laplace_options_default();
    struct koshu_particles *p = NULL;
    struct koshu_solver *solver = NULL;
    koshu_status status;
    i.n = N;
    o.method = job->method;
    o.softening = 0.1;
    o.precision = job->method == KOSHU_METHOD_FMM ? KOSHU_PRECISION_SINGLE
                                                  : KOSHU_PRECISION_MIXED;
    o.tree = &tree;
    o.fmm = &fmm;
    tree.box = fmm.box = job->box;
    fmm.tolerance = 0;
    fmm.multipole_order = 4;
    fmm.n_leaf = 4;
    o.j_capacity = 10;
    KOSHU_TRY_CLEANUP(koshu_initial_create(context, &i, &p));
    KOSHU_TRY_CLEANUP(koshu_solver_create(context, &o, &solver));
    KOSHU_TRY_CLEANUP(job->run(solver, p));
cleanup:
    koshu_solver_destroy(solver);
    koshu_particles_destroy(p);
    return status;
}

/* Runs with the victim's k-th allocation failing; returns the number of its
 * allocations. */
static long
do_without(const struct job *job, long k)
{
    const int rank = koshu_ranks_rank(context);
    const bool victim = rank == VICTIM % koshu_ranks_count(context);
    allocations = 0;
    the_one_that_fails = victim ? k : NONE_FAILS;
    const koshu_status status = do_job(job);
    const long requested = allocations;
    the_one_that_fails = NONE_FAILS;
    if (status != KOSHU_OK && status != KOSHU_ERROR_OUT_OF_MEMORY)
        fail_msg("rank %d, without piece %ld: %s: %s", rank, k,
                 koshu_status_name(status), koshu_context_message(context));
    double max = victim ? (double)requested : 0, worst = (double)status;
    assert_ok(context, koshu_largest(context, &max));
    assert_ok(context, koshu_largest(context, &worst));
    assert_int_equal((int)worst, status); /* the same status on all ranks */
    return (long)max;
}

static void
test_no_rank_waits(void **state)
{
    (void)state;
    static const struct job jobs[] = {{KOSHU_METHOD_DIRECT, 0, leap},
                                      {KOSHU_METHOD_TREE, 0, leap},
                                      {KOSHU_METHOD_TREE, 16, leap},
                                      {KOSHU_METHOD_FMM, 0, leap},
                                      {KOSHU_METHOD_FMM, 16, leap},
                                      {KOSHU_METHOD_DIRECT, 0, make_blocks}};
    for (size_t j = 0; j < sizeof jobs / sizeof jobs[0]; j++) {
        const long pieces = do_without(&jobs[j], NONE_FAILS);
        assert_true(pieces > 1);
        for (long k = 0; k < pieces; k++) do_without(&jobs[j], k);
    }
}

/* On the CPU only: device memory is a different matter. */
static int
begin_on_the_cpu(void **state)
{
    if (ranks_begin(state) != 0) return -1;
    koshu_context_destroy(context);
    context = test_context("cpu", 1);
    if (koshu_ranks_launched())
        assert_ok(context, koshu_ranks_initialise(context));
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_rank_waits)};
    int failed = cmocka_run_group_tests(tests, begin_on_the_cpu, ranks_end);
    koshu_ranks_finalise();
    return failed;
}
