/* SPDX-License-Identifier: MIT */
/* Checks that there are units where they are needed, and none where they mean
 * nothing. */
#include <stdio.h>

#include "base/base.h"
#include "parameters/object.h"

/* Refuses numbers with a unit in a run without units. */
koshu_status
koshu_parameters_check_numbers(const struct koshu_parameters *p)
{
    char message[256];
    if (!koshu_units_are_henon(&p->values.units)) return KOSHU_OK;
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        if (!koshu_parameters_has_unit(p, k)) continue;
        snprintf(message, sizeof message,
                 "'%.60s' has a unit, but the run is in Hénon units, without "
                 "one: add units: {length: pc, mass: Msun, time: Myr}, or "
                 "others, or give a bare number",
                 koshu_parameters_text_of(p, k));
        return koshu_parameters_refuse(p, koshu_keys[k].path, message);
    }
    return KOSHU_OK;
}

/* A model has a default mass and length only in Hénon units. */
static koshu_status
check_model(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    char system[128];
    if (v->initial_file[0] || v->components[0] ||
        koshu_units_are_henon(&v->units))
        return KOSHU_OK;
    koshu_units_text(&v->units, sizeof system, system);
    for (int k = 0; k < KOSHU_N_KEYS; k++) {
        const struct koshu_key *key = &koshu_keys[k];
        if (!koshu_key_is_below(key->path, "initial") || !key->quantity ||
            key->own_units || p->given[k] ||
            (v->initial.mass_function != KOSHU_MASS_FUNCTION_EQUAL &&
             *key->quantity == KOSHU_QUANTITY_MASS) ||
            (key->models && !(key->models & 1u << v->initial.model)))
            continue;
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "%s is missing: a model in units of %s has no %s of "
                          "its own; for example %s=%s",
                          key->path, system,
                          koshu_quantity_name(*key->quantity), key->path,
                          *key->quantity == KOSHU_QUANTITY_MASS ? "'1e4 Msun'"
                                                                : "'1 pc'");
    }
    return KOSHU_OK;
}

koshu_status
koshu_parameters_check_units(const struct koshu_parameters *p)
{
    char text[256];
    struct koshu_units units;
    koshu_parameters_units_text(p, text, sizeof text);
    if (text[0] && koshu_units_find(NULL, text, &units) != KOSHU_OK) {
        const char *path = p->values.unit.length[0] ? "units.length"
                           : p->values.unit.mass[0] ? "units.mass"
                           : p->values.unit.time[0] ? "units.time"
                                                    : "units.velocity";
        return koshu_parameters_refuse(p, path, koshu_context_message(NULL));
    }
    if (koshu_parameters_await_units(p)) return KOSHU_OK;
    KOSHU_TRY(koshu_parameters_check_numbers(p));
    return check_model(p);
}
