/* SPDX-License-Identifier: MIT */
/* What `koshu bench hermite` prints. */
#include <math.h>
#include <stdio.h>

#include "bench_hermite.h"

/* The softening of the paper's tables; those of Tables 5 and 6 are 0 too. */
static const double soft = 1.0 / 256;

/* ---- the table ----------------------------------------------------------- */

static void
print_paper_head(double eps)
{
    printf("dE/E: (E(0) - E(1/2)) / E(0)\n");
    if (eps == soft)
        printf("right: Belleman et al. 2008, Tables 1 and 2 (their own code), "
               "5 and 6 (kira): GRAPE-6Af, and\n"
               "kirin on a GeForce 8800 GTX\n\n");
    else if (eps == 0)
        printf("right: Belleman et al. 2008, Tables 5 and 6 (kira): GRAPE-6Af, "
               "and kirin on a GeForce 8800 GTX\n\n");
    else
        printf("\n");
    printf("%7s %8s %7s %9s %8s %8s", "N", "blocks", "in each", "seconds",
           "pairs/s", "dE/E");
    if (eps == soft)
        printf(" | %7s %7s %7s %7s", "1 GRAPE", "kirin", "2 GRAPE", "kirin");
    if (eps == soft || eps == 0)
        printf(" | %7s %7s %7s %7s", "5 GRAPE", "kirin", "6 GRAPE", "kirin");
    printf("\n");
}

void
hermite_print_head(const struct hermite_bench_options *options,
                   const struct hermite_row *first)
{
    const struct koshu_integrator_options *h = &options->integrator;
    printf("Hermite block steps of a Plummer sphere from t = 1/4 to 1/2, eps "
           "= %g, %s precision\n"
           "eta = %g, steps of %g / 2^k, P(EC)^%u, seed %llu\n"
           "backend %s: %s; blocks on the %s\n",
           first->eps, koshu_precision_name(options->precision), h->eta, h->dt,
           h->iterations, (unsigned long long)options->seed, first->backend,
           first->device, first->engine);
    print_paper_head(first->eps);
}

/* Seconds or an error as the paper has it, where it has it. */
static void
print_cell(const char *format, double x)
{
    char text[32];
    snprintf(text, sizeof text, format, x);
    printf(" %7s", x > 0 ? text : "-");
}

static void
print_paper(const struct hermite_paper *p)
{
    printf(" |");
    print_cell("%.4g", p->grape_seconds);
    print_cell("%.5g", p->kirin_seconds);
    print_cell("%.1e", p->grape_error);
    print_cell("%.1e", p->kirin_error);
}

void
hermite_print_row(const struct hermite_row *row)
{
    static const struct hermite_paper_row none;
    const struct hermite_paper_row *paper = hermite_paper_row(row->n);
    if (!paper) paper = &none;
    printf("%7zu %8llu %7.1f %9.4g %8.2e %8.1e", row->n,
           (unsigned long long)row->blocks,
           (double)row->steps / (double)row->blocks, row->seconds,
           row->interactions / row->seconds, row->energy_error);
    if (row->eps == soft) print_paper(&paper->tables_1_2);
    if (row->eps == soft) print_paper(&paper->tables_5_6);
    if (row->eps == 0) print_paper(&paper->tables_5_6_hard);
    printf("\n");
    fflush(stdout);
}

void
hermite_print_skipped(size_t n, double seconds)
{
    printf("%7zu would take about %.2g s: --all, or --n %zu\n", n, seconds, n);
    fflush(stdout);
}

/* ---- JSON ---------------------------------------------------------------- */

/* Null where the paper has no number. */
static json_t *
number(double x)
{
    return x > 0 ? json_real(x) : json_null();
}

static json_t *
paper_object(const struct hermite_paper *p)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "grape_seconds",
                     number(p->grape_seconds), "kirin_seconds",
                     number(p->kirin_seconds), "grape_energy_error",
                     number(p->grape_error), "kirin_energy_error",
                     number(p->kirin_error));
}

void
hermite_print_json(const struct hermite_bench_options *options,
                   const struct hermite_row *row)
{
    const struct koshu_integrator_options *h = &options->integrator;
    const struct hermite_paper_row *paper = hermite_paper_row(row->n);
    double rate = row->interactions / row->seconds;
    json_t *object = json_pack(
            "{s:s, s:s, s:s, s:s, s:s, s:I, s:f, s:f, s:f, s:I, s:I, s:f, s:i, "
            "s:f, s:f, s:I, s:I, s:f, s:f}",
            "bench", "hermite", "backend", row->backend, "device", row->device,
            "engine", row->engine, "precision",
            koshu_precision_name(options->precision), "n", (json_int_t)row->n,
            "eps", row->eps, "eta", h->eta, "dt", h->dt, "iterations",
            (json_int_t)h->iterations, "seed", (json_int_t)options->seed,
            "seconds", row->seconds, "repeats", 1, "interactions_per_s", rate,
            "gflops_60", rate * 60e-9, "blocks", (json_int_t)row->blocks,
            "steps", (json_int_t)row->steps, "time_unit", 4 * row->seconds,
            "energy_error", row->energy_error);
    if (paper && row->eps == soft)
        json_object_set_new(object, "belleman08_1_2",
                            paper_object(&paper->tables_1_2));
    if (paper && (row->eps == soft || row->eps == 0))
        json_object_set_new(object, "belleman08_5_6",
                            paper_object(row->eps == 0 ? &paper->tables_5_6_hard
                                                       : &paper->tables_5_6));
    bench_print_json(object);
}
