/* SPDX-License-Identifier: MIT */
/* koshu bench direct: rows as text, beside the paper's, and as JSON. */
#include <math.h>
#include <stdio.h>

#include "bench_direct.h"

/* Hamada07 Table 3 (one GeForce 8800 GTX) and Table 2. */
static const struct paper {
    size_t n;
    double seconds, gflops;
    double direct_style, chamomile;
} hamada07[] = {
        {2048, 9.21e-4, 173, 2.2e-6, 5.4e-7},
        {4096, 2.99e-3, 213, 3.0e-6, 3.3e-7},
        {8192, 1.08e-2, 235, 5.4e-6, 5.0e-7},
        {16384, 4.14e-2, 246, 7.0e-6, 4.3e-7},
        {32768, 0.162, 251, 1.2e-5, 6.8e-7},
        {65536, 0.642, 254, 1.4e-5, 1.0e-6},
        {131072, 2.548, 256, 2.2e-5, 1.5e-6},
};
enum { N_PAPER = sizeof hamada07 / sizeof hamada07[0] };

enum { MOST_COMPARED = 131072, SAMPLE = 1024 };

static const struct paper *
paper_of(size_t n)
{
    for (int k = 0; k < N_PAPER; k++)
        if (hamada07[k].n == n) return &hamada07[k];
    return NULL;
}

static double
rate(const struct direct_row *row)
{
    return (double)row->n * (double)row->n / row->timing.seconds;
}

size_t
direct_error_particles(const struct direct_options *options, size_t n)
{
    enum direct_errors which = options->errors;
    if (options->styles) which = ERRORS_ALL;
    if (which == ERRORS_DEFAULT)
        which = n <= MOST_COMPARED ? ERRORS_ALL : ERRORS_SAMPLE;
    if (which == ERRORS_NONE) return 0;
    return which == ERRORS_SAMPLE && n > SAMPLE ? SAMPLE : n;
}

/* ---- text -----------------------------------------------------------------
 */

static void
print_columns(const struct direct_options *o)
{
    if (o->styles) {
        printf("largest errors of all particles; H07: Hamada & Iitaka 2007, "
               "Table 2\n\n%9s %10s %10s %10s %12s %15s\n",
               "N", "DIRECT", "Chamomile", "koshu", "DIRECT (H07)",
               "Chamomile (H07)");
        return;
    }
    bool scaling = o->threads_count > 1;
    if (!scaling)
        printf("right: Hamada & Iitaka 2007, Tables 3 and 2: time, Gflop/s "
               "(38), errors of DIRECT style, of Chamomile\n");
    printf("\n%8s %7s %10s %10s %8s %8s %8s %8s %8s ", "N",
           scaling ? "threads" : "repeats", "seconds", "pairs/s", "GF/s(26)",
           "GF/s(38)", "err_med", "err_p99", "err_max");
    if (scaling)
        printf(" | %10s\n", "efficiency");
    else
        printf(" | %8s %5s %8s %8s\n", "seconds", "GF/s", "DIRECT", "Chamom.");
}

void
direct_print_head(const struct direct_options *o, const struct direct_row *row)
{
    printf("Plummer sphere, eps^2 = %g, %s precision%s, %s", o->eps2,
           koshu_precision_name(o->precision), o->fast ? " (fast)" : "",
           o->potential ? "acceleration + potential" : "acceleration");
    if (o->offset != 0) printf(", moved by %g", o->offset);
    printf("\nbackend %s: %s\n", row->backend, row->device);
    if (direct_error_particles(o, 1) > 0)
        printf("errors: |a - a_ref| / |a_ref| of all particles (*: of %d), "
               "ref in double%s\n",
               SAMPLE,
               o->precision == KOSHU_SINGLE
                       ? " on the positions rounded to float"
                       : "");
    print_columns(o);
}

static void
print_errors(const struct direct_row *row)
{
    const struct bench_errors *e = &row->errors;
    if (e->particles == 0)
        printf(" %8s %8s %8s ", "-", "-", "-");
    else
        printf(" %8.1e %8.1e %8.1e%c", e->median, e->p99, e->max,
               e->particles < row->n ? '*' : ' ');
}

static void
print_styles(const struct direct_row *row)
{
    const struct paper *paper = paper_of(row->n);
    printf("%9zu %10.1e %10.1e %10.1e", row->n, row->direct_style,
           row->chamomile_style, row->errors.max);
    if (paper) printf(" %12.1e %15.1e", paper->direct_style, paper->chamomile);
    putchar('\n');
    fflush(stdout);
}

void
direct_print_row(const struct direct_options *o, const struct direct_row *row)
{
    if (o->styles) {
        print_styles(row);
        return;
    }
    const struct paper *paper = paper_of(row->n);
    bool scaling = o->threads_count > 1;
    printf("%8zu %7zu %10.4e %10.3e %8.1f %8.1f", row->n,
           scaling ? (size_t)row->threads : row->timing.repeats,
           row->timing.seconds, rate(row), rate(row) * 26e-9,
           rate(row) * 38e-9);
    print_errors(row);
    if (scaling)
        printf(" | %9.1f%%", 100 * row->efficiency);
    else if (paper)
        printf(" | %8.3g %5.0f %8.1e %8.1e", paper->seconds, paper->gflops,
               paper->direct_style, paper->chamomile);
    putchar('\n');
    fflush(stdout);
}

/* ---- JSON -----------------------------------------------------------------
 */

static void
set_real(json_t *object, const char *key, double value)
{
    /* JSON has no infinity: an error that is none becomes null. */
    json_object_set_new(object, key,
                        isfinite(value) ? json_real(value) : json_null());
}

void
direct_print_json(const struct direct_options *o, const struct direct_row *row)
{
    json_t *object = json_object();
    json_object_set_new(object, "bench", json_string("direct"));
    json_object_set_new(object, "backend", json_string(row->backend));
    json_object_set_new(object, "device", json_string(row->device));
    json_object_set_new(object, "precision",
                        json_string(koshu_precision_name(o->precision)));
    json_object_set_new(object, "n", json_integer((json_int_t)row->n));
    set_real(object, "seconds", row->timing.seconds);
    set_real(object, "seconds_least", row->timing.least);
    json_object_set_new(object, "repeats",
                        json_integer((json_int_t)row->timing.repeats));
    set_real(object, "interactions_per_s", rate(row));
    set_real(object, "gflops_26", rate(row) * 26e-9);
    set_real(object, "gflops_38", rate(row) * 38e-9);
    json_object_set_new(object, "threads", json_integer(row->threads));
    set_real(object, "efficiency", row->efficiency);
    json_object_set_new(object, "potential", json_boolean(o->potential));
    json_object_set_new(object, "fast", json_boolean(o->fast));
    set_real(object, "eps2", o->eps2);
    set_real(object, "offset", o->offset);
    if (row->errors.particles > 0) {
        set_real(object, "err_median", row->errors.median);
        set_real(object, "err_p99", row->errors.p99);
        set_real(object, "err_max", row->errors.max);
        json_object_set_new(object, "err_particles",
                            json_integer((json_int_t)row->errors.particles));
    }
    if (o->styles) {
        set_real(object, "err_max_direct_style", row->direct_style);
        set_real(object, "err_max_chamomile_style", row->chamomile_style);
    }
    bench_print_json(object);
}
