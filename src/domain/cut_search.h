/* SPDX-License-Identifier: MIT */
/* The search for the cuts of a bisection, by histograms that narrow them down.
 * Internal to this module. */
#ifndef KOSHU_DOMAIN_CUT_SEARCH_H
#define KOSHU_DOMAIN_CUT_SEARCH_H

#include "domain/cuts.h"

/* Bins of all boxes of a level, and of one. CUT_ZOOMS: histograms of a box made
 * at once, each of the bin of the last one that holds the previous cut, as it
 * mostly holds the new one too. */
enum {
    CUT_ALL_BINS = 1 << 15,
    CUT_MAX_BINS = 512,
    CUT_MIN_BINS = 16,
    CUT_ZOOMS = 3
};

/* A box that holds that many domains. */
struct koshu_cut_part {
    int domains;
    double low[3], high[3];
    /* The cut: its axis, and the number of domains before it. */
    int before, axis;
    double cut;
    /* During the search: the cut lies between these; the weight before `from`,
     * and of the whole box. */
    double from, to;
    uint64_t index; /* of `from`, counted in intervals of that size in the
                       cube */
    uint64_t weight_before, weight;
    bool found;
    double *last; /* the previous cut */
};

struct koshu_bisection {
    const struct koshu_decomposition *d;
    const struct koshu_cut_ops *ops;
    void *self;  /* whatever holds the particles */
    int grid[3]; /* 0 0 0: none */
    /* The cube in which trees have their cells. Cuts are sought along all of
     * it, so that those at edges of coarse bins coincide with faces of large
     * cells. Otherwise a thin slice of such a cell, with few particles far from
     * each other, might become one leaf to which all others are near. */
    struct koshu_cube cube;
    double middle[3]; /* of the cube */
    bool placed;      /* the first cut is at the middle */
    struct koshu_cut_part *part, *next;
    /* of each part, CUT_ZOOMS of them if one is sought */
    struct koshu_cut *cut;
    size_t n;
    size_t bins, zooms;       /* of a part */
    double *last, *next_last; /* previous cuts; of the part to be cut next */
    uint64_t *count;
    koshu_status status; /* of this rank's work */
};

/* Begins to search for the part's cut along its axis, first where the last one
 * was. */
void koshu_cut_search_begin(struct koshu_bisection *bisection,
                            struct koshu_cut_part *part, double *last);

/* Sets `cut` of all parts that are not found yet; all particles must be in the
 * boxes of these parts. Collective. */
koshu_status koshu_cut_search(struct koshu_bisection *bisection);

#endif
