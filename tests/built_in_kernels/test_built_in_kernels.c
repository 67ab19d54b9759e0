/* SPDX-License-Identifier: MIT */
/* Every kernel of share/koshu/interactions on the named backend, in single and
 * double precision, compared with the plain loops of pairs.c. */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../conformance/subject.h"
#include "pairs.h"

/* Not multiples of any tile. */
enum { N_I = 150, N_J = 701, N_SAME = 20 };

/* ---- particles ----------------------------------------------------------- */

static double
random_number(uint64_t *bits)
{
    *bits = *bits * 6364136223846793005u + 1442695040888963407u;
    return (double)(*bits >> 11) * 0x1p-53;
}

/* Random rows that are exact as floats, so single precision gets the same
 * particles. */
static double *
fill(size_t n, size_t n_numbers, const struct range *ranges, uint64_t seed)
{
    double *rows = calloc(n * n_numbers, sizeof *rows);
    assert_non_null(rows);
    for (size_t k = 0; k < n * n_numbers; k++) {
        const struct range *r = &ranges[k % n_numbers];
        double u = random_number(&seed);
        rows[k] = (float)(r->low + (r->high - r->low) * u);
    }
    return rows;
}

struct problem {
    const struct entry *entry;
    struct koshu_interaction *interaction;
    size_t n_i_fields, n_j_fields, n_outputs;
    double *i, *j, *out;
};

/* Some i-particles (for neighbours, all) are placed on the j-particle with
 * their number; samples are 0 and 1. */
static void
make_particles(struct problem *p)
{
    p->i = fill(N_I, p->n_i_fields, p->entry->i, 1);
    p->j = fill(N_J, p->n_j_fields, p->entry->j, 2);
    size_t same = p->entry->kind == NEAREST ? N_I : N_SAME;
    size_t place = p->n_i_fields < 3 ? 2 : 3;
    for (size_t k = 0; k < same; k++)
        memcpy(p->i + k * p->n_i_fields, p->j + k * p->n_j_fields,
               place * sizeof *p->i);
    for (size_t k = 0; p->entry->kind == COUNTS && k < N_J; k++)
        p->j[k * p->n_j_fields + 2] = k % 3 == 0;
}

/* The directory where koshu finds its kernels, or that of the source tree. */
static const char *
kernels_folder(void)
{
    static char path[512];
    const char *data = getenv("KOSHU_DATA");
    if (!data) return KOSHU_BUILT_IN_KERNELS;
    snprintf(path, sizeof path, "%s/interactions", data);
    return path;
}

static char *
read_source(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.pipe", kernels_folder(), name);
    FILE *f = fopen(path, "r");
    if (!f) fail_msg("%s: cannot be read", path);
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', f) > 0);
    fclose(f);
    return text;
}

static struct problem
make_problem(const struct entry *entry, enum koshu_precision precision)
{
    struct problem p = {.entry = entry};
    struct koshu_interaction_options options =
            koshu_interaction_options_default();
    char *text = read_source(entry->name);
    options.name = entry->name;
    options.precision = precision;
    options.n_constants = entry->n_constants;
    options.constants = entry->constants;
    assert_ok(subject_context(),
              koshu_interaction_create(subject_context(), text, &options,
                                       &p.interaction));
    free(text);
    p.n_i_fields = koshu_interaction_n_i_fields(p.interaction);
    p.n_j_fields = koshu_interaction_n_j_fields(p.interaction);
    p.n_outputs = koshu_interaction_n_outputs(p.interaction);
    assert_true(p.n_i_fields <= MAX_NUMBERS && p.n_j_fields <= MAX_NUMBERS &&
                p.n_outputs <= MAX_NUMBERS);
    make_particles(&p);
    p.out = calloc(N_I * p.n_outputs, sizeof *p.out);
    assert_non_null(p.out);
    for (size_t k = 0; k < N_I * p.n_outputs; k++) p.out[k] = NAN;
    assert_ok(subject_context(),
              koshu_interaction_evaluate(p.interaction, N_I, N_J, p.i, p.j,
                                         p.out));
    return p;
}

static void
free_problem(struct problem *p)
{
    koshu_interaction_destroy(p->interaction);
    free(p->i);
    free(p->j);
    free(p->out);
}

/* ---- comparison ---------------------------------------------------------- */

static double
bound_of(const struct entry *entry, enum koshu_precision precision)
{
    return precision == KOSHU_PRECISION_SINGLE ? entry->single_error
                                               : entry->double_error;
}

/* The largest error of a row of sums, in units of size; infinite for a NaN. */
static double
error_of_sums(const struct problem *p, size_t i)
{
    struct pair sum = {0};
    double largest = 0;
    for (size_t j = 0; j < N_J; j++) {
        struct pair pair = {0};
        p->entry->add(p->i + i * p->n_i_fields, p->j + j * p->n_j_fields,
                      &pair);
        for (size_t k = 0; k < p->n_outputs; k++) {
            sum.value[k] += pair.value[k];
            sum.size[k] += pair.size[k];
        }
    }
    for (size_t k = 0; k < p->n_outputs; k++) {
        long double off = fabsl(p->out[i * p->n_outputs + k] - sum.value[k]);
        double error = off == 0 ? 0 : (double)(off / sum.size[k]);
        if (!(error <= largest)) largest = isnan(error) ? INFINITY : error;
    }
    return largest;
}

