/* SPDX-License-Identifier: MIT */
/*
 * A program that defines some C names itself, as wrappers of the Fortran names
 * (as ph4 does), and takes the others from the library. If the library's
 * Fortran names called its public C names, that would lead back here,
 * endlessly.
 */
#include <stdio.h>
#include <stdlib.h>

int g6_open(int cluster);
int g6_npipes(void);
int g6_set_ti(int cluster, double t);
int g6_open_(int *cluster);
int g6_npipes_(void);
int g6_set_ti_(int *cluster, double *t);
int g6_close_(int *cluster);
int g6_close(int cluster);
int g6_reset(int cluster);

static int depth, opened, timed;

static void
enter(void)
{
    if (depth++ == 0) return;
    puts("the library calls the program");
    exit(1);
}

int
g6_open(int cluster)
{
    enter();
    int status = g6_open_(&cluster);
    depth--;
    opened++;
    return status;
}

int
g6_npipes(void)
{
    enter();
    int n = g6_npipes_();
    depth--;
    return n;
}

int
g6_set_ti(int cluster, double t)
{
    enter();
    int status = g6_set_ti_(&cluster, &t);
    depth--;
    timed++;
    return status;
}

int
main(void)
{
    int cluster = 0;
    double t = 0.5;
    if (g6_open(0) != 0 || g6_npipes() != 48 || g6_set_ti(0, t) != 0) return 1;
    if (g6_open_(&cluster) != 0 || g6_set_ti_(&cluster, &t) != 0) return 1;
    if (g6_reset(0) != 0 || g6_close(0) != 0 || g6_close_(&cluster) != 0)
        return 1;
    if (opened != 1 || timed != 1) puts("the library calls the program");
    puts("all is well");
    return 0;
}
