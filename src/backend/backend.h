/* SPDX-License-Identifier: MIT */
/*
 * Backends: the table of operations that each fills, and their registry.
 *
 * A backend is one constant table of functions. A task says what is asked
 * (formula, precision, softening); can() answers whether the backend does it;
 * an operation works on a batch: many i-sets against many j-sets in one call.
 * Operations are REQUIRED, or OPTIONAL (NULL: the caller composes them from
 * required ones).
 */
#ifndef KOSHU_BACKEND_BACKEND_H
#define KOSHU_BACKEND_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include <koshu/force.h>
#include <koshu/interaction.h>
#include <koshu/j_memory.h>
#include <koshu/particles.h>
#include <koshu/tree.h>

#include "backend/share.h"
#include "base/base.h"

/* What is asked of a force operation. */
struct koshu_force_task {
    enum koshu_precision precision;
    double eps; /* >= 0 */
    bool potential;
    bool fast; /* single only */
};

/*
 * The sets of koshu_force_direct_sets(), checked: no array is NULL but
 * i.self and, without potential, result.potential; offsets are in order; self
 * indices are in range.
 */
struct koshu_force_batch {
    size_t n_sets;
    const size_t *i_offset, *j_offset; /* n_sets + 1 each */
    struct koshu_i_particles i;
    struct koshu_j_particles j;
    struct koshu_force_result result;
};

/* ---- interaction lists ----------------------------------------------------
 */

/*
 * Many walks of a tree (Hamada09 section 2.3): each has a group of
 * i-particles, and a list of particles and cells that act on all of them.
 * Walk w has the i-particles i_offset[w] ... i_offset[w + 1] - 1, the
 * j-particles of j_offset and the cells of cell_offset alike; each array of
 * offsets has n_walks + 1 elements.
 *
 * Positions are floats, relative to whatever point a walk likes: the middle of
 * its group, so that near particles keep their digits.
 */
struct koshu_walk_points {
    const float *x, *y, *z;
    /* What rounding to float has left: position = x + x_low. Of i- and of
     * j-particles, or NULL for both. */
    const float *x_low, *y_low, *z_low;
};

/* Cells, as kernels/quadrupole.h has them. */
struct koshu_walk_cells {
    const float *x, *y, *z, *mass;
    const float *xx, *xy, *xz, *yy, *yz, *zz, *half_trace;
};

struct koshu_walk_batch {
    size_t n_walks;
    const size_t *i_offset, *j_offset, *cell_offset;
    struct koshu_walk_points i;
    const float *eps2; /* of each i-particle */
    struct koshu_walk_points j;
    const float *j_mass;
    struct koshu_walk_cells cells;
    /* The first j-particles of each walk are its i-particles, in order, and a
     * particle does not feel itself. */
    bool own;
    struct koshu_force_result result; /* overwritten */
};

struct koshu_walk_task {
    double eps; /* the smallest softening; 0, or in the range of single */
    bool potential;
    bool fast;
};

struct koshu_backend;

/*
 * Walks in batches, for a device that sums one while the host makes the lists
 * of another (Hamada09 section 2.3): memory that the device copies from by
 * itself. Whoever has one writes a batch, begins its sums, goes on with another
 * memory, and ends the first. A memory is used by one thread at a time; threads
 * use different ones as they like.
 */
struct koshu_walk_room {
    size_t walks, i, j, cells;
};

struct koshu_walk_memory {
    struct koshu_context *context;
    struct koshu_walk_room room;
    bool split; /* positions have low parts */
    /* As in struct koshu_walk_batch, and in the order of its fields. */
    size_t *i_offset, *j_offset, *cell_offset;
    float *i[7];       /* x y z eps2 x_low y_low z_low */
    float *j[7];       /* x y z mass x_low y_low z_low */
    float *cell[11];   /* x y z mass xx xy xz yy yz zz half_trace */
    double *result[4]; /* ax ay az potential; after the end */
};

/* When the device copied and summed a batch: from, to; seconds since the clock
 * was started. */
struct koshu_walk_times {
    double up[2], sums[2], down[2];
};

