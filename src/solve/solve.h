/* SPDX-License-Identifier: MIT */
#ifndef KOSHU_SOLVE_SOLVE_H
#define KOSHU_SOLVE_SOLVE_H

#include <koshu/interaction.h>
#include <koshu/laplace.h>
#include <koshu/solver.h>

struct koshu_backend;
struct koshu_force_task;
struct koshu_rank_exchange;

struct koshu_solver {
    struct koshu_context *context;
    struct koshu_solver_options options; /* whose tree and fmm are: */
    struct koshu_tree_options tree;
    struct koshu_laplace_options fmm_options;
    const struct koshu_solver_method *method;
    struct koshu_backend *backend;         /* the context's */
    struct koshu_rank_exchange *exchange;  /* NULL: there is one rank */
    struct koshu_device_exchange *devices; /* NULL: ranks without */
    struct koshu_treecode *treecode;       /* of that method; else NULL */
    struct koshu_fmm *fmm;                 /* the same */
    enum koshu_precision fmm_pairs;        /* of its direct sums */
    struct koshu_interaction_sums *sums;   /* of that method */
    double *all; /* what interactions need of the particles of all ranks */
    size_t capacity_all;
    /* Of its last forces, and of all; zeros where sums are direct. */
    struct koshu_tree_report tree_last, tree_total;
    uint64_t *self; /* 0 ... n_self - 1 */
    size_t n_self;
    uint64_t interactions;
    double exposed;       /* seconds of communication over the host */
    double seconds;       /* in calls of the backend */
    double device_before; /* the backend's own count, at the beginning */
};

/* ---- solver_methods.c ---------------------------------------------------- */

/* By the numbers of enum koshu_method. */
struct koshu_solver_method {
    bool ranks; /* over several? */

    /* OPTIONAL. What it needs, once the backend is there. */
    koshu_status (*create)(struct koshu_solver *solver);

    /* koshu_solver_forces() of checked arguments: counts its interactions, and
     * fills the last report. */
    koshu_status (*forces)(struct koshu_solver *solver,
                           const struct koshu_force_task *task,
                           struct koshu_particles *particles, unsigned fields);
};

/* NULL: no such method. */
const struct koshu_solver_method *koshu_solver_method_of(int method);

/* ---- any file ------------------------------------------------------------ */

/* KOSHU_ERROR_INVALID_ARGUMENT where eps is negative or not finite. */
koshu_status koshu_check_softening(struct koshu_context *context, double eps);

/* KOSHU_ERROR_INVALID_ARGUMENT where it is none of the enum's. */
koshu_status koshu_check_precision(struct koshu_context *context,
                                   enum koshu_precision precision);

/* Is it by cells, the tree or the FMM? */
static inline bool
koshu_method_has_cells(enum koshu_method method)
{
    return method == KOSHU_METHOD_TREE || method == KOSHU_METHOD_FMM;
}

/* The edge of its periodic box; 0: free space. */
double koshu_solver_box(const struct koshu_solver *solver);

/* Of an FMM's forces from now on: no less than that it was made with. */
void koshu_solver_set_theta(struct koshu_solver *solver, double theta);

/* That of its cells: of the tree, the geometric criterion's. */
double koshu_solver_theta(const struct koshu_solver *solver);

/* Would the same forces, summed anew, be better? So they are where a tree's
 * criterion goes by accelerations, and the particles had none. */
bool koshu_solver_lacked_accelerations(const struct koshu_solver *solver);

/* Is there a tree, and do particles stay on a device that makes it? */
bool koshu_solver_tree_on_device(const struct koshu_solver *solver);

/* koshu_solver_report(), without a check of NULL. */
struct koshu_solver_report koshu_solver_work(const struct koshu_solver *solver);

/* koshu_solver_tree_errors(); unless `list_length`, or where the method is no
 * tree, the barnes_hut_length stays as it is: it takes a tree of the host. */
koshu_status koshu_solver_tree_errors_of(struct koshu_solver *solver,
                                         struct koshu_particles *particles,
                                         size_t sample, bool list_length,
                                         struct koshu_tree_errors *errors);

/* The Barnes-Hut list length alone, of a solver with the tree. Without a
 * periodic box any thread may call it, on particles of a context of its own,
 * while the solver works. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_solver_barnes_hut_length(const struct koshu_solver *solver,
                                            struct koshu_particles *particles,
                                            size_t sample, double *length);

/* ---- tree_report.c ------------------------------------------------------- */

