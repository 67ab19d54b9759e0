/* SPDX-License-Identifier: MIT */
/* Mass loss of stars, by a table or by a function of the caller. */
#ifndef KOSHU_SIMULATION_MASS_LOSS_H
#define KOSHU_SIMULATION_MASS_LOSS_H

#include <koshu/simulation.h>

/* ---- mass_table.c: masses of stars against time -------------------------- */

struct koshu_mass_table;

/* Reads a CSV file with the columns initial_mass, time and mass, whose numbers
 * are in `units` unless their names give a unit. KOSHU_ERROR_BAD_INPUT names
 * the row; statuses of koshu_table_read(). */
koshu_status koshu_mass_table_read(struct koshu_context *context,
                                   const char *path,
                                   const struct koshu_units *units,
                                   struct koshu_mass_table **table);
/* NULL is allowed. */
void koshu_mass_table_destroy(struct koshu_mass_table *table);

/* The mass at time `to` over that at time `from`, for a star of that initial
 * mass; 1 if it does not change. Outside the table the values at its ends
 * hold. */
double koshu_mass_table_ratio(const struct koshu_mass_table *table, double mass,
                              double from, double to);

/* ---- mass_loss.c --------------------------------------------------------- */

/* The mass loss of a run. */
struct koshu_mass_loss {
    struct koshu_mass_table *table;     /* or NULL, as the next */
    koshu_mass_loss_function *function; /* the caller's, with: */
    void *user;
    double *mass; /* temporary, of all stars */
    size_t capacity_mass;
};

void koshu_mass_loss_free(struct koshu_mass_loss *mass_loss);

/* Whether the run has a table or a function. */
bool koshu_mass_loss_is_wanted(const struct koshu_simulation *simulation);

/* To be called before the first step of this part of the run: reads the table
 * and, in the first part, records the initial masses. */
koshu_status koshu_mass_loss_begin(struct koshu_simulation *simulation);

/* To be called after a synchronised step that began at `before`, with
 * potentials known: updates masses and forces, and counts the energy removed
 * with the masses. KOSHU_ERROR_BAD_INPUT: a mass is not > 0; the status of the
 * caller's function. Collective. */
koshu_status
koshu_mass_loss_step(struct koshu_simulation *simulation, double before);

#endif
