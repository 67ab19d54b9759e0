/* SPDX-License-Identifier: MIT */
/* A client of the GRAPE-6 library: see hermite_g6.h. */
#include "bench/cases/hermite_g6.h"

#include <math.h>
#include <stdlib.h>

#include <koshu-g6/g6.h>

enum { CLUSTER = 0 };

struct star {
    double mass, t, dt; /* its own time, and its next step */
    double x[3], v[3], a[3], jerk[3];
    double a1[3], jerk1[3], pot; /* the newest force */
};

struct hermite_g6 {
    const struct bench *b;
    struct hermite_g6_options options;
    size_t n;
    int pipes;
    double t; /* of the last block */
    struct star *star;
    int *block; /* the stars that are next in time */
    struct hermite_g6_counts counts;
    /* i-particles for a call, as many as the library has pipelines */
    int *index;
    double (*x)[3], (*v)[3], (*a)[3], (*jerk)[3], *pot, *h2;
};

/* ---- forces from the library --------------------------------------------- */

static koshu_status
failed(const struct hermite_g6 *c, const char *call)
{
    return koshu_fail(c->b->context, KOSHU_ERROR_EXTERNAL,
                      "%s() of the GRAPE-6 library failed, as printed above",
                      call);
}

static koshu_status
send(const struct hermite_g6 *c, int k)
{
    struct star *p = &c->star[k];
    double snap_18[3] = {0}, jerk_6[3], a_2[3];
    for (int d = 0; d < 3; d++) {
        jerk_6[d] = p->jerk[d] / 6;
        a_2[d] = p->a[d] / 2;
    }
    if (g6_set_j_particle(CLUSTER, k, k, p->t, p->dt, p->mass, snap_18, jerk_6,
                          a_2, p->v, p->x) != 0)
        return failed(c, "g6_set_j_particle");
    return KOSHU_OK;
}

static void
predict(const struct star *p, double t, double x[3], double v[3])
{
    const double h = t - p->t;
    for (int d = 0; d < 3; d++) {
        x[d] = p->x[d] + h * (p->v[d] + h / 2 * (p->a[d] + h / 3 * p->jerk[d]));
        v[d] = p->v[d] + h * (p->a[d] + h / 2 * p->jerk[d]);
    }
}

static void
take(const struct hermite_g6 *c, int i, struct star *p)
{
    for (int d = 0; d < 3; d++) {
        p->a1[d] = c->a[i][d];
        p->jerk1[d] = c->jerk[i][d];
    }
    p->pot = c->pot[i];
}

/* Forces on the i-particles that the pipelines hold. */
static koshu_status
sum(const struct hermite_g6 *c, int ni)
{
    const int nj = (int)c->n;
    const double eps2 = c->options.eps * c->options.eps;
    if (g6calc_firsthalf(CLUSTER, nj, ni, c->index, c->x, c->v, c->a, c->jerk,
                         c->pot, eps2, c->h2) != 0)
        return failed(c, "g6calc_firsthalf");
    if (g6calc_lasthalf(CLUSTER, nj, ni, c->index, c->x, c->v, eps2, c->h2,
                        c->a, c->jerk, c->pot) != 0)
        return failed(c, "g6calc_lasthalf");
    return KOSHU_OK;
}

/* Forces at time t on the first n stars of the block. */
static koshu_status
forces(const struct hermite_g6 *c, size_t n, double t)
{
    const size_t pipes = (size_t)c->pipes;
    if (g6_set_ti(CLUSTER, t) != 0) return failed(c, "g6_set_ti");
    for (size_t first = 0; first < n; first += pipes) {
        const int *stars = &c->block[first];
        const int ni = (int)(n - first < pipes ? n - first : pipes);
        for (int i = 0; i < ni; i++) {
            c->index[i] = stars[i];
            predict(&c->star[stars[i]], t, c->x[i], c->v[i]);
        }
        KOSHU_TRY(sum(c, ni));
        for (int i = 0; i < ni; i++) take(c, i, &c->star[stars[i]]);
    }
    return KOSHU_OK;
}

