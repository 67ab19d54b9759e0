/* SPDX-License-Identifier: MIT */
/*
 * g6calc_firsthalf() does not know whether nearest neighbours will be asked
 * for, which cost up to a fifth of the time. A cluster looks for them until a
 * g6calc_lasthalf() shows that its client does without; and for ever after the
 * first g6calc_lasthalf2(), which then has to sum once more.
 */
#include <math.h>
#include <stdlib.h>

#include "compat/g6/functions.h"
#include "compat/g6/g6.h"

/* What a g6calc_ call asks for. */
struct request {
    const char *function;
    int nj, ni;
    const int *index;
    double (*xi)[3], (*vi)[3];
    double eps2;
    const double *h2;
};

static bool
make_room(struct koshu_g6_sums *s, size_t n)
{
    if (n <= s->room) return true;
    struct koshu_i_particle *i = reallocarray(s->i, n, sizeof *i);
    if (!i) return false;
    s->i = i;
    struct koshu_jerk_result *result =
            reallocarray(s->result, n, sizeof *result);
    if (!result) return false;
    s->result = result;
    s->room = n;
    return true;
}

static void
pack(struct koshu_i_particle *i, const struct request *r)
{
    for (int k = 0; k < r->ni; k++) {
        i[k].id = r->index[k];
        for (int d = 0; d < 3; d++) {
            i[k].x[d] = r->xi[k][d];
            i[k].v[d] = r->vi[k][d];
        }
        i[k].h2 = r->h2 ? r->h2[k] : 0;
    }
}

/* Begins the sums on n_i i-particles, which are packed, and the j-particles
 * that are in the memory. */
static int
begin(struct koshu_g6_cluster *c, const char *function)
{
    struct koshu_g6_sums *s = &c->sums;
    const struct koshu_jerk_options options = {.softening = sqrt(s->eps2),
                                               .nearest = c->wants_nearest};
    koshu_g6_forget(c);
    koshu_status status =
            koshu_j_store_start(c->memory, &options, s->n_j, s->n_i, s->i);
    if (koshu_g6_check(c, function, status) != 0) return -1;
    s->begun = s->running = true;
    s->nearest = c->wants_nearest;
    return 0;
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

/* Begins what a call asks for, at the time and on the j-particles that the
 * client has set. */
static int
begin_request(struct koshu_g6_cluster *c, const struct request *r)
{
    struct koshu_g6_sums *s = &c->sums;
    koshu_g6_forget(c);
    if (check_request(c, r) != 0) return -1;
    if (koshu_g6_send(c, (size_t)r->nj) != 0) return -1;
    if (koshu_g6_check(c, r->function,
                       koshu_j_store_set_time(c->memory, c->time)) != 0)
        return -1;
    if (!make_room(s, (size_t)r->ni)) return koshu_g6_no_memory(c, r->function);
    pack(s->i, r);
    s->n_j = (size_t)r->nj;
    s->n_i = (size_t)r->ni;
    s->eps2 = r->eps2;
    return begin(c, r->function);
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
        if (begin_request(c, r) != 0) return -1;
    } else if (nearest && !s->nearest) {
        if (begin(c, r->function) != 0) return -1;
    }
    s->running = false;
    return koshu_g6_check(c, r->function,
                          koshu_j_store_wait(c->memory, s->result));
}

/* Where results go; any may be NULL. */
struct results {
    double (*acc)[3], (*jerk)[3], *pot;
    int *nearest;
    float *distance; /* of the nearest */
};

static void
write(const struct results *to, int k, const struct koshu_jerk_result *from,
      int nearest)
{
    for (int d = 0; d < 3; d++) {
        if (to->acc) to->acc[k][d] = from->a[d];
        if (to->jerk) to->jerk[k][d] = from->jerk[d];
    }
    if (to->pot) to->pot[k] = from->potential;
    if (to->nearest) to->nearest[k] = nearest;
    if (to->distance) to->distance[k] = (float)sqrt(from->nearest_r2);
}

/* No client takes these for forces. */
static int
spoil(const struct request *r, const struct results *to)
{
    const struct koshu_jerk_result nothing = {
            {NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, NAN, KOSHU_NO_INDEX};
    for (int k = 0; k < r->ni; k++) write(to, k, &nothing, -1);
    return -1;
}

static bool
is_finite(const struct koshu_jerk_result *r)
{
    double sum = r->potential;
    for (int d = 0; d < 3; d++) sum += r->a[d] + r->jerk[d];
    return isfinite(sum);
}

static int
sum(int cluster, const struct request *r, const struct results *to)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    const bool nearest = to->nearest || to->distance;
    if (!c || finish(c, r, nearest) != 0) return spoil(r, to);
    int bad = -1;
    for (int k = 0; k < r->ni; k++) {
        const struct koshu_jerk_result *from = &c->sums.result[k];
        const bool found = nearest && from->nearest != KOSHU_NO_INDEX;
        write(to, k, from,
              found ? (int)koshu_j_store_id(c->memory, from->nearest) : -1);
        if (bad < 0 && !is_finite(from)) bad = k;
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
    return c ? begin_request(c, &r) : -1;
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

/* Neighbour lists are found when they are read. */
int
koshu_g6calc_lasthalfn(LASTHALF)
{
    return sum(cluster, REQUEST("g6calc_lasthalfn"),
               &(struct results){acc, jerk, pot, NULL, NULL});
}

int
koshu_g6calc_lasthalf2n(LASTHALF, int nnbindex[])
{
    return sum(cluster, REQUEST("g6calc_lasthalf2n"),
               &(struct results){acc, jerk, pot, nnbindex, NULL});
}

int
koshu_g6calc_lasthalf2np(LASTHALF, int nnbindex[], float rnnb[])
{
    return sum(cluster, REQUEST("g6calc_lasthalf2np"),
               &(struct results){acc, jerk, pot, nnbindex, rnnb});
}
