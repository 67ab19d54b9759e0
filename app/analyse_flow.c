/* SPDX-License-Identifier: MIT */
/* Flows in a box: spectra, structure functions, the second invariant. */
#include "analyse_flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app.h"
#include "run.h"

/* ---- measured ------------------------------------------------------------ */

/* Means from the spectrum; eta is Kolmogorov's length. */
static void
find_means(struct flow_of *f)
{
    double square = 0;
    for (size_t k = 0; k < f->spectrum.shells; k++)
        f->energy += f->spectrum.energy[k] * f->spectrum.unit;
    square = 2 * f->energy / 3;
    f->enstrophy = f->spectrum.enstrophy;
    f->dissipation = 2 * f->viscosity * f->enstrophy;
    f->largest = f->spectrum.unit * (double)((f->n + 1) / 2 - 1);
    if (!(f->dissipation > 0)) return;
    f->eta = pow(pow(f->viscosity, 3) / f->dissipation, 0.25);
    f->reynolds = square * sqrt(15 / (f->viscosity * f->dissipation));
}

static koshu_status
find_invariant(const struct analysis *w, const double *u, struct flow_of *f)
{
    const size_t n3 = f->n * f->n * f->n;
    struct koshu_sum square = {0};
    f->invariant = koshu_alloc(n3, sizeof *f->invariant);
    if (!f->invariant)
        return koshu_fail_memory(w->context, 8 * n3, "an invariant");
    KOSHU_TRY(koshu_flow_invariant(w->context, f->n, f->box, u, f->invariant));
    for (size_t p = 0; p < n3; p++) {
        koshu_sum_add(&square, f->invariant[p] * f->invariant[p]);
        f->least = fmin(f->least, f->invariant[p]);
    }
    f->rms = sqrt(koshu_sum_value(square) / (double)n3);
    return KOSHU_OK;
}

static koshu_status
measure_velocity(const struct analysis *w, const double *u, struct flow_of *f)
{
    KOSHU_TRY(koshu_flow_spectrum_find(w->context, f->n, f->box, u,
                                       &f->spectrum));
    KOSHU_TRY(koshu_flow_skewness(w->context, f->n, f->box, u, &f->skewness));
    find_means(f);
    if (w->a->structure)
        KOSHU_TRY(koshu_flow_structure(w->context, f->n, f->box, u,
                                       f->structure, &f->n_structure));
    return w->a->invariant ? find_invariant(w, u, f) : KOSHU_OK;
}

static koshu_status
measure_flow(const struct analysis *w, const char *path,
             struct koshu_flow *flow, struct flow_of *f)
{
    f->n = flow->values->flow.n;
    f->box = flow->box;
    f->time = flow->time;
    f->viscosity = flow->viscosity;
    snprintf(f->label, sizeof f->label, "t = %.6g", f->time);
    snprintf(f->kind, sizeof f->kind, "%s",
             koshu_flow_method_name((int)flow->values->flow.method));
    if (!(f->box > 0))
        return koshu_fail(w->context, KOSHU_ERROR_BAD_INPUT,
                          "%s: is of a flow in free space; these are measured "
                          "in a periodic box",
                          path);
    const size_t numbers = 3 * f->n * f->n * f->n;
    double *u = koshu_alloc(numbers, sizeof *u);
    if (!u) return koshu_fail_memory(w->context, 8 * numbers, "a velocity");
    koshu_status status = flow->ops->velocity(flow->state, f->n, u);
    if (status == KOSHU_OK) status = measure_velocity(w, u, f);
    koshu_free(u);
    return status;
}

/* ---- printed ------------------------------------------------------------- */

static void
print_means(const char *path, const struct flow_of *f)
{
    printf("%s  %s, %s, %zu^3 points, box %.6g\n"
           "  energy %.6g, enstrophy %.6g, dissipation %.6g, skewness %.4f",
           printable(path), f->label, f->kind, f->n, f->box, f->energy,
           f->enstrophy, f->dissipation, f->skewness);
    if (f->eta > 0)
        printf(", Re_lambda %.4g, k_max eta %.4g", f->reynolds,
               f->largest * f->eta);
    printf("\n");
}

static void
print_spectrum_of(const struct flow_of *f)
{
    /* at least this factor in k between printed rows */
    const double step = 1.5;
    double next = 0;
    printf("  %12s  %12s\n", "k", "E(k)");
    for (size_t k = 1; k < f->spectrum.shells; k++) {
        if ((double)k < next && k + 1 < f->spectrum.shells) continue;
        printf("  %12.4g  %12.5g\n", (double)k * f->spectrum.unit,
               f->spectrum.energy[k]);
        next = (double)k * step;
    }
}

/* Includes -S3 / (epsilon r), which is 4/5 in Kolmogorov 1941. */
static void
print_structure(const struct flow_of *f)
{
    printf("  %12s  %12s  %12s  %12s", "r", "S2 along", "S2 across", "S3");
    if (f->eta > 0) printf("  %9s  %12s", "r / eta", "-S3 / (e r)");
    printf("\n");
    for (size_t k = 0; k < f->n_structure; k++) {
        const struct koshu_structure *s = &f->structure[k];
        printf("  %12.5g  %12.5g  %12.5g  %12.4g", s->r, s->longitudinal,
               s->transverse, s->third);
        if (f->eta > 0)
            printf("  %9.4g  %12.4f", s->r / f->eta,
                   -s->third / (f->dissipation * s->r));
        printf("\n");
    }
}

static void
print_invariant(const struct flow_of *f)
{
    const size_t n3 = f->n * f->n * f->n;
    printf("  II: rms %.6g, least %.6g\n  %12s  %12s\n", f->rms, f->least,
           "II / rms", "of the box");
    for (int level = -1; level >= -4; level--) {
        size_t below = 0;
        for (size_t p = 0; p < n3; p++)
            below += f->invariant[p] < level * f->rms;
        printf("  below %6d  %11.3f%%\n", level,
               100 * (double)below / (double)n3);
    }
}

/* ---- all ----------------------------------------------------------------- */

static koshu_status
analyse_flow(const struct analysis *w, const char *path, struct flow_of *f)
{
    struct koshu_flow *flow;
    KOSHU_TRY(koshu_flow_open(w->context, path, flow_fields(), &flow));
    const koshu_status status = measure_flow(w, path, flow, f);
    koshu_flow_destroy(flow);
    KOSHU_TRY(status);
    print_means(path, f);
    if (w->a->energy_spectrum) print_spectrum_of(f);
    if (w->a->structure) print_structure(f);
    if (w->a->invariant) print_invariant(f);
    return KOSHU_OK;
}

koshu_status
analyse_flows(struct analysis *w)
{
    const size_t n = w->a->files.n;
    struct flow_of *f = calloc(n, sizeof *f);
    koshu_status status = KOSHU_OK;
    if (!f) return koshu_fail_memory(w->context, n * sizeof *f, "flows");
    for (size_t k = 0; k < n && status == KOSHU_OK; k++)
        status = analyse_flow(w, w->a->files.word[k], &f[k]);
    if (status == KOSHU_OK && w->a->output) status = write_flows(w, f);
    if (status == KOSHU_OK && w->a->picture) status = draw_flows(w, f);
    for (size_t k = 0; k < n; k++) {
        koshu_free(f[k].spectrum.energy);
        koshu_free(f[k].invariant);
    }
    free(f);
    return status;
}
