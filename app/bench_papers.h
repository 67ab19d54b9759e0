/* SPDX-License-Identifier: MIT */
/* Speeds of direct summation that papers print, to stand beside koshu's. */
#ifndef KOSHU_APP_BENCH_PAPERS_H
#define KOSHU_APP_BENCH_PAPERS_H

#include <stddef.h>

enum { BENCH_PAPERS = 3 };

/* Forces. */
extern const struct bench_paper {
    const char *option; /* of --table */
    const char *tag, *title, *device;
    int flops; /* that the paper counts for an interaction */
    size_t n_rows;
    const struct bench_paper_row {
        size_t n;
        double seconds, gflops;
    } * rows;
} bench_papers[BENCH_PAPERS];

/* Force, potential and jerk. */
extern const struct bench_paper bench_paper_jerk;

/* NULL: the paper has no such n. */
const struct bench_paper_row *
bench_paper_row(const struct bench_paper *paper, size_t n);

#endif
