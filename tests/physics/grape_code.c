/* SPDX-License-Identifier: MIT */
#include "grape_code.h"
#include "particles/particles.h"

#include <math.h>

#include <koshu-g6/g6.h>
#include <koshu/koshu.h>

void
grape_code_plummer(struct grape_code *code, int n)
{
    struct koshu_context *context = test_context("ref", 1);
    struct koshu_initial_options options = koshu_initial_options_default();
    struct koshu_particles *particles;
    struct koshu_particle_view p;
    assert_in_range(n, 1, MAX_STARS);
    options.n = (size_t)n;
    assert_ok(context, koshu_initial_create(context, &options, &particles));
    assert_ok(context, koshu_particles_on_host(particles, KOSHU_FIELD_ALL,
                                               KOSHU_ACCESS_READ, &p));
    *code = (struct grape_code){.n = n,
                                .eps2 = 1.0 / 65536,
                                .eta = 0.01,
                                .eta_start = 0.0025,
                                .longest_step = 1.0 / 8};
    for (int k = 0; k < n; k++)
        code->star[k] = (struct star){.mass = p.mass[k],
                                      .x = {p.x[k], p.y[k], p.z[k]},
                                      .v = {p.vx[k], p.vy[k], p.vz[k]}};
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
}

/* ---- sums by the library ------------------------------------------------- */

static void
send_to_library(struct grape_code *code, int k)
{
    struct star *p = &code->star[k];
    double snap_18[3] = {0}, jerk_6[3], a_2[3];
    for (int d = 0; d < 3; d++) {
        jerk_6[d] = p->jerk[d] / 6 * (1 + code->slip);
        a_2[d] = p->a[d] / 2;
    }
    assert_int_equal(g6_set_j_particle(0, k, k, p->t, p->dt, p->mass, snap_18,
                                       jerk_6, a_2, p->v, p->x),
                     0);
}

static void
sum_by_library(struct grape_code *code, int m, int *index, double (*x)[3],
               double (*v)[3], double t)
{
    double a[MAX_STARS][3], jerk[MAX_STARS][3], pot[MAX_STARS];
    double h2[MAX_STARS] = {0};
    int pipes = g6_npipes();
    g6_set_ti(0, t);
    for (int k = 0; k < m; k += pipes) {
        int ni = m - k < pipes ? m - k : pipes;
        g6calc_firsthalf(0, code->n, ni, &index[k], &x[k], &v[k], &a[k],
                         &jerk[k], &pot[k], code->eps2, h2);
        assert_int_equal(g6calc_lasthalf(0, code->n, ni, &index[k], &x[k],
                                         &v[k], code->eps2, h2, &a[k], &jerk[k],
                                         &pot[k]),
                         0);
    }
    for (int k = 0; k < m; k++) {
        struct star *p = &code->star[index[k]];
        for (int d = 0; d < 3; d++) {
            p->a1[d] = a[k][d];
            p->jerk1[d] = jerk[k][d];
        }
        p->pot = pot[k];
    }
}

void
grape_code_by_library(struct grape_code *code)
{
    code->send = send_to_library;
    code->sum = sum_by_library;
}

/* ---- sums by this code itself -------------------------------------------- */

static void
send_to_none(struct grape_code *code, int k)
{
    (void)code, (void)k;
}

static void
predict(const struct star *p, double t, double x[3], double v[3])
{
    double h = t - p->t;
    for (int d = 0; d < 3; d++) {
        x[d] = p->x[d] + h * p->v[d] + h * h / 2 * p->a[d] +
               h * h * h / 6 * p->jerk[d];
        v[d] = p->v[d] + h * p->a[d] + h * h / 2 * p->jerk[d];
    }
}

/* Adds the force of a star at x with velocity v to a1, jerk1 and pot of star
 * i. */
static void
add(struct star *i, const double xi[3], const double vi[3], double mass,
    const double x[3], const double v[3], double eps2)
{
    double r[3], w[3], s2 = eps2, rw = 0;
    for (int d = 0; d < 3; d++) {
        r[d] = x[d] - xi[d];
        w[d] = v[d] - vi[d];
        s2 += r[d] * r[d];
        rw += r[d] * w[d];
    }
    double s = sqrt(s2), m3 = mass / (s2 * s);
    for (int d = 0; d < 3; d++) {
        i->a1[d] += m3 * r[d];
        i->jerk1[d] += m3 * (w[d] - 3 * rw / s2 * r[d]);
    }
    i->pot -= mass / s;
}

