/* SPDX-License-Identifier: MIT */
/*
 * A star cluster code that needs a single function, the force() of CUNBODY-1
 * (Hamada & Iitaka 2007, Fig. 9), with a leapfrog; prints how well energy is
 * conserved.
 *
 *     cc leapfrog_cunbody.c $(pkg-config --cflags --libs koshu-cunbody) -lm
 *     ./a.out [N [END]]
 *
 * N stars of a Plummer model; Hénon units, G = 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu-cunbody/force.h>

static const double pi = 3.14159265358979323846;
static const double eps2 = 1.0 / (64 * 64); /* softening, squared */
static const double dt = 1.0 / 256;

struct cluster {
    int n;
    double (*x)[3], (*v)[3], (*a)[3], *mass;
};

/* ---- initial conditions -------------------------------------------------- */

/* Uniform in [0, 1). L'Ecuyer 1988. */
static double
uniform(void)
{
    static long long state = 1;
    state = 40014 * state % 2147483563;
    return (double)(state - 1) / 2147483562;
}

static void
on_sphere(double radius, double x[3])
{
    double z = 2 * uniform() - 1, phi = 2 * pi * uniform();
    x[0] = radius * sqrt(1 - z * z) * cos(phi);
    x[1] = radius * sqrt(1 - z * z) * sin(phi);
    x[2] = radius * z;
}

/* Aarseth, Hénon & Wielen 1974. */
static void
make_plummer(struct cluster *c)
{
    const double length = 3 * pi / 16; /* of the model in Hénon units */
    for (int k = 0; k < c->n; k++) {
        double r, q;
        do r = 1 / sqrt(pow(1 - uniform(), -2.0 / 3) - 1);
        while (r > 10);
        do q = uniform();
        while (0.1 * uniform() > q * q * pow(1 - q * q, 3.5));
        c->mass[k] = 1.0 / c->n;
        on_sphere(length * r, c->x[k]);
        on_sphere(q * sqrt(2 / length) * pow(1 + r * r, -0.25), c->v[k]);
    }
}

static int
allocate_all(struct cluster *c)
{
    size_t n = (size_t)c->n;
    c->x = calloc(n, sizeof *c->x);
    c->v = calloc(n, sizeof *c->v);
    c->a = calloc(n, sizeof *c->a);
    c->mass = calloc(n, sizeof *c->mass);
    return c->x && c->v && c->a && c->mass;
}

static void
free_all(struct cluster *c)
{
    free(c->x);
    free(c->v);
    free(c->a);
    free(c->mass);
}

/* ---- leapfrog ------------------------------------------------------------ */

static void
kick(struct cluster *c, double step)
{
    for (int k = 0; k < c->n; k++)
        for (int d = 0; d < 3; d++) c->v[k][d] += step * c->a[k][d];
}

static void
drift(struct cluster *c, double step)
{
    for (int k = 0; k < c->n; k++)
        for (int d = 0; d < 3; d++) c->x[k][d] += step * c->v[k][d];
}

/* The stars are both the j-particles and the i-particles. */
static void
forces(struct cluster *c)
{
    force(c->x, c->mass, c->x, eps2, c->a, c->n, c->n);
}

static void
leap(struct cluster *c)
{
    kick(c, dt / 2);
    drift(c, dt);
    forces(c);
    kick(c, dt / 2);
}

/* ---- output -------------------------------------------------------------- */

static double
distance2(const double a[3], const double b[3])
{
    double r2 = 0;
    for (int d = 0; d < 3; d++) r2 += (a[d] - b[d]) * (a[d] - b[d]);
    return r2;
}

/* Counts each pair once. */
static double
energy(const struct cluster *c)
{
    static const double rest[3];
    double sum = 0;
    for (int i = 0; i < c->n; i++) {
        sum += c->mass[i] * distance2(c->v[i], rest) / 2;
        for (int j = 0; j < i; j++)
            sum -= c->mass[i] * c->mass[j] /
                   sqrt(distance2(c->x[i], c->x[j]) + eps2);
    }
    return sum;
}

static void
run(struct cluster *c, int lines)
{
    double e0 = energy(c);
    printf("# %d stars\n#  time         energy       dE/E\n", c->n);
    printf("%7.4f  %13.10f  %9.2e\n", 0.0, e0, 0.0);
    for (int line = 1; line <= lines; line++) {
        for (int step = 0; step < 32; step++) leap(c);
        double e = energy(c);
        printf("%7.4f  %13.10f  %9.2e\n", line * 32 * dt, e, e / e0 - 1);
    }
}

int
main(int argc, char **argv)
{
    struct cluster c = {.n = argc > 1 ? atoi(argv[1]) : 1024};
    double end = argc > 2 ? atof(argv[2]) : 1;
    if (c.n < 1 || end < 0) {
        fputs("leapfrog_cunbody: how many stars, 1 or more, and the time of "
              "the end\n",
              stderr);
        return 2;
    }
    int failed = !allocate_all(&c);
    if (failed) {
        fputs("leapfrog_cunbody: out of memory\n", stderr);
    } else {
        make_plummer(&c);
        forces(&c);
        failed = isnan(c.a[0][0]); /* the library has printed why */
        if (!failed) run(&c, (int)(end / (32 * dt)));
    }
    free_all(&c);
    return failed;
}
