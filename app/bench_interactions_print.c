/* SPDX-License-Identifier: MIT */
/* koshu bench interactions: rows as text and as JSON. */
#include <math.h>
#include <stdio.h>

#include "bench_interactions.h"

static double
rate(const struct interactions_row *row)
{
    return (double)row->n * (double)row->n / row->timings[0].seconds;
}

/* Of the fastest repeats: others on the machine slow down either. */
static double
ratio(const struct interactions_row *row)
{
    return row->timings[1].least / row->timings[0].least;
}

void
interactions_print_head(const struct interactions_options *o,
                        const struct interactions_row *first)
{
    printf("Built-in interaction kernels: all particles of a Plummer sphere on "
           "each other, %s precision\nbackend %s: %s\n"
           "ratio: rate over that of koshu's own kernel (fastest repeats); "
           "start: from the text to first\nresults, compiled before; errors: "
           "|out - out_ref| / |out_ref| (*: of %d), ref in double\n\n",
           koshu_precision_name(o->precision), first->backend, first->device,
           BENCH_SAMPLE);
    printf("%-22s %8s %10s %9s %6s %8s %7s %7s %7s\n", "interaction", "N",
           "seconds", "pairs/s", "ratio", "start", "err_med", "err_p99",
           "err_max");
}

void
interactions_print_row(const struct interactions_row *row)
{
    const struct bench_errors *e = &row->errors;
    printf("%-22s %8zu %10.4e %9.3e ", row->name, row->n,
           row->timings[0].seconds, rate(row));
    if (row->timings[1].repeats)
        printf("%6.2f", ratio(row));
    else
        printf("%6s", "-");
    printf(" %5.1f ms", 1e3 * row->warm_start);
    if (e->particles == 0)
        printf(" %7s %7s %7s\n", "-", "-", "-");
    else
        printf(" %7.1e %7.1e %7.1e%s\n", e->median, e->p99, e->max,
               e->particles < row->n ? "*" : "");
    fflush(stdout);
}

static void
set_real(json_t *object, const char *key, double value)
{
    /* JSON has no infinity */
    json_object_set_new(object, key,
                        isfinite(value) ? json_real(value) : json_null());
}

void
interactions_print_json(const struct interactions_options *o,
                        const struct interactions_row *row)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s}", "bench",
                               "interactions", "interaction", row->name,
                               "backend", row->backend, "device", row->device,
                               "precision", koshu_precision_name(o->precision));
    json_object_set_new(object, "n", json_integer((json_int_t)row->n));
    set_real(object, "seconds", row->timings[0].seconds);
    set_real(object, "seconds_least", row->timings[0].least);
    json_object_set_new(object, "repeats",
                        json_integer((json_int_t)row->timings[0].repeats));
    set_real(object, "interactions_per_s", rate(row));
    json_object_set_new(object, "threads", json_integer(row->threads));
    set_real(object, "warm_start", row->warm_start);
    if (row->timings[1].repeats) {
        set_real(object, "seconds_built_in", row->timings[1].seconds);
        set_real(object, "seconds_built_in_least", row->timings[1].least);
        set_real(object, "ratio", ratio(row));
    }
    if (row->errors.particles > 0) {
        set_real(object, "err_median", row->errors.median);
        set_real(object, "err_p99", row->errors.p99);
        set_real(object, "err_max", row->errors.max);
        set_real(object, "err_rms", row->errors.rms);
        json_object_set_new(object, "err_particles",
                            json_integer((json_int_t)row->errors.particles));
    }
    bench_print_json(object);
}