static void
sum_by_itself(struct grape_code *code, int m, int *index, double (*x)[3],
              double (*v)[3], double t)
{
    double xj[MAX_STARS][3], vj[MAX_STARS][3];
    for (int j = 0; j < code->n; j++) predict(&code->star[j], t, xj[j], vj[j]);
    for (int k = 0; k < m; k++) {
        struct star *i = &code->star[index[k]];
        for (int d = 0; d < 3; d++) i->a1[d] = i->jerk1[d] = 0;
        i->pot = 0;
        for (int j = 0; j < code->n; j++)
            if (j != index[k])
                add(i, x[k], v[k], code->star[j].mass, xj[j], vj[j],
                    code->eps2);
    }
}

void
grape_code_by_itself(struct grape_code *code)
{
    code->send = send_to_none;
    code->sum = sum_by_itself;
}

/* ---- the scheme: Makino & Aarseth 1992 ----------------------------------- */

static double
length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void
forces(struct grape_code *code, int m, int *index, double t)
{
    double x[MAX_STARS][3], v[MAX_STARS][3];
    for (int k = 0; k < m; k++) predict(&code->star[index[k]], t, x[k], v[k]);
    code->sum(code, m, index, x, v, t);
}

static double
block_step(const struct grape_code *code, double wish, double t, double last)
{
    double h = last;
    while (h > wish) h /= 2;
    if (h == last && 2 * h <= wish && 2 * h <= code->longest_step &&
        fmod(t, 2 * h) == 0)
        h *= 2;
    return h;
}

static void
correct(const struct grape_code *code, struct star *p, double t)
{
    double h = t - p->t, a2[3], a3[3];
    for (int d = 0; d < 3; d++) {
        double a0 = p->a[d], a1 = p->a1[d], j0 = p->jerk[d], j1 = p->jerk1[d];
        double v = p->v[d] + h / 2 * (a0 + a1) + h * h / 12 * (j0 - j1);
        p->x[d] += h / 2 * (p->v[d] + v) + h * h / 12 * (a0 - a1);
        p->v[d] = v;
        a2[d] = (6 * (a0 - a1) + h * (2 * j0 + 4 * j1)) / (h * h);
        a3[d] = (12 * (a0 - a1) + 6 * h * (j0 + j1)) / (h * h * h);
        p->a[d] = a1;
        p->jerk[d] = j1;
    }
    double a = length(p->a), j = length(p->jerk), s = length(a2);
    p->t = t;
    p->dt = block_step(
            code, sqrt(code->eta * (a * s + j * j) / (j * length(a3) + s * s)),
            t, h);
}

void
grape_code_start(struct grape_code *code)
{
    int all[MAX_STARS];
    for (int k = 0; k < code->n; k++) code->send(code, all[k] = k);
    forces(code, code->n, all, 0);
    for (int k = 0; k < code->n; k++) {
        struct star *p = &code->star[k];
        for (int d = 0; d < 3; d++) {
            p->a[d] = p->a1[d];
            p->jerk[d] = p->jerk1[d];
        }
        double wish = code->eta_start * length(p->a) / length(p->jerk);
        p->dt = block_step(code, wish, 0, code->longest_step);
        code->send(code, k);
    }
}

void
grape_code_run(struct grape_code *code, double end)
{
    int block[MAX_STARS];
    for (;;) {
        double t = HUGE_VAL;
        int m = 0;
        for (int k = 0; k < code->n; k++)
            t = fmin(t, code->star[k].t + code->star[k].dt);
        if (t > end) return;
        for (int k = 0; k < code->n; k++)
            if (code->star[k].t + code->star[k].dt == t) block[m++] = k;
        forces(code, m, block, t);
        for (int k = 0; k < m; k++) {
            correct(code, &code->star[block[k]], t);
            code->send(code, block[k]);
        }
        code->steps += m;
    }
}

double
grape_code_energy(const struct grape_code *code)
{
    double sum = 0;
    for (int i = 0; i < code->n; i++) {
        struct star p = code->star[i];
        double v = length(p.v);
        p.pot = 0;
        for (int j = 0; j < code->n; j++) {
            const struct star *q = &code->star[j];
            if (j != i) add(&p, p.x, p.v, q->mass, q->x, q->v, code->eps2);
        }
        sum += p.mass / 2 * (v * v + p.pot);
    }
    return sum;
}
