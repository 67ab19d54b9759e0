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
            koshu_j_memory_begin(c->memory, &options, s->n_j, s->n_i, s->i);
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
                       koshu_j_memory_set_time(c->memory, c->time)) != 0)
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
                          koshu_j_memory_end(c->memory, s->result));
}

/* No client takes these for forces. */
static void
spoil(int ni, double acc[][3], double jerk[][3], double pot[])
{
    for (int k = 0; k < ni; k++) {
        for (int d = 0; d < 3; d++) acc[k][d] = jerk[k][d] = NAN;
        pot[k] = NAN;
    }
}

static struct koshu_g6_cluster *
sum(int cluster, const struct request *r, bool nearest, double acc[][3],
    double jerk[][3], double pot[])
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c || finish(c, r, nearest) != 0) {
        spoil(r->ni, acc, jerk, pot);
        return NULL;
    }
    const struct koshu_jerk_result *result = c->sums.result;
    for (int k = 0; k < r->ni; k++) {
        for (int d = 0; d < 3; d++) {
            acc[k][d] = result[k].a[d];
            jerk[k][d] = result[k].jerk[d];
        }
        pot[k] = result[k].potential;
    }
    return c;
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

int
koshu_g6calc_lasthalf(int cluster, int nj, int ni, int index[], double xi[][3],
                      double vi[][3], double eps2, double h2[], double acc[][3],
                      double jerk[][3], double pot[])
{
    const struct request r = {
            "g6calc_lasthalf", nj, ni, index, xi, vi, eps2, h2};
    return sum(cluster, &r, false, acc, jerk, pot) ? 0 : -1;
}

int
koshu_g6calc_lasthalf2(int cluster, int nj, int ni, int index[], double xi[][3],
                       double vi[][3], double eps2, double h2[],
                       double acc[][3], double jerk[][3], double pot[],
                       int nnbindex[])
{
    const struct request r = {
            "g6calc_lasthalf2", nj, ni, index, xi, vi, eps2, h2};
    const struct koshu_g6_cluster *c = sum(cluster, &r, true, acc, jerk, pot);
    for (int k = 0; k < ni; k++) {
        uint64_t nearest = c ? c->sums.result[k].nearest : KOSHU_NO_ADDRESS;
        nnbindex[k] = nearest == KOSHU_NO_ADDRESS
                              ? -1
                              : (int)koshu_j_memory_id(c->memory, nearest);
    }
    return c ? 0 : -1;
}
