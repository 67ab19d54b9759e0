/* SPDX-License-Identifier: MIT */
/* The solver, and what the methods of summation share. */
#ifndef KOSHU_SOLVE_SOLVE_H
#define KOSHU_SOLVE_SOLVE_H

#include <koshu/interaction.h>
#include <koshu/laplace.h>
#include <koshu/solver.h>

#include "kernels/opening.h"

struct koshu_backend;
struct koshu_force_task;
struct koshu_rank_exchange;

struct koshu_solver {
    struct koshu_context *context;
    struct koshu_solver_options options; /* `options` points to these two: */
    struct koshu_tree_options tree;
    struct koshu_laplace_options fmm_options;
    const struct koshu_solver_method *method;
    struct koshu_backend *backend;         /* the context's */
    struct koshu_rank_exchange *exchange;  /* NULL: one rank */
    struct koshu_device_exchange *devices; /* NULL: the ranks have none */
    struct koshu_treecode *treecode;       /* NULL: another method */
    struct koshu_fmm *fmm;                 /* the same */
    enum koshu_precision fmm_pairs;        /* precision of its direct sums */
    struct koshu_interaction_sums *sums;   /* for a user-defined interaction */
    double *all; /* particles of all ranks, for interactions */
    size_t capacity_all;
    /* Of the last forces and the sum over all; zero for direct sums. */
    struct koshu_tree_report tree_last, tree_total;
    uint64_t *self; /* 0 ... n_self - 1 */
    size_t n_self;
    uint64_t interactions;
    double exposed; /* exposed communication through the host, in seconds */
    double seconds; /* seconds in calls of the backend */
    double device_before; /* the backend's own count at creation */
};

/* ---- solver_methods.c ---------------------------------------------------- */

/* Indexed by enum koshu_method. */
struct koshu_solver_method {

    /* OPTIONAL. Creates what the method needs, once the backend is known. */
    koshu_status (*create)(struct koshu_solver *solver);

    /* As koshu_solver_forces(), with checked arguments; counts its interactions
     * and fills the last report. */
    koshu_status (*forces)(struct koshu_solver *solver,
                           const struct koshu_force_task *task,
                           struct koshu_particles *particles, unsigned fields);
};

/* NULL: there is no such method. */
const struct koshu_solver_method *koshu_solver_method_of(int method);

/* ---- any file ------------------------------------------------------------ */

/* KOSHU_ERROR_INVALID_ARGUMENT: eps is negative or not finite. */
koshu_status koshu_check_softening(struct koshu_context *context, double eps);

/* KOSHU_ERROR_INVALID_ARGUMENT: not a value of the enum. */
koshu_status koshu_check_precision(struct koshu_context *context,
                                   enum koshu_precision precision);

/* Whether the method uses cells: tree or FMM. */
static inline bool
koshu_method_has_cells(enum koshu_method method)
{
    return method == KOSHU_METHOD_TREE || method == KOSHU_METHOD_FMM;
}

/* The edge of its periodic box; 0: open space. */
double koshu_solver_box(const struct koshu_solver *solver);

/* Sets theta of an FMM for the following forces; it must be no less than that
 * at creation. */
void koshu_solver_set_opening(struct koshu_solver *solver,
                              const struct koshu_opening *opening);

/* Theta of the method's largest cells; for the tree, that of the geometric
 * criterion. */
double koshu_solver_theta(const struct koshu_solver *solver);

/* Whether the method is a tree that a device builds from particles in its own
 * memory. */
bool koshu_solver_tree_on_device(const struct koshu_solver *solver);

/* As koshu_solver_report(), without the check for NULL. */
struct koshu_solver_report koshu_solver_work(const struct koshu_solver *solver);

/* As koshu_solver_tree_errors(). Sets barnes_hut_length only if `list_length`
 * and the method is a tree: it requires a tree on the host. */
koshu_status koshu_solver_tree_errors_of(struct koshu_solver *solver,
                                         struct koshu_particles *particles,
                                         size_t sample, bool list_length,
                                         struct koshu_tree_errors *errors);

/* The Barnes-Hut list length alone, of a solver with the tree. Without a
 * periodic box, any thread may call it while the solver works, on particles of
 * another context. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_solver_barnes_hut_length(const struct koshu_solver *solver,
                                            struct koshu_particles *particles,
                                            size_t sample, double *length);

/* ---- tree_report.c ------------------------------------------------------- */

