/* SPDX-License-Identifier: MIT */
/* Lengths of the lists of the original tree algorithm. A tree down to single
 * particles takes ten times the memory of their positions; so only the leaves
 * that a walk opens are divided, one after another. */
#include <math.h>

#include "base/base.h"
#include "tree/find.h"

/* Working memory. */
struct lengths {
    struct koshu_walker walker, in_leaf;
    struct koshu_tree leaf;
};

/* The number of cells and particles that a walk found. */
static size_t
count(const struct koshu_walker *w, const struct koshu_walk_found *found)
{
    size_t n = found->cells;
    for (size_t k = 0; k < found->ranges; k++)
        n += w->range[k].last - w->range[k].first;
    return n;
}

/* The walking particle in its own divided leaf, whose order may have changed
 * if many keys are equal. */
static uint32_t
place_in(const struct koshu_tree *leaf, uint32_t k)
{
    uint32_t at = 0;
    while (leaf->order[at] != k) at++;
    return at;
}

static koshu_status
walk_leaf(const struct koshu_tree *t, const struct opening *o,
          struct koshu_range r, struct lengths *w, size_t *length)
{
    struct koshu_tree *leaf = &w->leaf;
    struct koshu_walk_found found = {0};
    struct opening in = *o;
    leaf->context = t->context;
    leaf->options = t->options;
    leaf->options.n_leaf = 1;
    leaf->few = 1;
    leaf->images.edge = t->images.edge;
    KOSHU_TRY(koshu_tree_divide(leaf, t, r.first, r.last - r.first));
    in.first = in.last = 0;
    if (o->first < o->last && o->first >= r.first && o->first < r.last) {
        in.first = place_in(leaf, o->first - r.first);
        in.last = in.first + 1;
    }
    KOSHU_TRY(koshu_find_ops()->find(leaf, &in, &w->in_leaf, &found));
    *length += count(&w->in_leaf, &found);
    return KOSHU_OK;
}

/* Of the particles of one image. */
static koshu_status
walk_image(const struct koshu_tree *t, const struct opening *o,
           struct lengths *w, size_t *length)
{
    struct koshu_walk_found found = {0};
    KOSHU_TRY(koshu_find_ops()->find(t, o, &w->walker, &found));
    *length += found.cells;
    for (size_t k = 0; k < found.ranges; k++) {
        const struct koshu_range r = w->walker.range[k];
        if (r.last - r.first == 1)
            ++*length;
        else
            KOSHU_TRY(walk_leaf(t, o, r, w, length));
    }
    return KOSHU_OK;
}

static koshu_status
walk_images(const struct koshu_tree *t, const struct opening *o,
            struct lengths *w, size_t *length)
{
    for (size_t k = 0; k < koshu_tree_images_of(t); k++) {
        const struct opening away = koshu_opening_in_image(t, o, k);
        KOSHU_TRY(walk_image(t, &away, w, length));
    }
    return KOSHU_OK;
}

static koshu_status
walk_alone(const struct koshu_tree *t, size_t k, double a, struct lengths *w,
           size_t *length)
{
    const struct koshu_group alone = koshu_group_of(t, (uint32_t)k, 1);
    struct opening o = koshu_opening_of(t, &alone, a);
    o.first = alone.first;
    o.last = alone.first + 1;
    return walk_images(t, &o, w, length);
}

koshu_status
koshu_barnes_hut_length(const struct koshu_tree *tree, size_t sample,
                        const double *ax, const double *ay, const double *az,
                        double *length)
{
    struct lengths w = {0};
    koshu_status status = KOSHU_OK;
    size_t sum = 0;
    for (size_t k = 0; k < sample && status == KOSHU_OK; k++) {
        const size_t at = k * tree->n / sample, i = tree->order[at];
        const double a = hypot(hypot(ax[i], ay[i]), az[i]);
        status = walk_alone(tree, at, a, &w, &sum);
    }
    koshu_walker_free(&w.walker);
    koshu_walker_free(&w.in_leaf);
    koshu_tree_free(&w.leaf);
    *length = (double)sum / (double)sample;
    return status == KOSHU_OK ? KOSHU_OK
                              : koshu_fail_memory(tree->context, tree->n,
                                                  "an interaction list");
}
