/* SPDX-License-Identifier: MIT */
/* The table of keys. */
#include <math.h>
#include <stddef.h>

#include "base/base.h"
#include "parameters/parameters.h"

/* The words that a key accepts, indexed by the enum of that name; NULL after
 * the last. */
#define CHOICE(what)                                      \
    static const char *choice_##what(int k)               \
    {                                                     \
        return koshu_##what##_name((enum koshu_##what)k); \
    }

CHOICE(model)
CHOICE(multipole_order)
CHOICE(opening_criterion)
CHOICE(space_filling_curve)
CHOICE(precision)
CHOICE(traversal)
CHOICE(format)
CHOICE(transport)
CHOICE(scheme)
CHOICE(step_rule)
CHOICE(boundary)
CHOICE(mass_function)
CHOICE(period_law)
CHOICE(mass_ratio_law)
CHOICE(eccentricity_law)

static const char *
choice_method(int k)
{
    return k == KOSHU_METHOD_AUTO ? "auto"
                                  : koshu_method_name((enum koshu_method)k);
}

static const char *
choice_coordinates(int k)
{
    static const char *const words[] = {"physical", "comoving"};
    return koshu_enum_name(words, 2, (unsigned)k);
}

/* Path, type, member of struct koshu_parameter_values, value. */
#define KEY(path_, type_, member, value_)     \
    .path = path_, .type = KOSHU_KEY_##type_, \
    .offset = offsetof(struct koshu_parameter_values, member), .value = value_
#define FIXED .restart = KOSHU_RESTART_FIXED
#define FORCED .restart = KOSHU_RESTART_FORCED
#define LOCAL .local = true
#define OF_TREE .methods = 1u << KOSHU_METHOD_TREE
#define OF_FMM .methods = 1u << KOSHU_METHOD_FMM
#define OF_CELLS .methods = 1u << KOSHU_METHOD_TREE | 1u << KOSHU_METHOD_FMM
#define OF_INTERACTION .methods = 1u << KOSHU_METHOD_INTERACTION
#define CHOSEN .chosen = true
#define OF_HERMITE .schemes = 1u << KOSHU_SCHEME_HERMITE
#define OF_ARCHAIN .schemes = 1u << KOSHU_SCHEME_ARCHAIN
#define OF_COMOVING .of_comoving = true

/* Quantities of numbers that may have a unit, and of units. */
static const enum koshu_quantity length = KOSHU_QUANTITY_LENGTH,
                                 mass = KOSHU_QUANTITY_MASS,
                                 time_ = KOSHU_QUANTITY_TIME,
                                 velocity = KOSHU_QUANTITY_VELOCITY;
#define A_LENGTH .quantity = &length
#define A_MASS .quantity = &mass
#define A_TIME .quantity = &time_
#define A_VELOCITY .quantity = &velocity
#define WALL_CLOCK A_TIME, .own_units = "m, kg, s"
#define OF_STARS .own_units = "pc, Msun, d"

#define OF_GALAXY .models = 1u << KOSHU_MODEL_GALAXY

/* Models from Eddington's formula that can be truncated. */
#define SPHERES (1u << KOSHU_MODEL_DEHNEN | 1u << KOSHU_MODEL_EFF)

/* Ranges. */
#define FROM(a) .range.low = (a), .range.high = INFINITY
#define ABOVE(a) FROM(a), .range.low_open = true
#define ANY FROM(-INFINITY)
#define NOT_ZERO ANY, .range.not_zero = true

