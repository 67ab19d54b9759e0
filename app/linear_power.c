/* SPDX-License-Identifier: MIT */
/* The linear power spectrum chosen by options. */
#include <stdlib.h>

#include "app.h"
#include "linear_power.h"
#include "options.h"

void
check_linear_options(struct argp_state *state, const struct linear_options *o,
                     struct koshu_power *power)
{
    if (o->spectrum && o->table)
        argp_error(state, "--spectrum chooses a formula, and --table is used "
                          "instead of one: give one of them");
    if (o->spectrum)
        OPTION_FIND(state, "--spectrum", o->spectrum, koshu_spectrum_find,
                    &power->transfer);
    if (power->transfer == KOSHU_SPECTRUM_TABLE)
        argp_error(state, "--spectrum table: name the table's file, --table "
                          "FILE, without --spectrum");
    if (o->sigma_8 > 0 && o->a_s > 0)
        argp_error(state, "--sigma-8 and --a-s both set the amplitude: give "
                          "one of them");
    if (o->table && o->a_s > 0)
        argp_error(state, "--table has an amplitude, or --sigma-8 gives one; "
                          "--a-s is for formulas");
}

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
                    const struct linear_options *o, struct koshu_power *power)
{
    power->matter.omega_m = c->omega_m;
    power->matter.h = c->h;
    if (power->matter.omega_b >= c->omega_m)
        return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                          "--omega-b %g: baryons are less than all matter, %g",
                          power->matter.omega_b, c->omega_m);
    if (o->table) KOSHU_TRY(read_table(context, o->table, power));
    if (o->sigma_8 > 0) KOSHU_TRY(koshu_power_covers_sigma(context, power, 8));
    if (o->a_s > 0)
        koshu_power_set_a_s(power, o->a_s, koshu_growth_at(c, 1).d1);
    else if (o->sigma_8 > 0 || !o->table)
        koshu_power_set_sigma_8(power, o->sigma_8 > 0 ? o->sigma_8 : 0.81);
    return KOSHU_OK;
}
