/* SPDX-License-Identifier: MIT */
/*
 * force(): converts rows of three numbers to arrays, sums, and converts back.
 *
 * Where there are many i-particles and they are the j-particles, they become a
 * particle store, for which a GPU computes each pair once. Values are compared
 * rather than pointers, because programs keep copies (Hamada07 Fig. 10).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compat/cunbody/cunbody.h"

/* With fewer particles a GPU gains nothing from it. */
enum { STORE_FROM = 12288 };

/* The arguments of a call. */
struct request {
    double (*xj)[3], *mj, (*xi)[3], eps2, (*a)[3];
    size_t n_i, n_j;
};

/* ---- rows and arrays ----------------------------------------------------- */

static void
to_arrays(double (*row)[3], size_t n, double *const x[3])
{
    for (size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) x[d][k] = row[k][d];
}

static void
to_rows(const double *const x[3], size_t n, double (*row)[3])
{
    for (size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) row[k][d] = x[d][k];
}

/* Memory for n numbers; its former content is lost. */
static bool
reserve(struct koshu_cunbody_arrays *s, size_t n)
{
    if (n <= s->capacity) return true;
    free(s->memory);
    s->memory = reallocarray(NULL, n, sizeof *s->memory);
    s->capacity = s->memory ? n : 0;
    return s->memory != NULL;
}

/* ---- one set on another -------------------------------------------------- */

static int
sum_sets(struct koshu_cunbody_engine *e, const struct request *r)
{
    if (!reserve(&e->arrays, 6 * r->n_i + 3 * r->n_j))
        return koshu_cunbody_fail(e, "force: out of memory");
    double *i[3], *a[3], *j[3], *memory = e->arrays.memory;
    for (size_t d = 0; d < 3; d++) {
        i[d] = memory + d * r->n_i;
        a[d] = memory + (3 + d) * r->n_i;
        j[d] = memory + 6 * r->n_i + d * r->n_j;
    }
    to_arrays(r->xi, r->n_i, i);
    to_arrays(r->xj, r->n_j, j);
    struct koshu_force_options options = koshu_force_options_default();
    options.precision = e->settings.precision;
    options.softening = sqrt(r->eps2);
    koshu_status status = koshu_force_direct(
            e->context,
            &(struct koshu_i_particles){
                    .n = r->n_i, .x = i[0], .y = i[1], .z = i[2]},
            &(struct koshu_j_particles){.n = r->n_j,
                                        .x = j[0],
                                        .y = j[1],
                                        .z = j[2],
                                        .mass = r->mj},
            &options,
            &(struct koshu_force_result){.ax = a[0], .ay = a[1], .az = a[2]});
    if (koshu_cunbody_check(e, "force", status) != 0) return -1;
    to_rows((const double *const[]){a[0], a[1], a[2]}, r->n_i, r->a);
    return 0;
}

/* ---- a set on itself ----------------------------------------------------- */

static bool
is_one_set(const struct request *r)
{
    return r->n_i == r->n_j && r->n_i >= STORE_FROM &&
           (r->xi == r->xj ||
            memcmp(r->xi, r->xj, r->n_i * sizeof *r->xi) == 0);
}

static koshu_status
make_store(struct koshu_cunbody_engine *e, size_t n, double eps)
{
    struct koshu_cunbody_store *s = &e->store;
    if (s->solver && s->softening != eps) {
        koshu_solver_destroy(s->solver);
        s->solver = NULL;
    }
    if (s->particles && koshu_particles_count(s->particles) != n) {
        koshu_particles_destroy(s->particles);
        s->particles = NULL;
    }
    koshu_status status = KOSHU_OK;
    if (!s->solver) {
        struct koshu_solver_options options = koshu_solver_options_default();
        options.precision = e->settings.precision;
        options.softening = s->softening = eps;
        status = koshu_solver_create(e->context, &options, &s->solver);
    }
    if (status == KOSHU_OK && !s->particles)
        status = koshu_particles_create(e->context, n, &s->particles);
    return status;
}

