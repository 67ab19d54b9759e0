/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "parameters/parameters.h"

/* ---- names of choices -------------------------------------------------- */

static const char *
model(int k)
{
    return koshu_model_name((enum koshu_model)k);
}

static const char *
method(int k)
{
    static const char *const names[] = {"direct", "tree"};
    return k <= KOSHU_METHOD_TREE ? names[k] : NULL;
}

static const char *
order(int k)
{
    return koshu_order_name((enum koshu_order)k);
}

static const char *
criterion(int k)
{
    return koshu_criterion_name((enum koshu_criterion)k);
}

static const char *
curve(int k)
{
    return koshu_curve_name((enum koshu_curve)k);
}

static const char *
walk(int k)
{
    return koshu_walk_name((enum koshu_walk)k);
}

static const char *
precision(int k)
{
    return k <= KOSHU_DOUBLE ? koshu_precision_name((enum koshu_precision)k)
                             : NULL;
}

static const char *
scheme(int k)
{
    static const char *const names[] = {"leapfrog", "hermite"};
    return k <= KOSHU_SCHEME_HERMITE ? names[k] : NULL;
}

static const char *
step(int k)
{
    static const char *const names[] = {"fixed", "acceleration", "block"};
    return k <= KOSHU_STEP_BLOCK ? names[k] : NULL;
}

static const char *
format(int k)
{
    return koshu_format_name((enum koshu_format)k);
}

static const char *
transport(int k)
{
    return koshu_transport_name((enum koshu_transport)k);
}

static const char *
backend(int k)
{
    return koshu_context_backend_name(k);
}

/* ---- the table --------------------------------------------------------- */

#define AT(member) .offset = offsetof(struct koshu_parameter_values, member)
#define ANY                                \
    {                                      \
        .low = -INFINITY, .high = INFINITY \
    }
#define NOT_ZERO                                             \
    {                                                        \
        .low = -INFINITY, .high = INFINITY, .not_zero = true \
    }
#define FROM(a)                      \
    {                                \
        .low = (a), .high = INFINITY \
    }
#define ABOVE(a)                                       \
    {                                                  \
        .low = (a), .high = INFINITY, .low_open = true \
    }

const struct koshu_section koshu_sections[KOSHU_N_SECTIONS] = {
        {"initial", "Where the particles come from: a model, or a file."},
        {"solver", "How forces are computed."},
        {"integrator", "How particles move, and until when."},
        {"output", "What is written, and where."},
        {"output.snapshot", "Snapshots: all particles at one time."},
        {"output.log", "The log, energy.csv: one row of diagnostics."},
        {"output.errors", "The errors of a tree's forces, errors.csv."},
        {"checkpoint", "Checkpoints: what --restart goes on from."},
        {"run", "The machine, and when to stop before the end."},
};

