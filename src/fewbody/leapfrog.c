/* SPDX-License-Identifier: MIT */
/* The leapfrog of the logarithmic Hamiltonian: Mikkola & Tanikawa 1999. */
#include "fewbody/fewbody.h"

/* What the steps have added so far, and where that leaves the links. */
struct motion {
    const struct koshu_chain *chain;
    struct koshu_sum added[KOSHU_CHAIN_SIZE];
    double x[3 * KOSHU_CHAIN_LINKS], v[3 * KOSHU_CHAIN_LINKS];
};

static void
add(struct motion *m, size_t at, double *value, size_t n, const double *rate,
    double dt)
{
    const struct koshu_sum *y = m->chain->y + at;
    struct koshu_sum *added = m->added + at;
    for (size_t k = 0; k < n; k++) {
        koshu_sum_add(&added[k], dt * rate[k]);
        /* where the sums cancel, their rests are what is left of digits */
        value[k] = (y[k].sum + added[k].sum) + (y[k].rest + added[k].rest);
    }
}

/* The velocities of the ends of a slowed pair are those of its centre and a
 * part of its own: the links beside it see that. */
void
koshu_chain_slowed(const struct koshu_chain *chain, const double *v, double *w)
{
    const struct koshu_chain *c = chain;
    const size_t n = koshu_chain_half(c);
    for (size_t k = 0; k < n; k++) w[k] = v[k];
    for (size_t k = 0; k + 1 < c->n; k++) {
        if (c->rate[k] == 1) continue;
        const double less = 1 - c->rate[k],
                     right = c->mass[k + 1] / (c->mass[k] + c->mass[k + 1]);
        for (size_t d = 0; d < 3; d++) {
            const double u = less * v[3 * k + d];
            w[3 * k + d] = c->rate[k] * v[3 * k + d]; /* with all digits */
            if (k > 0) w[3 * (k - 1) + d] += right * u;
            if (k + 2 < c->n) w[3 * (k + 1) + d] += (1 - right) * u;
        }
    }
}

static void
drift(struct motion *m, double s)
{
    const struct koshu_chain *c = m->chain;
    const size_t n = koshu_chain_half(c);
    const double binding =
            koshu_chain_binding(c) + koshu_sum_value(m->added[2 * n + 1]);
    const double dt = s / (koshu_chain_kinetic(c, m->v) + binding);
    double w[3 * KOSHU_CHAIN_LINKS];
    koshu_chain_slowed(c, m->v, w);
    add(m, 0, m->x, n, w, dt);
    koshu_sum_add(&m->added[2 * n], dt);
}

/* The work of the perturbers in a kick, at the mean of the rates before and
 * after: B is as much less. */
static void
take_work(struct motion *m, const double *a, double (*f)[3], double dt)
{
    const struct koshu_chain *c = m->chain;
    const size_t n = koshu_chain_half(c);
    double mean[3 * KOSHU_CHAIN_LINKS], w[3 * KOSHU_CHAIN_LINKS];
    for (size_t k = 0; k < n; k++) mean[k] = m->v[k] + dt / 2 * a[k];
    koshu_chain_slowed(c, mean, w);
    koshu_sum_add(&m->added[2 * n + 1], -dt * koshu_chain_power(c, w, f));
}

static void
kick(struct motion *m, double s)
{
    const struct koshu_chain *c = m->chain;
    const size_t n = koshu_chain_half(c);
    double a[3 * KOSHU_CHAIN_LINKS], f[KOSHU_FEWBODY_MAX][3];
    const double dt = s / koshu_chain_forces(c, m->x, a);
    if (c->perturbers) {
        const double time =
                koshu_chain_time(c) + koshu_sum_value(m->added[2 * n]);
        koshu_chain_perturb(c, time, m->x, a, f);
        take_work(m, a, f, dt);
    }
    add(m, n, m->v, n, a, dt);
}

void
koshu_chain_leapfrog(const struct koshu_chain *chain, double s, unsigned n,
                     struct koshu_sum *increment)
{
    const size_t size = koshu_chain_size(chain);
    const double h = s / n;
    struct motion m;
    m.chain = chain;
    for (size_t k = 0; k < size; k++) m.added[k] = (struct koshu_sum){0};
    koshu_chain_values(chain, m.x, m.v);
    drift(&m, h / 2);
    for (unsigned k = 0; k < n; k++) {
        kick(&m, h);
        drift(&m, k + 1 < n ? h : h / 2);
    }
    for (size_t k = 0; k < size; k++) increment[k] = m.added[k];
}
