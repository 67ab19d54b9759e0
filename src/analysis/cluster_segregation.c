/* SPDX-License-Identifier: MIT */
/*
 * Mass segregation: the length of the minimum spanning tree of the heaviest
 * systems compared with those of random ones (Allison et al. 2009, eq. 1),
 *
 *     Lambda_MSR = <l_random> / l_massive +- sigma_random / l_massive
 */
#include <math.h>
#include <stdlib.h>

#include <Random123/philox.h>

#include "analysis/cluster.h"
#include "base/base.h"

/* Work space for trees of n bodies. */
struct work {
    size_t n;
    uint32_t *index;   /* of the systems */
    double *distance2; /* squared distance to the tree */
};

/* Prim's algorithm (1957), as formulated by Dijkstra (1959): O(n^2). */
static double
tree_length(const struct koshu_cluster_bodies *s, struct work *w)
{
    double length = 0;
    for (size_t k = 0; k < w->n; k++) w->distance2[k] = INFINITY;
    for (size_t left = w->n - 1, in = 0; left > 0; left--) {
        const uint32_t newest = w->index[in];
        size_t nearest = 0;
        /* what is in the tree moves to the end */
        w->index[in] = w->index[left];
        w->distance2[in] = w->distance2[left];
        w->index[left] = newest;
        for (size_t k = 0; k < left; k++) {
            double r2 = 0;
            for (int d = 0; d < 3; d++) {
                const double x =
                        s->body[w->index[k]].x[d] - s->body[newest].x[d];
                r2 += x * x;
            }
            w->distance2[k] = fmin(w->distance2[k], r2);
            if (w->distance2[k] < w->distance2[nearest]) nearest = k;
        }
        length += sqrt(w->distance2[nearest]);
        in = nearest;
    }
    return length;
}

/* ---- which of them ------------------------------------------------------- */

struct heavy {
    double mass;
    uint64_t id;
    uint32_t index;
};

static int
heavier_first(const void *a, const void *b)
{
    const struct heavy *p = a, *q = b;
    if (p->mass != q->mass) return p->mass > q->mass ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

static void
list_bound(const struct koshu_cluster_bodies *s, struct heavy *heavy)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->body[i].bound)
            heavy[n++] =
                    (struct heavy){s->body[i].mass, s->body[i].id, (uint32_t)i};
    qsort(heavy, n, sizeof *heavy, heavier_first);
}

static uint64_t
random_number(uint64_t seed, size_t sample, size_t k)
{
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t counter = {{(uint32_t)k, (uint32_t)sample, 0, 0}};
    const philox4x32_ctr_t bits = philox4x32(counter, key);
    return (uint64_t)bits.v[1] << 32 | bits.v[0];
}

/* Draws w->n distinct ones of n (Floyd's algorithm). */
static void
draw(const struct heavy *heavy, size_t n, uint64_t seed, size_t sample,
     struct work *w)
{
    for (size_t k = 0; k < w->n; k++) {
        const size_t last = n - w->n + k;
        uint32_t chosen =
                heavy[random_number(seed, sample, k) % (last + 1)].index;
        for (size_t before = 0; before < k; before++)
            if (w->index[before] == chosen) {
                chosen = heavy[last].index;
                break;
            }
        w->index[k] = chosen;
    }
}

/* ---- all ----------------------------------------------------------------- */

static void
compare(struct koshu_cluster *c, const struct heavy *heavy, struct work *w)
{
    const struct koshu_cluster_options *o = &c->options;
    struct koshu_cluster_summary *s = &c->summary;
    struct koshu_sum sum = {0}, squares = {0};
    for (size_t k = 0; k < w->n; k++) w->index[k] = heavy[k].index;
    const double massive = tree_length(&c->systems, w);
    if (!(massive > 0)) return;
    for (size_t k = 0; k < o->n_samples; k++) {
        draw(heavy, s->n_bound, o->seed, k, w);
        const double length = tree_length(&c->systems, w) / massive;
        koshu_sum_add(&sum, length);
        koshu_sum_add(&squares, length * length);
    }
    const double n = (double)o->n_samples, mean = koshu_sum_value(sum) / n;
    s->segregation = mean;
    s->segregation_error = sqrt(
            fmax(0, (koshu_sum_value(squares) - n * mean * mean) / (n - 1)));
}

koshu_status
koshu_cluster_measure_segregation(struct koshu_cluster *c)
{
    const size_t n = c->summary.n_bound;
    struct work w = {.n = c->options.n_massive};
    koshu_status status = KOSHU_OK;
    if (n < 2 * w.n) return KOSHU_OK;
    struct heavy *heavy = koshu_alloc(n, sizeof *heavy);
    w.index = koshu_alloc(w.n, sizeof *w.index);
    w.distance2 = koshu_alloc(w.n, sizeof *w.distance2);
    if (heavy && w.index && w.distance2) {
        list_bound(&c->systems, heavy);
        compare(c, heavy, &w);
    } else {
        status = koshu_fail_memory(c->context, n * sizeof *heavy,
                                   "mass segregation");
    }
    koshu_free(heavy);
    koshu_free(w.index);
    koshu_free(w.distance2);
    return status;
}
