/* SPDX-License-Identifier: MIT */
/* The periodic box of a run, [0, box) in each direction. */
#include <koshu/particles.h>

#include "backend/backend.h"
#include "base/base.h"
#include "integrate/integrate.h"
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

koshu_status
koshu_wrap_positions(struct koshu_simulation *s)
{
    struct koshu_backend *backend;
    if (!is_periodic(s)) return KOSHU_OK;
    KOSHU_TRY(koshu_backend_of(s->context, &backend));
    return koshu_wrap(backend, s->particles, s->kept.box_size);
}
