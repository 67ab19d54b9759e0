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

/* Belleman08 Table 4, kirin. */
static const struct bench_paper_row belleman08_jerk[] = {
        {256, 1.32e-4, 29.78},       {512, 1.33e-4, 117.93},
        {1024, 3.36e-4, 187.24},     {2048, 1.149e-3, 219.02},
        {4096, 4.416e-3, 227.95},    {8192, 1.7537e-2, 229.59},
        {16384, 7.0002e-2, 230.07},  {32768, 0.279824, 230.23},
        {65536, 1.1189, 230.31},     {131072, 4.468939, 230.65},
        {262144, 17.87493, 230.67},  {524288, 71.51776, 230.61},
        {1048576, 279.4067, 236.11},
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

const struct bench_paper bench_paper_jerk = {
        "belleman08-4",     "B08", "Belleman et al. 2008, Table 4 (kirin)",
        "GeForce 8800 GTX", 60,    ROWS(belleman08_jerk)};

const struct bench_paper_row *
bench_paper_row(const struct bench_paper *paper, size_t n)
{
    for (size_t k = 0; k < paper->n_rows; k++)
        if (paper->rows[k].n == n) return &paper->rows[k];
    return NULL;
}
