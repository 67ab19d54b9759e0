/* SPDX-License-Identifier: MIT */
/*
 * A complete star cluster code that uses the calls of the GRAPE-6 library: the
 * fourth-order Hermite scheme with block time steps (Makino & Aarseth 1992).
 * Prints how well energy is conserved.
 *
 *     cc hermite_grape.c $(pkg-config --cflags --libs koshu-g6) -lm -o hermite
 *     ./hermite [N | FILE.csv] [END] [ETA]
 *
 * N stars of a Plummer model, or the particles of a file written by
 * `koshu init ... -o FILE.csv`; Hénon units, G = 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <koshu-g6/g6.h>

enum { CLUSTER = 0 }; /* formerly a group of GRAPE boards */

static const double eps2 = 1.0 / (256.0 * 256.0); /* softening, squared */
static const double longest_step = 1.0 / 16;      /* a power of two */

struct star {
    double mass, t, dt; /* each star's own time, and its step from there */
    double x[3], v[3], a[3], jerk[3];
    double a1[3], jerk1[3], pot; /* the latest force */
};

/* Arrays of i-particles for the library, one entry per pipeline. */
struct pipes {
    int n;
    int *index;
    double (*x)[3], (*v)[3], (*a)[3], (*jerk)[3], *pot, *h2;
};

struct system {
    int n;
    struct star *star;
    int *block; /* the stars whose steps end next */
    struct pipes pipes;
    double eta;
    long blocks, steps;
};

