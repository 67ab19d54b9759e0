/* SPDX-License-Identifier: MIT */
/* Returns values of keys to callers: as texts, as numbers, and as options of
 * modules. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "parameters/object.h"

/* ---- one key ------------------------------------------------------------- */

static koshu_status
find(const struct koshu_parameters *p, const char *path, int *k)
{
    const char *paths[KOSHU_N_KEYS];
    char seen[64], hint[KOSHU_HINT];
    *k = koshu_key_find(path);
    if (*k >= 0) return KOSHU_OK;
    if (koshu_key_find_former(path, k))
        return koshu_fail(p->context, KOSHU_ERROR_NOT_FOUND,
                          "'%s' has been renamed to %s", path,
                          koshu_keys[*k].path);
    for (int i = 0; i < KOSHU_N_KEYS; i++) paths[i] = koshu_keys[i].path;
    koshu_printable(seen, sizeof seen, path, "");
    return koshu_fail(p->context, KOSHU_ERROR_NOT_FOUND, "unknown key '%s'%s",
                      seen, koshu_name_hint(hint, path, paths, KOSHU_N_KEYS));
}

koshu_status
koshu_parameters_get(const struct koshu_parameters *parameters, const char *key,
                     const char **text)
{
    int k;
    KOSHU_REQUIRE(NULL, parameters);
    KOSHU_REQUIRE(parameters->context, key);
    KOSHU_REQUIRE(parameters->context, text);
    KOSHU_TRY(find(parameters, key, &k));
    *text = parameters->path[k] ? parameters->path[k]
                                : koshu_parameters_text_of(parameters, k);
    return KOSHU_OK;
}

/* The value of a key that must have that type. */
static koshu_status
get_value(const struct koshu_parameters *p, const char *path,
          enum koshu_key_type type, void *value, size_t size)
{
    int k;
    KOSHU_REQUIRE(NULL, p);
    KOSHU_REQUIRE(p->context, path);
    KOSHU_REQUIRE(p->context, value);
    KOSHU_TRY(find(p, path, &k));
    if (koshu_keys[k].type == type) {
        memcpy(value, (const char *)&p->values + koshu_keys[k].offset, size);
        return KOSHU_OK;
    }
    char expected[512];
    koshu_key_expectation(&koshu_keys[k], expected, sizeof expected);
    return koshu_fail(p->context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "%s is of another type: %s", path, expected);
}

koshu_status
koshu_parameters_get_real(const struct koshu_parameters *parameters,
                          const char *key, double *value)
{
    return get_value(parameters, key, KOSHU_KEY_REAL, value, sizeof *value);
}

koshu_status
koshu_parameters_get_whole(const struct koshu_parameters *parameters,
                           const char *key, uint64_t *value)
{
    return get_value(parameters, key, KOSHU_KEY_WHOLE, value, sizeof *value);
}

/* ---- options ------------------------------------------------------------- */

/* A few bodies are integrated on the CPU even if there is a GPU. */
static const char *
backend_of(const struct koshu_parameter_values *v)
{
    const bool few = v->integrator.scheme == KOSHU_SCHEME_ARCHAIN;
    return few && strcmp(v->backend, "auto") == 0 ? "cpu" : v->backend;
}

/* These read the caller's options of any size, set the members that have a key,
 * and write them back. */

koshu_status
koshu_parameters_context(const struct koshu_parameters *parameters,
                         struct koshu_context_options *options)
{
    KOSHU_REQUIRE(NULL, parameters);
    struct koshu_context *context = parameters->context;
    const struct koshu_parameter_values *v = &parameters->values;
    static const char name[] = "koshu_context_options";
    struct koshu_context_options o = koshu_context_options_default();
    KOSHU_REQUIRE(context, options);
    KOSHU_TRY(koshu_options_read(context, name, options, &o, sizeof o));
    o.backend = backend_of(v);
    o.threads = (int)v->threads;
    o.devices = v->devices;
    if (v->exchange[0])
        KOSHU_TRY(koshu_exchange_find(context, v->exchange, &o.exchange));
    return koshu_report_write(context, name, options, &o, sizeof o);
}

KOSHU_DEFINE_REPORT(koshu_parameters_initial, parameters, koshu_initial_options,
                    options, parameters->values.initial)

KOSHU_DEFINE_REPORT(koshu_parameters_solver, parameters, koshu_solver_options,
                    options, parameters->values.solver)

koshu_status
koshu_parameters_integrator(const struct koshu_parameters *parameters,
                            struct koshu_integrator_options *options)
{
    KOSHU_REQUIRE(NULL, parameters);
    struct koshu_context *context = parameters->context;
    const struct koshu_parameter_values *v = &parameters->values;
    static const char name[] = "koshu_integrator_options";
    struct koshu_integrator_options o = koshu_integrator_options_default();
    KOSHU_REQUIRE(context, options);
    KOSHU_TRY(koshu_options_read(context, name, options, &o, sizeof o));
    o.scheme = v->integrator.scheme;
    o.step_rule = v->integrator.step;
    o.dt = v->integrator.dt;
    o.eta = v->integrator.eta;
    o.eta_start = v->integrator.eta_start;
    o.iterations = (unsigned)v->integrator.iterations;
    o.tolerance = v->integrator.tolerance;
    o.regularisation = v->integrator.regularisation;
    o.perturbation = v->integrator.perturbation;
    o.slow_down = v->integrator.slow_down;
    o.radius = v->stars.radius;
    o.radius_mass = v->stars.radius_mass;
    o.radius_exponent = v->stars.radius_exponent;
    return koshu_report_write(context, name, options, &o, sizeof o);
}
