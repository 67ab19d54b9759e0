/* SPDX-License-Identifier: MIT */
/* What a solver is, and what it has done. */
#include "base/base.h"
#include "particles/particles.h"
#include "solve/solve.h"
#include "solve/solver.h"

const struct koshu_solver_options *
koshu_solver_own_options(const struct koshu_solver *solver)
{
    return &solver->options;
}

KOSHU_DEFINE_REPORT(koshu_solver_options_of, solver, koshu_solver_options,
                    options, solver->options)

const char *
koshu_solver_backend(const struct koshu_solver *solver)
{
    if (!solver) return "";
    return solver->backend->ops->name;
}

const char *
koshu_solver_device(const struct koshu_solver *solver)
{
    if (!solver) return "";
    return solver->backend->device;
}

struct koshu_tree_report
koshu_solver_tree_last(const struct koshu_solver *solver)
{
    if (!solver->treecode) return (struct koshu_tree_report){0};
    return koshu_treecode_report(solver->treecode);
}

struct koshu_tree_report
koshu_solver_tree_all(const struct koshu_solver *solver)
{
    if (!solver->treecode) return (struct koshu_tree_report){0};
    return koshu_treecode_total(solver->treecode);
}

KOSHU_DEFINE_REPORT(koshu_solver_tree_report, solver, koshu_tree_report, report,
                    koshu_solver_tree_last(solver))

KOSHU_DEFINE_REPORT(koshu_solver_tree_total, solver, koshu_tree_report, total,
                    koshu_solver_tree_all(solver))

bool
koshu_solver_tree_on_device(const struct koshu_solver *solver)
{
    return solver->treecode && koshu_treecode_on_device(solver->treecode);
}

koshu_status
koshu_solver_tree_errors_of(struct koshu_solver *solver,
                            struct koshu_particles *particles, size_t sample,
                            bool list_length, struct koshu_tree_errors *errors)
{
    const size_t n = koshu_particles_count(particles);
    if (sample > n) sample = n;
    if (!solver->treecode || sample == 0)
        return koshu_fail(solver->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "errors of a tree: the solver has %s",
                          solver->treecode ? "no sample" : "no tree");
    KOSHU_TRY(koshu_tree_errors_take(solver->treecode, particles, sample,
                                     errors));
    if (!list_length) return KOSHU_OK;
    return koshu_tree_barnes_hut_length(solver->treecode, particles, sample,
                                        &errors->barnes_hut_length);
}

koshu_status
koshu_solver_tree_errors(struct koshu_solver *solver,
                         struct koshu_particles *particles, size_t sample,
                         struct koshu_tree_errors *errors)
{
    KOSHU_REQUIRE(NULL, solver);
    KOSHU_REQUIRE(NULL, particles);
    KOSHU_REQUIRE(NULL, errors);
    KOSHU_TRY(koshu_particles_refuse_views(particles, KOSHU_ACCESS_WRITE,
                                           "koshu_solver_tree_errors()"));
    struct koshu_tree_errors measured = {0};
    KOSHU_TRY(koshu_solver_tree_errors_of(solver, particles, sample, true,
                                          &measured));
    return koshu_report_write(solver->context, "koshu_tree_errors", errors,
                              &measured, sizeof measured);
}

/* Waiting for particles of other ranks. */
static double
exposed_communication(const struct koshu_solver *solver)
{
    double exposed = 0;
    if (solver->exchange)
        exposed += koshu_rank_exchange_exposed(solver->exchange);
    if (solver->devices)
        exposed += koshu_device_exchange_exposed(solver->devices);
    return exposed;
}

static double
seconds(const struct koshu_solver *solver)
{
    if (solver->exchange || solver->treecode)
        return solver->seconds; /* they wait, at most for the sum before */
    return koshu_solver_device_seconds(solver->backend, solver->seconds) -
           solver->device_before;
}

struct koshu_solver_report
koshu_solver_work(const struct koshu_solver *solver)
{
    return (struct koshu_solver_report){.interactions = solver->interactions,
                                        .seconds = seconds(solver),
                                        .exposed_communication =
                                                exposed_communication(solver)};
}

KOSHU_DEFINE_REPORT(koshu_solver_report, solver, koshu_solver_report, report,
                    koshu_solver_work(solver))