static koshu_status
sum_store(const struct koshu_cunbody_store *s, const struct request *r)
{
    struct koshu_particle_view in = {.size = sizeof in};
    struct koshu_particle_const_view out = {.size = sizeof out};
    koshu_status status = koshu_particles_acquire_write(
            s->particles, KOSHU_FIELD_MASS | KOSHU_FIELD_POSITION,
            KOSHU_ACCESS_WRITE, &in);
    if (status != KOSHU_OK) return status;
    memcpy(in.mass, r->mj, r->n_j * sizeof *in.mass);
    to_arrays(r->xj, r->n_j, (double *const[]){in.x, in.y, in.z});
    koshu_particles_release_write(s->particles);
    status = koshu_solver_forces(s->solver, s->particles,
                                 KOSHU_FIELD_ACCELERATION);
    if (status != KOSHU_OK) return status;
    status = koshu_particles_acquire_read(s->particles,
                                          KOSHU_FIELD_ACCELERATION, &out);
    if (status != KOSHU_OK) return status;
    to_rows((const double *const[]){out.ax, out.ay, out.az}, r->n_i, r->a);
    koshu_particles_release_read(s->particles);
    return KOSHU_OK;
}

static int
sum_one_set(struct koshu_cunbody_engine *e, const struct request *r)
{
    koshu_status status = make_store(e, r->n_j, sqrt(r->eps2));
    if (status == KOSHU_OK) status = sum_store(&e->store, r);
    return koshu_cunbody_check(e, "force", status);
}

/* ---- the call ------------------------------------------------------------ */

static int
check_request(struct koshu_cunbody_engine *e, const struct request *r)
{
    if (!(r->eps2 >= 0 && isfinite(r->eps2)))
        return koshu_cunbody_fail(e,
                                  "force: eps2 = %g: it must be finite and "
                                  "not negative",
                                  r->eps2);
    if ((r->n_i > 0 && (!r->xi || !r->a)) || (r->n_j > 0 && (!r->xj || !r->mj)))
        return koshu_cunbody_fail(e, "force: %s is NULL",
                                  r->n_i > 0 && !r->xi  ? "xi"
                                  : r->n_i > 0 && !r->a ? "a"
                                  : !r->xj              ? "xj"
                                                        : "mj");
    return 0;
}

static int
sum(struct koshu_cunbody_engine *e, const struct request *r)
{
    if (check_request(e, r) != 0) return -1;
    if (r->n_i == 0) return 0;
    return is_one_set(r) ? sum_one_set(e, r) : sum_sets(e, r);
}

void
koshu_cunbody_force(double xj[][3], double mj[], double xi[][3], double eps2,
                    double a[][3], int ni, int nj)
{
    int failed = -1;
    struct koshu_cunbody_engine *e = koshu_cunbody_take();
    if (e) {
        const struct request r = {.xj = xj,
                                  .mj = mj,
                                  .xi = xi,
                                  .eps2 = eps2,
                                  .a = a,
                                  .n_i = (size_t)ni,
                                  .n_j = (size_t)nj};
        failed = koshu_cunbody_check_numbers(e, "force", ni, nj);
        if (!failed) failed = sum(e, &r);
    }
    /* so that no program takes these for forces */
    for (int k = 0; failed && a && k < ni; k++)
        for (int d = 0; d < 3; d++) a[k][d] = NAN;
    if (e) koshu_cunbody_give(e);
}

void
koshu_cunbody_force_close(struct koshu_cunbody_engine *e)
{
    koshu_solver_destroy(e->store.solver);
    koshu_particles_destroy(e->store.particles);
    free(e->arrays.memory);
    e->store = (struct koshu_cunbody_store){0};
    e->arrays = (struct koshu_cunbody_arrays){0};
}
