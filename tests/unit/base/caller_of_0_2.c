/* SPDX-License-Identifier: MIT */
/*
 * A program compiled against koshu 0.2, whose structs had fewer members, or
 * against a later version, whose structs have more. It has its own
 * declarations, which never change, and runs with the shared library of this
 * build.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OK = 0, ERROR_UNSUPPORTED = 7, PRECISION_DOUBLE = 2, GUARD = 64 };

/* ---- the first members of the structs -------------------------------------
 * Bytes behind them are not the library's. */

struct context_options {
    size_t size;
    int threads;
    const char *backend;
};

struct initial_options {
    size_t size;
    int model;
    size_t n;
};

struct solver_options {
    size_t size;
    int method, precision;
    double softening;
};

struct diagnostics {
    size_t size;
    double mass;
};

struct device {
    size_t size;
    char backend[16];
};

#define WITH_GUARD(type)            \
    struct {                        \
        struct type s;              \
        unsigned char guard[GUARD]; \
    }

int koshu_context_create(const struct context_options *, void **);
void koshu_context_options_set_defaults(struct context_options *, size_t);
int koshu_context_threads(const void *);
const char *koshu_context_backend(const void *);
const char *koshu_context_message(const void *);
void koshu_context_destroy(void *);
void koshu_initial_options_set_defaults(void *, size_t);
int koshu_initial_create(void *, const void *, void **);
size_t koshu_particles_total(const void *);
void koshu_particles_destroy(void *);
void koshu_solver_options_set_defaults(struct solver_options *, size_t);
int koshu_solver_create(void *, const struct solver_options *, void **);
int koshu_solver_options_of(const void *, struct solver_options *);
int koshu_solver_forces(void *, void *, unsigned);
void koshu_solver_destroy(void *);
int koshu_diagnostics_compute(void *, struct diagnostics *);
int koshu_device_get(void *, size_t, struct device *);

/* ---- checks -------------------------------------------------------------- */

static void *context;

static void
expect(int true_or_not, const char *what)
{
    if (true_or_not) return;
    printf("not so: %s; %s\n", what, koshu_context_message(context));
    exit(EXIT_FAILURE);
}
#define EXPECT(condition) expect(condition, #condition)

static void
poison(void *bytes, size_t n)
{
    memset(bytes, 0xa5, n);
}

static int
is_untouched(const unsigned char guard[GUARD])
{
    for (int k = 0; k < GUARD; k++)
        if (guard[k] != 0xa5) return 0;
    return 1;
}

static void
create_context(void)
{
    WITH_GUARD(context_options) o;
    poison(&o, sizeof o);
    koshu_context_options_set_defaults(&o.s, sizeof o.s);
    EXPECT(is_untouched(o.guard));
    EXPECT(o.s.size == sizeof o.s && o.s.threads == 0);
    EXPECT(strcmp(o.s.backend, "auto") == 0);
    o.s.threads = 3;
    o.s.backend = "cpu";
    EXPECT(koshu_context_create(&o.s, &context) == OK);
    EXPECT(koshu_context_threads(context) == 3);
    EXPECT(strcmp(koshu_context_backend(context), "cpu") == 0);
}

static void *
create_particles(void)
{
    WITH_GUARD(initial_options) o;
    void *particles;
    poison(&o, sizeof o);
    koshu_initial_options_set_defaults(&o.s, sizeof o.s);
    EXPECT(is_untouched(o.guard));
    o.s.n = 37;
    EXPECT(koshu_initial_create(context, &o.s, &particles) == OK);
    EXPECT(koshu_particles_total(particles) == 37);
    return particles;
}

static void
compute(void *particles)
{
    WITH_GUARD(solver_options) o, of;
    WITH_GUARD(diagnostics) d;
    void *solver;
    poison(&o, sizeof o);
    poison(&of, sizeof of);
    poison(&d, sizeof d);
    koshu_solver_options_set_defaults(&o.s, sizeof o.s);
    o.s.precision = PRECISION_DOUBLE;
    o.s.softening = 0.125;
    EXPECT(koshu_solver_create(context, &o.s, &solver) == OK);
    of.s.size = sizeof of.s;
    EXPECT(koshu_solver_options_of(solver, &of.s) == OK);
    EXPECT(of.s.softening == 0.125 && of.s.precision == PRECISION_DOUBLE);
    EXPECT(of.s.size == sizeof of.s && is_untouched(of.guard));
    /* acceleration and potential */
    EXPECT(koshu_solver_forces(solver, particles, 1u << 4 | 1u << 5) == OK);
    d.s.size = sizeof d.s;
    EXPECT(koshu_diagnostics_compute(particles, &d.s) == OK);
    EXPECT(d.s.mass > 0.99 && d.s.mass < 1.01);
    EXPECT(is_untouched(d.guard));
    koshu_solver_destroy(solver);
}

static void
list_devices(void)
{
    WITH_GUARD(device) d;
    poison(&d, sizeof d);
    d.s.size = sizeof d.s;
    EXPECT(koshu_device_get(context, 0, &d.s) == OK);
    EXPECT(strlen(d.s.backend) > 1 && is_untouched(d.guard));
}

/* With members that this koshu does not know: it runs if they are 0. */
static void
run_as_later_program(void)
{
    struct {
        struct initial_options s;
        size_t more[60];
    } o;
    void *particles;
    koshu_initial_options_set_defaults(&o, sizeof o);
    EXPECT(o.s.size == sizeof o && o.more[59] == 0);
    o.s.n = 5;
    EXPECT(koshu_initial_create(context, &o, &particles) == OK);
    EXPECT(koshu_particles_total(particles) == 5);
    koshu_particles_destroy(particles);
    o.more[59] = 1;
    EXPECT(koshu_initial_create(context, &o, &particles) == ERROR_UNSUPPORTED);
    EXPECT(strstr(koshu_context_message(context), "newer koshu") != NULL);
}

int
main(void)
{
    create_context();
    void *particles = create_particles();
    compute(particles);
    list_devices();
    run_as_later_program();
    koshu_particles_destroy(particles);
    koshu_context_destroy(context);
    return EXIT_SUCCESS;
}
