/* SPDX-License-Identifier: MIT */
/* The interface between the bisection and whatever holds the particles.
 * Internal to this module. */
#ifndef KOSHU_DOMAIN_CUTS_H
#define KOSHU_DOMAIN_CUTS_H

#include "domain/domain.h"
#include "particles/particles.h"

/* Particles on the host: their positions and weights. */
struct koshu_host_cuts {
    const struct koshu_decomposition *d;
    uint32_t *owner; /* of each particle */
};

extern const struct koshu_cut_ops koshu_host_cuts_ops;

/* koshu_bisect() for any holder of particles; each is left in the box of its
 * owner. An error on one rank is returned on all. Collective. */
koshu_status koshu_bisect_boxes(const struct koshu_decomposition *decomposition,
                                const struct koshu_cut_ops *ops, void *self);

#endif
