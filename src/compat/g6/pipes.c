/* SPDX-License-Identifier: MIT */
/*
 * The steps of a g6calc_ call on the boards: i-particles are set one by one,
 * then their forces read.
 */
#include <string.h>

#include "compat/g6/functions.h"
#include "compat/g6/g6.h"

/* A client that asks for more i-particles is in error. */
enum { MAX_I = 1 << 24 };

static int
check_number(const struct koshu_g6_cluster *c, const char *function, int n)
{
    if (n >= 0 && n <= MAX_I) return 0;
    return koshu_g6_fail("cluster %d: %s: %d: expected 0 to %d", c->number,
                         function, n, (int)MAX_I);
}

int
koshu_g6_set_nip(int cluster, int nip)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c || check_number(c, "g6_set_nip", nip) != 0) return -1;
    if (!koshu_g6_pipes_reserve(&c->pipes, nip))
        return koshu_g6_no_memory(c, "g6_set_nip");
    c->pipes.n_i = nip;
    return 0;
}

int
koshu_g6_set_njp(int cluster, int njp)
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c) return -1;
    if (njp < 0)
        return koshu_g6_fail("cluster %d: g6_set_njp: %d j-particles",
                             c->number, njp);
    c->pipes.n_j = njp;
    return 0;
}

int
koshu_g6_set_i_particle_scales_from_real_value(int cluster, int address,
                                               double acc[3], double jerk[3],
                                               double phi, double jfactor,
                                               double ffactor)
{
    (void)address, (void)acc, (void)jerk, (void)phi, (void)jfactor;
    (void)ffactor;
    return koshu_g6_open(cluster);
}

int
koshu_g6_set_i_particle(int cluster, int address, int index, double x[3],
                        double v[3], double eps2, double h2)
{
    static const char function[] = "g6_set_i_particle";
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c || check_number(c, function, address) != 0) return -1;
    struct koshu_g6_pipes *p = &c->pipes;
    if (!x)
        return koshu_g6_fail("cluster %d: %s: the position is NULL", c->number,
                             function);
    if (!koshu_g6_pipes_reserve(p, address + 1))
        return koshu_g6_no_memory(c, function);
    p->index[address] = index;
    memcpy(p->x[address], x, sizeof p->x[address]);
    memset(p->v[address], 0, sizeof p->v[address]);
    if (v) memcpy(p->v[address], v, sizeof p->v[address]);
    p->eps2[address] = eps2;
    p->h2[address] = h2;
    return 0;
}

/* Checks that all i-particles have the same softening, as a sum has only
 * one. */
static int
check_softening(const struct koshu_g6_cluster *c)
{
    const struct koshu_g6_pipes *p = &c->pipes;
    for (int k = 1; k < p->n_i; k++)
        if (p->eps2[k] != p->eps2[0])
            return koshu_g6_fail("cluster %d: g6_get_force: i-particles 0 and "
                                 "%d have eps2 = %g and %g: one for all is "
                                 "possible",
                                 c->number, k, p->eps2[0], p->eps2[k]);
    return 0;
}

int
koshu_g6_get_force_etc(int cluster, double acc[][3], double jerk[][3],
                       double phi[], int nnbindex[], int flag[])
{
    struct koshu_g6_cluster *c = koshu_g6_cluster(cluster);
    if (!c) return -1;
    const struct koshu_g6_pipes *p = &c->pipes;
    if (check_softening(c) != 0)
        return koshu_g6_spoil(p->n_i, acc, jerk, phi, nnbindex, NULL);
    for (int k = 0; flag && k < p->n_i; k++) flag[k] = 0;
    const double eps2 = p->n_i > 0 ? p->eps2[0] : 0;
    return koshu_g6calc_lasthalf2(cluster, p->n_j, p->n_i, p->index, p->x, p->v,
                                  eps2, p->h2, acc, jerk, phi, nnbindex);
}

int
koshu_g6_get_force(int cluster, double acc[][3], double jerk[][3], double phi[],
                   int flag[])
{
    return koshu_g6_get_force_etc(cluster, acc, jerk, phi, NULL, flag);
}
