/* SPDX-License-Identifier: MIT */
/* Parses external fields: "plummer mass=1, a=0.5, tide speed=1, radius=8",
 * "formula potential=k * x^2, k=0.5". */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "external/external.h"
#include "particles/particles.h"

enum { MAX_FIELDS = 64, MAX_CONSTANTS = 256, PURE_NUMBER = -1 };

/* Which member each name sets, for which kinds, and its quantity. */
#define AT(member) offsetof(struct koshu_external_field, member)
#define KIND(kind) (1u << KOSHU_EXTERNAL_KIND_##kind)
#define ALL (~0u)
static const struct value_name {
    const char *name;
    unsigned kinds, needed_by;
    size_t offset;
    int quantity;
    bool is_mass; /* converted to a unit in which G = 1 */
} values[] = {
        {"mass",
         KIND(POINT_MASS) | KIND(PLUMMER) | KIND(MIYAMOTO_NAGAI) | KIND(NFW),
         ALL, AT(mass), KOSHU_QUANTITY_MASS, true},
        {"a",
         KIND(PLUMMER) | KIND(MIYAMOTO_NAGAI) | KIND(LOGARITHMIC) | KIND(NFW),
         ~KIND(LOGARITHMIC), AT(a), KOSHU_QUANTITY_LENGTH, false},
        {"b", KIND(MIYAMOTO_NAGAI), ALL, AT(b), KOSHU_QUANTITY_LENGTH, false},
        {"speed", KIND(LOGARITHMIC) | KIND(TIDE), ALL, AT(speed),
         KOSHU_QUANTITY_VELOCITY, false},
        {"q", KIND(LOGARITHMIC), 0, AT(q), PURE_NUMBER, false},
        {"concentration", KIND(NFW), ALL, AT(concentration), PURE_NUMBER,
         false},
        {"gx", KIND(UNIFORM), 0, AT(acceleration[0]),
         KOSHU_QUANTITY_ACCELERATION, false},
        {"gy", KIND(UNIFORM), 0, AT(acceleration[1]),
         KOSHU_QUANTITY_ACCELERATION, false},
        {"gz", KIND(UNIFORM), 0, AT(acceleration[2]),
         KOSHU_QUANTITY_ACCELERATION, false},
        {"radius", KIND(TIDE), ALL, AT(radius), KOSHU_QUANTITY_LENGTH, false},
        {"slope", KIND(TIDE), 0, AT(slope), PURE_NUMBER, false},
        {"density", KIND(TIDE), 0, AT(density), KOSHU_QUANTITY_DENSITY, true},
        {"x", ALL, 0, AT(centre[0]), KOSHU_QUANTITY_LENGTH, false},
        {"y", ALL, 0, AT(centre[1]), KOSHU_QUANTITY_LENGTH, false},
        {"z", ALL, 0, AT(centre[2]), KOSHU_QUANTITY_LENGTH, false}};
enum { N_VALUES = sizeof values / sizeof values[0] };

struct parser {
    struct koshu_context *context;
    const struct koshu_units *units;
    double mass_factor;
    size_t n;
    struct koshu_external_field field[MAX_FIELDS];
    bool given[N_VALUES]; /* for the last field */

    /* for formulas: constants, contiguous for each field, and the texts of
     * these and of potentials */
    size_t n_constants, n_words;
    struct koshu_external_constant constant[MAX_CONSTANTS];
    char *word[MAX_CONSTANTS + MAX_FIELDS];
};

/* ---- words --------------------------------------------------------------- */

/* Lists the names that a kind takes: "mass, a". */
static void
list_names(enum koshu_external_kind kind, char *text, size_t size)
{
    const char *names[N_VALUES];
    size_t n = 0;
    for (int k = 0; k < N_VALUES; k++)
        if (values[k].kinds >> kind & 1) names[n++] = values[k].name;
    koshu_join_names(text, size, names, n);
}

/* ---- formulas ------------------------------------------------------------ */

static koshu_status
keep_word(struct parser *p, const char *text, const char **word)
{
    char *copy = strdup(text);
    if (!copy) return koshu_fail_memory(p->context, strlen(text), "a formula");
    p->word[p->n_words++] = copy;
    *word = copy;
    return KOSHU_OK;
}

static koshu_status
give_constant(struct parser *p, struct koshu_external_field *f,
              const char *name, double value)
{
    struct koshu_external_constant *c = &p->constant[p->n_constants];
    if (p->n_constants == MAX_CONSTANTS)
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "more than %d constants of formulas: leave out "
                          "'%.40s'",
                          MAX_CONSTANTS, name);
    for (size_t k = 0; k < f->n_constants; k++)
        if (strcmp(f->constants[k].name, name) == 0)
            return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                              "external field formula: %.40s is given twice",
                              name);
    KOSHU_TRY(keep_word(p, name, &c->name));
    c->value = value;
    if (f->n_constants == 0) f->constants = c;
    f->n_constants++;
    p->n_constants++;
    return KOSHU_OK;
}