struct koshu_walk_memory_ops {
    /* How much of the device's memory batches should fill, all together. */
    size_t (*bytes)(const struct koshu_backend *backend);
    /* KOSHU_OUT_OF_MEMORY, KOSHU_DEVICE. */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_walk_room *room, bool split,
                           struct koshu_walk_memory **memory);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_walk_memory *memory);
    /* Of all memories; while no batch is begun. */
    koshu_status (*start_clock)(struct koshu_backend *backend);
    /* Sums of the first n_walks walks, at least one; does not wait. */
    koshu_status (*begin)(struct koshu_walk_memory *memory,
                          const struct koshu_walk_task *task, size_t n_walks,
                          bool own);
    /* Waits. */
    koshu_status (*end)(struct koshu_walk_memory *memory,
                        struct koshu_walk_times *times);
};

/* An opened backend: ops and state; each backend puts its own behind it. */
struct koshu_backend {
    const struct koshu_backend_ops *ops;
    struct koshu_context *context;
    char device[128];   /* in words: "AVX-512, 2 threads" */
    char model[320];    /* what its shapes are tuned for; "": has none */
    char together[336]; /* the same of several devices: "2 x MODEL"; "": one */
    char unit[64];      /* its serial number in the world; "": the processors */
};

/*
 * How a backend cuts the sum of n particles on each other, in the terms of
 * Miki13 section 6.1: blocks of equal work, dealt out to units.
 */
struct koshu_force_shape {
    char kernel[32];    /* in words; a pair costs the same in kernels that
                           share the name */
    size_t units;       /* N_SM: multiprocessors, or threads */
    size_t lanes;       /* N_core, of a unit */
    double hertz;       /* of its clock, at most; 0: not known */
    size_t at_once;     /* B_SM: blocks that a unit works on together */
    size_t blocks;      /* B_tot */
    double tiles;       /* that a block works through: N_j / T_tot; a part of
                           one where it has too few j-particles */
    double evaluations; /* of the pair formula by a block in a tile:
                           N_i / B_tot times T_tot */
    size_t both;        /* interactions of an evaluation: 2 where the force on
                           both particles is taken from it, else 1 */
    size_t launches;
    bool overlapped; /* launches are made, and blocks begin, while those before
                        are at work: neither is waited for */
    size_t joins;    /* 1 where blocks share i-particles, and the last of them
                        adds up their sums; else 0 */
};

/* What a backend spends besides the sums, n times or of size n. */
enum koshu_cost {
    KOSHU_COST_WAIT,        /* n waits for nothing; threads: n barriers */
    KOSHU_COST_LAUNCH,      /* n empty kernels, then a wait; threads: n empty
                               parallel regions */
    KOSHU_COST_LAUNCH_WAIT, /* n empty kernels, each waited for */
    KOSHU_COST_BLOCKS,      /* an empty kernel of n blocks, and a wait; threads:
                               a parallel region that deals out n pieces */
    KOSHU_COST_TO_DEVICE,   /* a copy of n bytes, and a wait */
    KOSHU_COST_FROM_DEVICE,
    KOSHU_COST_BETWEEN, /* several devices: each fetches n bytes from the next,
                           all at once, and a wait */
};

/* ---- j-particles with times of their own -------------------------------- */

/*
 * The memory of koshu/j_memory.h in a backend; arguments are checked. Each
 * backend puts its own behind the struct.
 */
struct koshu_backend_j_memory;

/* What is asked of a sum with jerk. */
struct koshu_jerk_task {
    double eps; /* >= 0 */
    bool nearest;
};

struct koshu_j_memory_ops {
    /* Slots are as koshu_j_memory_create() says. */
    koshu_status (*create)(struct koshu_backend *backend,
                           enum koshu_precision precision, size_t capacity,
                           struct koshu_backend_j_memory **memory);
    void (*destroy)(struct koshu_backend_j_memory *memory);

    bool (*can)(const struct koshu_backend_j_memory *memory,
                const struct koshu_jerk_task *task);