/* The report of another evaluation into that of all; what is of the last alone
 * replaces what was. */
void koshu_tree_report_add(struct koshu_tree_report *total,
                           const struct koshu_tree_report *last);

/* What has been counted since `before`. */
struct koshu_tree_report
koshu_tree_report_since(const struct koshu_tree_report *total,
                        const struct koshu_tree_report *before);

/* Of all stages. */
double koshu_tree_report_seconds(const struct koshu_tree_report *report);

/* ---- laplace.c: vortices with cores -------------------------------------- */

struct koshu_fmm_core; /* backend/fmm.h */

/* Does the backend sum them in one pass? */
bool koshu_laplace_takes_cores(const struct koshu_laplace *laplace);

/*
 * koshu_laplace_biot_savart() of vortices with cores of a radius sigma > 0,
 *
 *     u(x) = 1 / (4 pi) sum_j g(|d| / sigma) alpha_j x d / |d|^3,
 *
 * g being Hamada09 eq. 2, or that of a higher order, where the backend takes
 * them. Particles within reach sigma of a target, all its images among them,
 * have their cores; so has a vortex itself, whose gradient is that of a
 * rotation. Error: of the expansions, and of the cut-off beyond the reach, see
 * koshu_vortex_velocities(); the core function's own is in
 * kernels/vortex_core.h. Status: as that, and KOSHU_ERROR_BAD_INPUT: the reach
 * is longer than the edge of the box.
 */
KOSHU_MUST_CHECK koshu_status koshu_laplace_cores(
        struct koshu_laplace *laplace, const struct koshu_fmm_core *core,
        const struct koshu_laplace_points *sources,
        const struct koshu_laplace_points *targets,
        const struct koshu_laplace_velocity *velocity);

/* ---- exchange.c: direct sums over the particles of all ranks ------------- */

/* capacity: j-particles of an array at most, 0: 2^24; no less than the
 * particles of a rank are kept. Seconds of waiting for particles of other ranks
 * are added to *exposed. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_rank_exchange_create(struct koshu_backend *backend,
                                        size_t capacity, double *exposed,
                                        struct koshu_rank_exchange **exchange);
/* NULL is allowed. */
void koshu_rank_exchange_destroy(struct koshu_rank_exchange *exchange);

/*
 * koshu_solver_forces() in a context of several ranks. Collective. The same
 * bits for the same number of ranks, and the same capacity.
 */
koshu_status koshu_rank_exchange_forces(struct koshu_rank_exchange *exchange,
                                        const struct koshu_force_task *task,
                                        struct koshu_particles *particles,
                                        unsigned fields);

/* ---- interaction_sums.c --------------------------------------------------
 */

/*
 * Accelerations, jerks and potentials by an interaction of the user's own, from
 * inputs and outputs that it has by these names:
 *
 *     inputs      x y z  vx vy vz  mass  eps2
 *     outputs     ax ay az, and where there are some: jx jy jz, potential
 *
 * What else it puts out is left where it is.
 */
struct koshu_interaction_sums;

/* Particles as arrays. */
struct koshu_interaction_inputs {
    const double *x, *y, *z, *vx, *vy, *vz, *mass;
    double eps2;
};

/* NULL: not wanted. What the interaction does not put out is 0. */
struct koshu_interaction_outputs {
    double *ax, *ay, *az, *jx, *jy, *jz, *potential;
};

/* KOSHU_ERROR_BAD_INPUT: an input has another name, or accelerations are not
 * among the outputs; KOSHU_ERROR_OUT_OF_MEMORY. */
KOSHU_MUST_CHECK koshu_status koshu_interaction_sums_create(
        struct koshu_context *context, struct koshu_interaction *interaction,
        struct koshu_interaction_sums **sums);
/* NULL is allowed. */
void koshu_interaction_sums_destroy(struct koshu_interaction_sums *sums);

/* Does it put out jerks, and potentials? */
bool koshu_interaction_sums_has_jerk(const struct koshu_interaction_sums *sums);
bool
koshu_interaction_sums_has_potential(const struct koshu_interaction_sums *sums);

/* The sums of n_j particles on the first n_i of them: so INDEX_I and INDEX_J
 * are equal for a particle and itself. As koshu_interaction_evaluate(). */
KOSHU_MUST_CHECK koshu_status koshu_interaction_sums_do(
        struct koshu_interaction_sums *sums, size_t n_i, size_t n_j,
        const struct koshu_interaction_inputs *inputs,
        const struct koshu_interaction_outputs *outputs);

#endif