const struct koshu_key koshu_keys[KOSHU_N_KEYS] = {
        {KEY("title", TEXT, title, ""),
         .meaning = "A name for the run, shown in its header."},

        {KEY("units.length", TEXT, unit.length, ""), A_LENGTH, FIXED,
         .meaning = "The unit of length: pc, au, 3.0857e18 cm."},
        {KEY("units.mass", TEXT, unit.mass, ""), A_MASS, FIXED,
         .meaning = "The unit of mass: Msun, 1e10 Msun."},
        {KEY("units.time", TEXT, unit.time, ""), A_TIME, FIXED,
         .meaning = "The unit of time: Myr, yr. Default, without "
                    "units.velocity: the one in which G = 1."},
        {KEY("units.velocity", TEXT, unit.velocity, ""), A_VELOCITY, FIXED,
         .meaning = "The unit of velocity, given instead of the unit of time: "
                    "km/s."},

#include "parameters/initial_keys.h"

        {KEY("solver.accuracy", REAL, accuracy, "0"),
         .range = {.low = 0, .high = 1, .high_open = true}, FORCED,
         .meaning =
                 "An upper bound on the rms relative error of the "
                 "accelerations, met in 95 of 100 rows of errors.csv: chooses, "
                 "for the number of particles, the method, the precision and "
                 "other settings that decide the error, unless they are given; "
                 "0: 0.001 with solver.method: auto, no choice with others."},
        {KEY("solver.method", CHOICE, method, "auto"), .hermite = "direct",
         .archain = "direct", .earlier = "direct", .choice = choice_method,
         FORCED,
         .meaning = "direct: sums over all pairs, N^2 work; tree: distant "
                    "particles are summed as cells (Barnes' modified tree "
                    "algorithm), N log N work; fmm: the fast multipole method, "
                    "N work, to any accuracy; auto: the fastest of these for "
                    "the number of particles and solver.accuracy; interaction: "
                    "sums over all pairs of a force other than gravity, "
                    "solver.interaction."},
        {KEY("solver.interaction", TEXT, interaction, ""), FORCED,
         OF_INTERACTION, .file = KOSHU_FILE_ANYWHERE,
         .meaning = "interaction: the file of a kernel source "
                    "(docs/interactions.md), with outputs ax ay az and "
                    "optionally potential and jx jy jz. IT IS CODE THAT IS "
                    "COMPILED AND RUN."},
        {KEY("solver.constants", TEXT, constants, ""), FORCED, OF_INTERACTION,
         .meaning = "interaction: values that replace the defaults of its "
                    "constants: range=0.5, strength=2."},
        {KEY("solver.precision", CHOICE, solver.precision, "single"),
         .hermite = "mixed", .archain = "double", .choice = choice_precision,
         FORCED,
         .meaning = "Arithmetic of the forces. single: errors below 5e-7, for "
                    "softened systems; mixed: positions to 48 bits, for close "
                    "pairs; double: for reference."},
        {KEY("solver.softening", REAL, solver.softening, "1/64"),
         .required = true, FROM(0), A_LENGTH, FORCED,
         .meaning = "Plummer softening eps, a length: a pair's distance r is "
                    "replaced by sqrt(r^2 + eps^2)."},
        {KEY("solver.softening_physical", REAL, softening_physical, "0"),
         FROM(0), A_LENGTH, FORCED, OF_COMOVING,
         .meaning = "comoving: an upper limit of the softening as a physical "
                    "length, softening_physical / a in comoving ones; the "
                    "change of energy that this causes is part of the errors "
                    "in energy.csv; 0: solver.softening at all times."},
        {KEY("solver.fast", FLAG, solver.fast, "false"), FORCED,
         .meaning =
                 "single only: the processor's estimate of the reciprocal "
                 "square root without refinement, with errors of about 3e-5."},
        {KEY("solver.boundary", CHOICE, boundary, "isolated"),
         .choice = choice_boundary, FORCED,
         .meaning = "isolated: the particles are alone in space; periodic: "
                    "they fill a cube that is repeated in all directions, with "
                    "a uniform background that cancels the mean density (fmm, "
                    "tree). Snapshots then have positions in [0, box)."},
        {KEY("solver.box", REAL, box, "0"), FROM(0), A_LENGTH, FIXED,
         .meaning = "periodic: the edge of the cube, a length; 0: the BoxSize "
                    "of initial.file."},

        {KEY("solver.multipole_order", CHOICE, tree.multipole_order,
             "quadrupole"),
         .choice = choice_multipole_order, FORCED, OF_TREE,
         .former = "solver.order", CHOSEN,
         .meaning = "tree: the multipole moments of a cell. monopole: its "
                    "mass; quadrupole: also its second moments."},
        {KEY("solver.opening_criterion", CHOICE, tree.opening_criterion,
             "relative"),
         .earlier = "geometric", .choice = choice_opening_criterion, FORCED,
         OF_TREE, .former = "solver.criterion", CHOSEN,
         .meaning = "tree: when a cell is distant enough not to be opened. "
                    "relative: its error is below alpha times the acceleration "
                    "of the last step; geometric: its size over its distance "
                    "is below theta."},
        {KEY("solver.theta", REAL, theta, "0.5"), .comoving = "0",
         .range = {.low = 0, .high = 1}, FORCED, OF_CELLS, CHOSEN,
         .meaning = "tree: the opening angle of the geometric criterion; fmm: "
                    "cells interact by expansions where the sum of their radii "
                    "is at most this fraction of their distance, below 1; "
                    "smaller is more accurate. 0, in comoving coordinates "
                    "only: a value that suits the method; for the fmm in a "
                    "periodic box it grows from 0.5 to 0.8, as particles move "
                    "away from where they began, first for small cells."},
        {KEY("solver.expansion_order", WHOLE, expansion_order, "8"),
         .comoving = "10", .range = {.low = 1, .high = 20}, FORCED, OF_FMM,
         CHOSEN,
         .meaning = "fmm: the order p of the expansions; each further order "
                    "about halves the errors."},
        {KEY("solver.alpha", REAL, tree.alpha, "0.002"), .earlier = "0.001",
         ABOVE(0), FORCED, OF_TREE,
         .criteria = 1u << KOSHU_OPENING_CRITERION_RELATIVE, CHOSEN,
         .meaning = "tree: the tolerance of the relative criterion; smaller is "
                    "more accurate."},
        {KEY("solver.n_crit", WHOLE, tree.n_crit, "64"),
         .range = {.low = 0, .high = 1e6}, FORCED, OF_TREE,
         .meaning = "tree: maximum number of particles that share an "
                    "interaction list; 0: the value that the first steps find "
                    "to be fastest, on which results then depend. A GPU that "
                    "traverses the tree takes at most 64."},
        {KEY("solver.n_leaf", WHOLE, tree.n_leaf, "0"),
         .range = {.low = 0, .high = 1e6}, FORCED, OF_CELLS,
         .meaning = "tree, fmm: a cell with more particles is divided into "
                    "octants; 0: tree: 8, or what suits the GPU that traverses "
                    "it; fmm: what suits the order."},
        {KEY("solver.space_filling_curve", CHOICE, tree.space_filling_curve,
             "auto"),
         .choice = choice_space_filling_curve, FORCED, OF_TREE,
         .former = "solver.curve",
         .meaning = "tree: the space-filling curve along which particles are "
                    "sorted. auto: Morton's on the host, Hilbert's on a GPU "
                    "that traverses the tree."},
        {KEY("solver.traversal", CHOICE, tree.traversal, "auto"),
         .choice = choice_traversal, FORCED, OF_TREE, .former = "solver.walk",
         .meaning = "tree: what traverses it. host: the threads of the CPU, "
                    "whose interaction lists a GPU sums if there is one; "
                    "device: the GPU; auto: the GPU if it can."},

        {KEY("solver.reorder", WHOLE, reorder, "5"), FROM(0), FORCED, OF_CELLS,
         .former = "solver.resort",
         .meaning = "tree, fmm: the number of steps after which the particles "
                    "are put in the order of the tree; 0: never."},

        {KEY("external.fields", TEXT, external_fields, ""), FORCED,
         .meaning = "Fields that act on the particles, added up: kinds, each "
                    "followed by its values, \"plummer mass=1e10 Msun, a=0.4 "
                    "kpc, nfw mass=1e12 Msun, a=16 kpc, concentration=12\". "
                    "point-mass, plummer, miyamoto-nagai, logarithmic, nfw, "
                    "uniform; tide: that of a circular orbit, in the rotating "
                    "frame (docs/external.md)."},

#include "parameters/integrator_keys.h"

#include "parameters/star_keys.h"

        {KEY("cosmology.w", REAL, cosmology.w, "-1"),
         .range = {.low = -3, .high = 0, .high_open = true}, FORCED,
         OF_COMOVING,
         .meaning = "Pressure over density of dark energy, a constant."},
        {KEY("cosmology.omega_r", REAL, cosmology.omega_r, "0"),
         .range = {.low = 0, .high = 1, .high_open = true}, FORCED, OF_COMOVING,
         .meaning = "The radiation density today, in units of the critical "
                    "density; it is uniform."},

#include "parameters/flow_keys.h"

        {KEY("domain.grid", WHOLES, domain.grid, "[]"),
         .range = {.low = 1, .high = 1e6}, OF_CELLS, LOCAL,
         .meaning = "tree, fmm: slabs along x, columns along y in each, boxes "
                    "along z in each: [12, 6, 8]; their product is the number "
                    "of ranks. The boxes of a column are on consecutive ranks, "
                    "those of a slab next to them, so that ranks of a host or "
                    "a switch are neighbours. []: cuts across the longest "
                    "sides. Results depend on it in their last bits."},

#include "parameters/output_keys.h"

        {KEY("checkpoint.interval", REAL, checkpoint.interval, "600"), FROM(0),
         WALL_CLOCK, LOCAL,
         .meaning = "Wall clock between checkpoints, in seconds or as 10 min; "
                    "0: only at the beginning and when the run ends."},
        {KEY("checkpoint.first", FLAG, checkpoint.first, "true"), LOCAL,
         .meaning = "Write a checkpoint at the beginning, too, so that there "
                    "is always one to restart from. With 1e9 particles it "
                    "takes about 0.1 TB and a minute or two."},
        {KEY("checkpoint.keep", WHOLE, checkpoint.keep, "2"),
         .range = {.low = 1, .high = 100}, LOCAL,
         .meaning = "Number of checkpoints kept: where the newest cannot be "
                    "read, a restart takes the one before."},

        {KEY("run.backend", TEXT, backend, "auto"),
         .choice = koshu_context_backend_name, LOCAL,
         .meaning = "auto: the fastest available; cpu is simd; ref is slow, "
                    "the reference of all tests."},
        {KEY("run.devices", TEXT, devices, ""), LOCAL,
         .meaning = "GPUs that share the force sums: 1, or 0,1 or all; empty: "
                    "KOSHU_DEVICES, or the first. Forces have the same bits on "
                    "the same number of GPUs."},
        {KEY("run.exchange", TEXT, exchange, ""), LOCAL,
         .meaning = "How several GPUs exchange particles: send-sync and "
                    "sync-recv are Miki et al. 2013, Figs. 3 and 4; mutual "
                    "computes each pair of particles once; auto: the fastest; "
                    "default or empty: KOSHU_EXCHANGE, or auto."},
        {KEY("run.threads", WHOLE, threads, "0"),
         .range = {.low = 0, .high = KOSHU_MAX_THREADS}, LOCAL,
         .meaning = "CPU threads; 0: OMP_NUM_THREADS, or one per core. Results "
                    "do not depend on it."},
        {KEY("run.j_capacity", WHOLE, solver.j_capacity, "0"),
         .range = {.low = 0, .high = 2147483647}, LOCAL,
         .meaning = "With several ranks: how many particles of other ranks "
                    "each keeps at once, twice, at 32 bytes each; 0: 16777216, "
                    "or 268435456 with GPUs. A larger value needs fewer "
                    "messages. The last bits of forces depend on it."},
        {KEY("run.transport", CHOICE, solver.transport, "auto"),
         .choice = choice_transport, LOCAL,
         .meaning = "How particles are sent between the GPUs of ranks. peer: "
                    "copies over NVLink or PCIe, on one host; cuda-aware: MPI, "
                    "if it can; nccl; host: through the memory of the host; "
                    "auto: the first of these that can be used."},
        {KEY("run.wall_clock_limit", REAL, wall_clock_limit, "0"), FROM(0),
         WALL_CLOCK, LOCAL,
         .meaning = "Wall clock after which the run stops with a checkpoint, "
                    "in seconds or as 12 h; 0: no limit."},
        {KEY("run.stop_file", TEXT, stop_file, "stop"), LOCAL,
         .file = KOSHU_FILE_OF_RUN,
         .meaning = "When a file of this name appears in the output directory, "
                    "the run removes it and stops with a checkpoint."},

        {KEY("stop.energy_error", REAL, stop.energy_error, "0"), FROM(0),
         .meaning = "The run stops when |dE/E| of a row is larger; 0: never."},
        {KEY("stop.escaped_fraction", REAL, stop.escaped_fraction, "0"),
         .range = {.low = 0, .high = 1},
         .meaning = "The run stops when more than this fraction of the mass is "
                    "unbound: its kinetic energy relative to the centre of "
                    "mass exceeds its potential energy; 0: never."},
        {KEY("stop.core_radius", REAL, stop.core_radius, "0"), FROM(0),
         A_LENGTH,
         .meaning =
                 "The run stops when the core radius is smaller: the distance "
                 "from the density centre, averaged with the square of the "
                 "density as weight (Casertano & Hut 1985); 0: never."},
};
