/* SPDX-License-Identifier: MIT */
/* The units of a model, and its size and mass in them. */
#include <math.h>

#include "app.h"
#include "init_scale.h"

/* The index of the length option that belongs to the model. */
static int
length_of(enum koshu_model model)
{
    switch (model) {
    case KOSHU_MODEL_SPHERE:
    case KOSHU_MODEL_FRACTAL: return RADIUS;
    case KOSHU_MODEL_CUBE: return EDGE;
    case KOSHU_MODEL_HERNQUIST:
    case KOSHU_MODEL_DEHNEN:
    case KOSHU_MODEL_NFW:
    case KOSHU_MODEL_EFF:
    case KOSHU_MODEL_GALAXY: return SCALE_LENGTH;
    case KOSHU_MODEL_TWO_BODY: return SEMI_MAJOR_AXIS;
    default: return VIRIAL_RADIUS;
    }
}

/* text NULL: not given; the size is then 1, which only dimensionless units
 * allow. */
static koshu_status
parse_size(struct koshu_context *context, const char *option, const char *text,
           enum koshu_quantity quantity, const struct koshu_units *units,
           double *value)
{
    char names[128];
    *value = 1;
    koshu_units_text(units, sizeof names, names);
    if (!text && koshu_units_are_henon(units)) return KOSHU_OK;
    if (!text)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "a model in units of %s has no %s of its own: give "
                          "--%s",
                          names, koshu_quantity_name(quantity), option);
    KOSHU_TRY(koshu_quantity_parse(context, text, quantity, units, value));
    if (*value > 0) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "--%s: %s is not positive", option, text);
}

/* Sets the physical size and mass that a mass function and binaries need; the
 * mass is that of the mass function's stars. */
static koshu_status
size_stars(struct koshu_context *context, struct init_arguments *a,
           struct init_scale *s)
{
    struct koshu_initial_options *o = &a->initial;
    struct koshu_units solar;
    if (koshu_units_are_henon(&s->units)) return KOSHU_OK;
    KOSHU_TRY(koshu_units_find(context, "pc, Msun, d", &solar));
    const double mass =
            koshu_units_factor(&solar, &s->units, KOSHU_QUANTITY_MASS);
    o->length_pc = s->factor.length /
                   koshu_units_factor(&solar, &s->units, KOSHU_QUANTITY_LENGTH);
    o->mass_msun = s->factor.mass / mass;
    if (o->mass_function == KOSHU_MASS_FUNCTION_EQUAL) return KOSHU_OK;
    KOSHU_TRY(koshu_initial_mass(context, o, &s->factor.mass));
    s->factor.mass *= mass;
    return KOSHU_OK;
}

static koshu_status
choose_mass(struct koshu_context *context, const struct init_arguments *a,
            struct init_scale *s)
{
    s->factor.mass = 1;
    if (a->initial.mass_function == KOSHU_MASS_FUNCTION_EQUAL)
        return parse_size(context, "total-mass", a->total_mass,
                          KOSHU_QUANTITY_MASS, &s->units, &s->factor.mass);
    if (!a->total_mass) return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "--total-mass: the mass function and --n determine it; "
                      "leave one out");
}

koshu_status
init_choose_scale(struct koshu_context *context, struct init_arguments *a,
                  struct init_scale *s)
{
    static const char *const names[N_LENGTHS] = {"virial-radius", "radius",
                                                 "edge", "scale-length",
                                                 "semi-major-axis"};
    const int k = length_of(a->initial.model);
    struct koshu_unit_factors *f = &s->factor;
    koshu_units_henon(&s->units);
    if (a->units) KOSHU_TRY(koshu_units_find(context, a->units, &s->units));
    KOSHU_TRY(choose_mass(context, a, s));
    KOSHU_TRY(parse_size(context, names[k], a->length[k], KOSHU_QUANTITY_LENGTH,
                         &s->units, &f->length));
    KOSHU_TRY(size_stars(context, a, s));
    f->velocity = sqrt(koshu_units_gravitational_constant(&s->units) * f->mass /
                       f->length);
    return KOSHU_OK;
}
