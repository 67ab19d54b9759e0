/* SPDX-License-Identifier: MIT */
/*
 * Sums: g6calc_firsthalf(), g6calc_lasthalf() and the like.
 *
 * g6calc_firsthalf() does not know whether nearest neighbours, which cost up to
 * a fifth of the time, will be requested. A cluster finds them until a
 * g6calc_lasthalf() shows that its client does not use them; and always after
 * the first g6calc_lasthalf2(), which then has to recompute the sums.
 */
#include <math.h>

#include "compat/g6/functions.h"
#include "compat/g6/g6.h"

/* The arguments of a g6calc_ call. */
struct request {
    const char *function;
    int nj, ni;
    const int *index;
    double (*xi)[3], (*vi)[3];
    double eps2;
    const double *h2;
};

static void
pack(struct koshu_g6_sums *s, const struct request *r)
{
    for (int k = 0; k < r->ni; k++) {
        s->id[k] = koshu_g6_id_of(r->index[k]);
        for (int d = 0; d < 3; d++) {
            s->x[d][k] = r->xi[k][d];
            s->v[d][k] = r->vi[k][d];
        }
        s->h2[k] = r->h2 ? r->h2[k] : 0;
    }
}

/* ---- sums ---------------------------------------------------------------- */

/* Starts the sums on n_i packed i-particles, from the j-particles in the
 * store. */
static int
start(struct koshu_g6_cluster *c, const char *function)
{
    struct koshu_g6_sums *s = &c->sums;
    struct koshu_j_store_start_options options =
            koshu_j_store_start_options_default();
    options.softening = sqrt(s->eps2);
    options.nearest = c->wants_nearest;
    const struct koshu_i_particles i = {.n = s->n_i,
                                        .x = s->x[0],
                                        .y = s->x[1],
                                        .z = s->x[2],
                                        .id = s->id,
                                        .vx = s->v[0],
                                        .vy = s->v[1],
                                        .vz = s->v[2],
                                        .h2 = s->h2};
    koshu_g6_forget(c);
    koshu_status status = koshu_j_store_start(c->store, &i, s->n_j, &options);
    if (koshu_g6_check(c, function, status) != 0) return -1;
    s->started = s->running = true;
    s->nearest = c->wants_nearest;
    return 0;
}

static koshu_status
wait_for(struct koshu_g6_cluster *c)
{
    struct koshu_g6_sums *s = &c->sums;
    const struct koshu_force_result result = {
            .ax = s->a[0],
            .ay = s->a[1],
            .az = s->a[2],
            .potential = s->potential,
            .jx = s->jerk[0],
            .jy = s->jerk[1],
            .jz = s->jerk[2],
            .nearest_r2 = s->nearest ? s->nearest_r2 : NULL,
            .nearest = s->nearest ? s->nearest_index : NULL};
    return koshu_j_store_wait(c->store, &result);
}

static int
check_request(const struct koshu_g6_cluster *c, const struct request *r)
{
    if (r->nj < 0 || r->ni < 0)
        return koshu_g6_fail("cluster %d: %s: %d j-particles on %d "
                             "i-particles: a number cannot be negative",
                             c->number, r->function, r->nj, r->ni);
    if (r->ni > 0 && (!r->index || !r->xi || !r->vi))
        return koshu_g6_fail("cluster %d: %s: an array of i-particles is NULL",
                             c->number, r->function);
    if (!(r->eps2 >= 0))
        return koshu_g6_fail("cluster %d: %s: eps2 = %g: it cannot be negative",
                             c->number, r->function, r->eps2);
    return 0;
}

/* Starts what a call requests, at the time and with the j-particles that the
 * client has set. */
static int
start_request(struct koshu_g6_cluster *c, const struct request *r)
{
    struct koshu_g6_sums *s = &c->sums;
    koshu_g6_forget(c);
    if (check_request(c, r) != 0) return -1;
    if (koshu_g6_send(c, (size_t)r->nj) != 0) return -1;
    if (koshu_g6_check(c, r->function,
                       koshu_j_store_set_time(c->store, c->time)) != 0)
        return -1;
    if (!koshu_g6_sums_reserve(s, (size_t)r->ni))
        return koshu_g6_no_memory(c, r->function);
    pack(s, r);
    s->n_j = (size_t)r->nj;
    s->n_i = (size_t)r->ni;
    s->eps2 = r->eps2;
    return start(c, r->function);
}

static bool
is_running(const struct koshu_g6_sums *s, const struct request *r)
{
    return s->running && r->nj >= 0 && r->ni >= 0 && s->n_j == (size_t)r->nj &&
           s->n_i == (size_t)r->ni && s->eps2 == r->eps2;
}