static void *
allocate(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (!memory) {
        fputs("hermite_grape: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return memory;
}

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
    double z = 2 * uniform() - 1, phi = 2 * acos(-1.0) * uniform();
    x[0] = radius * sqrt(1 - z * z) * cos(phi);
    x[1] = radius * sqrt(1 - z * z) * sin(phi);
    x[2] = radius * z;
}

/* Aarseth, Hénon & Wielen 1974. */
static void
make_plummer(struct system *s)
{
    const double length = 3 * acos(-1.0) / 16; /* of the model in Hénon units */
    for (int k = 0; k < s->n; k++) {
        struct star *p = &s->star[k];
        double r, q;
        do r = 1 / sqrt(pow(1 - uniform(), -2.0 / 3) - 1);
        while (r > 10);
        do q = uniform();
        while (0.1 * uniform() > q * q * pow(1 - q * q, 3.5));
        p->mass = 1.0 / s->n;
        on_sphere(length * r, p->x);
        on_sphere(q * sqrt(2 / length) * pow(1 + r * r, -0.25), p->v);
    }
}

static void
read_csv(struct system *s, const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    int capacity = 0;
    if (!file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    s->n = 0;
    while (fgets(line, sizeof line, file)) {
        struct star p = {0};
        if (sscanf(line, "%*d,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &p.mass, &p.x[0],
                   &p.x[1], &p.x[2], &p.v[0], &p.v[1], &p.v[2]) != 7)
            continue; /* a comment, or the column names */
        if (s->n == capacity) {
            capacity = 2 * capacity + 64;
            s->star = realloc(s->star, (size_t)capacity * sizeof *s->star);
            if (!s->star) exit(EXIT_FAILURE);
        }
        s->star[s->n++] = p;
    }
    fclose(file);
    if (s->n == 0) {
        fprintf(stderr, "hermite_grape: %s: no particles\n", path);
        exit(EXIT_FAILURE);
    }
}

/* ---- forces from the library -------------------------------------------- */

static void
open_pipes(struct pipes *p)
{
    size_t n = (size_t)(p->n = g6_npipes());
    p->index = allocate(n, sizeof *p->index);
    p->x = allocate(n, sizeof *p->x);
    p->v = allocate(n, sizeof *p->v);
    p->a = allocate(n, sizeof *p->a);
    p->jerk = allocate(n, sizeof *p->jerk);
    p->pot = allocate(n, sizeof *p->pot);
    p->h2 = allocate(n, sizeof *p->h2);
}

static void
close_pipes(struct pipes *p)
{
    free(p->index);
    free(p->x);
    free(p->v);
    free(p->a);
    free(p->jerk);
    free(p->pot);
    free(p->h2);
}

static void
send(struct system *s, int k)
{
    struct star *p = &s->star[k];
    double snap_18[3] = {0}, jerk_6[3], a_2[3];
    for (int d = 0; d < 3; d++) {
        jerk_6[d] = p->jerk[d] / 6;
        a_2[d] = p->a[d] / 2;
    }
    g6_set_j_particle(CLUSTER, k, k, p->t, p->dt, p->mass, snap_18, jerk_6, a_2,
                      p->v, p->x);
}

static void
predict(const struct star *p, double t, double x[3], double v[3])
{
    double dt = t - p->t;
    for (int d = 0; d < 3; d++) {
        x[d] = p->x[d] +
               dt * (p->v[d] + dt / 2 * (p->a[d] + dt / 3 * p->jerk[d]));
        v[d] = p->v[d] + dt * (p->a[d] + dt / 2 * p->jerk[d]);
    }
}

static void
take(struct star *p, const double a[3], const double jerk[3], double pot)
{
    for (int d = 0; d < 3; d++) {
        p->a1[d] = a[d];
        p->jerk1[d] = jerk[d];
    }
    p->pot = pot;
}

/* Computes the forces at time t on n of the stars: a1, jerk1 and pot. */
static void
forces(struct system *s, const int *stars, int n, double t)
{
    struct pipes *p = &s->pipes;
    g6_set_ti(CLUSTER, t);
    for (int first = 0; first < n; first += p->n, stars += p->n) {
        int ni = n - first < p->n ? n - first : p->n;
        for (int i = 0; i < ni; i++) {
            p->index[i] = stars[i];
            predict(&s->star[stars[i]], t, p->x[i], p->v[i]);
        }
        g6calc_firsthalf(CLUSTER, s->n, ni, p->index, p->x, p->v, p->a, p->jerk,
                         p->pot, eps2, p->h2);
        if (g6calc_lasthalf(CLUSTER, s->n, ni, p->index, p->x, p->v, eps2,
                            p->h2, p->a, p->jerk, p->pot) != 0)
            exit(EXIT_FAILURE); /* the library has printed why */
        for (int i = 0; i < ni; i++)
            take(&s->star[stars[i]], p->a[i], p->jerk[i], p->pot[i]);
    }
}

/* ---- the scheme ---------------------------------------------------------- */

static double
length(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* The longest block step that is at most `wish`, at most twice the last one,
 * and divides the present time. */
static double
block_step(double wish, double t, double last)
{
    double dt = last;
    while (dt > wish) dt /= 2;
    if (dt == last && 2 * dt <= longest_step && 2 * dt <= wish &&
        fmod(t, 2 * dt) == 0)
        dt *= 2;
    return dt;
}

/* Aarseth's criterion, from the derivatives at the end of the step. */
static double
aarseth(double eta, const double a[3], const double jerk[3],
        const double snap[3], const double crackle[3])
{
    double j = length(jerk), s = length(snap);
    return sqrt(eta * (length(a) * s + j * j) / (j * length(crackle) + s * s));
}

/* Corrects a star at time t with the force there, and chooses its next step. */
static void
correct(struct star *p, double t, double eta)
{
    double dt = t - p->t, snap[3], crackle[3];
    for (int d = 0; d < 3; d++) {
        double da = p->a1[d] - p->a[d], *j = p->jerk, *j1 = p->jerk1;
        double v = p->v[d] + dt / 2 * (p->a[d] + p->a1[d]) +
                   dt * dt / 12 * (j[d] - j1[d]);
        p->x[d] += dt / 2 * (p->v[d] + v) - dt * dt / 12 * da;
        p->v[d] = v;
        crackle[d] = (6 * dt * (j[d] + j1[d]) - 12 * da) / (dt * dt * dt);
        snap[d] = (dt * (2 * j[d] + 4 * j1[d]) - 6 * da) / (dt * dt);
        p->a[d] = p->a1[d];
        j[d] = j1[d];
    }
    p->t = t;
    p->dt = block_step(aarseth(eta, p->a, p->jerk, snap, crackle), t, dt);
}

static void
start(struct system *s)
{
    for (int k = 0; k < s->n; k++) send(s, s->block[k] = k);
    forces(s, s->block, s->n, 0);
    for (int k = 0; k < s->n; k++) {
        struct star *p = &s->star[k];
        for (int d = 0; d < 3; d++) {
            p->a[d] = p->a1[d];
            p->jerk[d] = p->jerk1[d];
        }
        double wish = s->eta / 8 * length(p->a) / length(p->jerk);
        p->dt = block_step(wish, 0, longest_step);
        send(s, k);
    }
}

/* One block step; returns its time. */
static double
step(struct system *s)
{
    double t = HUGE_VAL;
    int n = 0;
    for (int k = 0; k < s->n; k++) t = fmin(t, s->star[k].t + s->star[k].dt);
    for (int k = 0; k < s->n; k++)
        if (s->star[k].t + s->star[k].dt == t) s->block[n++] = k;

    forces(s, s->block, n, t);
    for (int i = 0; i < n; i++) {
        correct(&s->star[s->block[i]], t, s->eta);
        send(s, s->block[i]);
    }
    s->blocks++;
    s->steps += n;
    return t;
}

/* Total energy; all stars must be at the same time. */
static double
energy(struct system *s, double t)
{
    double sum = 0;
    for (int k = 0; k < s->n; k++) s->block[k] = k;
    forces(s, s->block, s->n, t);
    for (int k = 0; k < s->n; k++) {
        const struct star *p = &s->star[k];
        sum += p->mass / 2 * (length(p->v) * length(p->v) + p->pot);
    }
    return sum;
}

/* ---- the program --------------------------------------------------------- */

static void
run(struct system *s, double end)
{
    double t = 0, e0 = energy(s, 0);
    printf("# %d stars, %d pipelines\n", s->n, s->pipes.n);
    printf("#  time         energy       dE/E    blocks     steps\n");
    for (double next = 0; next <= end; next += 4 * longest_step) {
        while (t < next) t = step(s);
        double e = energy(s, t);
        printf("%7.4f  %13.10f  %9.2e  %8ld  %8ld\n", t, e, (e - e0) / e0,
               s->blocks, s->steps);
    }
}

int
main(int argc, char **argv)
{
    struct system s = {.n = argc > 1 ? atoi(argv[1]) : 1024};
    double end = argc > 2 ? atof(argv[2]) : 1;
    s.eta = argc > 3 ? atof(argv[3]) : 0.01;
    if (s.n > 0) {
        s.star = allocate((size_t)s.n, sizeof *s.star);
        make_plummer(&s);
    } else {
        read_csv(&s, argv[1]);
    }
    s.block = allocate((size_t)s.n, sizeof *s.block);

    if (g6_open(CLUSTER) != 0) return EXIT_FAILURE;
    open_pipes(&s.pipes);
    start(&s);
    run(&s, end);
    g6_close(CLUSTER);

    close_pipes(&s.pipes);
    free(s.block);
    free(s.star);
    return EXIT_SUCCESS;
}
