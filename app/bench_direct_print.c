/* SPDX-License-Identifier: MIT */
/* koshu bench direct: rows as text, beside the paper's, and as JSON. */
#include <math.h>
#include <stdio.h>

#include "bench_direct.h"
#include "bench_papers.h"
#include "bench_styles.h"

static double
rate(const struct direct_row *row)
{
    return (double)row->n * (double)row->n / row->timing.seconds;
}

size_t
direct_error_particles(const struct direct_options *options, size_t n)
{
    return bench_compared_count(
            options->styles ? COMPARED_ALL : options->errors, n);
}

/* ---- text -----------------------------------------------------------------
 */

/* What the columns on the right are. */
static void
print_papers(void)
{
    printf("right: Gflop/s that papers print, in their own counts\n");
    for (int k = 0; k < BENCH_PAPERS; k++)
        printf("    %s (%d): %s, one %s\n", bench_papers[k].tag,
               bench_papers[k].flops, bench_papers[k].title,
               bench_papers[k].device);
    printf("+ copies: seconds with positions from the host and forces back, "
           "where the device keeps particles\n");
}

static void
print_paper_columns(const struct bench_paper *paper)
{
    char gflops[16];
    snprintf(gflops, sizeof gflops, "GF/s(%d)", paper->flops);
    printf("%s: %s, one %s; faster: times\n\n"
           "%9s %12s %10s %14s %10s %8s\n",
           paper->tag, paper->title, paper->device, "N", "seconds", gflops,
           "seconds", gflops, "faster");
    printf("%9s %12s %10s %14s %10s\n", "", "", "", paper->tag, paper->tag);
}

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
    if (o->paper) {
        print_paper_columns(o->paper);
        return;
    }
    bool scaling = o->threads_count > 1;
    if (!scaling) print_papers();
    printf("\n%8s %10s %10s %9s %8s %8s %7s %7s %7s ", "N",
           scaling ? "threads" : "+ copies", "seconds", "pairs/s", "GF/s(26)",
           "GF/s(38)", "err_med", "err_p99", "err_max");
    if (scaling) printf(" | %10s", "efficiency");
    if (!scaling)
        for (int k = 0; k < BENCH_PAPERS; k++)
            printf("%s %6s", k == 0 ? " |" : "", bench_papers[k].tag);
    putchar('\n');
}

void
direct_print_head(const struct direct_options *o, const struct direct_row *row)
{
    printf("Plummer sphere, eps^2 = %g, %s precision%s, %s", o->problem.eps2,
           koshu_precision_name(o->problem.precision),
           o->problem.fast ? " (fast)" : "",
           o->problem.potential ? "acceleration + potential" : "acceleration");
    if (o->problem.offset != 0) printf(", moved by %g", o->problem.offset);
    printf("\nbackend %s: %s\n", row->backend, row->device);
    if (direct_error_particles(o, 1) > 0)
        printf("errors: |a - a_ref| / |a_ref| of all particles (*: of %d), "
               "ref in double%s\n",
               BENCH_SAMPLE,
               o->problem.precision == KOSHU_PRECISION_SINGLE
                       ? " on the positions rounded to float"
                       : "");
    print_columns(o);
}

static void
print_errors(const struct direct_row *row)
{
    const struct bench_errors *e = &row->errors;
    if (e->particles == 0)
        printf(" %7s %7s %7s ", "-", "-", "-");
    else
        printf(" %7.1e %7.1e %7.1e%c", e->median, e->p99, e->max,
               e->particles < row->n ? '*' : ' ');
}

static void
print_styles(const struct direct_row *row)
{
    const struct bench_style_row *paper = bench_style_row(row->n);
    printf("%9zu %10.1e %10.1e %10.1e", row->n, row->direct_style,
           row->chamomile_style, row->errors.max);
    if (paper) printf(" %12.1e %15.1e", paper->direct_style, paper->chamomile);
    putchar('\n');
    fflush(stdout);
}

