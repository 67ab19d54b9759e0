/* SPDX-License-Identifier: MIT */
/* The stages of the device's tree, run on the host thread by thread. */
#ifndef KOSHU_TESTS_HOST_STAGES_H
#define KOSHU_TESTS_HOST_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct host_cell {
    uint32_t first, n, child, children;
    double x, y, z;
    float reach, strength;
    float moments[8]; /* mass xx ... half_trace */
};

struct host_options {
    uint32_t n_leaf;
    bool hilbert, relative;
    double theta, alpha;
};

struct host_tree {
    size_t n, n_cells, rounds;
    uint32_t *order;
    struct host_cell *cell;
};

/* For particles with |a| = 1; free with host_tree_free(). */
struct host_tree host_tree_make(size_t n, const double *x, const double *y,
                                const double *z, const double *mass,
                                const struct host_options *options);
void host_tree_free(struct host_tree *tree);

/* Groups start where begins[k] is not 0; returns their number. */
size_t host_groups(size_t n, const uint8_t *begins, uint32_t *first);

/* The box of a group. */
void host_box(const double low[3], const double high[3], double middle[3],
              float half[3]);

/* The factor of the reach in the relative criterion. */
float host_factor(const struct host_options *options, float a);

#ifdef __cplusplus
}
#endif

#endif
