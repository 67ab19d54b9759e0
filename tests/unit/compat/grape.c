/* SPDX-License-Identifier: MIT */
#include "grape.h"

#include <math.h>

#include "on_backend.h"

static void *
make(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    assert_non_null(memory);
    return memory;
}

static const char *
backend(void)
{
    const char *name = getenv("GRAPE_BACKEND");
    return name ? name : "ref";
}

bool
grape_is_there(void)
{
    return backend_answers(backend());
}

int
grape_open(void **state)
{
    (void)state;
    setenv("KOSHU_G6_BACKEND", backend(), 1);
    setenv("KOSHU_G6_PRECISION", "double", 1);
    setenv("KOSHU_G6_THREADS", "1", 1);
    unsetenv("KOSHU_G6_CLUSTERS");
    unsetenv("KOSHU_G6_NPIPES");
    unsetenv("KOSHU_G6_VERBOSE");
    return 0;
}

int
grape_close(void **state)
{
    (void)state;
    for (int k = 0; k < 64; k++) assert_int_equal(g6_close(k), 0);
    koshu_g6_set_handler(NULL, NULL);
    return 0;
}

double
grape_random(unsigned k)
{
    /* fractional parts of multiples of the golden ratio, with their bits
     * mixed */
    uint32_t bits = (k + 1) * 2654435769u;
    bits ^= bits >> 15;
    bits *= 2246822519u;
    bits ^= bits >> 13;
    return (double)bits / 2147483648.0 - 1;
}

struct grape_j *
grape_j_make(int n)
{
    struct grape_j *j = make((size_t)n, sizeof *j);
    for (int k = 0; k < n; k++) {
        unsigned seed = 100 * (unsigned)k;
        j[k].address = j[k].index = k;
        j[k].t = grape_random(seed++) / 8;
        j[k].mass = 1.5 + grape_random(seed++);
        for (int d = 0; d < 3; d++) {
            j[k].x[d] = grape_random(seed++);
            j[k].v[d] = grape_random(seed++);
            j[k].a[d] = grape_random(seed++);
            j[k].jerk[d] = grape_random(seed++);
            j[k].snap[d] = grape_random(seed++);
        }
    }
    return j;
}

void
grape_send(int cluster, const struct grape_j *j, int n)
{
    for (int k = 0; k < n; k++) {
        double snap[3], jerk[3], a[3], v[3], x[3];
        for (int d = 0; d < 3; d++) {
            snap[d] = j[k].snap[d] / 18;
            jerk[d] = j[k].jerk[d] / 6;
            a[d] = j[k].a[d] / 2;
            v[d] = j[k].v[d];
            x[d] = j[k].x[d];
        }
        assert_int_equal(g6_set_j_particle(cluster, j[k].address, j[k].index,
                                           j[k].t, NAN, j[k].mass, snap, jerk,
                                           a, v, x),
                         0);
        /* the library must keep copies */
        for (int d = 0; d < 3; d++)
            snap[d] = jerk[d] = a[d] = v[d] = x[d] = NAN;
    }
}

struct grape_i
grape_i_make(int n)
{
    struct grape_i i = {.n = n};
    i.index = make((size_t)n, sizeof *i.index);
    i.x = make((size_t)n, sizeof *i.x);
    i.v = make((size_t)n, sizeof *i.v);
    i.h2 = make((size_t)n, sizeof *i.h2);
    for (int k = 0; k < n; k++) {
        i.index[k] = -1 - k;
        for (int d = 0; d < 3; d++) {
            i.x[k][d] = grape_random(50 + 100 * (unsigned)k + (unsigned)d);
            i.v[k][d] = grape_random(60 + 100 * (unsigned)k + (unsigned)d);
        }
    }
    return i;
}

void
grape_i_free(struct grape_i *i)
{
    free(i->index);
    free(i->x);
    free(i->v);
    free(i->h2);
}

struct grape_result
grape_result_make(int n)
{
    struct grape_result r;
    r.acc = make((size_t)n, sizeof *r.acc);
    r.jerk = make((size_t)n, sizeof *r.jerk);
    r.pot = make((size_t)n, sizeof *r.pot);
    r.nearest = make((size_t)n, sizeof *r.nearest);
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < 3; d++) r.acc[k][d] = r.jerk[k][d] = NAN;
        r.pot[k] = NAN;
        r.nearest[k] = 123456789;
    }
    return r;
}

void
grape_result_free(struct grape_result *r)
{
    free(r->acc);
    free(r->jerk);
    free(r->pot);
    free(r->nearest);
}

void
grape_sum(int cluster, int nj, const struct grape_i *i, double eps2,
          const struct grape_result *r)
{
    assert_int_equal(g6calc_firsthalf(cluster, nj, i->n, i->index, i->x, i->v,
                                      NULL, NULL, NULL, eps2, i->h2),
                     0);
    assert_int_equal(g6calc_lasthalf2(cluster, nj, i->n, i->index, i->x, i->v,
                                      eps2, i->h2, r->acc, r->jerk, r->pot,
                                      r->nearest),
                     0);
}

/* Adds the force of one j-particle on one i-particle. */
static void
add(const struct grape_j *j, double t, const double xi[3], const double vi[3],
    double eps2, long double sum[7])
{
    long double dt = (long double)t - j->t, r[3], w[3];
    long double s2 = eps2, rw = 0;
    for (int d = 0; d < 3; d++) {
        r[d] = j->x[d] + j->v[d] * dt + j->a[d] / 2 * dt * dt +
               j->jerk[d] / 6 * dt * dt * dt +
               j->snap[d] / 24 * dt * dt * dt * dt - xi[d];
        w[d] = j->v[d] + j->a[d] * dt + j->jerk[d] / 2 * dt * dt +
               j->snap[d] / 6 * dt * dt * dt - vi[d];
        s2 += r[d] * r[d];
        rw += r[d] * w[d];
    }
    if (s2 == 0) return;
    long double s3 = s2 * sqrtl(s2);
    for (int d = 0; d < 3; d++) {
        sum[d] += j->mass * r[d] / s3;
        sum[3 + d] += j->mass * (w[d] / s3 - 3 * rw * r[d] / (s3 * s2));
    }
    sum[6] -= j->mass / sqrtl(s2);
}

void
grape_expect(const struct grape_j *j, int nj, double t, const struct grape_i *i,
             double eps2, const struct grape_result *r)
{
    for (int k = 0; k < i->n; k++) {
        long double sum[7] = {0};
        for (int m = 0; m < nj; m++)
            if (j[m].index != i->index[k])
                add(&j[m], t, i->x[k], i->v[k], eps2, sum);
        for (int d = 0; d < 3; d++) {
            r->acc[k][d] = (double)sum[d];
            r->jerk[k][d] = (double)sum[3 + d];
        }
        r->pot[k] = (double)sum[6];
    }
}

static double
larger(double a, double b)
{
    return isnan(b) || b > a ? b : a;
}

/* The largest deviation among n numbers. */
static double
difference(const double *a, const double *b, size_t n)
{
    double largest = 0, off = 0;
    for (size_t k = 0; k < n; k++) {
        largest = larger(largest, fabs(b[k]));
        off = larger(off, fabs(a[k] - b[k]));
        if (isnan(off)) return NAN;
    }
    return largest > 0 ? off / largest : off;
}

double
grape_difference(const struct grape_result *a, const struct grape_result *b,
                 int n)
{
    size_t m = (size_t)n;
    double off = difference(a->acc[0], b->acc[0], 3 * m);
    off = larger(off, difference(a->jerk[0], b->jerk[0], 3 * m));
    return larger(off, difference(a->pot, b->pot, m));
}
