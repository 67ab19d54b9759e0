/* SPDX-License-Identifier: MIT */
/* Flows simulated with vortex particles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "devices/devices.h"
#include "flow/vortex_flow.h"

static const double pi = 3.14159265358979323846;

/* ---- life --------------------------------------------------------------- */

static void
destroy(void *state)
{
    struct vortex_flow *s = state;
    if (!s) return;
    koshu_vortices_destroy(s->vortices);
    koshu_vortex_solver_destroy(s->solver);
    if (s->filter) s->filter->destroy(s->filter);
    free(s);
}

/* The order of the cores with which particles move. */
static unsigned
order_of(const struct koshu_flow_values *v, double box)
{
    if (v->core_order > 0) return (unsigned)v->core_order;
    return box > 0 ? 12 : 2;
}

/* Cores of high order damp waves beyond the lattice's less, and every remeshing
 * adds those waves' aliases. */
static void
warn_of_overlap(const struct koshu_flow *flow, const struct vortex_flow *s)
{
    const double overlap = flow->values->flow.overlap;
    const unsigned order = s->vortices->order;
    const bool suffices = order < 10 || overlap >= 0.95;
    if (suffices || !koshu_is_first_rank(flow->context)) return;
    koshu_log(flow->context, KOSHU_LOG_LEVEL_WARNING,
              "flow.overlap = %g is small for cores of order %u: short waves "
              "grow; use 1, or flow.core_order: 8",
              overlap, order);
}

/* Exchange damps the shortest waves most, at a rate of 2 nu / sigma^2. Steps of
 * a scheme are stable while that rate times dt is at most 1 (ab2), 2 (rk2) or
 * 2.785 (rk4). */
static void
warn_of_exchange(const struct koshu_flow *flow, const struct vortex_flow *s)
{
    static const double largest[] = {1, 2, 2.785};
    const double limit = largest[s->rules.scheme], nu = s->rules.viscosity,
                 dt = flow->values->integrator.dt,
                 rate = 2 * nu / (s->remeshing.core * s->remeshing.core);
    if (s->rules.diffusion != KOSHU_VORTEX_DIFFUSION_EXCHANGE ||
        rate * dt <= limit || !koshu_is_first_rank(flow->context))
        return;
    koshu_log(flow->context, KOSHU_LOG_LEVEL_WARNING,
              "integrator.dt = %g is too long for flow.diffusion: exchange "
              "with flow.viscosity = %g: strengths may grow without bounds; "
              "take a dt of %.2g or less, or flow.diffusion: spreading",
              dt, nu, limit / rate);
}

static koshu_status
equip(struct koshu_flow *flow, struct vortex_flow *s)
{
    const struct koshu_flow_values *v = &flow->values->flow;
    const double box = flow->box;
    const struct koshu_vortex_options options = {
            .precision = koshu_flow_precision(v),
            .tolerance = v->tolerance,
            .reach = v->reach,
            .box = box};
    s->context = flow->context;
    s->values = v;
    s->rules = v->vortex;
    s->rules.viscosity = flow->viscosity;
    s->remeshing = v->remesh;
    s->remeshing.context = flow->context;
    s->remeshing.spacing = box > 0 ? box / (double)v->n : v->spacing;
    s->remeshing.core = v->overlap * s->remeshing.spacing;
    KOSHU_TRY(koshu_vortices_create(flow->context, 1, &s->vortices));
    s->vortices->box = box;
    s->vortices->order = order_of(v, box);
    KOSHU_TRY(koshu_vortex_solver_create(flow->context, &options, &s->solver));
    s->remeshing.solver = s->solver;
    return KOSHU_OK;
}

/* ---- the beginning ------------------------------------------------------ */

/* Sets up the Fourier transforms that remeshing in a box fits with. */
static koshu_status
equip_fit(struct koshu_flow *flow, struct vortex_flow *s)
{
    if (!flow->fields || !(flow->box > 0)) return KOSHU_OK;
    KOSHU_TRY(flow->fields->filter(flow->context, (size_t)flow->values->flow.n,
                                   &s->filter));
    s->remeshing.filter = s->filter;
    return KOSHU_OK;
}

/* The first fit uses the radial basis whatever the kernel of later ones, as the
 * rings' Gaussians are wider than those of the particles. */
static koshu_status
begin_rings(struct koshu_flow *flow, struct vortex_flow *s)
{
    struct koshu_vortex_rings rings = flow->values->flow.rings;
    struct koshu_vortex_remeshing first = s->remeshing;
    const double box = s->vortices->box;
    first.kernel = KOSHU_VORTEX_KERNEL_RADIAL_BASIS;
    first.solenoidal = false;
    first.solver = NULL;
    first.order = s->vortices->order;
    rings.centre = box / 2;
    s->vortices->max_vorticity =
            fabs(rings.circulation) / (2 * pi * rings.core * rings.core);
    koshu_vortex_centre_cores(s, flow->values->integrator.dt, 0);
    first.mid_core = s->remeshing.mid_core;
    if (rings.core < first.core)
        return koshu_fail(s->context, KOSHU_ERROR_BAD_INPUT,
                          "flow.rings.core: %g is smaller than the core radius "
                          "of the particles, %g: make flow.spacing smaller, or "
                          "flow.n larger",
                          rings.core, first.core);
    KOSHU_TRY(koshu_vortex_make_rings(&rings, s->vortices));
    return koshu_vortex_remesh(&first, s->vortices, &s->fit);
}

