/* SPDX-License-Identifier: MIT */
#include "bodies.h"

#include <math.h>
#include <stdlib.h>

#include <koshu-cunbody/cunbody.h>

#include "on_backend.h"

struct listener reported;

static const char *
backend(void)
{
    const char *name = getenv("CUNBODY_BACKEND");
    return name ? name : "cpu";
}

bool
bodies_are_there(void)
{
    return strcmp(backend(), "cpu") == 0 || backend_answers(backend());
}

int
bodies_open(void **state)
{
    (void)state;
    reported = (struct listener){0};
    koshu_cunbody_set_handler(listen_to, &reported);
    setenv("KOSHU_CUNBODY_BACKEND", backend(), 1);
    unsetenv("KOSHU_CUNBODY_PRECISION");
    unsetenv("KOSHU_CUNBODY_THREADS");
    unsetenv("KOSHU_CUNBODY_VERBOSE");
    unsetenv("CUNBODY_PIPELINE");
    return 0;
}

int
bodies_close(void **state)
{
    (void)state;
    koshu_cunbody_close();
    koshu_cunbody_set_handler(NULL, NULL);
    if (reported.n_lines > 0) print_error("reported: %s\n", reported.last);
    return reported.n_lines;
}

static double
random_number(unsigned k)
{
    /* fractional parts of multiples of the golden ratio, with their bits
     * mixed */
    uint32_t bits = (k + 1) * 2654435769u;
    bits ^= bits >> 15;
    bits *= 2246822519u;
    bits ^= bits >> 13;
    return (double)bits / 2147483648.0 - 1;
}

double (*bodies_at_random(size_t n, unsigned seed))[3]
{
    double(*x)[3] = bodies_poisoned(n);
    for (size_t k = 0; k < n; k++)
        for (unsigned d = 0; d < 3; d++)
            x[k][d] = random_number(1000003 * seed + 3 * (unsigned)k + d);
    return x;
}

double (*bodies_poisoned(size_t n))[3]
{
    double(*x)[3] = calloc(n + 1, sizeof *x);
    assert_non_null(x);
    for (size_t k = 0; k <= n; k++) x[k][0] = x[k][1] = x[k][2] = NAN;
    return x;
}

double *
bodies_masses(size_t n)
{
    double *m = calloc(n + 1, sizeof *m);
    assert_non_null(m);
    for (size_t k = 0; k < n; k++)
        m[k] = (1.5 + random_number((unsigned)k)) / (double)n;
    return m;
}

void
bodies_expect(double (*xj)[3], const double *mj, double (*xi)[3], double eps2,
              double (*a)[3], size_t ni, size_t nj)
{
    for (size_t i = 0; i < ni; i++) {
        long double sum[3] = {0};
        for (size_t j = 0; j < nj; j++) {
            long double r[3], r2 = 0;
            for (int d = 0; d < 3; d++) {
                r[d] = (long double)xj[j][d] - xi[i][d];
                r2 += r[d] * r[d];
            }
            if (r2 == 0) continue;
            long double s2 = r2 + eps2, w = mj[j] / (s2 * sqrtl(s2));
            for (int d = 0; d < 3; d++) sum[d] += w * r[d];
        }
        for (int d = 0; d < 3; d++) a[i][d] = (double)sum[d];
    }
}

double
bodies_difference(double (*a)[3], double (*b)[3], size_t n)
{
    double largest = 0, off = 0;
    for (size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) {
            double o = fabs(a[k][d] - b[k][d]);
            if (isnan(o)) return NAN;
            largest = fmax(largest, fabs(b[k][d]));
            off = fmax(off, o);
        }
    return largest > 0 ? off / largest : off;
}