static void
print_beside_paper(const struct bench_paper *paper,
                   const struct direct_row *row)
{
    const struct bench_paper_row *printed = bench_paper_row(paper, row->n);
    printf("%9zu %12.4e %10.1f", row->n, row->timing.seconds,
           rate(row) * paper->flops * 1e-9);
    if (printed)
        printf(" %14.4g %10.1f %8.1f", printed->seconds, printed->gflops,
               printed->seconds / row->timing.seconds);
    putchar('\n');
    fflush(stdout);
}

static void
print_beside_papers(const struct direct_row *row)
{
    for (int k = 0; k < BENCH_PAPERS; k++) {
        const struct bench_paper_row *printed =
                bench_paper_row(&bench_papers[k], row->n);
        printf("%s", k == 0 ? " |" : "");
        if (printed)
            printf(" %6.1f", printed->gflops);
        else
            printf(" %6s", "-");
    }
}

static void
print_all(const struct direct_options *o, const struct direct_row *row)
{
    const bool scaling = o->threads_count > 1;
    printf("%8zu ", row->n);
    if (scaling)
        printf("%10d", row->threads);
    else if (row->keeps)
        printf("%10.3e", row->copied.seconds);
    else
        printf("%10s", "-");
    printf(" %10.4e %9.3e %8.1f %8.1f", row->timing.seconds, rate(row),
           rate(row) * 26e-9, rate(row) * 38e-9);
    print_errors(row);
    if (scaling)
        printf(" | %9.1f%%", 100 * row->efficiency);
    else
        print_beside_papers(row);
    putchar('\n');
    fflush(stdout);
}

void
direct_print_row(const struct direct_options *o, const struct direct_row *row)
{
    if (o->styles)
        print_styles(row);
    else if (o->paper)
        print_beside_paper(o->paper, row);
    else
        print_all(o, row);
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
    json_object_set_new(
            object, "precision",
            json_string(koshu_precision_name(o->problem.precision)));
    json_object_set_new(object, "n", json_integer((json_int_t)row->n));
    set_real(object, "seconds", row->timing.seconds);
    set_real(object, "seconds_least", row->timing.least);
    if (row->keeps)
        set_real(object, "seconds_with_copies", row->copied.seconds);
    json_object_set_new(object, "repeats",
                        json_integer((json_int_t)row->timing.repeats));
    set_real(object, "interactions_per_s", rate(row));
    set_real(object, "gflops_26", rate(row) * 26e-9);
    set_real(object, "gflops_38", rate(row) * 38e-9);
    json_object_set_new(object, "threads", json_integer(row->threads));
    set_real(object, "efficiency", row->efficiency);
    json_object_set_new(object, "potential",
                        json_boolean(o->problem.potential));
    json_object_set_new(object, "fast", json_boolean(o->problem.fast));
    set_real(object, "eps2", o->problem.eps2);
    set_real(object, "offset", o->problem.offset);
    if (row->errors.particles > 0) {
        set_real(object, "err_median", row->errors.median);
        set_real(object, "err_p99", row->errors.p99);
        set_real(object, "err_max", row->errors.max);
        set_real(object, "err_rms", row->errors.rms);
        json_object_set_new(object, "err_particles",
                            json_integer((json_int_t)row->errors.particles));
    }
    for (int k = 0; k < BENCH_PAPERS; k++) {
        const struct bench_paper_row *printed =
                bench_paper_row(&bench_papers[k], row->n);
        if (!printed) continue;
        json_object_set_new(object, bench_papers[k].option,
                            json_pack("{s:f, s:f}", "seconds", printed->seconds,
                                      "gflops", printed->gflops));
    }
    if (o->styles) {
        set_real(object, "err_max_direct_style", row->direct_style);
        set_real(object, "err_max_chamomile_style", row->chamomile_style);
    }
    bench_print_json(object);
}
