/* SPDX-License-Identifier: MIT */
/* The sums of koshu bench fmm, and their errors. */
#include "bench/cases/fmm_sums.h"

#include <math.h>

#include <koshu/ewald.h>

enum { SECOND = 9, MAX_COMPARED = 256 };

/* ---- what is there ------------------------------------------------------- */

/* A reproducible random number in [-1, 1) for a state, which it advances. */
static double
next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* The distance of neighbours if the particles were evenly distributed. */
static double
spacing_of(const struct koshu_particle_const_view *v)
{
    const double *const x[3] = {v->x, v->y, v->z};
    double square = 0;
    for (int d = 0; d < 3; d++)
        for (size_t i = 0; i < v->n; i++)
            square += pow(x[d][i] - x[d][0], 2) / (double)v->n;
    return sqrt(square) / cbrt((double)v->n);
}

static size_t
count_sets(const struct fmm_wanted *w)
{
    return w->vortices ? 3 : w->rhs;
}

/* The first set of charges is the masses. */
static void
fill_strengths(struct fmm_sums *s, const struct koshu_particle_const_view *v)
{
    const size_t sets = count_sets(&s->wanted), all = sets * v->n;
    const double length = 0.3 * spacing_of(v);
    uint64_t state = 1;
    for (size_t k = 0; k < all; k++) s->strengths[k] = v->mass[k % v->n];
    for (size_t k = s->wanted.vortices ? 0 : v->n; k < all; k++)
        s->strengths[k] *= next(&state);
    for (size_t k = all; s->wanted.dipoles && k < 4 * all; k++)
        s->strengths[k] = length * v->mass[k % v->n] * next(&state);
}

static void
set_points(struct fmm_sums *s, const struct koshu_particle_const_view *v)
{
    struct koshu_laplace_points *p = &s->points;
    *p = koshu_laplace_points_default();
    p->n = v->n;
    p->x = v->x;
    p->y = v->y;
    p->z = v->z;
    p->n_rhs = count_sets(&s->wanted);
    p->charge = s->strengths;
    if (!s->wanted.dipoles) return;
    p->dipole_x = s->strengths + p->n_rhs * p->n;
    p->dipole_y = p->dipole_x + p->n_rhs * p->n;
    p->dipole_z = p->dipole_y + p->n_rhs * p->n;
}

/* ---- what is requested --------------------------------------------------- */

/* How many arrays of n numbers the results have. */
static size_t
count_results(const struct fmm_wanted *w)
{
    return w->vortices ? 3 + SECOND : 4 + SECOND;
}

static void
set_velocity(struct fmm_sums *s, size_t n, double *to)
{
    struct koshu_laplace_velocity *v = &s->velocity;
    double **const all[] = {&v->x,           &v->y,           &v->z,
                            &v->gradient_xx, &v->gradient_xy, &v->gradient_xz,
                            &v->gradient_yx, &v->gradient_yy, &v->gradient_yz,
                            &v->gradient_zx, &v->gradient_zy, &v->gradient_zz};
    const size_t count = s->wanted.hessian ? 12 : 3;
    *v = koshu_laplace_velocity_default();
    for (size_t k = 0; k < count; k++) *all[k] = to + k * n;
}

static void
set_result(struct fmm_sums *s, size_t n, double *to)
{
    struct koshu_laplace_result *r = &s->result;
    double **const all[] = {&r->potential,  &r->gradient_x, &r->gradient_y,
                            &r->gradient_z, &r->hessian_xx, &r->hessian_xy,
                            &r->hessian_xz, &r->hessian_yy, &r->hessian_yz,
                            &r->hessian_zz};
    const size_t count = s->wanted.hessian ? 10 : 4;
    *r = koshu_laplace_result_default();
    for (size_t k = 0; k < count; k++) *all[k] = to + k * n;
}

static void
set_results(struct fmm_sums *s, size_t n)
{
    if (s->wanted.vortices)
        set_velocity(s, n, s->results);
    else
        set_result(s, s->wanted.rhs * n, s->results);
}

/* ---- life ---------------------------------------------------------------- */

