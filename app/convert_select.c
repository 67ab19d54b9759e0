/* SPDX-License-Identifier: MIT */
/* Selects some of the particles of a snapshot: by their ids, every n-th, at
 * random, within a sphere or a box. */
#include <math.h>
#include <string.h>

#include "convert.h"

/* ---- a store of fewer particles ------------------------------------------ */

static void
copy_selected(const struct koshu_particle_view *from, const size_t *index,
              const struct koshu_particle_view *to)
{
    for (size_t k = 0; k < KOSHU_SNAPSHOT_ARRAYS; k++) {
        const uint64_t *old = koshu_particle_array(from, k);
        uint64_t *new = koshu_particle_array(to, k);
        for (size_t i = 0; i < to->n; i++) new[i] = old[index[i]];
    }
}

/* Keeps only the n particles with these indices. */
static koshu_status
keep(const struct changing *c, size_t n, const size_t *index)
{
    struct koshu_particles *some;
    struct koshu_particle_view from, to;
    if (n == 0) return refuse_value(c, "no particle is left");
    KOSHU_TRY(koshu_particles_create(c->context, n, &some));
    koshu_status status = koshu_particles_on_host(
            c->s->particles, KOSHU_FIELD_ALL, KOSHU_ACCESS_READ, &from);
    if (status == KOSHU_OK)
        status = koshu_particles_on_host(some, KOSHU_FIELD_ALL,
                                         KOSHU_ACCESS_WRITE, &to);
    if (status != KOSHU_OK) {
        koshu_particles_destroy(some);
        return status;
    }
    copy_selected(&from, index, &to);
    koshu_particles_destroy(c->s->particles);
    c->s->particles = some;
    return KOSHU_OK;
}

/* The criterion by which particles are kept. */
struct rule {
    uint64_t first, last;      /* ids */
    size_t step, seed;         /* step of indices; seed of random numbers */
    double fraction;           /* of the particles */
    double centre[3], size[3]; /* of a sphere or a box */
};
typedef bool
belongs(const struct rule *rule, const struct koshu_particle_view *v, size_t i);

static koshu_status
select_by(const struct changing *c, belongs *is_in, const struct rule *rule)
{
    struct koshu_particle_view v;
    size_t n = 0;
    KOSHU_TRY(koshu_particles_on_host(c->s->particles, KOSHU_FIELD_ALL,
                                      KOSHU_ACCESS_READ, &v));
    size_t *index = koshu_alloc(v.n, sizeof *index);
    if (!index)
        return koshu_fail_memory(c->context, v.n * sizeof *index,
                                 "the particles that are selected");
    for (size_t i = 0; i < v.n; i++)
        if (is_in(rule, &v, i)) index[n++] = i;
    const koshu_status status = keep(c, n, index);
    koshu_free(index);
    return status;
}

/* ---- selections ---------------------------------------------------------- */

static bool
has_id(const struct rule *rule, const struct koshu_particle_view *v, size_t i)
{
    return v->id[i] >= rule->first && v->id[i] <= rule->last;
}

koshu_status
select_ids(const struct changing *c)
{
    struct rule rule;
    int end = 0;
    const int n =
            sscanf(c->text, "%20lu..%20lu%n", &rule.first, &rule.last, &end);
    if (n != 2 || c->text[end] || strchr(c->text, '-') ||
        rule.first > rule.last)
        return refuse_value(c, "expected ids such as 0..999");
    return select_by(c, has_id, &rule);
}

static bool
is_nth(const struct rule *rule, const struct koshu_particle_view *v, size_t i)
{
    (void)v;
    return i % rule->step == 0;
}

koshu_status
select_every(const struct changing *c)
{
    double step;
    KOSHU_TRY(read_number(c, c->text, &step));
    if (!(step >= 1 && step <= 0x1p53 && step == floor(step)))
        return refuse_value(c, "expected a whole number, 1 or more");
    return select_by(c, is_nth, &(struct rule){.step = (size_t)step});
}

static bool
is_drawn(const struct rule *rule, const struct koshu_particle_view *v, size_t i)
{
    struct koshu_random random =
            koshu_random_start(rule->seed, v->id[i], KOSHU_DRAW_SELECTION);
    return koshu_random_uniform(&random) < rule->fraction;
}

koshu_status
select_fraction(const struct changing *c)
{
    struct rule rule = {.seed = c->seed};
    KOSHU_TRY(read_number(c, c->text, &rule.fraction));
    if (!(rule.fraction > 0 && rule.fraction <= 1))
        return refuse_value(c, "expected a number in (0, 1]");
    return select_by(c, is_drawn, &rule);
}

/* ---- cuts ---------------------------------------------------------------- */

/* Splits "SIZE@CENTRE" into the size and the centre; without @CENTRE that is
 * the origin. */
static koshu_status
read_region(const struct changing *c, char *size, size_t n, double centre[3])
{
    const char *at = strchr(c->text, '@');
    const size_t length = at ? (size_t)(at - c->text) : strlen(c->text);
    snprintf(size, n, "%.*s", (int)length, c->text);
    memset(centre, 0, 3 * sizeof *centre);
    if (!at) return KOSHU_OK;
    at += 1 + strspn(at + 1, " ");
    if (strcmp(at, "mass") == 0 || strcmp(at, "density") == 0)
        return find_centre(c, at, centre);
    return read_quantities(c, at, KOSHU_QUANTITY_LENGTH, 3, centre);
}

static bool
is_in_sphere(const struct rule *rule, const struct koshu_particle_view *v,
             size_t i)
{
    return hypot(hypot(v->x[i] - rule->centre[0], v->y[i] - rule->centre[1]),
                 v->z[i] - rule->centre[2]) <= rule->size[0];
}

koshu_status
cut_sphere(const struct changing *c)
{
    char size[256];
    struct rule rule;
    KOSHU_TRY(read_region(c, size, sizeof size, rule.centre));
    KOSHU_TRY(read_quantities(c, size, KOSHU_QUANTITY_LENGTH, 1, rule.size));
    if (rule.size[0] < 0) return refuse_value(c, "the radius is negative");
    return select_by(c, is_in_sphere, &rule);
}

static bool
is_in_box(const struct rule *rule, const struct koshu_particle_view *v,
          size_t i)
{
    const double x[3] = {v->x[i], v->y[i], v->z[i]};
    bool inside = true;
    for (int d = 0; d < 3; d++)
        inside &= 2 * fabs(x[d] - rule->centre[d]) <= rule->size[d];
    return inside;
}

koshu_status
cut_box(const struct changing *c)
{
    char size[256];
    struct rule rule;
    KOSHU_TRY(read_region(c, size, sizeof size, rule.centre));
    const size_t n = count_words(size) == 1 ? 1 : 3;
    KOSHU_TRY(read_quantities(c, size, KOSHU_QUANTITY_LENGTH, n, rule.size));
    if (n == 1) rule.size[1] = rule.size[2] = rule.size[0];
    if (rule.size[0] < 0 || rule.size[1] < 0 || rule.size[2] < 0)
        return refuse_value(c, "an edge is negative");
    return select_by(c, is_in_box, &rule);
}