    /* More slots than now; the old ones are kept. */
    koshu_status (*reserve)(struct koshu_backend_j_memory *memory,
                            size_t capacity);
    /* Addresses are all different; NULL: 0 ... n - 1. Small sets are few:
     * particles that come one by one are collected before. */
    koshu_status (*set)(struct koshu_backend_j_memory *memory, size_t n,
                        const uint64_t *address,
                        const struct koshu_j_particle *particles);
    /* Sums over the first n_j >= 1 slots predicted to `time`, on n_i >= 1
     * i-particles: copies i, may return while they run. */
    koshu_status (*begin)(struct koshu_backend_j_memory *memory,
                          const struct koshu_jerk_task *task, double time,
                          size_t n_j, size_t n_i,
                          const struct koshu_i_particle *i);
    koshu_status (*end)(struct koshu_backend_j_memory *memory,
                        struct koshu_jerk_result *result);
    /* Of the last begin; see koshu_j_memory_neighbours(). */
    koshu_status (*neighbours)(struct koshu_backend_j_memory *memory,
                               size_t most, uint64_t *count, uint64_t *address);
};

/* ---- Hermite with block time steps --------------------------------------- */

/*
 * Particles in the middle of block time steps. Time is counted in ticks: all
 * but mass is that at tick[i]; the particle's next step ends at
 * tick[i] + step[i]. A step is a power of two and divides tick[i]; all
 * particles of one step stand at the same tick, the last that it divides.
 */
struct koshu_block_particles {
    size_t n;
    const double *mass;
    double *x, *y, *z, *vx, *vy, *vz, *ax, *ay, *az, *jx, *jy, *jz, *potential;
    uint64_t *tick, *step;
};

struct koshu_block_task {
    enum koshu_precision precision;
    double eps;
    double tick;         /* time of one tick */
    uint64_t longest;    /* step, in ticks */
    bool fixed;          /* all steps are the longest */
    double eta;          /* of Aarseth's criterion; where not fixed */
    unsigned iterations; /* n of P(EC)^n, >= 1 */
    size_t first; /* with several ranks: how many particles others have before
                     these; that is where ids begin */
};

struct koshu_block_progress {
    uint64_t tick;          /* of the last block step */
    uint64_t blocks, steps; /* block steps, and particle steps in them, made
                               by this call */
};

/* The whole integrator in the backend: predictor, sums, corrector, choice of
 * steps and scheduling of blocks. The formulas are kernels/hermite.h's. */
struct koshu_block_engine;

struct koshu_block_ops {
    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_block_task *task, size_t n);
    /* Copies the particles. */
    koshu_status (*create)(struct koshu_backend *backend,
                           const struct koshu_block_task *task,
                           const struct koshu_block_particles *particles,
                           struct koshu_block_engine **engine);
    void (*destroy)(struct koshu_block_engine *engine);
    /*
     * Block steps as long as the next one ends no later than `until`, at most
     * `most` of them; waits. Where `until` is a multiple of the longest step,
     * all particles stand there in the end. KOSHU_NOT_FINITE, without a
     * message: a position or velocity has become infinite or NaN;
     * KOSHU_BAD_INPUT, without a message: a step shorter than a tick is asked
     * for; whose it is, read() tells by a step of 0. After either no block
     * step can be made.
     */
    koshu_status (*run)(struct koshu_block_engine *engine, uint64_t until,
                        uint64_t most, struct koshu_block_progress *progress);
    /* Copies the particles back; mass is not written. */
    koshu_status (*read)(struct koshu_block_engine *engine,
                         const struct koshu_block_particles *particles);
};

/* ---- a tree in the backend ----------------------------------------------- */

/* The treecode of koshu/tree.h, from keys to accelerations, on the fields of a
 * store where the backend keeps them. */
struct koshu_tree_engine;

struct koshu_tree_ops {
    uint64_t most_n_crit; /* no group has more */
    uint64_t n_leaf;      /* where the caller does not say */
    enum koshu_curve curve;

    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_force_task *task);
    koshu_status (*create)(struct koshu_backend *backend,
                           struct koshu_tree_engine **engine);
    /* NULL is allowed. */
    void (*destroy)(struct koshu_tree_engine *engine);
    /*
     * 1 <= n_crit <= most_n_crit, n_leaf >= 1, a curve. The relative criterion
     * takes the store's accelerations; the geometric one, where all of them are
     * 0. Waits. KOSHU_NOT_FINITE names the particle; KOSHU_UNSUPPORTED: too
     * many; KOSHU_OUT_OF_MEMORY.
     */
    koshu_status (*forces)(struct koshu_tree_engine *engine,
                           const struct koshu_force_task *task,
                           const struct koshu_tree_options *options,
                           struct koshu_particles *particles, unsigned fields,
                           struct koshu_tree_report *report);
};

