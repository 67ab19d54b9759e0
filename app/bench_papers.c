/* SPDX-License-Identifier: MIT */
#include "bench_papers.h"

/* Hamada07 Table 3. */
static const struct bench_paper_row hamada07[] = {
        {2048, 9.21e-4, 173},  {4096, 2.99e-3, 213}, {8192, 1.08e-2, 235},
        {16384, 4.14e-2, 246}, {32768, 0.162, 251},  {65536, 0.642, 254},
        {131072, 2.548, 256},
};

/* Belleman08 Table 3, kirin. */
static const struct bench_paper_row belleman08[] = {
        {256, 9.0e-5, 27.46},      {512, 9.1e-5, 109.0},
        {1024, 1.80e-4, 221.2},    {2048, 5.37e-4, 296.6},
        {4096, 1.976e-3, 322.6},   {8192, 7.739e-3, 329.5},
        {16384, 3.0205e-2, 337.7}, {32768, 0.122863, 332.1},
        {65536, 0.479895, 340.1},  {131072, 1.9182, 340.3},
};

/* Miki13: Fig. 11 has the curve for one GPU, its numbers are printed in Table 3
 * (times of the kernel, here with 26 N^2 / t) and in section 6.1. */
#define MIKI13(n, seconds)                                \
    {                                                     \
        n, seconds, 26e-9 * (n) * (double)(n) / (seconds) \
    }
static const struct bench_paper_row miki13[] = {
        MIKI13(512, 1.23e-4),    MIKI13(1024, 2.44e-4), MIKI13(2048, 4.85e-4),
        MIKI13(4096, 9.68e-4),   MIKI13(8192, 1.93e-3), MIKI13(16384, 7.03e-3),
        {1048576, 28.4, 1006.7},
};

#define ROWS(rows) sizeof(rows) / sizeof(rows)[0], rows

const struct bench_paper bench_papers[BENCH_PAPERS] = {
        {"hamada07-3", "H07", "Hamada & Iitaka 2007, Table 3",
         "GeForce 8800 GTX", 38, ROWS(hamada07)},
        {"belleman08-3", "B08", "Belleman et al. 2008, Table 3 (kirin)",
         "GeForce 8800 GTX", 38, ROWS(belleman08)},
        {"miki13-11", "M13", "Miki et al. 2013, Fig. 11 (Table 3, section 6.1)",
         "Tesla M2090", 26, ROWS(miki13)},
};

const struct bench_paper_row *
bench_paper_row(const struct bench_paper *paper, size_t n)
{
    for (size_t k = 0; k < paper->n_rows; k++)
        if (paper->rows[k].n == n) return &paper->rows[k];
    return NULL;
}
