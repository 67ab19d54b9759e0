/* SPDX-License-Identifier: MIT */
/* koshu bench tree: what is measured, and how it is shown. */
#ifndef KOSHU_APP_BENCH_TREE_H
#define KOSHU_APP_BENCH_TREE_H

#include <koshu/initial.h>
#include <koshu/tree.h>

#include "bench.h"

struct tree_bench_options {
    size_t n[BENCH_LIST], n_count;
    size_t n_crit[BENCH_LIST], n_crit_count;
    double theta[BENCH_LIST], alpha[BENCH_LIST];
    size_t theta_count, alpha_count;
    struct koshu_solver_options solver; /* its tree is: */
    struct koshu_tree_options tree;
    enum koshu_model model;
    uint64_t seed;
    bool potential;
    const char *backend;
    int threads;
    size_t repeats;
    enum bench_compared compared;
    bool json;
    bool compare;
    const char *table; /* of a paper; NULL: none */
    double dt;         /* --table: of a step */
    bool n_given, theta_given, alpha_given, order_given, n_crit_given;
};

/* From the command line; with a paper's sizes and settings for a table,
 * where no others are given. */
void
tree_bench_parse(int argc, char **argv, struct tree_bench_options *options);

/* One N with one theta (or alpha) and one n_crit. */
struct tree_bench_row {
    size_t n;
    char backend[16], device[128];
    struct koshu_tree_options tree;
    struct bench_timing timing;
    struct koshu_tree_report report; /* of the fastest repeat */
    double cpu_seconds;              /* of all threads, in the fastest repeat */
    struct bench_errors errors;      /* particles 0: not taken */
};

void tree_bench_print_head(const struct tree_bench_options *options,
                           const struct tree_bench_row *row);
void tree_bench_print_row(const struct tree_bench_row *row);
void tree_bench_print_json(const struct tree_bench_options *options,
                           const struct tree_bench_row *row);

/* Belleman08 Tables 7 and 8. */
enum { TREE_PAPER_ROWS = 13 };
extern const struct tree_paper_row {
    size_t n;
    struct tree_paper {
        double seconds, error;
    } grape;
    double kirin_normal_seconds;
    struct tree_paper kirin, cpu; /* kirin optimised for the tree */
} tree_paper[TREE_PAPER_ROWS];

/* NULL: the paper has no such n. */
const struct tree_paper_row *tree_paper_row(size_t n);

/* --table: rows are printed as they come. */
koshu_status tree_bench_table(struct koshu_context *context,
                              const struct tree_bench_options *options);

/* --compare: rows are printed as they come. */
koshu_status tree_bench_compare(struct koshu_context *context,
                                const struct tree_bench_options *options);

#endif
