/* SPDX-License-Identifier: MIT */
/* koshu bench gordon-bell: a row, of koshu or of a paper. */
#ifndef KOSHU_BENCH_CASES_GORDON_BELL_H
#define KOSHU_BENCH_CASES_GORDON_BELL_H

#include "bench/bench.h"

#define GORDON_BELL_TABLE "gordon-bell"

/* Unknown numbers are NaN. */
struct gordon_bell_row {
    struct bench_row base; /* interactions and seconds of one step */
    char whose[32];
    double particles;
    double list_length, barnes_hut_length; /* interactions of a particle */
    /* corrected: counting the interactions of the original algorithm */
    double gflops, corrected;
    double joules_processors, joules_gpus; /* of one step */
    double watts, gflops_per_watt;         /* from the corrected gflops */
    double price, price_per_gflops, mflops_per_dollar;
    double theta, alpha;
    const char *order;
};

/* Sets numbers per watt and per dollar from the others. */
static inline void
gordon_bell_divide(struct gordon_bell_row *row)
{
    row->gflops_per_watt = row->corrected / row->watts;
    row->price_per_gflops = row->price / row->corrected;
    row->mflops_per_dollar = 1e3 * row->corrected / row->price;
}

/* Adds the rows of papers, after koshu's. */
koshu_status gordon_bell_papers(struct bench *b);

#endif
