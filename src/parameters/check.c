/* SPDX-License-Identifier: MIT */
/* Checks that need more than one key: whether all required keys are given, and
 * whether they go together. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "io/io.h"
#include "parameters/object.h"
#include "solve/solve.h"

static bool
given(const struct koshu_parameters *p, const char *path)
{
    return p->place[koshu_key_find(path)] != NULL;
}

/* Whether a required key is missing; a file or several models replace the
 * model. */
static bool
is_missing(const struct koshu_parameters *p, int k)
{
    return koshu_keys[k].required && !p->place[k] &&
           !(koshu_key_is_below(koshu_keys[k].path, "initial") &&
             (given(p, "initial.file") || given(p, "initial.components"))) &&
           !(k == koshu_key_find("integrator.end") &&
             given(p, "integrator.end_redshift"));
}

static koshu_status
check_required(const struct koshu_parameters *p)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        if (!is_missing(p, k)) continue;
        char expected[512];
        koshu_key_expectation(&koshu_keys[k], expected, sizeof expected);
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "%s is missing: expected %s, for example %s=%s; "
                          "`koshu run --help-parameters` explains it",
                          koshu_keys[k].path, expected, koshu_keys[k].path,
                          koshu_keys[k].value);
    }
    return KOSHU_OK;
}

static koshu_status
check_file(const struct koshu_parameters *p)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (p->place[k] && koshu_key_is_below(koshu_keys[k].path, "initial") &&
            strcmp(koshu_keys[k].path, "initial.file") != 0)
            return koshu_parameters_refuse(
                    p, koshu_keys[k].path,
                    "means nothing beside initial.file; remove one");
    return KOSHU_OK;
}

/* Logs a note: a setting may make keys of the file meaningless. */
static void
ignore(const struct koshu_parameters *p, int k, const char *why)
{
    koshu_log(p->context, KOSHU_LOG_LEVEL_WARNING, "%s: %s is ignored: %s",
              p->place[k], koshu_keys[k].path, why);
}

/* Ignores keys that are for some models, schemes or methods only: `mask` is the
 * offset of these, as bits, in struct koshu_key. */
static void
ignore_others(const struct koshu_parameters *p, size_t mask, int choice,
              const char *why)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        unsigned choices;
        memcpy(&choices, (const char *)&koshu_keys[k] + mask, sizeof choices);
        if (p->place[k] && choices && !(choices & 1u << choice))
            ignore(p, k, why);
    }
}

static koshu_status
check_model(const struct koshu_parameters *p)
{
    enum koshu_model model = p->values.initial.model;
    char why[128];
    snprintf(why, sizeof why, "it means nothing for the model %s",
             koshu_model_name(model));
    ignore_others(p, offsetof(struct koshu_key, models), (int)model, why);
    return koshu_parameters_check_stars(p);
}

static koshu_status
check_initial(const struct koshu_parameters *p)
{
    if (given(p, "initial.file")) return check_file(p);
    if (given(p, "initial.components"))
        return koshu_parameters_check_components(p);
    if (given(p, "initial.model")) return check_model(p);
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                      "initial.model is missing: expected a model "
                      "(initial.model), several (initial.components) or a "
                      "snapshot (initial.file)");
}

/* Each snapshot ends a step, so many more snapshots than steps are a
 * mistake. */
koshu_status
koshu_parameters_check_sizes(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    double interval = v->snapshot.interval;
    if (interval == 0 || interval >= 1e-6 * fabs(v->integrator.dt))
        return KOSHU_OK;
    return koshu_parameters_refuse(p, "output.snapshot.interval",
                                   "less than a millionth of integrator.dt");
}

/* solver.accuracy excludes the keys that it chooses, and requires the
 * leapfrog. */
static koshu_status
check_accuracy(const struct koshu_parameters *p)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (p->place[k] && koshu_keys[k].chosen)
            return koshu_parameters_refuse(
                    p, koshu_keys[k].path,
                    "solver.accuracy chooses it; remove one");
    if (p->values.integrator.scheme == KOSHU_SCHEME_LEAPFROG) return KOSHU_OK;
    return koshu_parameters_refuse(
            p, "integrator.scheme",
            "block steps sum directly; solver.accuracy goes with "
            "leapfrog");
}

/* solver.method: auto */
static koshu_status
check_auto(const struct koshu_parameters *p)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (p->place[k] && koshu_keys[k].chosen)
            ignore(p, k, "solver.method: auto chooses it; name the method");
    return KOSHU_OK;
}

