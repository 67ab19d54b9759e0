/* SPDX-License-Identifier: MIT */
/* Stars that become lighter: by a table, or a function of the caller's. */
#ifndef KOSHU_SIMULATION_MASS_LOSS_H
#define KOSHU_SIMULATION_MASS_LOSS_H

#include <koshu/simulation.h>

/* ---- mass_table.c: masses of stars against time -------------------------- */

struct koshu_mass_table;

/* From a CSV file of the columns initial_mass, time and mass, whose numbers are
 * in these units where their names have none. KOSHU_ERROR_BAD_INPUT names the
 * row; what koshu_table_read() returns. */
koshu_status koshu_mass_table_read(struct koshu_context *context,
                                   const char *path,
                                   const struct koshu_units *units,
                                   struct koshu_mass_table **table);
/* NULL is allowed. */
void koshu_mass_table_destroy(struct koshu_mass_table *table);

/* What a star of that initial mass has at one time, of what it had at another;
 * 1 if it is the same. Beyond the table it is as at its ends. */
double koshu_mass_table_ratio(const struct koshu_mass_table *table, double mass,
                              double from, double to);

/* ---- mass_loss.c --------------------------------------------------------- */

/* Of a run. */
struct koshu_mass_loss {
    struct koshu_mass_table *table;     /* or NULL, as the next */
    koshu_mass_loss_function *function; /* the caller's, for: */
    void *user;
    double *mass; /* for a moment, of all stars */
    size_t capacity_mass;
};

void koshu_mass_loss_free(struct koshu_mass_loss *mass_loss);

/* Does the run have a table, or a function? */
bool koshu_mass_loss_is_wanted(const struct koshu_simulation *simulation);

/* Before the first step of this part of the run: the table, and, where it is
 * the first part, what the stars have at the beginning. */
koshu_status koshu_mass_loss_begin(struct koshu_simulation *simulation);

/* After a synchronised step that began at that time, of which potentials are
 * known: masses, forces, and the energy that went with the masses, which is no
 * longer that of the particles. KOSHU_ERROR_BAD_INPUT: a mass is not > 0; what
 * the function of the caller's returns. Collective. */
koshu_status
koshu_mass_loss_step(struct koshu_simulation *simulation, double before);

#endif
