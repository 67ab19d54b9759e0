/* SPDX-License-Identifier: MIT */
/* A library whose Fortran names call its public C names, which own_open.c must
 * detect. */
int g6_open(int cluster);
int g6_open_(int *cluster);
int g6_npipes(void);
int g6_npipes_(void);
int g6_set_ti(int cluster, double t);
int g6_set_ti_(int *cluster, double *t);
int g6_close(int cluster);
int g6_close_(int *cluster);
int g6_reset(int cluster);

int
g6_open(int cluster)
{
    (void)cluster;
    return 0;
}

int
g6_open_(int *cluster)
{
    return g6_open(*cluster);
}

int
g6_npipes(void)
{
    return 48;
}

int
g6_npipes_(void)
{
    return g6_npipes();
}

int
g6_set_ti(int cluster, double t)
{
    (void)cluster, (void)t;
    return 0;
}

int
g6_set_ti_(int *cluster, double *t)
{
    return g6_set_ti(*cluster, *t);
}

int
g6_close(int cluster)
{
    (void)cluster;
    return 0;
}

int
g6_close_(int *cluster)
{
    return g6_close(*cluster);
}

int
g6_reset(int cluster)
{
    (void)cluster;
    return 0;
}
