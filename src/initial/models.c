/* SPDX-License-Identifier: MIT */
/* The table of models. */
#include "base/base.h"
#include "initial/initial.h"

static const struct koshu_model_ops *const models[] = {
        [KOSHU_MODEL_PLUMMER] = &koshu_model_plummer,
        [KOSHU_MODEL_SPHERE] = &koshu_model_sphere,
        [KOSHU_MODEL_CUBE] = &koshu_model_cube,
        [KOSHU_MODEL_KING] = &koshu_model_king,
        [KOSHU_MODEL_HERNQUIST] = &koshu_model_hernquist,
        [KOSHU_MODEL_TWO_BODY] = &koshu_model_two_body,
        [KOSHU_MODEL_DEHNEN] = &koshu_model_dehnen,
        [KOSHU_MODEL_NFW] = &koshu_model_nfw,
        [KOSHU_MODEL_EFF] = &koshu_model_eff,
        [KOSHU_MODEL_FRACTAL] = &koshu_model_fractal,
        [KOSHU_MODEL_GALAXY] = &koshu_model_galaxy,
};
enum { N_MODELS = sizeof models / sizeof models[0] };

static const char *const names[N_MODELS] = {
        "plummer", "sphere", "cube", "king",    "hernquist", "two-body",
        "dehnen",  "nfw",    "eff",  "fractal", "galaxy"};

KOSHU_ENUM_NAMES(koshu_model, "an initial model", names)

const char *
koshu_model_summary(enum koshu_model model)
{
    return (unsigned)model < N_MODELS ? models[model]->summary : NULL;
}

const struct koshu_model_ops *
koshu_model_of(enum koshu_model model)
{
    return (unsigned)model < N_MODELS ? models[model] : NULL;
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
