/* SPDX-License-Identifier: MIT */
/* The state of a snapshot's particles: energies, momenta, centres. */
#ifndef KOSHU_APP_INFO_STATE_H
#define KOSHU_APP_INFO_STATE_H

#include <jansson.h>

#include <koshu/diagnostics.h>
#include <koshu/force.h>
#include <koshu/snapshot.h>

#include "app.h"

struct state {
    bool has_energy, has_core, stored, by_tree; /* stored: in the file */
    const char *reason;                         /* why there is no energy */
    struct koshu_diagnostics diagnostics;
    double core[3], core_radius; /* the density centre */
};

/* Potentials by pairs take seconds for up to so many particles. */
enum { PAIRS_LIMIT = 32768 };

/* Computes potentials of the particles, including G, by pairs or by a tree. */
koshu_status compute_potential(struct koshu_particles *particles,
                               const struct koshu_snapshot_info *info,
                               enum koshu_precision precision, bool by_tree);

/*
 * Measures the state. Potentials that the file does not have are computed: by
 * pairs for few particles, by a tree for more, and for very many only if
 * `energy` is set. They are written into the particles.
 */
koshu_status measure_state(struct koshu_particles *particles,
                           const struct koshu_snapshot_info *info, bool energy,
                           struct state *state);

void
print_state(const struct koshu_snapshot_info *info, const struct state *state);

/* Adds its members to an object. */
void add_state_json(json_t *object, const struct state *state);

#endif
