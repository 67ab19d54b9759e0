/* SPDX-License-Identifier: MIT */
/* Checks external fields: whether they can be read, and go with the other
 * keys. */
#include <stdio.h>

#include "base/base.h"
#include "external/external.h"
#include "parameters/object.h"

/* If their units are those of a file that has not been read, the run reads the
 * fields later. */
static koshu_status
check_fields(const struct koshu_parameters *p)
{
    char message[512];
    struct koshu_external *external;
    if (koshu_parameters_await_units(p)) return KOSHU_OK;
    if (koshu_external_parse(p->context, p->values.external_fields,
                             &p->values.units, 1, &external) == KOSHU_OK) {
        koshu_external_destroy(external);
        return KOSHU_OK;
    }
    snprintf(message, sizeof message, "%s", koshu_context_message(p->context));
    return koshu_parameters_refuse(p, "external.fields", message);
}

koshu_status
koshu_parameters_check_external(const struct koshu_parameters *p)
{
    const struct koshu_parameter_values *v = &p->values;
    if (!v->external_fields[0]) return KOSHU_OK;
    if (koshu_is_comoving(v))
        return koshu_parameters_refuse(
                p, "external.fields",
                "not in comoving coordinates, whose space has no centre; leave "
                "it out");
    if (v->boundary == KOSHU_BOUNDARY_PERIODIC)
        return koshu_parameters_refuse(
                p, "external.fields",
                "in a periodic box a field would act on one image of each "
                "particle alone; take solver.boundary: isolated");
    if (v->integrator.scheme == KOSHU_SCHEME_ARCHAIN)
        return koshu_parameters_refuse(
                p, "external.fields",
                "integrator.scheme: archain takes none; use hermite or "
                "leapfrog");
    return check_fields(p);
}
