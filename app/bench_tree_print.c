/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>

#include "bench_tree.h"

static double
rate(const struct tree_bench_row *row)
{
    return (double)row->report.interactions / row->timing.seconds;
}

static double
list_length(const struct tree_bench_row *row)
{
    return (double)row->report.interactions / (double)row->n;
}

/* How times are shown: a device that does it all takes milliseconds. */
struct scale {
    const char *name;
    double seconds;
    int digits;
};

static struct scale
scale_of(const struct tree_bench_row *row)
{
    return row->report.bytes > 0 ? (struct scale){"ms", 1e-3, 3}
                                 : (struct scale){"seconds", 1, 4};
}

void
tree_bench_print_head(const struct tree_bench_options *o,
                      const struct tree_bench_row *row)
{
    const struct koshu_tree_options *t = &o->tree;
    printf("forces by the treecode, %s, eps^2 = %g, %ss, criterion %s, n_leaf "
           "= %llu, %s precision%s\nbackend %s: %s\n\n"
           "%8s %6s %6s %9s %9s %9s | %7s %7s %7s %7s %7s %7s | %7s %5s %8s | "
           "%8s %8s %8s\n",
           koshu_model_name(o->model),
           o->solver.softening * o->solver.softening,
           koshu_multipole_order_name(t->multipole_order),
           koshu_opening_criterion_name(t->opening_criterion),
           (unsigned long long)row->report.n_leaf,
           koshu_precision_name(o->solver.precision),
           o->solver.fast ? " (fast)" : "", row->backend, row->device, "N",
           t->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE ? "alpha"
                                                                    : "theta",
           "n_crit", scale_of(row).name, "least", "cpu", "keys", "sort",
           "build", "moments", "walk", "force", "list", "cells", "Gflop/s",
           "median", "99 %", "max");
}

/* What a device did with the lists of the host; nothing where there is none. */
static void
print_device(const struct koshu_tree_report *r)
{
    if (r->device.batches == 0) return;
    printf("%8s %llu batches: %.3g GB up in %.4f s, sums %.4f s, down %.4f s; "
           "the host waited %.4f s\n",
           "", (unsigned long long)r->device.batches,
           1e-9 * (double)r->device.bytes_up, r->device.up, r->device.sums,
           r->device.down, r->seconds.transfer + r->seconds.force);
}

static void
print_bytes(const struct tree_bench_row *row)
{
    const double bytes = (double)row->report.bytes;
    if (bytes > 0)
        printf("%8s %.3g GB of the device's memory at most, %.1f bytes a "
               "particle\n",
               "", 1e-9 * bytes, bytes / (double)row->n);
}

static void
print_times(const struct tree_bench_row *row)
{
    const struct scale scale = scale_of(row);
    const struct koshu_tree_report *r = &row->report;
    const double total[] = {row->timing.seconds, row->timing.least,
                            row->cpu_seconds};
    const double stage[] = {
            r->seconds.keys,  r->seconds.sort,
            r->seconds.build, r->seconds.moments + r->seconds.groups,
            r->seconds.walk,  r->seconds.transfer + r->seconds.force};
    for (size_t k = 0; k < sizeof total / sizeof total[0]; k++)
        printf(" %9.*f", scale.digits, total[k] / scale.seconds);
    printf(" |");
    for (size_t k = 0; k < sizeof stage / sizeof stage[0]; k++)
        printf(" %7.*f", scale.digits, stage[k] / scale.seconds);
}

void
tree_bench_print_row(const struct tree_bench_row *row)
{
    const struct koshu_tree_report *r = &row->report;
    const struct koshu_tree_options *t = &row->tree;
    printf("%8zu %6g %6llu", row->n,
           t->opening_criterion == KOSHU_OPENING_CRITERION_RELATIVE ? t->alpha
                                                                    : t->theta,
           (unsigned long long)r->n_crit);
    print_times(row);
    printf(" | %7.0f %4.0f%% %8.1f", list_length(row),
           100 * (double)r->with_cells / (double)r->interactions,
           rate(row) * 38e-9);
    if (row->errors.particles > 0)
        printf(" | %8.2e %8.2e %8.2e", row->errors.median, row->errors.p99,
               row->errors.max);
    printf("\n");
    print_device(r);
    print_bytes(row);
    fflush(stdout);
}

