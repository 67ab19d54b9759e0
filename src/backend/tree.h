/* SPDX-License-Identifier: MIT */
/* The treecode in the backend. */
#ifndef KOSHU_BACKEND_TREE_H
#define KOSHU_BACKEND_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include <koshu/particles.h>
#include <koshu/status.h>
#include <koshu/tree.h>

struct koshu_backend;
struct koshu_force_task;
struct koshu_tree_images;
struct koshu_tree_parts_ops;

/* The treecode of koshu/tree.h, from keys to accelerations, on the fields of a
 * store in the backend's memory. */
struct koshu_tree_engine;

struct koshu_tree_ops {
    uint64_t max_n_crit; /* the largest n_crit of a group */

    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_force_task *task);
    /* images: periodic images that also act on the particles; n = 0: none.
     * Their shifts must outlive the engine. */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_tree_images *images,
                           struct koshu_tree_engine **engine);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_tree_engine *engine);
    /*
     * 1 <= n_crit <= max_n_crit. n_leaf 0 and KOSHU_SPACE_FILLING_CURVE_AUTO:
     * the device's choice. The relative criterion uses the store's
     * accelerations; if they are all 0, the geometric criterion is used. In a
     * periodic box, positions are wrapped into it. Waits. Status:
     * KOSHU_ERROR_NOT_FINITE (names the particle), KOSHU_ERROR_UNSUPPORTED (too
     * many), KOSHU_ERROR_OUT_OF_MEMORY.
     */
    koshu_status (*forces)(struct koshu_tree_engine *engine,
                           const struct koshu_force_task *task,
                           const struct koshu_tree_options *options,
                           struct koshu_particles *particles, unsigned fields,
                           struct koshu_tree_report *report);
    /* Was any acceleration nonzero when the last forces() started? */
    bool (*had_accelerations)(const struct koshu_tree_engine *engine);
    /*
     * OPTIONAL. For the particles k N / sample, k < sample <= N: accelerations
     * by direct sums in double over all particles, then those in the store; x y
     * z of each, 6 sample numbers. Waits. Status: KOSHU_ERROR_OUT_OF_MEMORY.
     */
    koshu_status (*sample)(struct koshu_tree_engine *engine, double eps,
                           struct koshu_particles *particles, size_t sample,
                           double *accelerations);
    /* OPTIONAL. Forces of the particles of several ranks: tree_parts.h. */
    const struct koshu_tree_parts_ops *parts;
};

#endif