static koshu_status
check_method(const struct koshu_parameters *p)
{
    const enum koshu_method method = p->values.solver.method;
    char why[128];
    double accuracy;
    if (p->values.accuracy > 0) return check_accuracy(p);
    if (koshu_parameters_choose(p, &accuracy)) return check_auto(p);
    snprintf(why, sizeof why, "it means nothing for the method %s",
             koshu_method_name(method));
    ignore_others(p, offsetof(struct koshu_key, methods), (int)method, why);
    return KOSHU_OK;
}

/* Only the tree and the FMM have periodic boxes. */
static koshu_status
check_boundary(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (v->boundary == KOSHU_BOUNDARY_ISOLATED)
        return v->box == 0 ? KOSHU_OK
                           : koshu_parameters_refuse(
                                     p, "solver.box",
                                     "only with solver.boundary: periodic");
    if (v->accuracy == 0 && v->method != KOSHU_METHOD_AUTO &&
        !koshu_method_has_cells(v->solver.method))
        return koshu_parameters_refuse(
                p, "solver.boundary",
                "periodic needs solver.method: fmm or tree");
    if (v->box == 0 && !given(p, "initial.file"))
        return koshu_parameters_refuse(
                p, "solver.box",
                "a model in a periodic boundary needs it, for example "
                "solver.box=1");
    return KOSHU_OK;
}

static koshu_status
check_solver(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    const enum koshu_method method = v->solver.method;
    if (v->solver.fast && v->solver.precision != KOSHU_PRECISION_SINGLE)
        return koshu_parameters_refuse(p, "solver.fast",
                                       "only with solver.precision: single");
    KOSHU_TRY(check_method(p));
    KOSHU_TRY(check_boundary(p));
    if (method == KOSHU_METHOD_TREE &&
        v->solver.precision == KOSHU_PRECISION_DOUBLE)
        return koshu_parameters_refuse(
                p, "solver.precision",
                "a tree has single and mixed; double is for direct and "
                "fmm");
    if (v->theta == 0 && !koshu_is_comoving(v))
        return koshu_parameters_refuse(
                p, "solver.theta",
                "0 is only for integrator.coordinates: comoving; take one "
                "above");
    if (method == KOSHU_METHOD_FMM && v->fmm.theta == 1)
        return koshu_parameters_refuse(p, "solver.theta",
                                       "fmm needs one below 1");
    if (method == KOSHU_METHOD_INTERACTION && !given(p, "solver.interaction"))
        return koshu_parameters_refuse(
                p, "solver.method",
                "interaction needs solver.interaction, the file of a kernel "
                "source");
    if (koshu_method_has_cells(method) &&
        v->integrator.scheme != KOSHU_SCHEME_LEAPFROG)
        return koshu_parameters_refuse(
                p, "integrator.scheme",
                "block steps sum directly; tree and fmm go with "
                "leapfrog");
    return KOSHU_OK;
}

/* Checks that keys and steps are those of the scheme. */
static koshu_status
check_scheme(const struct koshu_parameters *p)
{
    enum koshu_scheme scheme = p->values.integrator.scheme;
    enum koshu_step_rule step = p->values.integrator.step;
    bool hermite = scheme == KOSHU_SCHEME_HERMITE;
    char why[128];
    snprintf(why, sizeof why, "it means nothing for the scheme %s",
             koshu_scheme_name(scheme));
    ignore_others(p, offsetof(struct koshu_key, schemes), (int)scheme, why);
    if (hermite && step == KOSHU_STEP_RULE_ACCELERATION)
        return koshu_parameters_refuse(
                p, "integrator.step",
                "acceleration is leapfrog's; hermite has block and "
                "fixed");
    if (!hermite && step == KOSHU_STEP_RULE_BLOCK)
        return koshu_parameters_refuse(
                p, "integrator.step", "block needs integrator.scheme: hermite");
    return KOSHU_OK;
}

static koshu_status
check_steps(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (v->integrator.step != KOSHU_STEP_RULE_ACCELERATION) return KOSHU_OK;
    if (v->solver.softening == 0.0)
        return koshu_parameters_refuse(
                p, "integrator.step",
                "acceleration needs a solver.softening > 0");
    if (v->integrator.dt < 0.0)
        return koshu_parameters_refuse(
                p, "integrator.dt",
                "with integrator.step: acceleration it is the largest "
                "step, > 0");
    return KOSHU_OK;
}

