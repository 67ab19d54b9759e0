/* SPDX-License-Identifier: MIT */
/* Checks initial.components: whether it can be read, and whether no other key
 * describes a model. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "parameters/object.h"

/* Keys that may be given beside components: the seed is for all of them. */
static bool
goes_along(const char *path)
{
    return strncmp(path, "initial.", 8) != 0 ||
           strcmp(path, "initial.components") == 0 ||
           strcmp(path, "initial.seed") == 0;
}

koshu_status
koshu_parameters_check_components(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    struct koshu_components all;
    char message[768];
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (p->place[k] && !goes_along(koshu_keys[k].path))
            return koshu_parameters_refuse(
                    p, koshu_keys[k].path,
                    "each of initial.components has its own; put it there, or "
                    "remove one");
    const koshu_status status = koshu_components_parse(
            p->context, v->components, v->initial.seed, &v->units, &all);
    koshu_components_free(&all);
    if (status != KOSHU_ERROR_BAD_INPUT) return status;
    snprintf(message, sizeof message, "%s", koshu_context_message(p->context));
    return koshu_parameters_refuse(p, "initial.components", message);
}
