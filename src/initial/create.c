/* SPDX-License-Identifier: MIT */
/* koshu_initial_create(): check, draw, centre, scale. */
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "initial/initial.h"
#include "initial/population.h"
#include "particles/particles.h"

KOSHU_DEFINE_DEFAULT(koshu_initial_options, .model = KOSHU_MODEL_PLUMMER,
                     .n = 16384, .seed = 1, .mass_fraction = 0.999,
                     .virial_ratio = 0, .king_w0 = 6, .eccentricity = 0.9,
                     .two_body_mass = 0.5, .period_min = 1, .period_max = 1e8,
                     .mass_ratio_min = 0.1, .dehnen_gamma = 1,
                     .concentration = 10, .eff_gamma = 3,
                     .fractal_dimension = 1.6, .disk_fraction = 0.07,
                     .bulge_fraction = 0.03, .disk_height = 0.2,
                     .toomre_q = 1.5, .bulge_length = 0.2, .halo_length = 4)

static koshu_status
check(struct koshu_context *context, const struct koshu_initial_options *o)
{
    const struct koshu_model_ops *model = koshu_model_of(o->model);
    if (!model)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "model %d: there is no such initial model",
                          (int)o->model);
    if (o->n == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "n = 0: an initial model needs at least 1 particle");
    if (o->exact_virial && o->n < 2)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "n = 1: exact_virial needs at least 2 particles");
    KOSHU_TRY(model->check(context, o));
    return koshu_population_check(context, o, model);
}

/* A star, placed at the centre of mass of its system. */
static struct koshu_body
draw_star(const struct koshu_population *p, const void *table, size_t star)
{
    const size_t s = koshu_system_of(p, star);
    struct koshu_body body =
            koshu_draw_body(&p->options, table, p->orbit ? p->orbit[s] : s);
    if (p->options.mass_function == KOSHU_MASS_FUNCTION_EQUAL) return body;
    const struct koshu_system stars = koshu_population_system(p, s);
    const bool second = star < 2 * p->n_binaries && star % 2;
    body.mass = stars.mass[second] / p->total;
    return body;
}

/* The arrays of a new store are zero. Where the particles are at rest, the
 * system never has to provide the memory of their velocities. */
static void
set_unless_zero(double *to, double x)
{
    if (x != 0) *to = x;
}

/* Draws the particles of this rank. */
static void
draw_all(struct koshu_particles *particles, const struct koshu_population *p,
         const void *table, const struct koshu_particle_view *view)
{
    int threads = koshu_region_threads(koshu_particles_context(particles),
                                       view->n > 1 << 10);
    size_t first = koshu_particles_first(particles);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < view->n; i++) {
        const struct koshu_body body = draw_star(p, table, first + i);
        view->mass[i] = body.mass;
        view->x[i] = body.x[0];
        view->y[i] = body.x[1];
        view->z[i] = body.x[2];
        set_unless_zero(&view->vx[i], body.v[0]);
        set_unless_zero(&view->vy[i], body.v[1]);
        set_unless_zero(&view->vz[i], body.v[2]);
    }
}

static koshu_status
draw(struct koshu_context *context, struct koshu_population *p,
     struct koshu_particles *particles)
{
    const struct koshu_model_ops *model = koshu_model_of(p->options.model);
    struct koshu_particle_view view;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_WRITE, &view));
    void *table = NULL;
    if (model->prepare) KOSHU_TRY(model->prepare(context, &p->options, &table));
    const koshu_status status = koshu_segregate(context, p, table);
    if (status == KOSHU_OK) draw_all(particles, p, table, &view);
    koshu_free(table);
    return status;
}

static koshu_status
adjust(const struct koshu_initial_options *o, struct koshu_particles *particles)
{
    const struct koshu_model_ops *model = koshu_model_of(o->model);
    KOSHU_TRY(koshu_initial_centre(particles));
    if (model->continuous_potential < 0 && o->virial_ratio > 0)
        KOSHU_TRY(koshu_initial_virial_ratio(
                particles, model->continuous_potential, o->virial_ratio));
    return o->exact_virial ? koshu_initial_exact_virial(particles) : KOSHU_OK;
}

/* Until binaries are placed, everything depends only on centres of mass. */
static koshu_status
make(struct koshu_context *context, struct koshu_population *p,
     struct koshu_particles **particles)
{
    koshu_status status =
            koshu_particles_create(context, p->options.n, particles);
    if (status == KOSHU_OK) status = draw(context, p, *particles);
    KOSHU_TRY(koshu_ranks_collective_status(context, status));
    KOSHU_TRY(adjust(&p->options, *particles));
    return koshu_ranks_collective_status(context,
                                         koshu_place_binaries(p, *particles));
}

koshu_status
koshu_initial_mass(struct koshu_context *context,
                   const struct koshu_initial_options *options, double *mass)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, mass);
    struct koshu_initial_options o;
    struct koshu_population p;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_initial_options, options, &o));
    KOSHU_TRY(check(context, &o));
    const koshu_status status = koshu_population_make(context, &o, &p);
    *mass = o.mass_function == KOSHU_MASS_FUNCTION_EQUAL ? o.mass_msun
                                                         : p.total;
    koshu_population_free(&p);
    return status;
}

koshu_status
koshu_initial_create(struct koshu_context *context,
                     const struct koshu_initial_options *options,
                     struct koshu_particles **particles)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, particles);
    struct koshu_initial_options o;
    struct koshu_population p;
    *particles = NULL;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_initial_options, options, &o));
    KOSHU_TRY(check(context, &o));
    koshu_status status = koshu_population_make(context, &o, &p);
    if (status == KOSHU_OK) status = make(context, &p, particles);
    koshu_population_free(&p);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}
