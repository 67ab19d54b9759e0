/* SPDX-License-Identifier: MIT */
/* Every public function with NULL for each object that it takes: an error
 * status with a message, or no effect, never a crash. scripts/check-null checks
 * that the list is complete. */
#include <string.h>

#include <koshu/koshu.h>

#include "check.h"

/* Clears the message, so that the next one is known to be new. */
static void
leave_another_message(void)
{
    struct koshu_context_options impossible = koshu_context_options_default();
    struct koshu_context *context;
    impossible.threads = -1;
    assert_int_not_equal(koshu_context_create(&impossible, &context), KOSHU_OK);
}

#define FAILS(call)                                                   \
    do {                                                              \
        assert_int_equal(call, KOSHU_ERROR_INVALID_ARGUMENT);         \
        if (!strstr(koshu_context_message(NULL), " is NULL"))         \
            fail_msg("%s: '%s'", #call, koshu_context_message(NULL)); \
        leave_another_message();                                      \
    } while (0)

static void
contexts(void **state)
{
    (void)state;
    FAILS(koshu_context_create(NULL, NULL));
    FAILS(koshu_device_get(NULL, 0, NULL));
    FAILS(koshu_log_level_find(NULL, NULL, NULL));
    FAILS(koshu_exchange_find(NULL, NULL, NULL));
    FAILS(koshu_status_find(NULL, NULL, NULL));
    FAILS(koshu_ranks_initialise(NULL));
    FAILS(koshu_ranks_initialise_from(NULL, 0));
    FAILS(koshu_ranks_collective_status(NULL, 0));
    FAILS(koshu_ranks_arrange(NULL, NULL));
}

static void
particles(void **state)
{
    (void)state;
    FAILS(koshu_diagnostics_compute(NULL, NULL));
    FAILS(koshu_model_find(NULL, NULL, NULL));
    FAILS(koshu_initial_create(NULL, NULL, NULL));
    FAILS(koshu_initial_mass(NULL, NULL, NULL));
    FAILS(koshu_cluster_create(NULL, NULL, NULL));
    FAILS(koshu_cluster_summary(NULL, NULL));
    assert_null(koshu_cluster_shells(NULL, NULL));
    assert_null(koshu_cluster_pairs(NULL, NULL));
    koshu_cluster_destroy(NULL);
    FAILS(koshu_external_kind_find(NULL, NULL, NULL));
    FAILS(koshu_components_create(NULL, NULL, 0, NULL, NULL));
    FAILS(koshu_external_create(NULL, 0, NULL, NULL));
    FAILS(koshu_external_parse(NULL, NULL, NULL, 1, NULL));
    FAILS(koshu_external_evaluate(NULL, 0, NULL, NULL, NULL, NULL, NULL));
    FAILS(koshu_external_energy(NULL, NULL, NULL));
    FAILS(koshu_integrator_set_external(NULL, NULL));
    koshu_external_destroy(NULL);
    assert_true(koshu_external_rotation(NULL) == 0);
    FAILS(koshu_mass_function_find(NULL, NULL, NULL));
    FAILS(koshu_period_law_find(NULL, NULL, NULL));
    FAILS(koshu_mass_ratio_law_find(NULL, NULL, NULL));
    FAILS(koshu_eccentricity_law_find(NULL, NULL, NULL));
    FAILS(koshu_particles_create(NULL, 0, NULL));
    FAILS(koshu_field_find(NULL, NULL, NULL));
    FAILS(koshu_access_find(NULL, NULL, NULL));
    FAILS(koshu_particles_acquire_read(NULL, 0, NULL));
    FAILS(koshu_particles_acquire_write(NULL, 0, 0, NULL));
    koshu_particles_release_read(NULL);
    koshu_particles_release_write(NULL);
    FAILS(koshu_particles_permute(NULL, 0, NULL));
    FAILS(koshu_particles_check(NULL));
    FAILS(koshu_particles_convert(NULL, NULL, NULL));
    FAILS(koshu_quantity_find(NULL, NULL, NULL));
    FAILS(koshu_quantity_parse(NULL, NULL, 0, NULL, NULL));
    FAILS(koshu_units_find(NULL, NULL, NULL));
}

static void
parameters(void **state)
{
    (void)state;
    FAILS(koshu_parameters_create(NULL, NULL));
    FAILS(koshu_parameters_read(NULL, NULL));
    FAILS(koshu_parameters_parse(NULL, NULL, NULL));
    FAILS(koshu_parameters_set(NULL, NULL, NULL));
    FAILS(koshu_parameters_check(NULL));
    FAILS(koshu_parameters_text(NULL, NULL));
    FAILS(koshu_parameters_get(NULL, NULL, NULL));
    FAILS(koshu_parameters_get_real(NULL, NULL, NULL));
    FAILS(koshu_parameters_get_whole(NULL, NULL, NULL));
    FAILS(koshu_parameters_context(NULL, NULL));
    FAILS(koshu_parameters_initial(NULL, NULL));
    FAILS(koshu_parameters_solver(NULL, NULL));
    FAILS(koshu_parameters_integrator(NULL, NULL));
}

static void
sums(void **state)
{
    (void)state;
    FAILS(koshu_force_direct(NULL, NULL, NULL, NULL, NULL));
    FAILS(koshu_force_direct_sets(NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL));
    FAILS(koshu_precision_find(NULL, NULL, NULL));
    FAILS(koshu_interaction_create(NULL, NULL, NULL, NULL));
    FAILS(koshu_interaction_read(NULL, NULL, NULL, NULL));
    FAILS(koshu_interaction_set_constant(NULL, NULL, 0));
    FAILS(koshu_interaction_compile(NULL));
    FAILS(koshu_interaction_evaluate(NULL, 0, 0, NULL, NULL, NULL));
    FAILS(koshu_j_store_create(NULL, 0, NULL, NULL));
    FAILS(koshu_j_store_reserve(NULL, 0));
    FAILS(koshu_j_store_set(NULL, NULL, NULL));
    FAILS(koshu_j_store_set_time(NULL, 0));
    FAILS(koshu_j_store_start(NULL, NULL, 0, NULL));
    FAILS(koshu_j_store_wait(NULL, NULL));
    FAILS(koshu_j_store_neighbours(NULL, 0, NULL, NULL, NULL));
    FAILS(koshu_ewald_sums(NULL, NULL, NULL, NULL, NULL));
    FAILS(koshu_laplace_create(NULL, NULL, NULL));
    FAILS(koshu_laplace_sums(NULL, NULL, NULL, NULL));
    FAILS(koshu_laplace_biot_savart(NULL, NULL, NULL, NULL));
    FAILS(koshu_laplace_report(NULL, NULL));
    FAILS(koshu_force_nwalk(NULL, NULL, NULL, NULL, NULL, NULL, 0));
}

static void
solvers(void **state)
{
    (void)state;
    FAILS(koshu_solver_create(NULL, NULL, NULL));
    FAILS(koshu_solver_choose(NULL, 0, 0, 0, 0, NULL));
    FAILS(koshu_solver_forces(NULL, NULL, 0));
    FAILS(koshu_solver_wait(NULL));
    FAILS(koshu_solver_tree_errors(NULL, NULL, 0, NULL));
    FAILS(koshu_solver_reorder(NULL, NULL));
    FAILS(koshu_solver_options_of(NULL, NULL));
    FAILS(koshu_solver_report(NULL, NULL));
    FAILS(koshu_solver_tree_report(NULL, NULL));
    FAILS(koshu_solver_tree_total(NULL, NULL));
    FAILS(koshu_method_find(NULL, NULL, NULL));
    FAILS(koshu_boundary_find(NULL, NULL, NULL));
    FAILS(koshu_transport_find(NULL, NULL, NULL));
    FAILS(koshu_multipole_order_find(NULL, NULL, NULL));
    FAILS(koshu_opening_criterion_find(NULL, NULL, NULL));
    FAILS(koshu_space_filling_curve_find(NULL, NULL, NULL));
    FAILS(koshu_traversal_find(NULL, NULL, NULL));
}

static void
runs(void **state)
{
    (void)state;
    FAILS(koshu_integrator_create(NULL, NULL, 0, NULL, NULL));
    FAILS(koshu_integrator_advance(NULL, 0, false));
    FAILS(koshu_integrator_evaluate(NULL));
    FAILS(koshu_integrator_clock(NULL, NULL));
    FAILS(koshu_integrator_resume(NULL, NULL));
    FAILS(koshu_integrator_report(NULL, NULL));
    FAILS(koshu_scheme_find(NULL, NULL, NULL));
    FAILS(koshu_event_kind_find(NULL, NULL, NULL));
    size_t n_events = 1;
    assert_null(koshu_integrator_events(NULL, &n_events));
    assert_int_equal(n_events, 0);
    koshu_fewbody_destroy(NULL);
    FAILS(koshu_fewbody_create(NULL, NULL, NULL, NULL));
    FAILS(koshu_fewbody_integrate(NULL, 0));
    FAILS(koshu_fewbody_bodies(NULL, NULL));
    FAILS(koshu_fewbody_report(NULL, NULL));
    FAILS(koshu_step_rule_find(NULL, NULL, NULL));
    assert_string_equal(koshu_view_address(NULL), "");
    assert_int_equal(koshu_view_watchers(NULL), 0);
    koshu_view_destroy(NULL);
    FAILS(koshu_view_create(NULL, NULL, NULL));
    FAILS(koshu_view_update(NULL, NULL, NULL, NULL));
    FAILS(koshu_simulation_create(NULL, NULL, NULL, NULL));
    FAILS(koshu_simulation_restart(NULL, NULL, NULL, NULL));
    FAILS(koshu_simulation_advance(NULL));
    FAILS(koshu_simulation_checkpoint(NULL));
    FAILS(koshu_simulation_evaluate(NULL));
    FAILS(koshu_simulation_finish(NULL));
    FAILS(koshu_simulation_estimate(NULL, NULL, NULL));
    FAILS(koshu_simulation_progress(NULL, NULL));
    FAILS(koshu_simulation_seconds(NULL, NULL));
    FAILS(koshu_simulation_tree_errors(NULL, NULL));
    FAILS(koshu_stop_find(NULL, NULL, NULL));
    FAILS(koshu_integrator_options_of(NULL, NULL));
}

static void
files_and_pictures(void **state)
{
    (void)state;
    FAILS(koshu_axis_find(NULL, NULL, NULL));
    FAILS(koshu_weight_find(NULL, NULL, NULL));
    FAILS(koshu_curves_find(NULL, NULL, NULL));
    FAILS(koshu_picture_view_centre(NULL, NULL));
    FAILS(koshu_picture_view_radius(NULL, NULL, 0, NULL));
    FAILS(koshu_surface_density(NULL, NULL, NULL));
    FAILS(koshu_picture_density(NULL, 0, NULL, NULL, NULL));
    FAILS(koshu_picture_curves(NULL, NULL, NULL, NULL));
    FAILS(koshu_format_find(NULL, NULL, NULL));
    FAILS(koshu_format_of_path(NULL, NULL, NULL));
    FAILS(koshu_format_of_file(NULL, NULL, NULL));
    FAILS(koshu_snapshot_inspect(NULL, NULL, NULL));
    FAILS(koshu_snapshot_read(NULL, NULL, NULL, NULL));
    FAILS(koshu_snapshot_parameters(NULL, NULL, NULL));
    FAILS(koshu_snapshot_write(NULL, NULL, NULL, NULL));
}

static void
other_functions(void **state)
{
    (void)state;
    assert_true(koshu_context_threads(NULL) == 0);
    assert_true(koshu_device_count(NULL) == 0);
    assert_string_equal(koshu_context_backend(NULL), "");
    assert_string_equal(koshu_context_devices(NULL), "");
    assert_int_equal(koshu_context_exchange(NULL), KOSHU_EXCHANGE_AUTO);
    assert_true(koshu_integrator_time(NULL) == 0);
    koshu_integrator_options_set_defaults(NULL, 0);
    assert_true(koshu_interaction_n_i_fields(NULL) == 0);
    assert_true(koshu_interaction_n_j_fields(NULL) == 0);
    assert_true(koshu_interaction_n_outputs(NULL) == 0);
    assert_true(koshu_interaction_n_constants(NULL) == 0);
    assert_null(koshu_interaction_name_constant(NULL, 0));
    assert_null(koshu_interaction_name_i(NULL, 0));
    assert_null(koshu_interaction_name_j(NULL, 0));
    assert_null(koshu_interaction_name_out(NULL, 0));
    assert_true(koshu_j_store_capacity(NULL) == 0);
    assert_int_equal(koshu_j_store_id(NULL, 0), -1);
    assert_true(koshu_particles_total(NULL) == 0);
    assert_true(koshu_particles_count(NULL) == 0);
    assert_true(koshu_particles_first(NULL) == 0);
    assert_null(koshu_particles_context(NULL));
    assert_true(koshu_ranks_rank(NULL) == 0);
    assert_true(koshu_ranks_count(NULL) == 0);
    assert_string_equal(koshu_ranks_transport(NULL), "");
    koshu_ranks_slice(NULL, 0, NULL, NULL);
    assert_int_equal(koshu_simulation_stopped(NULL), KOSHU_STOP_NONE);
    koshu_simulation_request_stop(NULL);
    koshu_simulation_options_set_defaults(NULL, 0);
    assert_null(koshu_simulation_particles(NULL));
    assert_null(koshu_simulation_units(NULL));
    assert_null(koshu_simulation_solver(NULL));
    assert_string_equal(koshu_solver_backend(NULL), "");
    assert_string_equal(koshu_solver_device(NULL), "");
    assert_true(koshu_units_gravitational_constant(NULL) == 0);
    koshu_units_henon(NULL);
    assert_true(koshu_units_are_henon(NULL));
    assert_true(koshu_units_in_cgs(NULL, KOSHU_QUANTITY_MASS) == 0);
    assert_true(koshu_units_factor(NULL, NULL, KOSHU_QUANTITY_MASS) == 0);
    koshu_units_label(NULL, KOSHU_QUANTITY_MASS, 0, NULL);
    koshu_quantity_text(NULL, KOSHU_QUANTITY_MASS, 1, 0, NULL);
    koshu_units_text(NULL, 0, NULL);
    koshu_context_destroy(NULL);
    koshu_integrator_destroy(NULL);
    koshu_interaction_destroy(NULL);
    koshu_j_store_destroy(NULL);
    koshu_laplace_destroy(NULL);
    koshu_parameters_destroy(NULL);
    koshu_particles_destroy(NULL);
    koshu_simulation_destroy(NULL);
    koshu_solver_destroy(NULL);
}

/* NULL options mean the defaults everywhere. */
static void
options(void **state)
{
    (void)state;
    struct koshu_context *context = test_context("simd", 1);
    struct koshu_particles *p = NULL;
    struct koshu_solver *s = NULL;
    struct koshu_integrator *l = NULL;
    struct koshu_initial_options few = koshu_initial_options_default();
    struct koshu_diagnostics d = {.size = sizeof d};
    assert_ok(context, koshu_solver_create(context, NULL, &s));
    few.n = 10;
    assert_ok(context, koshu_initial_create(context, &few, &p));
    /* W is not 0 just because none has been computed */
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT, "every potential is 0",
                 koshu_diagnostics_compute(p, &d));
    assert_ok(context,
              koshu_solver_forces(
                      s, p, KOSHU_FIELD_ACCELERATION | KOSHU_FIELD_POTENTIAL));
    assert_ok(context, koshu_diagnostics_compute(p, &d));
    assert_true(d.potential < 0);
    if (koshu_integrator_create(s, p, 0, NULL, &l) != KOSHU_OK)
        assert_string_not_equal(koshu_context_message(context), "");
    koshu_integrator_destroy(l);
    koshu_particles_destroy(p);
    p = NULL;
    assert_ok(context, koshu_initial_create(context, NULL, &p));
    /* a pointer to results */
    assert_fails(context, KOSHU_ERROR_INVALID_ARGUMENT,
                 "koshu_solver_create: solver is NULL",
                 koshu_solver_create(context, NULL, NULL));
    koshu_particles_destroy(p);
    koshu_solver_destroy(s);
    koshu_context_destroy(context);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
            cmocka_unit_test(contexts),
            cmocka_unit_test(particles),
            cmocka_unit_test(parameters),
            cmocka_unit_test(sums),
            cmocka_unit_test(solvers),
            cmocka_unit_test(runs),
            cmocka_unit_test(files_and_pictures),
            cmocka_unit_test(other_functions),
            cmocka_unit_test(options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
