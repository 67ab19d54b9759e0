/* SPDX-License-Identifier: MIT */
/* The struct of a run, and the functions of its parts. */
#ifndef KOSHU_SIMULATION_SIMULATION_H
#define KOSHU_SIMULATION_SIMULATION_H

#include <koshu/diagnostics.h>
#include <koshu/simulation.h>

#include "integrate/integrate.h"
#include "io/io.h"
#include "parameters/parameters.h"
#include "simulation/logs.h"
#include "simulation/mass_loss.h"
#include "simulation/run.h"
#include "simulation/stages.h"
#include "simulation/universe.h"
#include "simulation/writer.h"
#include "simulation/choose.h"

/* ---- simulation.c ------------------------------------------------------ */

struct koshu_simulation {
    struct koshu_context *context;
    struct koshu_parameters *parameters; /* a copy */
    const struct koshu_parameter_values *values;
    struct koshu_run run;
    char *text;       /* the parameters as stored in files */
    bool choice_kept; /* a restart keeps the chosen method */

    struct koshu_particles *particles;
    struct koshu_interaction *interaction; /* NULL: gravity */
    struct koshu_solver *solver;
    struct koshu_external *external; /* external fields; or NULL */
    struct koshu_mass_loss mass_loss;
    struct koshu_integrator *integrator;

    /* The state of the whole run as stored in checkpoints, which fill in what
     * changes. */
    struct koshu_checkpoint kept;
    uint64_t snapshot_files;               /* files per snapshot */
    double kinetic;                        /* comoving: T at the clock's time */
    struct koshu_csv_log *log[KOSHU_LOGS]; /* NULL: the run does not have it */
    struct koshu_log_header header[KOSHU_LOGS];
    struct koshu_tree_log tree_log;
    bool writes_beside;          /* files are written during steps */
    struct koshu_writer *writer; /* NULL: none */
    bool rows_beside;   /* energy.csv too: if a device makes the steps */
    bool row_pending;   /* a row of a log is with the writer */
    double newest_time; /* of the newest checkpoint */

    enum koshu_stop criterion; /* as of the last row */
    bool failed;
    /* of this part of the run */
    double wall_steps;          /* at the first step */
    struct koshu_stages stages; /* how wall time is spent */
    struct koshu_integrator_clock part_begin;
    uint64_t part_snapshots, part_rows, part_checkpoints;
};

/* Starts a checkpoint, by the writer; koshu_simulation_checkpoint() writes it
 * at once. Collective. */
koshu_status koshu_checkpoint_begin(struct koshu_simulation *simulation);

/* ---- criteria.c --------------------------------------------------------- */

/* Whether any stop.* is given. */
bool koshu_has_criteria(const struct koshu_parameter_values *values);

/* To be called after a row of the log: result in s->criterion. Collective. */
koshu_status koshu_check_criteria(struct koshu_simulation *s);

/* ---- initial.c ----------------------------------------------------------- */

/* Makes particles from the model, at most max of them, or reads them from the
 * file. info gets time, units and box; the parameters get the units. */
koshu_status koshu_initial_particles(struct koshu_context *context,
                                     struct koshu_parameters *parameters,
                                     size_t max,
                                     struct koshu_particles **particles,
                                     struct koshu_snapshot_info *info);

/* Checks that integrator.end lies ahead of `begin` and that steps and schedules
 * can reach it. KOSHU_ERROR_BAD_INPUT. */
koshu_status koshu_check_end(struct koshu_context *context,
                             const struct koshu_parameters *parameters,
                             double begin);

/* ---- units.c ------------------------------------------------------------- */

/* The factor of masses in these units that makes G = 1: G, or 1 if G is 1
 * within the differences between programs. */
double koshu_units_mass_factor(const struct koshu_units *units);

/* A time in the run's units, for messages: "0.5 Myr". */
const char *koshu_time_text(const struct koshu_parameter_values *values,
                            double time, char text[64]);

/* Sets the physical size of a model in the options, and its total mass: the
 * given one, or that of the stars of a mass function. Collective. */
KOSHU_MUST_CHECK koshu_status
koshu_size_model(struct koshu_context *context,
                 const struct koshu_parameter_values *values,
                 struct koshu_initial_options *options, double *total_mass);

/* Scales the particles of a model to this mass and the given length.
 * Collective. */
KOSHU_MUST_CHECK koshu_status
koshu_scale_model(struct koshu_context *context,
                  const struct koshu_parameter_values *values,
                  double total_mass, struct koshu_particles *particles);

/* Converts particles and info of a file to the units of the run, which are the
 * file's if the parameters give none. KOSHU_ERROR_BAD_INPUT. */
