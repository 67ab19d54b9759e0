/* SPDX-License-Identifier: MIT */
/* The table of models; koshu_initial_create: check, draw, centre, scale. */
#include <string.h>

#include "base/base.h"
#include "domain/domain.h"
#include "initial/initial.h"
#include "particles/particles.h"

static const struct koshu_model_ops *const models[] = {
        [KOSHU_MODEL_PLUMMER] = &koshu_model_plummer,
        [KOSHU_MODEL_SPHERE] = &koshu_model_sphere,
        [KOSHU_MODEL_CUBE] = &koshu_model_cube,
        [KOSHU_MODEL_KING] = &koshu_model_king,
        [KOSHU_MODEL_HERNQUIST] = &koshu_model_hernquist,
        [KOSHU_MODEL_TWO_BODY] = &koshu_model_two_body,
};
enum { N_MODELS = sizeof models / sizeof models[0] };

static const char *const names[N_MODELS] = {"plummer", "sphere",    "cube",
                                            "king",    "hernquist", "two-body"};

KOSHU_DEFINE_DEFAULT(koshu_initial_options, .model = KOSHU_MODEL_PLUMMER,
                     .n = 16384, .seed = 1, .mass_fraction = 0.999,
                     .virial_ratio = 0, .king_w0 = 6, .eccentricity = 0.9,
                     .two_body_mass = 0.5)

KOSHU_ENUM_NAMES(koshu_model, "an initial model", names)

const char *
koshu_model_summary(enum koshu_model model)
{
    return (unsigned)model < N_MODELS ? models[model]->summary : NULL;
}

static koshu_status
check(struct koshu_context *context, const struct koshu_initial_options *o)
{
    if ((unsigned)o->model >= N_MODELS)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "model %d: there is no such initial model",
                          (int)o->model);
    if (o->n == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "n = 0: an initial model needs at least 1 particle");
    if (o->exact_virial && o->n < 2)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "n = 1: exact_virial needs at least 2 particles");
    return models[o->model]->check(context, o);
}

struct koshu_body
koshu_draw_body(const struct koshu_initial_options *o, const void *table,
                uint64_t particle)
{
    struct koshu_body body = {.particle = particle,
                              .position = koshu_random_start(
                                      o->seed, particle, KOSHU_DRAW_POSITION),
                              .velocity = koshu_random_start(
                                      o->seed, particle, KOSHU_DRAW_VELOCITY),
                              .table = table,
                              .mass = 1.0 / (double)o->n};
    models[o->model]->draw(o, &body);
    return body;
}

/* The particles of this rank. */
static void
draw_all(struct koshu_particles *particles,
         const struct koshu_initial_options *o, const void *table,
         const struct koshu_particle_view *view)
{
    int threads = koshu_region_threads(koshu_particles_context(particles),
                                       view->n > 1 << 10);
    size_t first = koshu_particles_first(particles);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < view->n; i++) {
        const struct koshu_body body = koshu_draw_body(o, table, first + i);
        view->mass[i] = body.mass;
        view->x[i] = body.x[0];
        view->y[i] = body.x[1];
        view->z[i] = body.x[2];
        view->vx[i] = body.v[0];
        view->vy[i] = body.v[1];
        view->vz[i] = body.v[2];
    }
}

static koshu_status
draw(struct koshu_context *context, const struct koshu_initial_options *o,
     struct koshu_particles *particles)
{
    const struct koshu_model_ops *model = models[o->model];
    struct koshu_particle_view view;
    KOSHU_TRY(koshu_particles_on_host(particles,
                                      KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION |
                                              KOSHU_FIELD_VELOCITY,
                                      KOSHU_ACCESS_WRITE, &view));
    void *table = NULL;
    if (model->prepare) KOSHU_TRY(model->prepare(context, o, &table));
    draw_all(particles, o, table, &view);
    koshu_free(table);
    return KOSHU_OK;
}

static koshu_status
adjust(const struct koshu_initial_options *o, struct koshu_particles *particles)
{
    const struct koshu_model_ops *model = models[o->model];
    KOSHU_TRY(koshu_initial_centre(particles));
    if (model->continuous_potential < 0 && o->virial_ratio > 0)
        KOSHU_TRY(koshu_initial_virial_ratio(
                particles, model->continuous_potential, o->virial_ratio));
    return o->exact_virial ? koshu_initial_exact_virial(particles) : KOSHU_OK;
}

koshu_status
koshu_initial_create(struct koshu_context *context,
                     const struct koshu_initial_options *options,
                     struct koshu_particles **particles)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, particles);
    struct koshu_initial_options o;
    *particles = NULL;
    KOSHU_TRY(KOSHU_READ_OPTIONS(context, koshu_initial_options, options, &o));
    KOSHU_TRY(check(context, &o));
    koshu_status status = koshu_particles_create(context, o.n, particles);
    if (status == KOSHU_OK) status = draw(context, &o, *particles);
    status = koshu_ranks_collective_status(context, status);
    if (status == KOSHU_OK) status = adjust(&o, *particles);
    if (status == KOSHU_OK) return KOSHU_OK;
    koshu_particles_destroy(*particles);
    *particles = NULL;
    return status;
}
