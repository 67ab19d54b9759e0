/* SPDX-License-Identifier: MIT */
/* Initial vortex particles for a vorticity known everywhere in a box. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "flow/vortex_flow.h"

static const double two_pi = 6.28318530717958647692;

/* The curl of (sin x cos y cos z, -cos x sin y cos z, 0). */
static void
find_taylor_green(const struct koshu_vortex_lattice *lattice, double box,
                  double *omega)
{
    const size_t n = koshu_vortex_lattice_points(lattice);
    const double k = two_pi / box;
    for (size_t p = 0; p < n; p++) {
        double at[3];
        koshu_vortex_lattice_place(lattice, p, at);
        const double x = k * at[0], y = k * at[1], z = k * at[2];
        omega[p] = -k * cos(x) * sin(y) * sin(z);
        omega[n + p] = -k * sin(x) * cos(y) * sin(z);
        omega[2 * n + p] = 2 * k * sin(x) * sin(y) * cos(z);
    }
}

static void
put_on_lattice(const struct koshu_vortex_lattice *lattice,
               const double *strength, struct koshu_vortices *v)
{
    for (size_t p = 0; p < v->n; p++) {
        double at[3];
        koshu_vortex_lattice_place(lattice, p, at);
        for (size_t c = 0; c < 3; c++) v->state[c * v->n + p] = at[c];
    }
    memcpy(koshu_vortices_strength(v, 0), strength,
           3 * v->n * sizeof *strength);
}

static double
find_largest(size_t n, const double *omega)
{
    double square = 0;
    for (size_t p = 0; p < n; p++)
        square =
                fmax(square, omega[p] * omega[p] + omega[n + p] * omega[n + p] +
                                     omega[2 * n + p] * omega[2 * n + p]);
    return sqrt(square);
}

/* Turns the vorticity at the lattice's points into particles. */
static koshu_status
fit(struct vortex_flow *s, double dt,
    const struct koshu_vortex_lattice *lattice, double *omega)
{
    struct koshu_vortices *v = s->vortices;
    const struct koshu_vortex_remeshing *r = &s->remeshing;
    v->max_vorticity =
            find_largest(koshu_vortex_lattice_points(lattice), omega);
    koshu_vortex_centre_cores(s, dt, 0);
    const struct koshu_vortex_core core = {v->order, r->core, r->mid_core};
    KOSHU_TRY(koshu_vortex_fit(r, lattice, NULL, &core, omega, &s->fit));
    KOSHU_TRY(koshu_vortices_renew(v, koshu_vortex_lattice_points(lattice)));
    put_on_lattice(lattice, omega, v);
    v->core = r->core;
    v->mid_core = r->mid_core;
    v->spacing = r->spacing;
    return KOSHU_OK;
}

koshu_status
koshu_vortex_begin_field(struct koshu_flow *flow, struct vortex_flow *s)
{
    const bool turbulent =
            flow->values->flow.initial == KOSHU_FLOW_INITIAL_TURBULENCE;
    struct koshu_vortex_lattice lattice;
    koshu_status status = KOSHU_OK;
    KOSHU_TRY(koshu_vortex_lattice_of(s->vortices, s->remeshing.spacing, 0,
                                      &lattice));
    const size_t n = koshu_vortex_lattice_points(&lattice);
    double *omega = koshu_alloc(3 * n, sizeof *omega);
    if (!omega) return koshu_fail_memory(flow->context, 24 * n, "a vorticity");
    if (turbulent)
        status = flow->fields->vorticity(flow->context, &flow->turbulence,
                                         lattice.m[0], omega);
    else
        find_taylor_green(&lattice, flow->box, omega);
    if (status == KOSHU_OK)
        status = fit(s, flow->values->integrator.dt, &lattice, omega);
    koshu_free(omega);
    return status;
}
