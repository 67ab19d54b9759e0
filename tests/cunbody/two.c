/* SPDX-License-Identifier: MIT */
/*
 * A program with two source files whose pipelines have different dimensions:
 * numbers on a line here, fig12.c there. It alternates between them, and
 * between two pipelines here.
 */
#include <math.h>
#include <stdio.h>

#define IDIM 1
#define JDIM 2
#define FDIM 2
#include <cunbody_api.h>

void force(double xj[][3], double mj[], double xi[][3], double eps2,
           double a[][3], int ni, int nj);

static const char sums[] =
        "OUTPUT[0] += INPUT_J[1] * (INPUT_J[0] - INPUT_I[0]);\n"
        "OUTPUT[1] += INPUT_J[1];\n";
static const char extremes[] = "MIN(OUTPUT[0], INPUT_J[0] * INPUT_I[0]);\n"
                               "MAX(OUTPUT[1], INPUT_J[0] * INPUT_I[0]);\n";

static double on_line[3][2] = {{1, 10}, {2, 20}, {4, 40}};
static double places[2][1] = {{1}, {-1}};
static double x[2][3] = {{0, 0, 0}, {0, 2, 0}}, m[2] = {1, 4};
static double f[2][2], a[2][3];

static int
near(double got, double expected)
{
    return fabs(got - expected) < 1e-5 * fabs(expected);
}

static int
sums_are_right(void)
{
    cunbody_pipeline_text(sums);
    return cunbody_api(on_line, places, f, 2, 3) == 0 && near(f[0][0], 140) &&
           near(f[0][1], 70) && near(f[1][0], 280) && near(f[1][1], 70);
}

static int
extremes_are_right(void)
{
    cunbody_pipeline_text(extremes);
    return cunbody_api(on_line, places, f, 2, 3) == 0 && near(f[0][0], 1) &&
           near(f[0][1], 4) && near(f[1][0], -4) && near(f[1][1], -1);
}

/* As in Fig. 14, a body and itself without softening give 0/0. */
static int
forces_are_right(void)
{
    force(x, m, x, 1e-12, a, 2, 2);
    return near(a[0][1], 1) && near(a[1][1], -0.25);
}

int
main(void)
{
    int right = 1;
    for (int time = 0; time < 3; time++)
        right = right && sums_are_right() && forces_are_right() &&
                extremes_are_right();
    if (right) puts("all is well");
    return 0;
}
