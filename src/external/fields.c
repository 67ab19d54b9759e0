/* SPDX-License-Identifier: MIT */
/* Creates external fields and checks their parameters. */
#include "external/external.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "external/formula.h"

static const char *const names[] = {"point-mass",  "plummer", "miyamoto-nagai",
                                    "logarithmic", "nfw",     "uniform",
                                    "tide",        "formula"};
enum { N_KINDS = sizeof names / sizeof names[0] };

KOSHU_ENUM_NAMES(koshu_external_kind, "an external field", names)

KOSHU_DEFINE_DEFAULT(koshu_external_field,
                     .kind = KOSHU_EXTERNAL_KIND_POINT_MASS, .q = 1,
                     .density = -1)

/* ---- checks -------------------------------------------------------------- */

static koshu_status
refuse(struct koshu_context *context, const struct koshu_external_field *f,
       const char *member, double value, const char *expected)
{
    return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                      "external field %s: %s = %g: it must be %s",
                      names[f->kind], member, value, expected);
}

static bool
is_positive(double x)
{
    return x > 0 && isfinite(x);
}

/* A member that some kinds have, and whether it may be 0. */
struct member {
    unsigned kinds;
    size_t offset;
    const char *name;
    bool may_be_zero;
};
#define KIND(kind) (1u << KOSHU_EXTERNAL_KIND_##kind)
#define AT(member) offsetof(struct koshu_external_field, member)
static const struct member members[] = {
        {KIND(POINT_MASS) | KIND(PLUMMER) | KIND(MIYAMOTO_NAGAI) | KIND(NFW),
         AT(mass), "mass", false},
        {KIND(PLUMMER) | KIND(NFW), AT(a), "a", false},
        {KIND(MIYAMOTO_NAGAI) | KIND(LOGARITHMIC), AT(a), "a", true},
        {KIND(MIYAMOTO_NAGAI), AT(b), "b", false},
        {KIND(LOGARITHMIC), AT(speed), "speed", false},
        {KIND(LOGARITHMIC), AT(q), "q", false},
        {KIND(NFW), AT(concentration), "concentration", false},
        {KIND(TIDE), AT(radius), "radius", false}};
enum { N_MEMBERS = sizeof members / sizeof members[0] };

static koshu_status
check_members(struct koshu_context *context,
              const struct koshu_external_field *f)
{
    for (int k = 0; k < N_MEMBERS; k++) {
        const struct member *m = &members[k];
        const double x = *(const double *)((const char *)f + m->offset);
        if (!(m->kinds >> f->kind & 1) || is_positive(x) ||
            (m->may_be_zero && x == 0))
            continue;
        return refuse(context, f, m->name, x,
                      m->may_be_zero ? "finite, and not negative"
                                     : "finite and positive");
    }
    return KOSHU_OK;
}

static koshu_status
check_tide(struct koshu_context *context, const struct koshu_external_field *f)
{
    if (f->kind != KOSHU_EXTERNAL_KIND_TIDE) return KOSHU_OK;
    if (f->speed == 0 || !isfinite(f->speed))
        return refuse(context, f, "speed", f->speed, "finite and not 0");
    if (!(f->slope >= -1) || !isfinite(f->slope))
        return refuse(context, f, "slope", f->slope,
                      "-1 or more: below, no circular orbit is stable");
    return isfinite(f->density)
                   ? KOSHU_OK
                   : refuse(context, f, "density", f->density, "finite");
}

static koshu_status
check_field(struct koshu_context *context, const struct koshu_external_field *f)
{
    if ((unsigned)f->kind >= N_KINDS)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "external field %d: there is no such kind",
                          (int)f->kind);
    for (int k = 0; k < 3; k++)
        if (!isfinite(f->centre[k]) || !isfinite(f->acceleration[k]))
            return refuse(context, f, "a coordinate", NAN, "finite");
    KOSHU_TRY(check_members(context, f));
    return check_tide(context, f);
}

/* ---- formulas ------------------------------------------------------------ */

