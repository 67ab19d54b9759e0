/* SPDX-License-Identifier: MIT */
/* The periodic box of a run, [0, box) in each direction. */
#include <math.h>

#include <koshu/particles.h>

#include "base/base.h"
#include "simulation/simulation.h"

static bool
is_periodic(const struct koshu_simulation *s)
{
    return s->values->boundary == KOSHU_BOUNDARY_PERIODIC;
}

static koshu_status
check_softening(struct koshu_simulation *s)
{
    char place[512];
    const double eps = s->values->solver.softening, box = s->kept.box_size;
    if (eps <= box / 2) return KOSHU_OK;
    koshu_parameters_place(s->parameters, "solver.softening", place,
                           sizeof place);
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "%ssolver.softening: %g is more than half of the box, "
                      "%g; take less, or a larger solver.box",
                      place, eps, box);
}

koshu_status
koshu_take_box(struct koshu_simulation *s, double of_file)
{
    s->kept.box_size = of_file;
    if (!is_periodic(s)) return KOSHU_OK;
    if (s->values->box > 0) s->kept.box_size = s->values->box;
    if (s->kept.box_size > 0) {
        KOSHU_TRY(check_softening(s));
        return koshu_wrap_positions(s);
    }
    return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                      "%s has no BoxSize, which solver.boundary: periodic "
                      "needs; give solver.box",
                      s->values->initial_file);
}

struct koshu_solver_options
koshu_solver_in_box(const struct koshu_simulation *s,
                    struct koshu_tree_options *tree,
                    struct koshu_laplace_options *fmm)
{
    struct koshu_solver_options options = s->values->solver;
    *tree = s->values->tree;
    *fmm = s->values->fmm;
    if (is_periodic(s)) tree->box = fmm->box = s->kept.box_size;
    options.tree = tree;
    options.fmm = fmm;
    return options;
}

static double
wrapped(double x, double box)
{
    if (x >= 0 && x < box) return x;
    const double in = x - box * floor(x / box);
    return in < box ? in : 0;
}

koshu_status
koshu_wrap_positions(struct koshu_simulation *s)
{
    struct koshu_particle_view v = {.size = sizeof v};
    const double box = s->kept.box_size;
    if (!is_periodic(s)) return KOSHU_OK;
    KOSHU_TRY(koshu_particles_acquire_write(s->particles, KOSHU_FIELD_POSITION,
                                            KOSHU_ACCESS_READ_WRITE, &v));
    double *const x[3] = {v.x, v.y, v.z};
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < v.n; i++) x[d][i] = wrapped(x[d][i], box);
    koshu_particles_release_write(s->particles);
    return KOSHU_OK;
}