const struct koshu_key koshu_keys[KOSHU_N_KEYS] = {
        {.path = "title",
         .type = KOSHU_KEY_TEXT,
         AT(title),
         .value = "",
         .meaning = "A name for the run, shown in its header."},

        {.path = "initial.model",
         .type = KOSHU_KEY_CHOICE,
         AT(initial.model),
         .value = "plummer",
         .choice = model,
         .restart = KOSHU_RESTART_FIXED,
         .meaning = "The model that the particles are drawn from (koshu init "
                    "makes the same). Required, unless initial.file is there."},
        {.path = "initial.n",
         .type = KOSHU_KEY_WHOLE,
         AT(initial.n),
         .value = "16384",
         .range = FROM(1),
         .restart = KOSHU_RESTART_FIXED,
         .meaning = "Number of particles; two-body has 2."},
        {.path = "initial.seed",
         .type = KOSHU_KEY_WHOLE,
         AT(initial.seed),
         .value = "1",
         .range = FROM(0),
         .restart = KOSHU_RESTART_FIXED,
         .meaning = "Seed of the random numbers: the same seed gives the same "
                    "particles on any machine."},
        {.path = "initial.mass_fraction",
         .type = KOSHU_KEY_REAL,
         AT(initial.mass_fraction),
         .value = "0.999",
         .range = {.low = 0, .high = 1, .low_open = true},
         .restart = KOSHU_RESTART_FIXED,
         .models = 1u << KOSHU_MODEL_PLUMMER | 1u << KOSHU_MODEL_HERNQUIST,
         .meaning = "plummer, hernquist: the model is cut at the radius that "
                    "holds this fraction of the mass."},
        {.path = "initial.virial_ratio",
         .type = KOSHU_KEY_REAL,
         AT(initial.virial_ratio),
         .value = "0",
         .range = FROM(0),
         .restart = KOSHU_RESTART_FIXED,
         .models = 1u << KOSHU_MODEL_SPHERE | 1u << KOSHU_MODEL_CUBE,
         .meaning = "sphere, cube: Q = T/|W| at the beginning; 0: cold, 1/2: "
                    "in equilibrium."},
        {.path = "initial.king_w0",
         .type = KOSHU_KEY_REAL,
         AT(initial.king_w0),
         .value = "6",
         .range = {.low = 0.5, .high = 15},
         .restart = KOSHU_RESTART_FIXED,
         .models = 1u << KOSHU_MODEL_KING,
         .meaning = "king: the central potential W0."},
        {.path = "initial.eccentricity",
         .type = KOSHU_KEY_REAL,
         AT(initial.eccentricity),
         .value = "0.9",
         .range = {.low = 0, .high = 1, .high_open = true},
         .restart = KOSHU_RESTART_FIXED,
         .models = 1u << KOSHU_MODEL_TWO_BODY,
         .meaning = "two-body: eccentricity of the orbit."},
        {.path = "initial.two_body_mass",
         .type = KOSHU_KEY_REAL,
         AT(initial.two_body_mass),
         .value = "0.5",
         .range = {.low = 0, .high = 1, .low_open = true, .high_open = true},
         .restart = KOSHU_RESTART_FIXED,
         .models = 1u << KOSHU_MODEL_TWO_BODY,
         .meaning = "two-body: mass of the second body; the first has the "
                    "rest of 1."},
        {.path = "initial.exact_virial",
         .type = KOSHU_KEY_FLAG,
         AT(initial.exact_virial),
         .value = "false",
         .restart = KOSHU_RESTART_FIXED,
         .meaning = "Scale positions and velocities so that T = 1/4 and "
                    "W = -1/2 hold exactly for these particles."},
        {.path = "initial.file",
         .type = KOSHU_KEY_TEXT,
         AT(initial_file),
         .value = "",
         .restart = KOSHU_RESTART_FIXED,
         .meaning = "A snapshot of any format to begin with, instead of a "
                    "model; the run begins at its time. Seen from where "
                    "koshu is started."},

        {.path = "solver.method",
         .type = KOSHU_KEY_CHOICE,
         AT(solver.method),
         .value = "direct",
         .choice = method,
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "direct: every particle feels every other, N^2 work; tree: "
                    "far particles act in cells (Barnes' modified tree "
                    "algorithm), N log N work."},
        {.path = "solver.precision",
         .type = KOSHU_KEY_CHOICE,
         AT(solver.precision),
         .value = "single",
         .hermite = "mixed",
         .choice = precision,
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "Arithmetic of the forces. single: errors below 5e-7, "
                    "right for softened systems; mixed: positions to 48 bits, "
                    "for close pairs; double: for reference."},
        {.path = "solver.softening",
         .type = KOSHU_KEY_REAL,
         AT(solver.softening),
         .value = "1/64",
         .required = true,
         .range = FROM(0),
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "Plummer softening eps, a length: the force of a pair is "
                    "that of the distance sqrt(r^2 + eps^2)."},
        {.path = "solver.fast",
         .type = KOSHU_KEY_FLAG,
         AT(solver.fast),
         .value = "false",
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "single only: the processor's estimate of the reciprocal "
                    "square root as it is, errors about 3e-5."},

        {.path = "solver.order",
         .type = KOSHU_KEY_CHOICE,
         AT(solver.tree.order),
         .value = "quadrupole",
         .choice = order,
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: the moments of a cell. monopole: its mass; "
                    "quadrupole: how it is spread, too."},
        {.path = "solver.criterion",
         .type = KOSHU_KEY_CHOICE,
         AT(solver.tree.criterion),
         .value = "geometric",
         .choice = criterion,
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: when a cell is far enough. geometric: its size over "
                    "its distance is below theta; relative: its error is below "
                    "alpha times the acceleration of the last step."},
        {.path = "solver.theta",
         .type = KOSHU_KEY_REAL,
         AT(solver.tree.theta),
         .value = "0.5",
         .range = {.low = 0, .high = 1, .low_open = true},
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: the opening angle; smaller is finer."},
        {.path = "solver.alpha",
         .type = KOSHU_KEY_REAL,
         AT(solver.tree.alpha),
         .value = "0.001",
         .range = ABOVE(0),
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: of criterion relative; smaller is finer."},
        {.path = "solver.n_crit",
         .type = KOSHU_KEY_WHOLE,
         AT(solver.tree.n_crit),
         .value = "64",
         .range = {.low = 0, .high = 1e6},
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: particles that share an interaction list, at most; "
                    "0: what the first steps find to be the fastest, and "
                    "results depend on that. A device that walks takes 64 "
                    "at most."},
        {.path = "solver.n_leaf",
         .type = KOSHU_KEY_WHOLE,
         AT(solver.tree.n_leaf),
         .value = "0",
         .range = {.low = 0, .high = 1e6},
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: a cell of more particles is cut into octants; 0: 8, "
                    "or what suits the device that walks."},
        {.path = "solver.curve",
         .type = KOSHU_KEY_CHOICE,
         AT(solver.tree.curve),
         .value = "auto",
         .choice = curve,
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: the space-filling curve that particles are sorted "
                    "along. auto: Morton's by the host, Hilbert's by a device "
                    "that walks."},
        {.path = "solver.walk",
         .type = KOSHU_KEY_CHOICE,
         AT(solver.tree.walk),
         .value = "auto",
         .choice = walk,
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: who walks it. host: the threads of the CPU, whose "
                    "lists a GPU sums, where there is one; device: the GPU "
                    "itself; auto: the GPU, where it can."},

        {.path = "solver.resort",
         .type = KOSHU_KEY_WHOLE,
         AT(resort),
         .value = "5",
         .range = FROM(0),
         .restart = KOSHU_RESTART_FORCED,
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: after every so many steps the particles are put in "
                    "the order of the tree, with all that is theirs; 0: "
                    "never."},

        {.path = "integrator.scheme",
         .type = KOSHU_KEY_CHOICE,
         AT(integrator.scheme),
         .value = "leapfrog",
         .choice = scheme,
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "leapfrog: kick-drift-kick, second order, one step for "
                    "all; hermite: fourth order, for close encounters, a step "
                    "for each particle."},
        {.path = "integrator.step",
         .type = KOSHU_KEY_CHOICE,
         AT(integrator.step),
         .value = "fixed",
         .hermite = "block",
         .choice = step,
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "fixed: every step is dt; acceleration: eta times the "
                    "smallest sqrt(eps/|a|), at most dt (leapfrog); block: "
                    "each particle's is dt/2^k, by Aarseth's criterion "
                    "(hermite)."},
        {.path = "integrator.dt",
         .type = KOSHU_KEY_REAL,
         AT(integrator.dt),
         .value = "1/256",
         .hermite = "1/8",
         .range = NOT_ZERO,
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "The time step, or the longest; negative to run back in "
                    "time."},
        {.path = "integrator.eta",
         .type = KOSHU_KEY_REAL,
         AT(integrator.eta),
         .value = "0.1",
         .hermite = "0.002",
         .range = ABOVE(0),
         .restart = KOSHU_RESTART_FORCED,
         .meaning = "Accuracy of steps that are chosen, smaller is finer: of "
                    "acceleration, or of Aarseth's criterion."},
        {.path = "integrator.eta_start",
         .type = KOSHU_KEY_REAL,
         AT(integrator.eta_start),
         .value = "0.0005",
         .range = ABOVE(0),
         .restart = KOSHU_RESTART_FORCED,
         .schemes = 1u << KOSHU_SCHEME_HERMITE,
         .meaning = "hermite: the first block step is at most this times "
                    "|a|/|jerk| and sqrt(|pot|)/|a|."},
        {.path = "integrator.iterations",
         .type = KOSHU_KEY_WHOLE,
         AT(integrator.iterations),
         .value = "1",
         .range = {.low = 1, .high = 100},
         .restart = KOSHU_RESTART_FORCED,
         .schemes = 1u << KOSHU_SCHEME_HERMITE,
         .meaning = "hermite: n of P(EC)^n, evaluations and corrections of a "
                    "step; 3 makes fixed steps all but symmetric in time."},
        {.path = "integrator.end",
         .type = KOSHU_KEY_REAL,
         AT(integrator.end),
         .value = "10",
         .required = true,
         .range = ANY,
         .meaning = "The time at which the run ends. A model begins at 0, a "
                    "file at its own time."},

        {.path = "output.directory",
         .type = KOSHU_KEY_TEXT,
         AT(directory),
         .value = "output",
         .local = true,
         .meaning = "Where all files of the run go; made where it is not "
                    "there. Seen from where koshu is started."},
        {.path = "output.snapshot.format",
         .type = KOSHU_KEY_CHOICE,
         AT(snapshot.format),
         .value = "hdf5",
         .choice = format,
         .meaning = "Format of the snapshots; hdf5 opens in yt and pynbody."},
        {.path = "output.snapshot.interval",
         .type = KOSHU_KEY_REAL,
         AT(snapshot.interval),
         .value = "0",
         .range = FROM(0),
         .meaning = "Time between snapshots, from the beginning of the run; "
                    "0: none. A step is cut short to end at it."},
        {.path = "output.snapshot.times",
         .type = KOSHU_KEY_REALS,
         AT(snapshot.times),
         .value = "[]",
         .range = ANY,
         .meaning = "The times of snapshots, instead of an interval."},
        {.path = "output.snapshot.first",
         .type = KOSHU_KEY_FLAG,
         AT(snapshot.first),
         .value = "true",
         .meaning = "Also a snapshot of the beginning."},
        {.path = "output.snapshot.last",
         .type = KOSHU_KEY_FLAG,
         AT(snapshot.last),
         .value = "true",
         .meaning = "Also a snapshot of the end."},
        {.path = "output.log.steps",
         .type = KOSHU_KEY_WHOLE,
         AT(log.steps),
         .value = "8",
         .range = FROM(1),
         .meaning = "A row after every so many steps; with hermite, of dt."},
        {.path = "output.log.interval",
         .type = KOSHU_KEY_REAL,
         AT(log.interval),
         .value = "0",
         .range = FROM(0),
         .meaning = "Instead: a row at the first step past each multiple of "
                    "this time; 0: by steps."},

        {.path = "output.errors.steps",
         .type = KOSHU_KEY_WHOLE,
         AT(errors.steps),
         .value = "64",
         .range = FROM(0),
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning =
                 "tree: after every so many steps the forces on a sample are "
                 "compared with direct sums; 0: never."},
        {.path = "output.errors.sample",
         .type = KOSHU_KEY_WHOLE,
         AT(errors.sample),
         .value = "256",
         .range = FROM(1),
         .methods = 1u << KOSHU_METHOD_TREE,
         .meaning = "tree: particles in that sample."},

        {.path = "checkpoint.interval",
         .type = KOSHU_KEY_REAL,
         AT(checkpoint.interval),
         .value = "600",
         .range = FROM(0),
         .local = true,
         .meaning = "Seconds of wall clock between checkpoints; 0: only when "
                    "the run ends."},
        {.path = "checkpoint.keep",
         .type = KOSHU_KEY_WHOLE,
         AT(checkpoint.keep),
         .value = "2",
         .range = {.low = 1, .high = 100},
         .local = true,
         .meaning = "Checkpoints kept: when the newest cannot be read, a "
                    "restart takes the one before."},

        {.path = "run.backend",
         .type = KOSHU_KEY_TEXT,
         AT(backend),
         .value = "auto",
         .choice = backend,
         .local = true,
         .meaning = "auto: the fastest that answers; cpu is simd; ref is slow "
                    "and the truth."},
        {.path = "run.devices",
         .type = KOSHU_KEY_TEXT,
         AT(devices),
         .value = "",
         .local = true,
         .meaning = "GPUs that sum forces together: 1, or 0,1 or all; empty: "
                    "KOSHU_DEVICES, or the first. On as many as before, "
                    "forces have the same bits."},
        {.path = "run.exchange",
         .type = KOSHU_KEY_TEXT,
         AT(exchange),
         .value = "",
         .local = true,
         .meaning = "How several GPUs do so: send-sync and sync-recv are Miki "
                    "et al. 2013, Figs. 3 and 4; mutual computes each pair of "
                    "particles once; auto: the fastest; empty: "
                    "KOSHU_EXCHANGE, or auto."},
        {.path = "run.threads",
         .type = KOSHU_KEY_WHOLE,
         AT(threads),
         .value = "0",
         .range = {.low = 0, .high = 65535},
         .local = true,
         .meaning = "Threads; 0: OMP_NUM_THREADS, or one per core. Results do "
                    "not depend on it."},
        {.path = "run.j_capacity",
         .type = KOSHU_KEY_WHOLE,
         AT(solver.j_capacity),
         .value = "0",
         .range = {.low = 0, .high = 2147483647},
         .local = true,
         .meaning = "With several ranks: how many particles of others each "
                    "keeps at once, 32 bytes each, twice; 0: 16777216, or "
                    "268435456 with GPUs. More take fewer messages. Last bits "
                    "of forces depend on it."},
        {.path = "run.transport",
         .type = KOSHU_KEY_CHOICE,
         AT(solver.transport),
         .value = "auto",
         .choice = transport,
         .local = true,
         .meaning = "Between the GPUs of ranks. peer: copies over NVLink or "
                    "PCIe, on one host; cuda-aware: MPI, where it can; nccl; "
                    "host: through the memory of the host; auto: the first of "
                    "these that can be used."},
        {.path = "run.wall_clock_limit",
         .type = KOSHU_KEY_REAL,
         AT(wall_clock_limit),
         .value = "0",
         .range = FROM(0),
         .local = true,
         .meaning = "Seconds after which the run stops with a checkpoint; 0: "
                    "no limit."},
        {.path = "run.stop_file",
         .type = KOSHU_KEY_TEXT,
         AT(stop_file),
         .value = "stop",
         .local = true,
         .meaning = "The run stops with a checkpoint when a file of this name "
                    "appears in the output directory, and removes it."},
};

/* ---- look-ups ---------------------------------------------------------- */

int
koshu_key_find(const char *path)
{
    for (int k = 0; k < KOSHU_N_KEYS; k++)
        if (strcmp(koshu_keys[k].path, path) == 0) return k;
    return -1;
}

int
koshu_section_find(const char *path)
{
    for (int k = 0; k < KOSHU_N_SECTIONS; k++)
        if (strcmp(koshu_sections[k].path, path) == 0) return k;
    return -1;
}

const char *
koshu_key_name(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

size_t
koshu_key_section_length(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? (size_t)(dot - path) : 0;
}

bool
koshu_key_is_below(const char *path, const char *section)
{
    size_t length = koshu_key_section_length(path);
    return strlen(section) == length && strncmp(path, section, length) == 0;
}

const char *
koshu_key_default(const struct koshu_key *key, enum koshu_scheme scheme)
{
    return scheme == KOSHU_SCHEME_HERMITE && key->hermite ? key->hermite
                                                          : key->value;
}

/* ---- what is expected -------------------------------------------------- */

static void
range_words(const struct koshu_key_range *r, char *text, size_t size)
{
    if (isinf(r->low) && isinf(r->high))
        snprintf(text, size, "%s", r->not_zero ? ", not 0" : "");
    else if (isinf(r->high))
        snprintf(text, size, " %s %g", r->low_open ? ">" : ">=", r->low);
    else
        snprintf(text, size, " in %c%g, %g%c", r->low_open ? '(' : '[', r->low,
                 r->high, r->high_open ? ')' : ']');
}

static void
choice_words(const struct koshu_key *key, char *text, size_t size)
{
    const char *names[32];
    char list[256];
    size_t n = 0;
    while (n < 32 && (names[n] = key->choice((int)n))) n++;
    koshu_join_names(list, sizeof list, names, n);
    snprintf(text, size, n > 1 ? "one of %s" : "%s", list);
}

void
koshu_key_expectation(const struct koshu_key *key, char *text, size_t size)
{
    char range[64];
    range_words(&key->range, range, sizeof range);
    if (key->choice) {
        choice_words(key, text, size);
        return;
    }
    switch (key->type) {
    case KOSHU_KEY_CHOICE:
    case KOSHU_KEY_TEXT: snprintf(text, size, "a text"); return;
    case KOSHU_KEY_WHOLE:
        snprintf(text, size, "a whole number%s", range);
        return;
    case KOSHU_KEY_REAL: snprintf(text, size, "a number%s", range); return;
    case KOSHU_KEY_FLAG: snprintf(text, size, "true or false"); return;
    case KOSHU_KEY_REALS:
        snprintf(text, size, "a list of numbers%s, [0, 1, 5/2]", range);
        return;
    }
}
