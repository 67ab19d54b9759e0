/* SPDX-License-Identifier: MIT */
/* The reverse of own_open.c: a program that defines Fortran names itself, as
 * wrappers of the C names. */
#include <stdio.h>
#include <stdlib.h>

int g6_open_(int *cluster);
int g6_npipes_(void);
int g6_open(int cluster);
int g6_npipes(void);
int g6_close(int cluster);
int g6_reset_(int *cluster);
int g6_close_(int *cluster);

static int depth, opened;

int
g6_open_(int *cluster)
{
    if (depth++ > 0) {
        puts("the library calls the program");
        exit(1);
    }
    int status = g6_open(*cluster);
    depth--;
    opened++;
    return status;
}

int
g6_npipes_(void)
{
    return g6_npipes();
}

int
main(void)
{
    int cluster = 0;
    if (g6_open_(&cluster) != 0 || g6_npipes_() != 48) return 1;
    if (g6_open(0) != 0 || g6_reset_(&cluster) != 0) return 1;
    if (g6_close(0) != 0 || g6_close_(&cluster) != 0) return 1;
    if (opened != 1) puts("the library calls the program");
    puts("all is well");
    return 0;
}
