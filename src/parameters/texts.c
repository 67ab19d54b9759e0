/* SPDX-License-Identifier: MIT */
/* The text of a key: the given one, or a default that may depend on other
 * keys. */
#include "parameters/object.h"

const char *
koshu_parameters_text_of(const struct koshu_parameters *p, int k)
{
    if (p->given[k]) return p->given[k];
    if (p->values.initial.model == KOSHU_MODEL_TWO_BODY &&
        k == koshu_key_find("initial.n"))
        return "2";
    if (p->values.flow.method != KOSHU_FLOW_METHOD_NONE)
        return koshu_keys[k].value; /* a flow has no scheme */
    if (koshu_is_comoving(&p->values) && koshu_keys[k].comoving)
        return koshu_keys[k].comoving;
    return koshu_key_default(&koshu_keys[k], p->values.integrator.scheme);
}

bool
koshu_parameters_has_unit(const struct koshu_parameters *p, int k)
{
    return koshu_keys[k].quantity && !koshu_keys[k].own_units &&
           koshu_keys[k].type != KOSHU_KEY_TEXT &&
           koshu_text_has_unit(koshu_parameters_text_of(p, k));
}