/* The potential, or a constant whose quantity follows from its unit. */
static koshu_status
set_of_formula(struct parser *p, const char *name, const char *text)
{
    struct koshu_external_field *f = &p->field[p->n - 1];
    if (strcmp(name, "potential") == 0) {
        if (f->potential)
            return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                              "external field formula: potential is given "
                              "twice");
        return keep_word(p, text, &f->potential);
    }
    double value;
    for (int q = 0; koshu_quantity_name((enum koshu_quantity)q); q++)
        if (koshu_quantity_parse(NULL, text, (enum koshu_quantity)q, p->units,
                                 &value) == KOSHU_OK)
            return give_constant(p, f, name, value);
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                      "external field formula: %.40s: '%.40s' is no number "
                      "with a unit, or without",
                      name, text);
}

/* ---- values -------------------------------------------------------------- */

static koshu_status
set_value(void *user, const char *name, const char *text)
{
    struct parser *p = user;
    struct koshu_external_field *f = &p->field[p->n - 1];
    const char *kind = koshu_external_kind_name(f->kind);
    char known[128];
    for (int k = 0; k < N_VALUES; k++) {
        const struct value_name *v = &values[k];
        double *x = (double *)((char *)f + v->offset);
        if (strcmp(v->name, name) != 0 || !(v->kinds >> f->kind & 1)) continue;
        if (p->given[k])
            return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                              "external field %s: %s is given twice", kind,
                              name);
        p->given[k] = true;
        if (v->quantity == PURE_NUMBER) {
            if (koshu_parse_real(text, x)) return KOSHU_OK;
            return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                              "external field %s: %s: '%.40s' is not a number",
                              kind, name, text);
        }
        if (koshu_quantity_parse(NULL, text, (enum koshu_quantity)v->quantity,
                                 p->units, x) != KOSHU_OK)
            return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                              "external field %s: %s: %s", kind, name,
                              koshu_context_message(NULL));
        if (v->is_mass) *x *= p->mass_factor;
        return KOSHU_OK;
    }
    if (f->kind == KOSHU_EXTERNAL_KIND_FORMULA)
        return set_of_formula(p, name, text);
    list_names(f->kind, known, sizeof known);
    return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                      "external field %s: there is no '%.40s'; it has %s", kind,
                      name, known);
}

/* Checks that the last field has the values it needs. */
static koshu_status
end_field(struct parser *p)
{
    if (p->n == 0) return KOSHU_OK;
    struct koshu_external_field *f = &p->field[p->n - 1];
    const enum koshu_external_kind kind = f->kind;
    if (kind == KOSHU_EXTERNAL_KIND_FORMULA && !f->potential)
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "external field formula: potential is missing: "
                          "potential=...");
    if (kind == KOSHU_EXTERNAL_KIND_FORMULA)
        return give_constant(p, f, "G", p->mass_factor);
    for (int k = 0; k < N_VALUES; k++)
        if (values[k].kinds & values[k].needed_by & 1u << kind && !p->given[k])
            return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                              "external field %s: %s is missing: %s=...",
                              koshu_external_kind_name(kind), values[k].name,
                              values[k].name);
    return KOSHU_OK;
}

static koshu_status
begin_field(void *user, const char *name)
{
    struct parser *p = user;
    KOSHU_TRY(end_field(p));
    if (p->n == MAX_FIELDS)
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "more than %d external fields: leave out '%.40s'",
                          MAX_FIELDS, name);
    struct koshu_external_field *f = &p->field[p->n];
    *f = koshu_external_field_default();
    if (koshu_external_kind_find(NULL, name, &f->kind) != KOSHU_OK)
        return koshu_fail(p->context, KOSHU_ERROR_BAD_INPUT,
                          "external fields: %s", koshu_context_message(NULL));
    p->n++;
    memset(p->given, 0, sizeof p->given);
    return KOSHU_OK;
}

static koshu_status
parse(struct parser *p, const char *text)
{
    static const struct koshu_entry_reader reader = {
            "external fields", "a field", begin_field, set_value};
    KOSHU_TRY(koshu_entries_read(p->context, text, &reader, p));
    return end_field(p);
}

koshu_status
koshu_external_parse(struct koshu_context *context, const char *text,
                     const struct koshu_units *units, double mass_factor,
                     struct koshu_external **external)
{
    KOSHU_REQUIRE(context, context);
    KOSHU_REQUIRE(context, text);
    KOSHU_REQUIRE(context, units);
    KOSHU_REQUIRE(context, external);
    *external = NULL;
    struct parser *p = calloc(1, sizeof *p);
    koshu_status status =
            p ? KOSHU_OK
              : koshu_fail_memory(context, sizeof *p, "external fields");
    if (status == KOSHU_OK) {
        p->context = context;
        p->units = units;
        p->mass_factor = mass_factor;
        status = parse(p, text);
    }
    if (status == KOSHU_OK)
        status = koshu_external_create(context, p->n, p->field, external);
    for (size_t k = 0; p && k < p->n_words; k++) free(p->word[k]);
    free(p);
    return status;
}
