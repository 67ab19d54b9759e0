/* SPDX-License-Identifier: MIT */
/* Particles of several models: each is made separately on all ranks; then each
 * rank takes its part of the whole. */
#include <math.h>
#include <string.h>

#include <koshu/components.h>

#include "base/base.h"
#include "domain/domain.h"
#include "particles/particles.h"
#include "simulation/components.h"
#include "simulation/simulation.h"

/* ---- how many ------------------------------------------------------------ */

static size_t
count_all(const struct koshu_components *all)
{
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++)
        n += koshu_parameters_values(all->component[k].keys)->initial.n;
    return n;
}

/* The number for one component if at most max in all are requested; at least
 * two. */
static size_t
part_of(size_t n, size_t total, size_t max)
{
    if (total <= max || n <= 2) return n;
    const size_t part = (size_t)((double)n * ((double)max / (double)total));
    return part > 2 ? part : 2;
}

koshu_status
koshu_initial_count(struct koshu_context *context,
                    const struct koshu_parameter_values *v, size_t *n)
{
    struct koshu_components all;
    *n = v->initial.n;
    if (!v->components[0]) return KOSHU_OK;
    const koshu_status status = koshu_components_parse(
            context, v->components, v->initial.seed, &v->units, &all);
    if (status == KOSHU_OK) *n = count_all(&all);
    koshu_components_free(&all);
    return status;
}

/* ---- place and rotation -------------------------------------------------- */

/* The axes of the model in the frame of the run. */
static void
find_axes(const struct koshu_component *c, double axis[3][3])
{
    const double degree = M_PI / 180;
    const double ci = cos(c->inclination * degree),
                 si = sin(c->inclination * degree);
    const double cn = cos(c->node * degree), sn = sin(c->node * degree);
    const double axes[3][3] = {
            {cn, sn, 0}, {-sn * ci, cn * ci, si}, {sn * si, -cn * si, ci}};
    memcpy(axis, axes, sizeof axes);
}

static void
turn(const double axis[3][3], double vector[3])
{
    double turned[3];
    for (int k = 0; k < 3; k++)
        turned[k] = vector[0] * axis[0][k] + vector[1] * axis[1][k] +
                    vector[2] * axis[2][k];
    memcpy(vector, turned, sizeof turned);
}

static void
place(const struct koshu_component *c, const struct koshu_particle_view *view)
{
    double axis[3][3];
    const bool turned = c->inclination != 0 || c->node != 0;
    const double omega =
            c->rotation_period != 0 ? 2 * M_PI / c->rotation_period : 0;
    find_axes(c, axis);
    for (size_t i = 0; i < view->n; i++) {
        double x[3] = {view->x[i], view->y[i], view->z[i]};
        double v[3] = {view->vx[i] - omega * x[1], view->vy[i] + omega * x[0],
                       view->vz[i]};
        if (turned) turn(axis, x);
        if (turned) turn(axis, v);
        view->x[i] = x[0] + c->x[0];
        view->y[i] = x[1] + c->x[1];
        view->z[i] = x[2] + c->x[2];
        view->vx[i] = v[0] + c->v[0];
        view->vy[i] = v[1] + c->v[1];
        view->vz[i] = v[2] + c->v[2];
    }
}

/* ---- the whole ----------------------------------------------------------- */

enum {
    FIELDS = KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY
};

/* Copies the particles of one component that belong to this rank's part of the
 * whole; `first`: the component's first index. */
static koshu_status
copy_columns(struct koshu_particles *one, size_t first,
             const struct koshu_particle_view *from,
             const struct koshu_particle_view *to, size_t to_first,
             double *column)
{
    const size_t n = koshu_particles_total(one);
    const double *const mine[] = {from->mass, from->x,  from->y, from->z,
                                  from->vx,   from->vy, from->vz};
    double *const whole[] = {to->mass, to->x,  to->y, to->z,
                             to->vx,   to->vy, to->vz};
    const size_t begin = first > to_first ? first : to_first;
    const size_t end =
            first + n < to_first + to->n ? first + n : to_first + to->n;
    for (size_t k = 0; k < sizeof mine / sizeof mine[0]; k++) {
        KOSHU_TRY(koshu_gather_column(one, mine[k], column));
        if (begin < end)
            memcpy(whole[k] + (begin - to_first), column + (begin - first),
                   (end - begin) * sizeof *column);
    }
    return KOSHU_OK;
}