/* Refuses "": "" + "/energy.csv" would be a file of the root directory. */
static koshu_status
check_directory(const struct koshu_parameters *p)
{
    if (p->values.directory[0]) return KOSHU_OK;
    return koshu_parameters_refuse(p, "output.directory",
                                   "is empty; '.' is where koshu is started");
}

static koshu_status
check_snapshots(const struct koshu_parameters *p)
{
    KOSHU_TRY(koshu_parameters_check_either(p, "output.snapshot.interval",
                                            "output.snapshot.times"));
    if (p->values.snapshot.files <= 1 ||
        koshu_format_in_files(p->values.snapshot.format))
        return KOSHU_OK;
    return koshu_parameters_refuse(
            p, "output.snapshot.files",
            "only hdf5, gadget1 and gadget2 have snapshots of several files");
}

static koshu_status
check_grid(const struct koshu_parameters *p)
{
    const size_t n = p->values.domain.grid.n;
    if (n == 0 || n == 3) return KOSHU_OK;
    return koshu_parameters_refuse(p, "domain.grid",
                                   "three numbers are expected, slabs, columns "
                                   "and boxes: [12, 6, 8]");
}

koshu_status
koshu_parameters_grid(const struct koshu_parameters *parameters, int ranks,
                      int grid[3])
{
    const struct koshu_times *g = &parameters->values.domain.grid;
    char message[128];
    double product = 1;
    for (size_t k = 0; k < 3; k++) {
        grid[k] = g->n == 3 ? (int)g->time[k] : 0;
        product *= g->n == 3 ? g->time[k] : 1;
    }
    if (g->n == 0 || product == ranks) return KOSHU_OK;
    snprintf(message, sizeof message,
             "%d x %d x %d is %g domains, but the run has %d rank%s; change "
             "one of them",
             grid[0], grid[1], grid[2], product, ranks, ranks == 1 ? "" : "s");
    return koshu_parameters_refuse(parameters, "domain.grid", message);
}

/* Ignores keys of flows in runs of particles, and the reverse. */
static void
ignore_others_of_flows(const struct koshu_parameters *p)
{
    const bool flows = p->values.flow.method != KOSHU_FLOW_METHOD_NONE;
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (p->place[k] && !koshu_parameters_concern(p, &koshu_keys[k]))
            ignore(p, k,
                   flows ? "it means nothing for a flow (flow.method)"
                         : "flow.method is none");
}

static koshu_status
check_flow(const struct koshu_parameters *p)
{
    KOSHU_TRY(koshu_parameters_check_flow(p));
    KOSHU_TRY(check_snapshots(p));
    KOSHU_TRY(koshu_parameters_check_either(p, "output.log.steps",
                                            "output.log.interval"));
    return check_directory(p);
}

koshu_status
koshu_parameters_check(const struct koshu_parameters *parameters)
{
    KOSHU_REQUIRE(NULL, parameters);
    const struct koshu_parameters *p = parameters;
    ignore_others_of_flows(p);
    if (p->values.flow.method != KOSHU_FLOW_METHOD_NONE) return check_flow(p);
    KOSHU_TRY(check_initial(p));
    KOSHU_TRY(check_required(p));
    KOSHU_TRY(koshu_parameters_check_units(p));
    KOSHU_TRY(check_snapshots(p));
    KOSHU_TRY(koshu_parameters_check_either(p, "output.log.steps",
                                            "output.log.interval"));
    KOSHU_TRY(check_directory(p));
    if (!koshu_parameters_await_units(p))
        KOSHU_TRY(koshu_parameters_check_sizes(p));
    KOSHU_TRY(koshu_parameters_check_archain(p));
    KOSHU_TRY(koshu_parameters_check_regularisation(p));
    KOSHU_TRY(check_solver(p));
    KOSHU_TRY(check_scheme(p));
    KOSHU_TRY(koshu_parameters_check_coordinates(p));
    KOSHU_TRY(koshu_parameters_check_external(p));
    KOSHU_TRY(check_grid(p));
    KOSHU_TRY(koshu_parameters_check_events(p));
    KOSHU_TRY(koshu_parameters_check_cluster(p));
    return check_steps(p);
}

/* ---- units of the particles ---------------------------------------------- */

koshu_status
koshu_parameters_use_units(struct koshu_parameters *parameters,
                           const struct koshu_units *units)
{
    struct koshu_parameters *p = parameters;
    if (!koshu_parameters_have_units(p)) {
        p->values.units = *units;
        p->units_used = true;
    }
    koshu_parameters_settle(p);
    KOSHU_TRY(koshu_parameters_check_numbers(p));
    return koshu_parameters_check_sizes(p);
}
