/* SPDX-License-Identifier: MIT */
/* Boxes that are cut, by whoever has the particles; within the module. */
#ifndef KOSHU_DOMAIN_CUTS_H
#define KOSHU_DOMAIN_CUTS_H

#include "domain/domain.h"
#include "particles/particles.h"

/* Particles on the host: their positions and weights. */
struct koshu_host_cuts {
    const struct koshu_decomposition *d;
    uint32_t *owner; /* of each */
};

extern const struct koshu_cut_ops koshu_host_cuts_ops;

/* koshu_bisect(), in which each particle is left in the box of its owner. What
 * fails on one rank fails on all. Collective. */
koshu_status koshu_bisect_boxes(const struct koshu_decomposition *decomposition,
                                const struct koshu_cut_ops *ops, void *self);

#endif