static double *
allocate(size_t n)
{
    return koshu_alloc(n, sizeof(double));
}

koshu_status
fmm_sums_make(const struct bench *b, const struct fmm_wanted *wanted,
              const struct koshu_laplace_options *options,
              const struct koshu_particle_const_view *view,
              struct fmm_sums *sums)
{
    struct fmm_sums *s = sums;
    const size_t all = count_sets(wanted) * view->n;
    const size_t results = count_results(wanted) * wanted->rhs * view->n;
    *s = (struct fmm_sums){.wanted = *wanted};
    s->strengths = allocate(4 * all);
    s->results = allocate(results);
    if (!s->strengths || !s->results)
        return koshu_fail_memory(b->context, results * sizeof(double), "sums");
    fill_strengths(s, view);
    set_points(s, view);
    set_results(s, view->n);
    return koshu_laplace_create(b->context, options, &s->laplace);
}

void
fmm_sums_free(struct fmm_sums *sums)
{
    koshu_laplace_destroy(sums->laplace);
    koshu_free(sums->strengths);
    koshu_free(sums->results);
}

static koshu_status
sum_at(const struct fmm_sums *s, struct koshu_laplace *laplace,
       const struct koshu_laplace_points *targets)
{
    if (s->wanted.vortices)
        return koshu_laplace_biot_savart(laplace, &s->points, targets,
                                         &s->velocity);
    return koshu_laplace_sums(laplace, &s->points, targets, &s->result);
}

koshu_status
fmm_sums_once(void *sums)
{
    const struct fmm_sums *s = sums;
    return sum_at(s, s->laplace, NULL);
}

/* ---- errors -------------------------------------------------------------- */

/* Where the vectors, and the second derivatives, begin in the results. */
static const double *
first_of(const struct fmm_sums *s, size_t n)
{
    return s->results + (s->wanted.vortices ? 0 : s->points.n_rhs * n);
}

static const double *
second_of(const struct fmm_sums *s, size_t n)
{
    return s->results + (s->wanted.vortices ? 3 * n : 4 * s->points.n_rhs * n);
}

static struct bench_vectors
vectors_of(const struct fmm_sums *s, size_t n)
{
    const size_t step = (s->wanted.vortices ? 1 : s->points.n_rhs) * n;
    const double *x = first_of(s, n);
    return (struct bench_vectors){{x, x + step, x + 2 * step}, n, 1};
}

struct bench_vectors
fmm_sums_vectors(const struct fmm_sums *sums)
{
    return vectors_of(sums, sums->points.n);
}

/* The L2 error for the first right-hand side, as in bench_errors_between(). */
static double
second_error(const struct fmm_sums *reference, size_t n,
             const struct fmm_sums *all)
{
    const struct fmm_sums *s = reference;
    const size_t sets = s->wanted.vortices ? 1 : s->points.n_rhs;
    const size_t count = s->wanted.vortices ? 9 : 6, of = all->points.n;
    double off = 0, size = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t k = 0; k < n; k++) {
            const double is = second_of(s, n)[c * sets * n + k];
            const size_t at = (size_t)koshu_sample_particle(k, n, of);
            const double found = second_of(all, of)[c * sets * of + at];
            off += pow(found - is, 2);
            size += is * is;
        }
    return sqrt(off / size);
}

/* Direct sums: options for which no cell is far enough away. */
static koshu_status
make_reference(struct koshu_context *ref, struct koshu_laplace **laplace)
{
    struct koshu_laplace_options o = koshu_laplace_options_default();
    o.precision = KOSHU_PRECISION_DOUBLE;
    o.tolerance = 0;
    o.multipole_order = 1;
    o.theta = 1e-9;
    return koshu_laplace_create(ref, &o, laplace);
}

/* The reference in a box: Ewald sums. */
static koshu_status
sum_exactly(const struct bench *b, struct koshu_context *ref,
            const struct fmm_sums *s,
            const struct koshu_laplace_points *targets)
{
    struct koshu_ewald_options o = koshu_ewald_options_default();
    struct koshu_laplace *laplace;
    o.box = b->box;
    if (b->box > 0)
        return koshu_ewald_sums(ref, &s->points, targets, &o, &s->result);
    KOSHU_TRY(make_reference(ref, &laplace));
    const koshu_status status = sum_at(s, laplace, targets);
    koshu_laplace_destroy(laplace);
    return status;
}

