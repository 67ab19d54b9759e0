/* SPDX-License-Identifier: MIT */
/* Vortex particles and solvers for them; one set per test program. */
#ifndef KOSHU_TESTS_VORTEX_H
#define KOSHU_TESTS_VORTEX_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "on_backend.h"
#define FIXTURE_BACKEND on_backend("cpu")
#include "fixture.h"
#include "uniform.h"
#include "vortex/vortex.h"

static const double pi = 3.14159265358979323846;

static inline struct koshu_vortex_solver *
solver_in(double box, double reach)
{
    const struct koshu_vortex_options options = {.precision =
                                                         KOSHU_PRECISION_DOUBLE,
                                                 .tolerance = 1e-9,
                                                 .reach = reach,
                                                 .box = box};
    struct koshu_vortex_solver *solver;
    assert_ok(context, koshu_vortex_solver_create(context, &options, &solver));
    return solver;
}

static inline struct koshu_vortices *
vortices_of(size_t n, double core, double box)
{
    struct koshu_vortices *v;
    assert_ok(context, koshu_vortices_create(context, n, &v));
    v->core = core;
    v->box = box;
    return v;
}

#endif
