/* SPDX-License-Identifier: MIT */
/* koshu bench jerk: rows as text, beside the paper's, and as JSON. */
#include <math.h>
#include <stdio.h>

#include "bench_jerk.h"
#include "bench_papers.h"

static double
rate(const struct jerk_row *row)
{
    return (double)row->n * (double)row->ni / row->timing.seconds;
}

/* Of a whole sum; NULL: not in the paper. */
static const struct bench_paper_row *
paper_row(const struct jerk_row *row)
{
    if (row->ni != row->n) return NULL;
    return bench_paper_row(&bench_paper_jerk, row->n);
}

/* ---- text ---------------------------------------------------------------- */

void
jerk_print_head(const struct jerk_options *o, const struct jerk_row *row)
{
    const struct bench_paper *paper = &bench_paper_jerk;
    printf("Plummer sphere, eps^2 = %g, %s precision, acceleration + jerk + "
           "potential%s",
           o->problem.eps2, koshu_precision_name(o->problem.precision),
           o->nearest ? " + nearest neighbour" : "");
    if (o->problem.offset != 0) printf(", moved by %g", o->problem.offset);
    printf("\nbackend %s: %s\n", row->backend, row->device);
    if (row->a.particles > 0)
        printf("errors: relative, of accelerations and of jerks, against ref "
               "in double%s\n",
               o->problem.precision == KOSHU_PRECISION_SINGLE
                       ? " on the positions rounded to float"
                       : "");
    printf("right: %s, one %s\n\n", paper->title, paper->device);
    printf("%8s %8s %7s %10s %9s %8s %7s %7s %7s %7s %7s %7s | %9s %8s\n", "N",
           "ni", "threads", "seconds", "pairs/s", "GF/s(60)", "a: med", "p99",
           "max", "j: med", "p99", "max", "seconds", "GF/s(60)");
}

static void
print_errors(const struct bench_errors *e)
{
    if (e->particles == 0)
        printf(" %7s %7s %7s", "-", "-", "-");
    else
        printf(" %7.1e %7.1e %7.1e", e->median, e->p99, e->max);
}

void
jerk_print_row(const struct jerk_row *row)
{
    const struct bench_paper_row *paper = paper_row(row);
    printf("%8zu %8zu %7d %10.4e %9.3e %8.1f", row->n, row->ni, row->threads,
           row->timing.seconds, rate(row), rate(row) * 60e-9);
    print_errors(&row->a);
    print_errors(&row->jerk);
    if (paper)
        printf(" | %9.3g %8.1f\n", paper->seconds, paper->gflops);
    else
        printf(" | %9s %8s\n", "-", "-");
    fflush(stdout);
}

/* ---- JSON ---------------------------------------------------------------- */

static void
set_real(json_t *object, const char *prefix, const char *key, double value)
{
    char name[32];
    snprintf(name, sizeof name, "%s%s", prefix, key);
    /* JSON has no infinity: an error that is none becomes null. */
    json_object_set_new(object, name,
                        isfinite(value) ? json_real(value) : json_null());
}

static void
set_errors(json_t *object, const char *prefix, const struct bench_errors *e)
{
    if (e->particles == 0) return;
    set_real(object, prefix, "err_median", e->median);
    set_real(object, prefix, "err_p99", e->p99);
    set_real(object, prefix, "err_max", e->max);
    set_real(object, prefix, "err_rms", e->rms);
    json_object_set_new(object, "err_particles",
                        json_integer((json_int_t)e->particles));
}

void
jerk_print_json(const struct jerk_options *o, const struct jerk_row *row)
{
    json_t *object = json_pack(
            "{s:s, s:s, s:s, s:s, s:I, s:I, s:f, s:f, s:I, s:f, s:f, s:i, s:b, "
            "s:f, s:f}",
            "bench", "jerk", "backend", row->backend, "device", row->device,
            "precision", koshu_precision_name(o->problem.precision), "n",
            (json_int_t)row->n, "ni", (json_int_t)row->ni, "seconds",
            row->timing.seconds, "seconds_least", row->timing.least, "repeats",
            (json_int_t)row->timing.repeats, "interactions_per_s", rate(row),
            "gflops_60", rate(row) * 60e-9, "threads", row->threads, "nearest",
            (int)o->nearest, "eps2", o->problem.eps2, "offset",
            o->problem.offset);
    set_errors(object, "", &row->a);
    set_errors(object, "jerk_", &row->jerk);
    const struct bench_paper_row *paper = paper_row(row);
    if (paper)
        json_object_set_new(object, bench_paper_jerk.option,
                            json_pack("{s:f, s:f}", "seconds", paper->seconds,
                                      "gflops", paper->gflops));
    bench_print_json(object);
}
