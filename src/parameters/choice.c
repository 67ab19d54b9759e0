/* SPDX-License-Identifier: MIT */
/* Keeps the method and parameters of the forces that a run has chosen. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "parameters/object.h"

/* For solver.method: auto. */
static const double default_accuracy = 1e-3;

bool
koshu_parameters_choose(const struct koshu_parameters *parameters,
                        double *accuracy)
{
    const struct koshu_parameter_values *v = &parameters->values;
    *accuracy = v->accuracy > 0 ? v->accuracy : default_accuracy;
    return v->chosen_for == 0 &&
           (v->accuracy > 0 || v->method == KOSHU_METHOD_AUTO);
}

/* ---- taking a choice ----------------------------------------------------- */

static koshu_status
set_number(struct koshu_parameters *parameters, const char *key, double value)
{
    char text[32];
    locale_t users = koshu_plain_numbers();
    snprintf(text, sizeof text, "%.15g", value);
    uselocale(users);
    return koshu_parameters_set(parameters, key, text);
}

koshu_status
koshu_parameters_take_choice(struct koshu_parameters *p,
                             const struct koshu_solver_choice *c,
                             double accuracy)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (koshu_keys[k].chosen) KOSHU_TRY(koshu_parameters_drop(p, k));
    p->values.chosen_for = accuracy;
    KOSHU_TRY(koshu_parameters_set(p, "solver.precision",
                                   koshu_precision_name(c->precision)));
    KOSHU_TRY(koshu_parameters_set(p, "solver.method",
                                   koshu_method_name(c->method)));
    if (c->method == KOSHU_METHOD_TREE)
        return set_number(p, "solver.alpha", c->alpha);
    if (c->method != KOSHU_METHOD_FMM) return KOSHU_OK;
    KOSHU_TRY(set_number(p, "solver.expansion_order", c->multipole_order));
    return set_number(p, "solver.theta", c->theta);
}

/* ---- a choice made before ------------------------------------------------ */

/* Whether the key is chosen with the method, or is not given. */
static bool
is_open(const struct koshu_parameters *p, int k)
{
    const struct koshu_key *key = &koshu_keys[k];
    if (strcmp(key->path, "solver.method") == 0)
        return !p->given[k] || p->values.method == KOSHU_METHOD_AUTO;
    return key->chosen ||
           (strcmp(key->path, "solver.precision") == 0 && !p->given[k]);
}

koshu_status
koshu_parameters_keep_choice(struct koshu_parameters *p,
                             const struct koshu_parameters *old, bool *kept)
{
    double accuracy;
    const bool chooses = koshu_parameters_choose(p, &accuracy);
    *kept = !chooses;
    if (!chooses || old->values.accuracy != p->values.accuracy ||
        old->values.method == KOSHU_METHOD_AUTO)
        return KOSHU_OK;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        if (!is_open(p, k)) continue;
        KOSHU_TRY(koshu_parameters_drop(p, k));
        if (old->given[k])
            KOSHU_TRY(
                    koshu_parameters_take(p, k, old->given[k], old->place[k]));
    }
    koshu_parameters_settle(p);
    p->values.chosen_for = accuracy;
    *kept = true;
    return KOSHU_OK;
}