/* ---- interactions of the user's own ---------------------------------------
 */

enum koshu_reduction {
    KOSHU_REDUCE_SUM,
    KOSHU_REDUCE_MIN,
    KOSHU_REDUCE_MAX,
    KOSHU_REDUCE_INDEX /* of the j-particle, in MINLOC and MAXLOC */
};

/*
 * A description of koshu/interaction.h, checked as far as koshu itself does:
 * every output is used, in one way; indices are in range; brackets close.
 *
 * `body` is its statements for one pair, each on its line of the text, to be
 * the body of a function. They need, where they are compiled:
 *
 *     real                    is not named: `float` and `double` in them are
 *                             both the precision's type, by a #define
 *     INPUT_I[], INPUT_J[]    real, only read
 *     INDEX_I, INDEX_J        int
 *     each constant           by its name: real
 *     OUTPUT[]                real, begun as koshu_interaction_nothing(); a sum
 *                             is only added to (+=, -=)
 *     OUTPUT_INDEX[]          int, begun as -1
 *     MIN(OUTPUT[k], e), MAX(OUTPUT[k], e), MINLOC(OUTPUT[k],
 *     OUTPUT_INDEX[l], e), MAXLOC(...)    macros, used as statements
 *     bool, true, false, and the functions of <math.h>
 *
 * Literals and functions are those of the precision already: 0.5f, sqrtf() in
 * single, 0.5, sqrt() in double. 1 / sqrt(x) has become rsqrt(x), rsqrtf(x).
 *
 * `vector_body` is the same for vectors of lanes, each a pair; NULL where the
 * statements are of a kind that koshu does not translate (loops, integers,
 * arrays), and where `body` has an error. It needs:
 *
 *     koshu_v, koshu_m, koshu_n    vectors of real; masks, 0 or -1 a lane;
 *                                  integers, of the size of a real
 *     INPUT_I[], INPUT_J[], OUTPUT[], constants    koshu_v, else as above
 *     INDEX_I, INDEX_J             koshu_n
 *     koshu_set(x), koshu_n_set(k)                 in all lanes
 *     koshu_select(m, a, b), koshu_keep(m, a)      m ? a : b; m ? a : 0
 *     koshu_smaller(a, b), koshu_larger(a, b)      b where a is NaN
 *     koshu_real_of(n)                             koshu_n as koshu_v
 *     koshu_sqrt(x), ...           of <math.h>, as many as vectors are asked
 *                                  for, koshu_rsqrt(x), koshu_pow_n(x, k)
 */
struct koshu_interaction_source {
    const char *name;
    const char *body, *vector_body; /* without a newline at their end */
    size_t n_lines; /* of the text: no error is behind its last */
    size_t n_in_i, n_in_j, n_out;
    const enum koshu_reduction *reduction; /* n_out */
    const size_t *index_of; /* n_out: of a KOSHU_REDUCE_INDEX, the output whose
                               smallest or largest value it goes with */
    size_t n_constants;
    const struct koshu_interaction_constant *constants;
    enum koshu_precision precision; /* single, unless always_double; double */
};

/* What a reduction of no pairs is: 0, +infinity, -infinity, -1. */
double koshu_interaction_nothing(enum koshu_reduction reduction);

/* The name in #line directives before the body, by which a compiler's message
 * is known to be about the user's text. */
#define KOSHU_INTERACTION_FILE "description"

/* Compiled; each backend puts its own behind it. */
struct koshu_interaction_program;