static koshu_status
forces_on_all(const struct hermite_g6 *c)
{
    for (size_t k = 0; k < c->n; k++) c->block[k] = (int)k;
    return forces(c, c->n, c->t);
}

/* ---- the scheme ---------------------------------------------------------- */

static double
length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The largest power-of-two step that is no longer than `wish`, at most twice
 * the last step, and commensurate with the time. */
static double
block_step(const struct hermite_g6 *c, double wish, double t, double last)
{
    double dt = last;
    const double shortest = ldexp(c->options.dt, -48);
    while (dt > wish && dt > shortest) dt /= 2;
    if (dt == last && 2 * dt <= c->options.dt && 2 * dt <= wish &&
        fmod(t, 2 * dt) == 0)
        dt *= 2;
    return dt;
}

/* Aarseth's criterion, with the derivatives at the end of the step. */
static double
aarseth(const struct hermite_g6 *c, const struct star *p, const double snap[3],
        const double crackle[3])
{
    const double j = length(p->jerk), s = length(snap);
    return sqrt(c->options.eta * (length(p->a) * s + j * j) /
                (j * length(crackle) + s * s));
}

/* Corrects a star to time t with the force there, and chooses its next step. */
static void
correct(const struct hermite_g6 *c, struct star *p, double t)
{
    const double h = t - p->t;
    double snap[3], crackle[3];
    for (int d = 0; d < 3; d++) {
        const double da = p->a1[d] - p->a[d], j = p->jerk[d], j1 = p->jerk1[d];
        const double v =
                p->v[d] + h / 2 * (p->a[d] + p->a1[d]) + h * h / 12 * (j - j1);
        p->x[d] += h / 2 * (p->v[d] + v) - h * h / 12 * da;
        p->v[d] = v;
        crackle[d] = (6 * h * (j + j1) - 12 * da) / (h * h * h);
        snap[d] = (h * (2 * j + 4 * j1) - 6 * da) / (h * h);
        p->a[d] = p->a1[d];
        p->jerk[d] = j1;
    }
    p->t = t;
    p->dt = block_step(c, aarseth(c, p, snap, crackle), t, h);
}

/* Lists the stars whose steps end next; returns how many. */
static size_t
find_block(struct hermite_g6 *c, double *t)
{
    size_t n = 0;
    *t = INFINITY;
    for (size_t k = 0; k < c->n; k++)
        *t = fmin(*t, c->star[k].t + c->star[k].dt);
    for (size_t k = 0; k < c->n; k++)
        if (c->star[k].t + c->star[k].dt == *t) c->block[n++] = (int)k;
    return n;
}

static koshu_status
step(struct hermite_g6 *c)
{
    const size_t n = find_block(c, &c->t);
    KOSHU_TRY(forces(c, n, c->t));
    for (size_t i = 0; i < n; i++) {
        correct(c, &c->star[c->block[i]], c->t);
        KOSHU_TRY(send(c, c->block[i]));
    }
    c->counts.blocks++;
    c->counts.steps += n;
    return KOSHU_OK;
}

koshu_status
hermite_g6_advance(struct hermite_g6 *code, double until)
{
    while (code->t < until) KOSHU_TRY(step(code));
    return KOSHU_OK;
}

koshu_status
hermite_g6_energy(struct hermite_g6 *code, double *energy)
{
    *energy = 0;
    KOSHU_TRY(forces_on_all(code));
    for (size_t k = 0; k < code->n; k++) {
        const struct star *p = &code->star[k];
        const double v = length(p->v);
        *energy += p->mass / 2 * (v * v + p->pot);
    }
    return KOSHU_OK;
}

struct hermite_g6_counts
hermite_g6_counts(const struct hermite_g6 *code)
{
    return code->counts;
}

/* ---- life ---------------------------------------------------------------- */