static koshu_status
create(struct koshu_flow *flow, void **state)
{
    struct vortex_flow *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(flow->context, sizeof *s, "a flow");
    *state = s;
    KOSHU_TRY(equip(flow, s));
    warn_of_overlap(flow, s);
    warn_of_exchange(flow, s);
    KOSHU_TRY(equip_fit(flow, s));
    if (flow->values->flow.initial == KOSHU_FLOW_INITIAL_RINGS)
        return begin_rings(flow, s);
    return koshu_vortex_begin_field(flow, s);
}

/* ---- steps -------------------------------------------------------------- */

/* Remeshing after every step means after every part of a step. */
static bool
is_remeshed(const struct vortex_flow *s, uint64_t steps, unsigned done)
{
    const uint64_t every = s->values->remesh_steps;
    return every == 1 ||
           (every > 0 && done == KOSHU_VORTEX_WHOLE && steps % every == 0);
}

static koshu_status
step(void *state, double dt)
{
    struct vortex_flow *s = state;
    const uint64_t steps = s->vortices->steps + 1;
    for (unsigned done = 0; done < KOSHU_VORTEX_WHOLE;) {
        const unsigned part = koshu_vortex_part_after(s, dt, done);
        s->last_step = dt * part / KOSHU_VORTEX_WHOLE;
        KOSHU_TRY(koshu_vortex_step(s->solver, &s->rules, s->last_step,
                                    s->vortices));
        s->vortices->steps = steps;
        done += part;
        if (!is_remeshed(s, steps, done)) continue;
        koshu_vortex_centre_cores(s, dt, done % KOSHU_VORTEX_WHOLE);
        KOSHU_TRY(koshu_vortex_remesh(&s->remeshing, s->vortices, &s->fit));
    }
    return KOSHU_OK;
}

/* ---- what a run asks for ------------------------------------------------ */

static void
describe(void *state, size_t size, char *text)
{
    const struct vortex_flow *s = state;
    snprintf(text, size, "%zu vortex particles, core radius %g", s->vortices->n,
             s->vortices->core);
}

/* By the fast multipole method. u: NULL on ranks that do not get it. */
static koshu_status
velocity(void *state, size_t n, double *u)
{
    struct vortex_flow *s = state;
    const size_t n3 = n * n * n;
    const double h = s->vortices->box / (double)n;
    double *const at = koshu_alloc(6 * n3, sizeof *at);
    koshu_status status =
            at ? KOSHU_OK : koshu_fail_memory(s->context, 48 * n3, "a mesh");
    status = koshu_ranks_collective_status(s->context, status);
    for (size_t p = 0; p < n3 && status == KOSHU_OK; p++) {
        at[p] = h * (double)(p / n / n);
        at[n3 + p] = h * (double)(p / n % n);
        at[2 * n3 + p] = h * (double)(p % n);
    }
    if (status == KOSHU_OK)
        status = koshu_vortex_velocities(s->solver, s->vortices, n3, at,
                                         at + 3 * n3, NULL);
    if (status == KOSHU_OK && u) memcpy(u, at + 3 * n3, 3 * n3 * sizeof *u);
    koshu_free(at);
    return status;
}

static double
points(const void *state)
{
    return (double)((const struct vortex_flow *)state)->vortices->n;
}

/* Bytes per particle for the state, rates, a step and the cells, an upper
 * bound: 1278 measured with 32^3 particles, 976 with 64^3. */
enum { BYTES = 1300 };

static double
bytes(const void *state)
{
    return BYTES * points(state);
}

/* ---- from files --------------------------------------------------------- */

static koshu_status
resume(struct koshu_flow *flow, const char *path, void **state)
{
    struct vortex_flow *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(flow->context, sizeof *s, "a flow");
    *state = s;
    KOSHU_TRY(equip(flow, s));
    warn_of_exchange(flow, s);
    KOSHU_TRY(equip_fit(flow, s));
    return koshu_vortex_read_checkpoint(s, path);
}

static koshu_status
load(struct koshu_flow *flow, const char *path, void **state)
{
    struct vortex_flow *s = calloc(1, sizeof *s);
    if (!s) return koshu_fail_memory(flow->context, sizeof *s, "a flow");
    *state = s;
    KOSHU_TRY(equip(flow, s));
    KOSHU_TRY(equip_fit(flow, s));
    return koshu_vortex_read_snapshot(s, path);
}

const struct koshu_flow_ops koshu_vortex_flow = {
        .log_header = koshu_vortex_log_header,
        .create = create,
        .destroy = destroy,
        .step = step,
        .log = koshu_vortex_write_log,
        .describe = describe,
        .velocity = velocity,
        .points = points,
        .bytes = bytes,
        .keep = koshu_vortex_keep,
        .resume = resume,
        .load = load,
        .snapshot = koshu_vortex_snapshot};