static int
finish(struct koshu_g6_cluster *c, const struct request *r, bool nearest)
{
    struct koshu_g6_sums *s = &c->sums;
    if (nearest) c->took_nearest = true;
    c->wants_nearest = c->took_nearest;
    if (!is_running(s, r)) {
        if (start_request(c, r) != 0) return -1;
    } else if (nearest && !s->nearest) {
        if (start(c, r->function) != 0) return -1;
    }
    s->running = false;
    return koshu_g6_check(c, r->function, wait_for(c));
}

/* Where results go; any may be NULL. */
struct results {
    double (*acc)[3], (*jerk)[3], *pot;
    int *nearest;
    float *distance; /* to the nearest neighbour */
};

int
koshu_g6_spoil(int n, double acc[][3], double jerk[][3], double pot[],
               int nearest[], float distance[])
{
    for (int k = 0; k < n; k++) {
        for (int d = 0; d < 3; d++) {
            if (acc) acc[k][d] = NAN;
            if (jerk) jerk[k][d] = NAN;
        }
        if (pot) pot[k] = NAN;
        if (nearest) nearest[k] = -1;
        if (distance) distance[k] = NAN;
    }
    return -1;
}

static void
write_nearest(const struct koshu_g6_cluster *c, const struct results *to, int k)
{
    const uint64_t at = c->sums.nearest_index[k];
    if (to->nearest)
        to->nearest[k] =
                at == KOSHU_NO_INDEX
                        ? -1
                        : koshu_g6_index_of(koshu_j_store_id(c->store, at));
    if (to->distance) to->distance[k] = (float)sqrt(c->sums.nearest_r2[k]);
}

/* Are all numbers finite? */
static bool
write_force(const struct koshu_g6_sums *from, const struct results *to, int k)
{
    double sum = from->potential[k];
    for (int d = 0; d < 3; d++) {
        sum += from->a[d][k] + from->jerk[d][k];
        if (to->acc) to->acc[k][d] = from->a[d][k];
        if (to->jerk) to->jerk[k][d] = from->jerk[d][k];
    }
    if (to->pot) to->pot[k] = from->potential[k];
    return isfinite(sum);
}

static int
sum(int cluster, const struct request *r, const struct results *to)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    const bool nearest = to->nearest || to->distance;
    if (!c || finish(c, r, nearest) != 0)
        return koshu_g6_spoil(r->ni, to->acc, to->jerk, to->pot, to->nearest,
                              to->distance);
    int bad = -1;
    for (int k = 0; k < r->ni; k++) {
        if (!write_force(&c->sums, to, k) && bad < 0) bad = k;
        if (nearest) write_nearest(c, to, k);
    }
    if (bad < 0) return 0;
    return koshu_g6_fail("cluster %d: %s: the force on i-particle %d (index %d "
                         "at %g %g %g) is not a finite number: a position, "
                         "velocity or mass is none, or they are beyond what "
                         "the precision can have (KOSHU_G6_PRECISION=double)",
                         c->number, r->function, bad, r->index[bad],
                         r->xi[bad][0], r->xi[bad][1], r->xi[bad][2]);
}

/* ---- the functions of the library ---------------------------------------- */

int
koshu_g6calc_firsthalf(int cluster, int nj, int ni, int index[], double xi[][3],
                       double vi[][3], double aold[][3], double jold[][3],
                       double phiold[], double eps2, double h2[])
{
    (void)aold, (void)jold, (void)phiold;
    const struct request r = {
            "g6calc_firsthalf", nj, ni, index, xi, vi, eps2, h2};
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    return c ? start_request(c, &r) : -1;
}

#define LASTHALF                                                              \
    int cluster, int nj, int ni, int index[], double xi[][3], double vi[][3], \
            double eps2, double h2[], double acc[][3], double jerk[][3],      \
            double pot[]
#define REQUEST(function) \
    (&(const struct request){function, nj, ni, index, xi, vi, eps2, h2})

int
koshu_g6calc_lasthalf(LASTHALF)
{
    return sum(cluster, REQUEST("g6calc_lasthalf"),
               &(struct results){acc, jerk, pot, NULL, NULL});
}

int
koshu_g6calc_lasthalf2(LASTHALF, int nnbindex[])
{
    return sum(cluster, REQUEST("g6calc_lasthalf2"),
               &(struct results){acc, jerk, pot, nnbindex, NULL});
}

int
koshu_g6calc_lasthalf2p(LASTHALF, int nnbindex[], float rnnb[])
{
    return sum(cluster, REQUEST("g6calc_lasthalf2p"),
               &(struct results){acc, jerk, pot, nnbindex, rnnb});
}