struct koshu_interaction_ops {
    bool always_double; /* whatever precision is asked for */
    /* The statuses of koshu_interaction_create(). */
    koshu_status (*compile)(struct koshu_backend *backend,
                            const struct koshu_interaction_source *source,
                            struct koshu_interaction_program **program);
    void (*destroy)(struct koshu_interaction_program *program);
    /* n_i, n_j >= 1; rows as in koshu_interaction_evaluate(). */
    koshu_status (*evaluate)(struct koshu_interaction_program *program,
                             size_t n_i, const double *i, size_t n_j,
                             const double *j, double *out);
};

/* ---- shapes -------------------------------------------------------------- */

/* A kernel and its constants, one compiled instance: `threads` of a group and
 * `groups` of a block hold `per_thread` i-particles each; `flush`: after how
 * many j-particles (direct) or rounds (mutual) sums are added up in double;
 * `blocks`: on a multiprocessor at once. */
struct koshu_shape {
    const char *kernel;
    int threads, groups, per_thread, unroll, flush, blocks;
};

/* Sums that have shapes of their own. */
enum koshu_shape_set {
    KOSHU_SHAPES_FAST,
    KOSHU_SHAPES_SINGLE,
    KOSHU_SHAPES_MIXED,
    KOSHU_SHAPES_DOUBLE
};

enum {
    KOSHU_SHAPE_SETS = 4,
    /* class c: n nearest to 2^(10 + c); the first and last take the rest */
    KOSHU_SIZE_CLASSES = 11,
    KOSHU_SHAPE_NAME = 64
};

static inline unsigned
koshu_size_class(size_t n)
{
    unsigned c = 0;
    while (c + 1 < KOSHU_SIZE_CLASSES && n >= ((size_t)3 << (9 + c))) c++;
    return c;
}

/* 2^(10 + size_class) */
size_t koshu_size_of_class(unsigned size_class);

/* "fast", "single", "mixed", "double"; NULL past the last. */
const char *koshu_shape_set_name(unsigned set);
/* "direct t32x8 i4 u2 f32 b2" into text of KOSHU_SHAPE_NAME. */
void koshu_shape_name(const struct koshu_shape *shape, char *text);

/* Chooses the backend's shape of this name. false: it has none. */
bool koshu_tuning_choose(struct koshu_backend *backend,
                         enum koshu_shape_set set, unsigned size_class,
                         const char *name, int shared_memory);

/* $XDG_CACHE_HOME/koshu/tune.json, else that in ~/.cache. false: there is no
 * home, or its name is longer than size. */
bool koshu_tuning_path(char *path, size_t size);

/* Is this what that file holds: entries that name device, precision, n, shape
 * and shared memory? NULL is not. */
struct json_t;
bool koshu_tuning_is_valid(const struct json_t *root);

/*
 * Chooses what the file at koshu_tuning_path() says for the backend's model,
 * and of exchanges for so many devices of it;
 * shapes that are not in this build are passed over. Nothing is chosen where
 * KOSHU_TUNE=off; a file that is no such file is ignored with a warning, the
 * first time in a process.
 */
void koshu_tuning_apply(struct koshu_backend *backend);

struct koshu_backend_ops {
    const char *name;

    /* REQUIRED. Devices of this kind on this machine; 0: cannot be used. */
    int (*devices)(void);

    /* OPTIONAL. What the k-th of them is, in words. */
    void (*device_name)(int k, char *text, size_t size);

    /* REQUIRED. NULL is allowed in close. */
    koshu_status (*open)(struct koshu_context *context,
                         struct koshu_backend **backend);
    void (*close)(struct koshu_backend *backend);

    /* REQUIRED. Does force() do this task? */
    bool (*can)(const struct koshu_backend *backend,
                const struct koshu_force_task *task);

    /* REQUIRED. Sums of every set of the batch, on host arrays. */
    koshu_status (*force)(struct koshu_backend *backend,
                          const struct koshu_force_task *task,
                          const struct koshu_force_batch *batch);

    /* OPTIONAL. Sums of every walk of the batch. With walks_in_caller the
     * calling thread computes them alone, and many may call at once: each
     * hands over a list as soon as it has made it. Without, a call is worth
     * many walks. */
    koshu_status (*walks)(struct koshu_backend *backend,
                          const struct koshu_walk_task *task,
                          const struct koshu_walk_batch *batch);
    bool walks_in_caller;