KOSHU_MUST_CHECK koshu_status koshu_convert_file(
        struct koshu_context *context, struct koshu_parameters *parameters,
        struct koshu_particles *particles, struct koshu_snapshot_info *info);

/* Warns in the log if the snapshots will not state their units. */
struct koshu_simulation;
void koshu_warn_of_lost_units(const struct koshu_simulation *simulation);

/* Velocities of the particles over those of files: a^(3/2) in comoving
 * coordinates, where they are a^2 dx/dt and sqrt(a) dx/dt; else 1. */
double koshu_velocity_factor(const struct koshu_simulation *simulation);

/* Divides diagnostics that contain masses times G by G. */
void koshu_diagnostics_without_g(struct koshu_diagnostics *d, double g);

/* Adds units to the names in a log's header that have one: "step,time [Myr]\n";
 * unchanged in dimensionless units. comoving: times are scale factors. */
void koshu_header_with_units(const char *plain, const struct koshu_units *units,
                             bool comoving, size_t size, char *header);

/* ---- estimate.c ---------------------------------------------------------- */

/* Counts steps of dt, snapshots and rows from e->begin to the end. */
void koshu_estimate_count(const struct koshu_parameter_values *values,
                          double dt, struct koshu_estimate *e);

/* Checks before a run of n particles that memory suffices, also of a GPU.
 * Refuses only what could not run. made: the store already exists.
 * KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_require_run(struct koshu_context *context,
                               const struct koshu_parameter_values *values,
                               size_t n, bool made);

/* ---- estimate_forces.c --------------------------------------------------- */

/* Largest number of particles used for measurements. */
enum { KOSHU_ESTIMATE_SAMPLE = 65536 };

struct koshu_measured {
    double interactions_per_s;
    double dt, acceleration; /* leapfrog: the first step; the largest |a| */
    double tree_seconds;     /* seconds for forces on all particles */
    /* hermite: steps of one particle, and blocks, per unit of time */
    double particle_steps, blocks;
};

/* Suggests softening and step of a leapfrog from the particles, or a sample of
 * e->n; a: the largest acceleration. 0: too few particles. */
koshu_status koshu_suggest(const struct koshu_parameter_values *values,
                           struct koshu_particles *particles, double a,
                           struct koshu_estimate *e);

/* From sums on the first particles of the store, about half a second each. */
koshu_status koshu_measure_leapfrog(struct koshu_context *context,
                                    const struct koshu_parameter_values *values,
                                    struct koshu_particles *particles,
                                    struct koshu_measured *measured);
koshu_status koshu_measure_hermite(struct koshu_context *context,
                                   const struct koshu_parameter_values *values,
                                   struct koshu_particles *particles,
                                   struct koshu_measured *measured);

/* The speed of a tree and its seconds with n particles, scaled as n log n from
 * the second of two evaluations on those of the store. */
koshu_status koshu_measure_tree(struct koshu_context *context,
                                const struct koshu_parameter_values *values,
                                struct koshu_particles *particles, double n,
                                struct koshu_measured *measured);

/* ---- division.c ---------------------------------------------------------- */

/* Sets s->snapshot_files. Collective. */
void koshu_divide_snapshots(struct koshu_simulation *s);

/* ---- write.c: output after a step ---------------------------------------- */

/* Whether the next synchronised step must compute potentials. */
bool koshu_output_needs_potential(const struct koshu_simulation *simulation);

/* Writes the snapshots and log rows that are due after a synchronised step that
 * began at `before`. */
koshu_status
koshu_output_write(struct koshu_simulation *simulation, double before);

/* Writes the first row and snapshot, and stores the energy for energy
 * errors. */
koshu_status koshu_output_begin(struct koshu_simulation *simulation);

/* ---- solver.c ------------------------------------------------------------ */

/* From the parameters and the box, with the interaction if there is one. On
 * all ranks or none; statuses of koshu_solver_create() and
 * koshu_interaction_of(). */
koshu_status koshu_make_solver(struct koshu_simulation *s);

/* Starting at `time`; statuses of koshu_integrator_create() and
 * koshu_external_parse(). */
koshu_status koshu_make_integrator(struct koshu_simulation *s, double time);

/* ---- box.c: the periodic box of a run ---------------------------------- */

/* Sets the box, from the file of particles or from the parameters, and wraps
 * positions into it. KOSHU_ERROR_BAD_INPUT: a box is needed but not given. */
koshu_status koshu_take_box(struct koshu_simulation *s, double of_file);

/* Wraps positions into the box, if there is one. */
koshu_status koshu_wrap_positions(struct koshu_simulation *s);

#endif