static double
error_of_nearest(const struct problem *p, size_t i)
{
    struct pair pair, nearest = {.value = {INFINITY}};
    size_t whose = N_J;
    for (size_t j = 0; j < N_J; j++) {
        if (i == j) continue;
        p->entry->add(p->i + i * p->n_i_fields, p->j + j * p->n_j_fields,
                      &pair);
        if (pair.value[0] < nearest.value[0]) {
            nearest = pair;
            whose = j;
        }
    }
    const double *out = p->out + i * p->n_outputs;
    if (out[1] != (double)whose) return INFINITY;
    return (double)fabsl(out[0] / nearest.value[0] - 1);
}

static double
largest_error(const struct problem *p)
{
    double largest = 0;
    for (size_t i = 0; i < N_I; i++) {
        double error = p->entry->kind == NEAREST ? error_of_nearest(p, i)
                                                 : error_of_sums(p, i);
        if (!(error <= largest)) largest = error;
    }
    return largest;
}

/* ---- tests --------------------------------------------------------------- */

static void
compare_all(enum koshu_precision precision)
{
    for (const struct entry *e = entries; e->name; e++) {
        struct problem p = make_problem(e, precision);
        double error = largest_error(&p), bound = bound_of(e, precision);
        print_message("%-22s %s: largest error %.1e, allowed %.1e\n", e->name,
                      koshu_precision_name(precision), error, bound);
        if (!(error <= bound)) fail_msg("%s: error %g", e->name, error);
        free_problem(&p);
    }
}

static void
single_precision(void **state)
{
    (void)state;
    compare_all(KOSHU_PRECISION_SINGLE);
}

static void
double_precision(void **state)
{
    (void)state;
    compare_all(KOSHU_PRECISION_DOUBLE);
}

/* A difference of two equal products is not zero if one product is fused with
 * the subtraction, and is then multiplied by 1 / sigma^3. */
static void
a_particle_does_nothing_to_itself(void **state)
{
    (void)state;
    static const char *const names[] = {
            "gravity", "sph-pressure", "lennard-jones",
            "coulomb", "biot-savart",  "biot-savart-stretching"};
    size_t seen = 0;
    for (const struct entry *e = entries; e->name; e++)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
            if (strcmp(e->name, names[k]) != 0) continue;
            struct problem p = make_problem(e, KOSHU_PRECISION_SINGLE);
            size_t shared =
                    p.n_i_fields < p.n_j_fields ? p.n_i_fields : p.n_j_fields;
            for (size_t c = 0; c < shared; c++) p.i[c] = p.j[c];
            assert_ok(subject_context(),
                      koshu_interaction_evaluate(p.interaction, 1, 1, p.i, p.j,
                                                 p.out));
            for (size_t c = 0; c < p.n_outputs; c++) assert_true(p.out[c] == 0);
            free_problem(&p);
            seen++;
        }
    assert_int_equal(seen, sizeof names / sizeof names[0]);
}

static void
every_description_is_tested(void **state)
{
    (void)state;
    size_t files = 0, tested = 0;
    DIR *directory = opendir(kernels_folder());
    assert_non_null(directory);
    for (struct dirent *d; (d = readdir(directory));)
        files += strstr(d->d_name, ".pipe") != NULL;
    closedir(directory);
    for (const struct entry *e = entries; e->name; e++) tested++;
    assert_int_equal(files, tested);
}

/* One result is wrong by twice the tolerance, or NaN. */
static void
planted_errors_are_found(void **state)
{
    (void)state;
    for (const struct entry *e = entries; e->name; e++) {
        struct problem p = make_problem(e, KOSHU_PRECISION_SINGLE);
        double *last = &p.out[N_I * p.n_outputs - 1], bound = e->single_error;
        const double right = *last;
        struct pair size = {0}, pair;
        for (size_t j = 0; j < N_J; j++) {
            e->add(p.i + (N_I - 1) * p.n_i_fields, p.j + j * p.n_j_fields,
                   &pair);
            size.size[0] += pair.size[p.n_outputs - 1];
        }
        *last += e->kind == SUMS ? 2.1 * bound * (double)size.size[0] : 1;
        assert_true(largest_error(&p) > bound);
        *last = NAN;
        assert_true(largest_error(&p) > bound);
        *last = right;
        assert_true(largest_error(&p) <= bound);
        free_problem(&p);
    }
}

static const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision),
        cmocka_unit_test(double_precision),
        cmocka_unit_test(a_particle_does_nothing_to_itself),
        cmocka_unit_test(every_description_is_tested),
        cmocka_unit_test(planted_errors_are_found),
};

SUBJECT_MAIN(tests)
