/* SPDX-License-Identifier: MIT */
/* Properties of every model, and refusals. */
#include "sampling.h"

enum { N_MODELS = KOSHU_MODEL_GALAXY + 1 };

/* Options that give every model velocities, with an n that it accepts. */
static struct koshu_initial_options
any_options(int model, size_t n, uint64_t seed)
{
    struct koshu_initial_options o =
            model_options((enum koshu_model)model,
                          model == KOSHU_MODEL_TWO_BODY ? 2 : n, seed);
    o.virial_ratio = 0.5;
    return o;
}

static bool
same_particles(const struct koshu_particle_view *a,
               const struct koshu_particle_view *b)
{
    size_t bytes = a->n * sizeof(double);
    return a->n == b->n && memcmp(a->mass, b->mass, bytes) == 0 &&
           memcmp(a->x, b->x, bytes) == 0 && memcmp(a->y, b->y, bytes) == 0 &&
           memcmp(a->z, b->z, bytes) == 0 && memcmp(a->vx, b->vx, bytes) == 0 &&
           memcmp(a->vy, b->vy, bytes) == 0 && memcmp(a->vz, b->vz, bytes) == 0;
}

static void
names_lead_to_models_and_back(void **state)
{
    (void)state;
    static const char *const expected[N_MODELS] = {
            "plummer", "sphere", "cube", "king",    "hernquist", "two-body",
            "dehnen",  "nfw",    "eff",  "fractal", "galaxy"};
    for (int k = 0; k < N_MODELS; k++) {
        enum koshu_model model = KOSHU_MODEL_PLUMMER;
        const char *name = koshu_model_name((enum koshu_model)k);
        assert_string_equal(name, expected[k]);
        assert_ok(context, koshu_model_find(context, name, &model));
        assert_int_equal(model, k);
        assert_true(strlen(koshu_model_summary(model)) > 10);
    }
    assert_null(koshu_model_name((enum koshu_model)N_MODELS));
    assert_null(koshu_model_summary((enum koshu_model) - 1));
}

static void
a_misspelt_name_finds_its_neighbour(void **state)
{
    (void)state;
    enum koshu_model model;
    assert_fails(context, KOSHU_ERROR_NOT_FOUND, "did you mean 'plummer'",
                 koshu_model_find(context, "plumer", &model));
    assert_fails(context, KOSHU_ERROR_NOT_FOUND,
                 "'xyzzyxyz' is not an initial model; there are plummer, "
                 "sphere, cube",
                 koshu_model_find(context, "xyzzyxyz", &model));
}

static void
the_defaults_are_those_of_the_header(void **state)
{
    (void)state;
    struct koshu_initial_options o = koshu_initial_options_default();
    assert_int_equal(o.model, KOSHU_MODEL_PLUMMER);
    assert_int_equal(o.n, 16384);
    assert_int_equal(o.seed, 1);
    assert_true(o.mass_fraction == 0.999 && o.virial_ratio == 0);
    assert_true(o.king_w0 == 6 && o.eccentricity == 0.9);
    assert_true(o.two_body_mass == 0.5 && !o.exact_virial);
}

static void
threads_and_runs_do_not_change_a_bit(void **state)
{
    (void)state;
    struct koshu_context *both = context, *one = test_context(NULL, 1);
    for (int m = 0; m < N_MODELS; m++)
        for (int exact = 0; exact < (m == KOSHU_MODEL_TWO_BODY ? 1 : 2);
             exact++) {
            struct koshu_initial_options o = any_options(m, 1009, 5);
            struct koshu_particle_view a, b, c;
            o.exact_virial = exact;
            struct koshu_particles *p = make(&o, &a), *q = make(&o, &b);
            context = one;
            struct koshu_particles *r = make(&o, &c);
            context = both;
            assert_true(same_particles(&a, &b));
            assert_true(same_particles(&a, &c));
            for (size_t i = 0; i < a.n; i++) assert_int_equal(a.id[i], i);
            koshu_particles_destroy(p);
            koshu_particles_destroy(q);
            koshu_particles_destroy(r);
        }
    koshu_context_destroy(one);
}

static void
another_seed_gives_other_particles(void **state)
{
    (void)state;
    for (int m = 0; m < KOSHU_MODEL_TWO_BODY; m++) {
        struct koshu_initial_options o = any_options(m, 100, 1);
        struct koshu_particle_view a, b;
        struct koshu_particles *p = make(&o, &a);
        o.seed = 2;
        struct koshu_particles *q = make(&o, &b);
        for (size_t i = 0; i < a.n; i++)
            assert_true(a.x[i] != b.x[i] && a.vz[i] != b.vz[i]);
        koshu_particles_destroy(p);
        koshu_particles_destroy(q);
    }
}

/* With more particles the first ones stay the same, up to the shift of the
 * centre. */
static void
a_particle_does_not_depend_on_their_number(void **state)
{
    (void)state;
    for (int m = 0; m < KOSHU_MODEL_TWO_BODY; m++) {
        struct koshu_initial_options o = any_options(m, 1000, 3);
        struct koshu_particle_view few, many;
        struct koshu_particles *p = make(&o, &few);
        o.n = 2000;
        struct koshu_particles *q = make(&o, &many);
        double shift = many.x[0] - few.x[0];
        for (size_t i = 0; i < few.n; i++)
            /* rounding of the coordinate before and after the shift */
            assert_true(fabs(many.x[i] - few.x[i] - shift) <
                        1e-15 * (1 + fabs(few.x[i])));
        koshu_particles_destroy(p);
        koshu_particles_destroy(q);
    }
}

