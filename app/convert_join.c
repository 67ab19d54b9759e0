/* SPDX-License-Identifier: MIT */
/* Joins several snapshots. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "snapshot_text.h"

static koshu_status
view_of(const struct snapshot *s, struct koshu_particle_view *v)
{
    return koshu_particles_on_host(s->particles, KOSHU_FIELD_ALL,
                                   KOSHU_ACCESS_READ_WRITE, v);
}

/* ---- ids ----------------------------------------------------------------- */

struct id_range {
    uint64_t first, last;
};

static struct id_range
ids_of(const struct koshu_particle_view *v)
{
    struct id_range r = {UINT64_MAX, 0};
    for (size_t i = 0; i < v->n; i++) {
        if (v->id[i] < r.first) r.first = v->id[i];
        if (v->id[i] > r.last) r.last = v->id[i];
    }
    return r;
}

/* If the ids of a file overlap the range of those before it, increases them
 * beyond that range. */
static koshu_status
separate_ids(struct koshu_context *context, const struct snapshot *s,
             struct id_range *before)
{
    struct koshu_particle_view v;
    KOSHU_TRY(view_of(s, &v));
    const struct id_range r = ids_of(&v);
    uint64_t add = 0;
    if (r.first <= before->last && r.last >= before->first) {
        add = before->last - r.first + 1;
        if (add == 0 || r.last > UINT64_MAX - add)
            return koshu_fail(context, KOSHU_ERROR_UNSUPPORTED,
                              "%s: its ids are those of a file before it, and "
                              "larger ones do not fit into 64 bits; name the "
                              "files in another order",
                              s->path);
        for (size_t i = 0; i < v.n; i++) v.id[i] += add;
        fprintf(stderr,
                "koshu: %s: ids %llu ... %llu become %llu ... %llu, as those "
                "are taken\n",
                printable(s->path), (unsigned long long)r.first,
                (unsigned long long)r.last, (unsigned long long)(r.first + add),
                (unsigned long long)(r.last + add));
    }
    if (r.first + add < before->first) before->first = r.first + add;
    if (r.last + add > before->last) before->last = r.last + add;
    return KOSHU_OK;
}

/* ---- what is beside the particles ---------------------------------------- */

static void
note(const struct snapshot *s, const struct snapshot *other, const char *what)
{
    fprintf(stderr, "koshu: %s, %s: %s\n", printable(s->path),
            printable(other->path), what);
}

/* Adds the header of one more file; `all` starts as that of the first. */
static void
join_info(const struct snapshot *first, const struct snapshot *s,
          struct koshu_snapshot_info *all)
{
    if (all->time != s->info.time)
        note(first, s,
             all->hubble > 0
                     ? "they differ in redshift; that of the first is taken"
                     : "they differ in time; that of the first is taken");
    if (all->softening != s->info.softening) {
        note(first, s, "they differ in softening, which is left out");
        all->softening = 0;
    }
    if (all->box_size != s->info.box_size) {
        note(first, s, "they differ in the box size, which is left out");
        all->box_size = 0;
    }
    if (s->info.n_types > all->n_types) all->n_types = s->info.n_types;
    all->has_units |= s->info.has_units;
    all->step = 0;
    if (all->has_potential || s->info.has_potential)
        note(first, s, "the potential is left out: it was that of each alone");
    all->has_potential = false;
    if (first->parameters || s->parameters)
        note(first, s, "the parameter files are left out");
}

static bool
same_number(double a, double b)
{
    const double float_rounding = 1e-6;
    return fabs(a - b) <= float_rounding * fabs(a);
}

/* Comoving positions and masses over h have no common meaning with those of
 * another universe, or of none. */
static koshu_status
check_universe(struct koshu_context *context, const struct snapshot *first,
               const struct snapshot *s)
{
    const struct koshu_snapshot_info *a = &first->info, *b = &s->info;
    char of_first[UNIVERSE_TEXT], of_other[UNIVERSE_TEXT];
    if (!(a->hubble > 0 || b->hubble > 0) ||
        (same_number(a->hubble, b->hubble) &&
         same_number(a->omega_m, b->omega_m) &&
         same_number(a->omega_lambda, b->omega_lambda)))
        return KOSHU_OK;
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s states %s, and %s states %s: files that are joined "
                      "must state the same universe, or none",
                      first->path, universe_text(a, of_first), s->path,
                      universe_text(b, of_other));
}

static koshu_status
join_units(struct koshu_context *context, const struct snapshot *first,
           struct snapshot *s)
{
    const struct koshu_units *a = &first->info.units, *b = &s->info.units;
    const bool henon = koshu_units_are_henon(a);
    const char *without = henon ? first->path : s->path;
    char units[128];
    if (henon == koshu_units_are_henon(b)) return to_units(s, a);
    koshu_units_text(henon ? b : a, sizeof units, units);
    return koshu_fail(context, KOSHU_ERROR_BAD_INPUT,
                      "%s has no units, and %s is in %s; give those of %s "
                      "behind its name: --from '1 pc, 1e4 Msun'",
                      without, henon ? s->path : first->path, units, without);
}

/* ---- particles ----------------------------------------------------------- */

static koshu_status
append(const struct snapshot *s, const struct koshu_particle_view *to,
       size_t *at)
{
    struct koshu_particle_view v;
    KOSHU_TRY(view_of(s, &v));
    for (size_t k = 0; k < KOSHU_SNAPSHOT_ARRAYS; k++) {
        double *all = koshu_particle_array(to, k);
        memcpy(all + *at, koshu_particle_array(&v, k),
               v.n * KOSHU_ARRAY_ELEMENT);
    }
    *at += v.n;
    return KOSHU_OK;
}

static koshu_status
join_particles(struct koshu_context *context, size_t n,
               const struct snapshot *parts, struct snapshot *joined)
{
    size_t total = 0, at = 0;
    struct koshu_particle_view v;
    for (size_t k = 0; k < n; k++)
        total += koshu_particles_total(parts[k].particles);
    KOSHU_TRY(koshu_particles_create(context, total, &joined->particles));
    KOSHU_TRY(view_of(joined, &v));
    for (size_t k = 0; k < n; k++) KOSHU_TRY(append(&parts[k], &v, &at));
    joined->info.n = total;
    return KOSHU_OK;
}

koshu_status
join_snapshots(struct koshu_context *context, size_t n, struct snapshot *parts,
               struct snapshot *joined)
{
    struct id_range ids = {UINT64_MAX, 0};
    joined->info = parts[0].info;
    joined->before = joined->info.units;
    for (size_t k = 0; k < n; k++) {
        if (k > 0) {
            KOSHU_TRY(check_universe(context, &parts[0], &parts[k]));
            KOSHU_TRY(join_units(context, &parts[0], &parts[k]));
            join_info(&parts[0], &parts[k], &joined->info);
        }
        KOSHU_TRY(separate_ids(context, &parts[k], &ids));
    }
    return join_particles(context, n, parts, joined);
}