/* Adds the report of another evaluation to the total; what refers to the last
 * evaluation only is replaced. */
void koshu_tree_report_add(struct koshu_tree_report *total,
                           const struct koshu_tree_report *last);

/* What has been counted since `before`. */
struct koshu_tree_report
koshu_tree_report_since(const struct koshu_tree_report *total,
                        const struct koshu_tree_report *before);

/* The sum over all stages. */
double koshu_tree_report_seconds(const struct koshu_tree_report *report);

/* ---- laplace.c: vortices with cores -------------------------------------- */

struct koshu_fmm_core; /* backend/fmm.h */

/* Whether the backend sums vortices with cores in one pass. */
bool koshu_laplace_takes_cores(const struct koshu_laplace *laplace);

/*
 * koshu_laplace_biot_savart() of vortices with cores of a radius sigma > 0,
 *
 *     u(x) = 1 / (4 pi) sum_j g(|d| / sigma) alpha_j x d / |d|^3,
 *
 * with g from Hamada09 eq. 2, or one of higher order, if the backend supports
 * it. The core function applies to particles within reach * sigma of a target,
 * including images, and to the vortex itself, whose gradient is that of a
 * rotation. Error: of the expansions, and of cutting off the core beyond the
 * reach, see koshu_vortex_velocities(); that of the core function is in
 * kernels/vortex_core.h. Status: as koshu_laplace_biot_savart(), and
 * KOSHU_ERROR_BAD_INPUT: the reach is longer than the edge of the box.
 */
KOSHU_MUST_CHECK koshu_status koshu_laplace_cores(
        struct koshu_laplace *laplace, const struct koshu_fmm_core *core,
        const struct koshu_laplace_points *sources,
        const struct koshu_laplace_points *targets,
        const struct koshu_laplace_velocity *velocity);

/* ---- exchange.c: direct sums over the particles of all ranks ------------- */

/* capacity: largest number of j-particles in an array, 0: 2^24; the particles
 * of one rank are always kept. Time spent waiting for particles of other ranks
 * is added to *exposed, in seconds. KOSHU_ERROR_OUT_OF_MEMORY. */
koshu_status koshu_rank_exchange_create(struct koshu_backend *backend,
                                        size_t capacity, double *exposed,
                                        struct koshu_rank_exchange **exchange);
/* NULL is allowed. */
void koshu_rank_exchange_destroy(struct koshu_rank_exchange *exchange);

/*
 * koshu_solver_forces() in a context of several ranks. Collective. Results are
 * bitwise the same for the same number of ranks and the same capacity.
 */
koshu_status koshu_rank_exchange_forces(struct koshu_rank_exchange *exchange,
                                        const struct koshu_force_task *task,
                                        struct koshu_particles *particles,
                                        unsigned fields);

/* ---- interaction_sums.c -------------------------------------------------- */

/*
 * Accelerations, jerks and potentials by a user-defined interaction. It must
 * use these names:
 *
 *     inputs      x y z  vx vy vz  mass  eps2
 *     outputs     ax ay az; optional: jx jy jz, potential
 *
 * Other outputs are ignored.
 */
struct koshu_interaction_sums;

/* Particles as arrays. */
struct koshu_interaction_inputs {
    const double *x, *y, *z, *vx, *vy, *vz, *mass;
    double eps2;
};

/* NULL: not requested. Outputs that the interaction does not have become 0. */
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

/* Whether it has jerks; potentials, as outputs. */
bool koshu_interaction_sums_has_jerk(const struct koshu_interaction_sums *sums);
bool
koshu_interaction_sums_has_potential(const struct koshu_interaction_sums *sums);

/* Sums over n_j particles on the first n_i of them, so that INDEX_I and INDEX_J
 * of a particle are equal. Statuses as koshu_interaction_evaluate(). */
KOSHU_MUST_CHECK koshu_status koshu_interaction_sums_do(
        struct koshu_interaction_sums *sums, size_t n_i, size_t n_j,
        const struct koshu_interaction_inputs *inputs,
        const struct koshu_interaction_outputs *outputs);

#endif
