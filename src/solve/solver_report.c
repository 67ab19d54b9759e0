/* SPDX-License-Identifier: MIT */
/* What a solver is and what it has done, for reports. */
#include "backend/backend.h"
#include "base/base.h"
#include "devices/devices.h"
#include "solve/solve.h"
#include "solve/treecode.h"

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

KOSHU_DEFINE_REPORT(koshu_solver_tree_report, solver, koshu_tree_report, report,
                    solver->tree_last)

KOSHU_DEFINE_REPORT(koshu_solver_tree_total, solver, koshu_tree_report, total,
                    solver->tree_total)

bool
koshu_solver_tree_on_device(const struct koshu_solver *solver)
{
    return solver->treecode && solver->treecode->engine;
}

static double
exposed_communication(const struct koshu_solver *s)
{
    return s->exposed + s->tree_total.exposed +
           (s->devices ? koshu_device_exchange_exposed(s->devices) : 0);
}

static double
seconds(const struct koshu_solver *solver)
{
    const struct koshu_backend_ops *ops = solver->backend->ops;
    if (solver->exchange || solver->method->create || !ops->seconds)
        /* calls wait, at most for the sum before */
        return solver->seconds;
    return ops->seconds(solver->backend) - solver->device_before;
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