    /* OPTIONAL. */
    const struct koshu_walk_memory_ops *walk_memory;

    /* OPTIONAL. All particles of a store on each other, where the backend
     * keeps the store's fields (fields: as in koshu_solver_forces). */
    koshu_status (*force_store)(struct koshu_backend *backend,
                                const struct koshu_force_task *task,
                                struct koshu_particles *particles,
                                unsigned fields);

    /* With force_store, where that returns before the sums are done: the
     * seconds that all so far take, from those that are done. Does not wait. */
    double (*seconds)(const struct koshu_backend *backend);

    /* OPTIONAL, where force_store returns before the sums are done: waits until
     * all that was asked for is done. */
    koshu_status (*wait)(struct koshu_backend *backend);

    /* OPTIONAL. What force_store, or force with one set, does for n particles.
     * KOSHU_OUT_OF_MEMORY. */
    koshu_status (*shape)(struct koshu_backend *backend,
                          const struct koshu_force_task *task, size_t n,
                          struct koshu_force_shape *shape);

    /* OPTIONAL. Spends it; whoever calls takes the time. host: n bytes, for a
     * copy. KOSHU_UNSUPPORTED, without a message: there is no such thing. */
    koshu_status (*cost)(struct koshu_backend *backend, enum koshu_cost what,
                         size_t n, void *host);

    /* OPTIONAL, both or none. Leapfrog on the store's fields there:
     * v += a dt, and x += v dt. KOSHU_NOT_FINITE, without a message, where a
     * result is infinite or NaN: the integrator names the particle. */
    koshu_status (*kick)(struct koshu_backend *backend,
                         struct koshu_particles *particles, double dt);
    koshu_status (*drift)(struct koshu_backend *backend,
                          struct koshu_particles *particles, double dt);

    /* OPTIONAL. */
    const struct koshu_j_memory_ops *j_memory;

    /* OPTIONAL: composed of force. */
    const struct koshu_share_ops *share;

    /* OPTIONAL: composed of j_memory. */
    const struct koshu_block_ops *block;

    /* OPTIONAL. */
    const struct koshu_interaction_ops *interaction;

    /* OPTIONAL: composed of lists that the host makes. */
    const struct koshu_tree_ops *tree;

    /* OPTIONAL, both or none. The k-th shape of a set, NULL past the last; and
     * the one that force_store() uses for sizes of a class from now on, with
     * so much of the cache for shared memory (percent; -1: as the driver
     * likes). k past the last: the backend's own choice. Another shape may
     * change the last bits of a sum. */
    const struct koshu_shape *(*shape_at)(enum koshu_shape_set set, size_t k);
    void (*choose)(struct koshu_backend *backend, enum koshu_shape_set set,
                   unsigned size_class, size_t k, int shared_memory);

    /* OPTIONAL, both or none, where several devices sum forces together. How
     * they exchange particles in force_store() of n; and how they do for sizes
     * of a class from now on, where the context does not say (AUTO: as the
     * backend likes). */
    enum koshu_exchange_scheme (*exchange)(const struct koshu_backend *backend,
                                           const struct koshu_force_task *task,
                                           size_t n);
    void (*choose_exchange)(struct koshu_backend *backend,
                            enum koshu_shape_set set, unsigned size_class,
                            enum koshu_exchange_scheme scheme);
};

extern const struct koshu_backend_ops koshu_backend_ref;
extern const struct koshu_backend_ops koshu_backend_simd;
extern const struct koshu_backend_ops koshu_backend_cuda; /* where built */

/* All backends of this build, the preferred first; NULL past the last. */
const struct koshu_backend_ops *koshu_backend_at(size_t k);

/*
 * The backend that the context names, opened at the first call and kept by
 * the context. "auto" takes the first with a device; one that is not there
 * falls back to simd and logs a warning, once. KOSHU_OUT_OF_MEMORY.
 */
koshu_status
koshu_backend_of(struct koshu_context *context, struct koshu_backend **backend);

/* KOSHU_UNSUPPORTED, naming backend and task, where it cannot do the task. */
koshu_status koshu_backend_require(const struct koshu_backend *backend,
                                   const struct koshu_force_task *task);

#endif
