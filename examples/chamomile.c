/* SPDX-License-Identifier: MIT */
/*
 * The program with which Hamada & Iitaka 2007 measured CUNBODY-1 (Fig. 10):
 * time and largest error of force() for Plummer spheres, beside their Tables 2
 * and 3.
 *
 *     cc -O2 chamomile.c $(pkg-config --cflags --libs koshu-cunbody) -lm
 *     ./a.out [N...]
 *
 * Seconds are the mean over as many calls as fit into half a second, including
 * the copies from and to the arrays here. Errors, Hamada07 eq. 3, are relative
 * to double sums: for all particles or, where these would take too long, for
 * the 256 nearest to the centre, where forces cancel and errors are largest.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <koshu-cunbody/force.h>

enum { MAX_N = 1 << 24, ALL_ERRORS_UP_TO = 8192, CENTRAL = 256 };

static const double pi = 3.14159265358979323846, eps2 = 0.01;

static const struct row {
    int n;
    double error, seconds; /* Table 2, Chamomile Scheme; Table 3 */
} papers[] = {{2048, 5.4e-7, 9.21e-4}, {4096, 3.3e-7, 2.99e-3},
              {8192, 5.0e-7, 1.08e-2}, {16384, 4.3e-7, 4.14e-2},
              {32768, 6.8e-7, 0.162},  {65536, 1.0e-6, 0.642},
              {131072, 1.5e-6, 2.548}};
enum { ROWS = sizeof papers / sizeof papers[0] };

/* As in Fig. 10, i- and j-particles are in separate arrays. */
static double (*rj)[3], (*ri)[3], (*a)[3], *mj;

/* ---- (A) get initial condition ------------------------------------------- */

/* Uniform in [0, 1). L'Ecuyer 1988. */
static double
uniform(void)
{
    static long long state = 1;
    state = 40014 * state % 2147483563;
    return (double)(state - 1) / 2147483562;
}

static double
length2(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

static int
by_radius(const void *p, const void *q)
{
    double r = length2(p), s = length2(q);
    return (r > s) - (r < s);
}

/* Aarseth, Hénon & Wielen 1974; equal masses, ordered from the centre
 * outwards. */
static void
make_plummer(int n)
{
    for (int k = 0; k < n; k++) {
        double r, z = 2 * uniform() - 1, phi = 2 * pi * uniform();
        do r = 3 * pi / 16 / sqrt(pow(1 - uniform(), -2.0 / 3) - 1);
        while (r > 10);
        rj[k][0] = r * sqrt(1 - z * z) * cos(phi);
        rj[k][1] = r * sqrt(1 - z * z) * sin(phi);
        rj[k][2] = r * z;
        mj[k] = 1.0 / n;
    }
    qsort(rj, (size_t)n, sizeof rj[0], by_radius);
    memcpy(ri, rj, (size_t)n * sizeof rj[0]);
}

static int
allocate_all(int n)
{
    rj = calloc((size_t)n, sizeof *rj);
    ri = calloc((size_t)n, sizeof *ri);
    a = calloc((size_t)n, sizeof *a);
    mj = calloc((size_t)n, sizeof *mj);
    return rj && ri && a && mj;
}

static void
free_all(void)
{
    free(rj);
    free(ri);
    free(a);
    free(mj);
}

/* ---- (B) results by the host, and (E) the error -------------------------- */

static void
sum_on_host(const double x[3], int n, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0;
    for (int j = 0; j < n; j++) {
        double d[3] = {rj[j][0] - x[0], rj[j][1] - x[1], rj[j][2] - x[2]};
        double s2 = length2(d) + eps2, w = mj[j] / (s2 * sqrt(s2));
        for (int k = 0; k < 3; k++) sum[k] += w * d[k];
    }
}

static double
largest_error(int n)
{
    double largest = 0;
    int n_i = n > ALL_ERRORS_UP_TO ? CENTRAL : n;
    for (int i = 0; i < n_i; i++) {
        double host[3], off[3];
        sum_on_host(ri[i], n, host);
        for (int k = 0; k < 3; k++) off[k] = a[i][k] - host[k];
        double error = sqrt(length2(off) / length2(host));
        if (isnan(error)) return error;
        if (error > largest) largest = error;
    }
    return largest;
}

/* ---- (C), (D) the stopwatch ---------------------------------------------- */

static double
now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double
seconds_of_force(int n)
{
    force(rj, mj, ri, eps2, a, n, n); /* the first call opens the device */
    double start = now(), end = start;
    int calls = 0;
    while (end - start < 0.5) {
        force(rj, mj, ri, eps2, a, n, n);
        calls++;
        end = now();
    }
    return (end - start) / calls;
}

static int
measure(int n)
{
    if (!allocate_all(n)) return 1;
    make_plummer(n);
    double seconds = seconds_of_force(n), error = largest_error(n);
    printf("%8d  %9.3e  %9.1f  %7.1e", n, seconds,
           38e-9 * n * (double)n / seconds, error);
    for (int k = 0; k < ROWS; k++)
        if (papers[k].n == n)
            printf("  %9.3e  %7.1f  %7.1e", papers[k].seconds,
                   38e-9 * n * (double)n / papers[k].seconds, papers[k].error);
    printf("\n");
    fflush(stdout);
    free_all();
    return isnan(error);
}

int
main(int argc, char **argv)
{
    printf("#             force()                     Hamada & Iitaka 2007\n"
           "#      N    seconds   Gflop/s    error    seconds  Gflop/s    "
           "error\n");
    for (int k = 0; k < (argc > 1 ? argc - 1 : ROWS); k++) {
        int n = argc > 1 ? atoi(argv[k + 1]) : papers[k].n;
        if (n < 2 || n > MAX_N) {
            fprintf(stderr, "%s: a number of particles, 2 to %d\n", argv[k + 1],
                    MAX_N);
            return 2;
        }
        if (measure(n) != 0) return 1; /* the library has printed why */
    }
    return 0;
}
