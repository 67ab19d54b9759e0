/* SPDX-License-Identifier: MIT */
/* The units of the numbers given by keys. */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "parameters/object.h"

/* Writes the given units, "pc, Msun, Myr", as koshu_units_find() reads them. */
void
koshu_parameters_units_text(const struct koshu_parameters *p, char *text,
                            size_t size)
{
    const char *const parts[] = {p->values.unit.length, p->values.unit.mass,
                                 p->values.unit.time, p->values.unit.velocity};
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (parts[k][0] && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     used ? ", " : "", parts[k]);
}

bool
koshu_parameters_have_units(const struct koshu_parameters *parameters)
{
    char text[256];
    koshu_parameters_units_text(parameters, text, sizeof text);
    return text[0] != '\0';
}

bool
koshu_parameters_await_units(const struct koshu_parameters *p)
{
    return p->values.initial_file && p->values.initial_file[0] &&
           !p->units_used && !koshu_parameters_have_units(p);
}

const struct koshu_units *
koshu_parameters_units(const struct koshu_parameters *p)
{
    static const struct koshu_units si = {1e2, 1e3, 1e2};
    return koshu_units_are_henon(&p->values.units) ? &si : &p->values.units;
}

void
koshu_parameters_settle_units(struct koshu_parameters *p)
{
    char text[256];
    koshu_parameters_units_text(p, text, sizeof text);
    if ((!text[0] || koshu_units_find(NULL, text, &p->values.units)) &&
        !p->units_used)
        koshu_units_henon(&p->values.units);
}