static void
exact_virial_is_exact(void **state)
{
    (void)state;
    const size_t n[] = {2, 3, 1000};
    for (int m = 0; m < KOSHU_MODEL_TWO_BODY; m++)
        for (int k = 0; k < 3; k++) {
            struct koshu_initial_options o = any_options(m, n[k], 9);
            struct koshu_particle_view v;
            o.exact_virial = true;
            struct koshu_particles *p = make(&o, &v);
            struct energies e = energies_of(&v);
            /* rounding of sums over 1000 terms and 1e6 pairs */
            assert_true(fabs(e.T - 0.25) < 1e-14);
            assert_true(fabs(e.W + 0.5) < 1e-14);
            assert_centred(&v);
            koshu_particles_destroy(p);
        }
}

static void
one_particle_rests_at_the_origin(void **state)
{
    (void)state;
    for (int m = 0; m < KOSHU_MODEL_TWO_BODY; m++) {
        struct koshu_initial_options o = any_options(m, 1, 1);
        struct koshu_particle_view v;
        struct koshu_particles *p = make(&o, &v);
        assert_true(v.mass[0] == 1);
        assert_true(v.x[0] == 0 && v.y[0] == 0 && v.z[0] == 0);
        assert_true(v.vx[0] == 0 && v.vy[0] == 0 && v.vz[0] == 0);
        koshu_particles_destroy(p);
    }
}

static void
refuse(const struct koshu_initial_options *o, const char *words)
{
    struct koshu_particles *p = (struct koshu_particles *)&words;
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, words,
                 koshu_initial_create(context, o, &p));
    assert_null(p);
}

/* Tries each value in turn as the option at this offset. */
static void
refuse_values(int model, size_t offset, const char *words, size_t n_values,
              const double *values)
{
    for (size_t k = 0; k < n_values; k++) {
        struct koshu_initial_options o = any_options(model, 10, 1);
        memcpy((char *)&o + offset, &values[k], sizeof values[k]);
        refuse(&o, words);
    }
}

#define REFUSE_VALUES(model, option, ...)                                \
    refuse_values(model, offsetof(struct koshu_initial_options, option), \
                  #option " = ", sizeof((double[]){__VA_ARGS__}) / 8,    \
                  (double[]){__VA_ARGS__})

static void
options_out_of_range_are_refused(void **state)
{
    (void)state;
    const int with_fraction[] = {KOSHU_MODEL_PLUMMER, KOSHU_MODEL_HERNQUIST};
    const int with_ratio[] = {KOSHU_MODEL_SPHERE, KOSHU_MODEL_CUBE};
    for (int k = 0; k < 2; k++) {
        REFUSE_VALUES(with_fraction[k], mass_fraction, 0, -0.5, 1.0000001, NAN,
                      INFINITY);
        REFUSE_VALUES(with_ratio[k], virial_ratio, -1e-9, NAN, INFINITY);
    }
    REFUSE_VALUES(KOSHU_MODEL_KING, king_w0, 0.4999, 15.001, -6, NAN, INFINITY);
    REFUSE_VALUES(KOSHU_MODEL_TWO_BODY, eccentricity, 1, -0.1, NAN);
    REFUSE_VALUES(KOSHU_MODEL_TWO_BODY, two_body_mass, 0, 1, -0.5, NAN);
}

static void
impossible_combinations_are_refused(void **state)
{
    (void)state;
    struct koshu_initial_options o = any_options(KOSHU_MODEL_PLUMMER, 0, 1);
    refuse(&o, "n = 0");
    o.n = 1;
    o.exact_virial = true;
    refuse(&o, "at least 2");
    o = any_options(KOSHU_MODEL_SPHERE, 10, 1);
    o.exact_virial = true;
    o.virial_ratio = 0;
    refuse(&o, "exact_virial makes it 0.5");
    o = any_options(KOSHU_MODEL_TWO_BODY, 2, 1);
    o.exact_virial = true;
    refuse(&o, "not for the model two-body");
    o.exact_virial = false;
    o.n = 3;
    refuse(&o, "n = 3");
    o = any_options(N_MODELS, 10, 1);
    refuse(&o, "no such initial model");
    /* more than fit in any memory */
    struct koshu_particles *p = NULL;
    o = any_options(KOSHU_MODEL_KING, SIZE_MAX / 8, 1);
    assert_fails(context, KOSHU_ERROR_OUT_OF_MEMORY,
                 " particles: ", koshu_initial_create(context, &o, &p));
    assert_null(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(names_lead_to_models_and_back),
            cmocka_unit_test(a_misspelt_name_finds_its_neighbour),
            cmocka_unit_test(the_defaults_are_those_of_the_header),
            cmocka_unit_test(threads_and_runs_do_not_change_a_bit),
            cmocka_unit_test(another_seed_gives_other_particles),
            cmocka_unit_test(a_particle_does_not_depend_on_their_number),
            cmocka_unit_test(exact_virial_is_exact),
            cmocka_unit_test(one_particle_rests_at_the_origin),
            cmocka_unit_test(options_out_of_range_are_refused),
            cmocka_unit_test(impossible_combinations_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