static koshu_status
copy_in(struct koshu_particles *one, const struct koshu_component *c,
        size_t first, struct koshu_particles *whole)
{
    struct koshu_context *context = koshu_particles_context(whole);
    const size_t n = koshu_particles_total(one);
    struct koshu_particle_view from, to;
    double *column = koshu_alloc(n, sizeof *column);
    koshu_status status =
            column ? KOSHU_OK
                   : koshu_fail_memory(context, n * sizeof *column,
                                       "a component");
    if (status == KOSHU_OK)
        status = koshu_particles_on_host(one, FIELDS, KOSHU_ACCESS_READ_WRITE,
                                         &from);
    if (status == KOSHU_OK)
        status = koshu_particles_on_host(whole, FIELDS, KOSHU_ACCESS_READ_WRITE,
                                         &to);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) {
        place(c, &from);
        status = copy_columns(one, first, &from, &to,
                              koshu_particles_first(whole), column);
    }
    koshu_free(column);
    return status;
}

static koshu_status
make_one(struct koshu_context *context, const struct koshu_component *c,
         size_t n, struct koshu_particles **one)
{
    const struct koshu_parameter_values *v = koshu_parameters_values(c->keys);
    struct koshu_initial_options options = v->initial;
    double total_mass;
    *one = NULL;
    options.n = n;
    KOSHU_TRY(koshu_size_model(context, v, &options, &total_mass));
    KOSHU_TRY(koshu_initial_create(context, &options, one));
    return koshu_scale_model(context, v, total_mass, *one);
}

static koshu_status
fill(struct koshu_context *context, const struct koshu_components *all,
     size_t max, struct koshu_particles *whole)
{
    const size_t total = count_all(all);
    size_t first = 0;
    for (size_t k = 0; k < all->n; k++) {
        const struct koshu_component *c = &all->component[k];
        struct koshu_particles *one;
        const size_t n = part_of(koshu_parameters_values(c->keys)->initial.n,
                                 total, max);
        koshu_status status = make_one(context, c, n, &one);
        if (status == KOSHU_OK) status = copy_in(one, c, first, whole);
        koshu_particles_destroy(one);
        KOSHU_TRY(status);
        first += n;
    }
    return koshu_ranks_collective_status(context, koshu_particles_check(whole));
}

static koshu_status
make(struct koshu_context *context, const struct koshu_components *all,
     size_t max, struct koshu_particles **particles)
{
    const size_t total = count_all(all);
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++)
        n += part_of(koshu_parameters_values(all->component[k].keys)->initial.n,
                     total, max);
    KOSHU_TRY(koshu_particles_create(context, n, particles));
    return fill(context, all, max, *particles);
}

koshu_status
koshu_make_components(struct koshu_context *context, const char *text,
                      uint64_t seed, const struct koshu_units *units,
                      size_t max, struct koshu_particles **particles)
{
    struct koshu_components all;
    *particles = NULL;
    koshu_status status =
            koshu_components_parse(context, text, seed, units, &all);
    if (status == KOSHU_OK) status = make(context, &all, max, particles);
    koshu_components_free(&all);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}

koshu_status
koshu_components_create(struct koshu_context *context, const char *text,
                        uint64_t seed, const struct koshu_units *units,
                        struct koshu_particles **particles)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, text);
    KOSHU_REQUIRE(context, units);
    KOSHU_REQUIRE(context, particles);
    return koshu_make_components(context, text, seed, units, SIZE_MAX,
                                 particles);
}