/* Copies m of the points, evenly spread over all, to places (3 m numbers). */
static void
sample(const struct fmm_sums *s, size_t m, double *places,
       struct koshu_laplace_points *targets)
{
    const double *const x[3] = {s->points.x, s->points.y, s->points.z};
    *targets = koshu_laplace_points_default();
    targets->n = m;
    targets->x = places;
    targets->y = places + m;
    targets->z = places + 2 * m;
    for (size_t d = 0; d < 3; d++)
        for (size_t k = 0; k < m; k++)
            places[d * m + k] = x[d][koshu_sample_particle(k, m, s->points.n)];
}

static koshu_status
compare(struct bench *b, const struct fmm_sums *sums, size_t m, double *memory,
        struct bench_errors *errors, double *second)
{
    struct fmm_sums direct = *sums;
    struct koshu_laplace_points targets;
    struct koshu_context *ref;
    koshu_status status;
    KOSHU_TRY(bench_ref(b, &ref));
    sample(sums, m, memory, &targets);
    direct.results = memory + 3 * m;
    set_results(&direct, m);
    KOSHU_TRY_CLEANUP(sum_exactly(b, ref, &direct, &targets));
    const struct bench_vectors is = vectors_of(&direct, m),
                               found = fmm_sums_vectors(sums);
    if (sums->wanted.hessian) *second = second_error(&direct, m, sums);
    status = bench_errors_between(b, &is, &found, errors);
cleanup:
    return bench_status_of(b, ref, status);
}

koshu_status
fmm_sums_compare(struct bench *b, const struct fmm_sums *sums,
                 struct bench_errors *errors, double *second)
{
    const size_t n = sums->points.n;
    const size_t all = bench_compared_count(b, n),
                 m = all < MAX_COMPARED ? all : MAX_COMPARED;
    const size_t count = count_results(&sums->wanted) * sums->wanted.rhs;
    if (m == 0) return KOSHU_OK;
    double *memory = allocate((3 + count) * m);
    if (!memory)
        return koshu_fail_memory(b->context, m * sizeof *memory, "errors");
    const koshu_status status = compare(b, sums, m, memory, errors, second);
    koshu_free(memory);
    return status;
}

/* ---- errors anywhere ----------------------------------------------------- */

static void
compare_vectors(const struct bench_vectors *is,
                const struct bench_vectors *found, double *error)
{
    double size = 0;
    for (size_t k = 0; k < is->n; k++) {
        double off = 0;
        for (int d = 0; d < 3; d++) {
            off += pow(found->at[d][k] - is->at[d][k], 2);
            size += pow(is->at[d][k], 2) / (double)is->n;
        }
        error[k] = sqrt(off);
    }
    for (size_t k = 0; k < is->n; k++) error[k] /= sqrt(size);
}

koshu_status
fmm_sums_errors_at(struct bench *b, const struct fmm_sums *sums,
                   const struct koshu_laplace_points *targets, double *error)
{
    const size_t m = targets->n;
    const size_t count = count_results(&sums->wanted) * sums->wanted.rhs * m;
    struct fmm_sums found = *sums, exact = *sums;
    koshu_status status;
    found.results = allocate(count);
    exact.results = allocate(count);
    if (found.results && exact.results) {
        set_results(&found, m);
        set_results(&exact, m);
        status = sum_at(&found, found.laplace, targets);
        if (status == KOSHU_OK)
            status = sum_exactly(b, b->context, &exact, targets);
    } else {
        status = koshu_fail_memory(b->context, 2 * count * sizeof(double),
                                   "sums");
    }
    if (status == KOSHU_OK) {
        const struct bench_vectors is = vectors_of(&exact, m),
                                   there = vectors_of(&found, m);
        compare_vectors(&is, &there, error);
    }
    koshu_free(found.results);
    koshu_free(exact.results);
    return status;
}
