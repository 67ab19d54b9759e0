/* SPDX-License-Identifier: MIT */
/* The linear power spectrum chosen by options. */
#include <stdlib.h>

#include "app.h"
#include "linear_power.h"

static koshu_status
read_table(struct koshu_context *context, const char *path,
           struct koshu_power *power)
{
    char *text;
    KOSHU_TRY(koshu_text_read(context, path, "a spectrum", 1 << 26, &text));
    const koshu_status status = koshu_power_read(context, path, text, power);
    free(text);
    return status;
}

koshu_status
choose_linear_power(struct koshu_context *context,
                    const struct koshu_cosmology *c,
                    const struct linear_amplitude *a, struct koshu_power *power)
{
    power->matter.omega_m = c->omega_m;
    power->matter.h = c->h;
    if (power->matter.omega_b >= c->omega_m)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "--omega-b %g: baryons are less than all matter, %g",
                          power->matter.omega_b, c->omega_m);
    if (a->table) KOSHU_TRY(read_table(context, a->table, power));
    if (a->a_s > 0)
        koshu_power_set_a_s(power, a->a_s, koshu_growth_at(c, 1).d1);
    else if (a->sigma_8 > 0 || !a->table)
        koshu_power_set_sigma_8(power, a->sigma_8 > 0 ? a->sigma_8 : 0.81);
    return KOSHU_OK;
}