static koshu_status
allocate(struct hermite_g6 *c)
{
    const size_t pipes = (size_t)c->pipes;
    c->star = calloc(c->n, sizeof *c->star);
    c->block = calloc(c->n, sizeof *c->block);
    c->index = calloc(pipes, sizeof *c->index);
    c->x = calloc(pipes, sizeof *c->x);
    c->v = calloc(pipes, sizeof *c->v);
    c->a = calloc(pipes, sizeof *c->a);
    c->jerk = calloc(pipes, sizeof *c->jerk);
    c->pot = calloc(pipes, sizeof *c->pot);
    c->h2 = calloc(pipes, sizeof *c->h2);
    if (c->star && c->block && c->index && c->x && c->v && c->a && c->jerk &&
        c->pot && c->h2)
        return KOSHU_OK;
    return koshu_fail_memory(c->b->context, c->n * sizeof *c->star, "stars");
}

static koshu_status
copy(struct hermite_g6 *c, struct koshu_particles *particles)
{
    struct koshu_particle_const_view p = {.size = sizeof p};
    KOSHU_TRY(koshu_particles_acquire_read(
            particles,
            KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION | KOSHU_FIELD_VELOCITY,
            &p));
    for (size_t k = 0; k < c->n; k++)
        c->star[k] = (struct star){.mass = p.mass[k],
                                   .x = {p.x[k], p.y[k], p.z[k]},
                                   .v = {p.vx[k], p.vy[k], p.vz[k]}};
    koshu_particles_release_read(particles);
    return KOSHU_OK;
}

/* Sets the first steps from the first forces and jerks. */
static koshu_status
start(struct hermite_g6 *c)
{
    const double eta_start = 0.0005; /* as in koshu/integrator.h */
    for (size_t k = 0; k < c->n; k++) KOSHU_TRY(send(c, (int)k));
    KOSHU_TRY(forces_on_all(c));
    for (size_t k = 0; k < c->n; k++) {
        struct star *p = &c->star[k];
        for (int d = 0; d < 3; d++) {
            p->a[d] = p->a1[d];
            p->jerk[d] = p->jerk1[d];
        }
        p->dt = block_step(c, eta_start * length(p->a) / length(p->jerk), 0,
                           c->options.dt);
        KOSHU_TRY(send(c, (int)k));
    }
    return KOSHU_OK;
}

/* Sets the environment, through which a client passes these to the library. */
static void
set_environment(const struct bench *b)
{
    const struct bench_options *o = b->options;
    const int threads = koshu_context_threads(b->context);
    char text[16];
    snprintf(text, sizeof text, "%d", threads);
    setenv("KOSHU_G6_BACKEND", o->backend ? o->backend : "auto", 1);
    setenv("KOSHU_G6_PRECISION", koshu_precision_name(o->precision), 1);
    setenv("KOSHU_G6_THREADS", text, 1);
}

koshu_status
hermite_g6_make(const struct bench *b, struct koshu_particles *particles,
                const struct hermite_g6_options *options,
                struct hermite_g6 **code)
{
    struct hermite_g6 *c = calloc(1, sizeof *c);
    *code = c;
    if (!c) return koshu_fail_memory(b->context, sizeof *c, "a client");
    c->b = b;
    c->options = *options;
    c->n = koshu_particles_count(particles);
    set_environment(b);
    if (g6_open(CLUSTER) != 0) return failed(c, "g6_open");
    c->pipes = g6_npipes();
    KOSHU_TRY(allocate(c));
    KOSHU_TRY(copy(c, particles));
    return start(c);
}

void
hermite_g6_free(struct hermite_g6 *code)
{
    if (!code) return;
    g6_close(CLUSTER);
    free(code->star);
    free(code->block);
    free(code->index);
    free(code->x);
    free(code->v);
    free(code->a);
    free(code->jerk);
    free(code->pot);
    free(code->h2);
    free(code);
}