static bool
is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (!name || !name[0] || !strchr(letters, name[0])) return false;
    const size_t n = strlen(name);
    for (size_t k = 0; k < n; k++)
        if (!strchr(letters, name[k]) && !strchr("0123456789_", name[k]))
            return false;
    return true;
}

static koshu_status
check_constants(const struct koshu_external *e,
                const struct koshu_external_field *f)
{
    if (f->n_constants > 0) KOSHU_REQUIRE(e->context, f->constants);
    for (size_t k = 0; k < f->n_constants; k++) {
        const struct koshu_external_constant *c = &f->constants[k];
        if (!is_name(c->name))
            return koshu_fail(e->context, KOSHU_ERROR_INVALID_ARGUMENT,
                              "external field formula: '%.40s' is no name of a "
                              "constant: letters, digits and _, a letter first",
                              c->name ? c->name : "");
        if (!isfinite(c->value))
            return refuse(e->context, f, c->name, c->value, "finite");
    }
    return KOSHU_OK;
}

/* Compiles the formula. Its texts belong to the caller and are not kept. */
static koshu_status
take_formula(struct koshu_external *e, size_t k)
{
    struct koshu_external_field *f = &e->field[k];
    const size_t n = f->n_constants;
    if (!f->potential)
        return koshu_fail(e->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "external field formula: potential is missing");
    KOSHU_TRY(check_constants(e, f));
    struct koshu_external_constant *all = koshu_alloc(n + 1, sizeof *all);
    if (!all)
        return koshu_fail_memory(e->context, (n + 1) * sizeof *all,
                                 "constants");
    if (n > 0) memcpy(all, f->constants, n * sizeof *all);
    all[n] = (struct koshu_external_constant){"G", 1};
    const koshu_status status = koshu_formula_create(
            e->context, f->potential, n + 1, all, &e->formula[k]);
    koshu_free(all);
    f->potential = NULL;
    f->constants = NULL;
    f->n_constants = 0;
    return status;
}

/* ---- life ---------------------------------------------------------------- */

static koshu_status
take_field(struct koshu_external *e, size_t k,
           const struct koshu_external_field *given)
{
    struct koshu_external_field *f = &e->field[k];
    KOSHU_TRY(KOSHU_READ_OPTIONS(e->context, koshu_external_field, given, f));
    KOSHU_TRY(check_field(e->context, f));
    if (f->kind == KOSHU_EXTERNAL_KIND_FORMULA) return take_formula(e, k);
    if (f->kind != KOSHU_EXTERNAL_KIND_TIDE) return KOSHU_OK;
    if (e->omega != 0)
        return koshu_fail(e->context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "two tides: a frame turns about one galaxy; leave "
                          "one out");
    e->omega = f->speed / f->radius;
    return KOSHU_OK;
}

koshu_status
koshu_external_create(struct koshu_context *context, size_t n,
                      const struct koshu_external_field *fields,
                      struct koshu_external **external)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, fields);
    KOSHU_REQUIRE(context, external);
    *external = NULL;
    if (n == 0)
        return koshu_fail(context, KOSHU_ERROR_INVALID_ARGUMENT,
                          "n = 0: external fields are at least one");
    struct koshu_external *e = calloc(1, sizeof *e);
    if (e) {
        e->context = context;
        e->n = n;
        e->field = calloc(n, sizeof *e->field);
        e->formula = calloc(n, sizeof *e->formula);
    }
    koshu_status status =
            e && e->field && e->formula
                    ? KOSHU_OK
                    : koshu_fail_memory(context, n * sizeof *fields,
                                        "external fields");
    for (size_t k = 0; k < n && status == KOSHU_OK; k++)
        status = take_field(e, k, &fields[k]);
    if (status == KOSHU_OK)
        *external = e;
    else
        koshu_external_destroy(e);
    return status;
}

void
koshu_external_destroy(struct koshu_external *external)
{
    if (!external) return;
    for (size_t k = 0; external->formula && k < external->n; k++)
        koshu_formula_destroy(external->formula[k]);
    free(external->formula);
    free(external->field);
    free(external);
}

double
koshu_external_rotation(const struct koshu_external *external)
{
    return external ? external->omega : 0;
}