/* Where a device sums lists of the host. */
static void
add_device(json_t *stages, const struct koshu_tree_report *r)
{
    json_t *device = json_pack(
            "{s:f, s:f, s:f, s:I, s:I, s:I}", "device_up_seconds", r->device.up,
            "device_sums_seconds", r->device.sums, "device_down_seconds",
            r->device.down, "batches", (json_int_t)r->device.batches,
            "bytes_up", (json_int_t)r->device.bytes_up, "bytes_down",
            (json_int_t)r->device.bytes_down);
    json_object_update(stages, device);
    json_decref(device);
}

void
tree_bench_print_json(const struct tree_bench_options *o,
                      const struct tree_bench_row *row)
{
    const struct koshu_tree_report *r = &row->report;
    const struct koshu_tree_options *t = &row->tree;
    json_t *object = json_pack(
            "{s:s, s:s, s:s, s:s, s:b, s:s, s:I, s:f, s:f, s:f, s:I, s:f, s:f, "
            "s:f}",
            "bench", "tree", "backend", row->backend, "device", row->device,
            "precision", koshu_precision_name(o->solver.precision), "fast",
            (int)o->solver.fast, "model", koshu_model_name(o->model), "n",
            (json_int_t)row->n, "seconds", row->timing.seconds, "seconds_least",
            row->timing.least, "cpu_seconds", row->cpu_seconds, "repeats",
            (json_int_t)row->timing.repeats, "interactions_per_s", rate(row),
            "gflops_38", rate(row) * 38e-9, "eps2",
            o->solver.softening * o->solver.softening);
    json_t *tree = json_pack(
            "{s:s, s:s, s:s, s:f, s:f, s:I, s:I, s:f, s:f, s:I, s:I}", "order",
            koshu_multipole_order_name(t->multipole_order), "criterion",
            koshu_opening_criterion_name(t->opening_criterion), "curve",
            koshu_space_filling_curve_name(r->space_filling_curve), "theta",
            t->theta, "alpha", t->alpha, "n_crit", (json_int_t)r->n_crit,
            "n_leaf", (json_int_t)r->n_leaf, "list_length", list_length(row),
            "list_cells", (double)r->with_cells / (double)row->n, "cells",
            (json_int_t)r->cells, "groups", (json_int_t)r->groups);
    json_t *stages = json_pack(
            "{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "keys_seconds",
            r->seconds.keys, "sort_seconds", r->seconds.sort, "build_seconds",
            r->seconds.build, "moments_seconds", r->seconds.moments,
            "groups_seconds", r->seconds.groups, "walk_seconds",
            r->seconds.walk, "transfer_seconds", r->seconds.transfer,
            "force_seconds", r->seconds.force);
    if (r->device.batches > 0) add_device(stages, r);
    if (r->bytes > 0)
        json_object_set_new(object, "bytes_per_particle",
                            json_real((double)r->bytes / (double)row->n));
    json_object_update(object, tree);
    json_object_update(object, stages);
    json_decref(tree);
    json_decref(stages);
    if (row->errors.particles > 0) {
        json_t *errors = json_pack("{s:f, s:f, s:f, s:f, s:I}", "err_median",
                                   row->errors.median, "err_p99",
                                   row->errors.p99, "err_max", row->errors.max,
                                   "err_rms", row->errors.rms, "err_particles",
                                   (json_int_t)row->errors.particles);
        json_object_update(object, errors);
        json_decref(errors);
    }
    bench_print_json(object);
}
