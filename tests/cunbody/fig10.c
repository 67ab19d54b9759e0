/* SPDX-License-Identifier: MIT */
/*
 * The test program of Hamada07 Fig. 10: forces of a Plummer sphere by force(),
 * compared with double sums in this program. The largest error for each N of
 * Table 2 must not exceed the paper's (or TIMES times that). Positions are
 * doubles here, not rounded beforehand.
 *
 * Where N^2 pairs would take too long, only the particles nearest to the centre
 * are compared: their forces from all sides cancel, so their errors are
 * largest.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef TIMES
#define TIMES 1
#endif

/* as in Fig. 9 */
void force(double xj[][3], double mj[], double xi[][3], double eps2,
           double a[][3], int ni, int nj);

int ni, nj;
double rj[131072][3];
double mj[131072];
double ri[131072][3];
double a[131072][3];
double eps2 = 0.01;

static double a_host[131072][3];

/* ---- (A) initial condition ----------------------------------------------- */

/* Uniform in [0, 1). L'Ecuyer 1988. */
static double
uniform(void)
{
    static long long state = 1;
    state = 40014 * state % 2147483563;
    return (double)(state - 1) / 2147483562;
}

static double
radius2(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

static int
by_radius(const void *p, const void *q)
{
    double r = radius2(p), s = radius2(q);
    return (r > s) - (r < s);
}

/* Aarseth, Hénon & Wielen 1974, ordered from the centre outwards. The first n_i
 * of the n are the i-particles. */
static void
make_plummer(int n, int n_i)
{
    const double pi = acos(-1), length = 3 * pi / 16;
    for (int k = 0; k < n; k++) {
        double r;
        do r = 1 / sqrt(pow(1 - uniform(), -2.0 / 3) - 1);
        while (r > 20);
        double z = 2 * uniform() - 1, phi = 2 * pi * uniform();
        rj[k][0] = length * r * sqrt(1 - z * z) * cos(phi);
        rj[k][1] = length * r * sqrt(1 - z * z) * sin(phi);
        rj[k][2] = length * r * z;
        mj[k] = 1.0 / n;
    }
    qsort(rj, (size_t)n, sizeof rj[0], by_radius);
    for (int k = 0; k < n_i; k++)
        for (int d = 0; d < 3; d++) {
            ri[k][d] = rj[k][d];
            a[k][d] = NAN;
        }
    ni = n_i;
    nj = n;
}

/* ---- (B) results of the host --------------------------------------------- */

static void
sum_on_host(void)
{
    for (int i = 0; i < ni; i++) {
        double sum[3] = {0};
        for (int j = 0; j < nj; j++) {
            double x = rj[j][0] - ri[i][0], y = rj[j][1] - ri[i][1];
            double z = rj[j][2] - ri[i][2];
            double s2 = x * x + y * y + z * z + eps2;
            double w = mj[j] / (s2 * sqrt(s2));
            sum[0] += w * x;
            sum[1] += w * y;
            sum[2] += w * z;
        }
        for (int d = 0; d < 3; d++) a_host[i][d] = sum[d];
    }
}

/* ---- (E) the maximum error (Hamada07 eq. 3) ------------------------------ */

static double
largest_error(void)
{
    double largest = 0;
    for (int i = 0; i < ni; i++) {
        double off2 = 0;
        for (int d = 0; d < 3; d++)
            off2 += (a[i][d] - a_host[i][d]) * (a[i][d] - a_host[i][d]);
        double error = sqrt(off2 / radius2(a_host[i]));
        if (!(error <= largest)) largest = error; /* true for NaN, too */
        if (isnan(error)) break;
    }
    return largest;
}

int
main(void)
{
    static const struct {
        int n;
        double table2; /* Chamomile Scheme */
    } row[] = {{2048, 5.4e-7},  {4096, 3.3e-7},  {8192, 5.0e-7},
               {16384, 4.3e-7}, {32768, 6.8e-7}, {65536, 1.0e-6},
               {131072, 1.5e-6}};
    const int max_pairs = 1 << 25;
    int larger = 0;
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        int n = row[k].n;
        make_plummer(n, max_pairs / n < n ? max_pairs / n : n);
        sum_on_host();
        force(rj, mj, ri, eps2, a, ni, nj);
        double error = largest_error();
        printf("%d on %d: %.1e, Table 2: %.1e\n", nj, ni, error, row[k].table2);
        if (!(error <= TIMES * row[k].table2)) larger++;
    }
    /* an error of this size must be noticed */
    double max = TIMES * 1.5e-6;
    a[0][1] = a_host[0][1] + 1.1 * max * sqrt(radius2(a_host[0]));
    if (!(largest_error() > max)) larger++;
    if (larger == 0) puts("all is well");
    return larger != 0;
}
