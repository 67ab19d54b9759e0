/* SPDX-License-Identifier: MIT */
/* Parses a potential given as a formula, and evaluates it with derivatives. */
#include "external/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Operations of a stack machine, executed from left to right. */
enum operation {
    PUSH_NUMBER,
    PUSH_X,
    PUSH_Y,
    PUSH_Z,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    SQRT,
    EXP,
    LOG,
    SIN,
    COS,
    TAN,
    ATAN,
    SINH,
    COSH,
    TANH
};

struct step {
    enum operation operation;
    double number;
};

enum { MAX_STEPS = 512, MAX_STACK = 32 };

struct koshu_formula {
    size_t n;
    struct step step[MAX_STEPS];
};

/* ---- numbers with their derivatives -------------------------------------- */

/* f, its gradient, and the rates of both along the velocity. */
struct jet {
    double f, g[3], df, dg[3];
};

static struct jet
constant(double f)
{
    return (struct jet){.f = f};
}

static struct jet
coordinate(int k, const double x[3], const double v[3])
{
    struct jet j = {.f = x[k], .df = v[k]};
    j.g[k] = 1;
    return j;
}

static struct jet
sum_of(const struct jet *a, const struct jet *b, double sign)
{
    struct jet j = {.f = a->f + sign * b->f, .df = a->df + sign * b->df};
    for (int k = 0; k < 3; k++) {
        j.g[k] = a->g[k] + sign * b->g[k];
        j.dg[k] = a->dg[k] + sign * b->dg[k];
    }
    return j;
}

static struct jet
product_of(const struct jet *a, const struct jet *b)
{
    struct jet j = {.f = a->f * b->f, .df = a->df * b->f + a->f * b->df};
    for (int k = 0; k < 3; k++) {
        j.g[k] = a->g[k] * b->f + a->f * b->g[k];
        j.dg[k] = a->dg[k] * b->f + a->g[k] * b->df + a->df * b->g[k] +
                  a->f * b->dg[k];
    }
    return j;
}

/* F(a) from F, F' and F'' at a. */
static struct jet
function_of(const struct jet *a, double f0, double f1, double f2)
{
    struct jet j = {.f = f0, .df = f1 * a->df};
    for (int k = 0; k < 3; k++) {
        j.g[k] = f1 * a->g[k];
        j.dg[k] = f2 * a->df * a->g[k] + f1 * a->dg[k];
    }
    return j;
}

static bool
is_constant(const struct jet *a)
{
    return a->g[0] == 0 && a->g[1] == 0 && a->g[2] == 0 && a->dg[0] == 0 &&
           a->dg[1] == 0 && a->dg[2] == 0;
}

/* n a^(n - 1), which is 0 for n = 0 at any a. */
static double
slope_of_power(double a, double n)
{
    return n == 0 ? 0 : n * pow(a, n - 1);
}

static struct jet
power_of(const struct jet *a, const struct jet *b)
{
    const double n = b->f;
    if (is_constant(b))
        return function_of(a, pow(a->f, n), slope_of_power(a->f, n),
                           n == 0 ? 0 : n * slope_of_power(a->f, n - 1));
    const struct jet log_a =
            function_of(a, log(a->f), 1 / a->f, -1 / (a->f * a->f));
    const struct jet exponent = product_of(b, &log_a);
    const double f = pow(a->f, n);
    return function_of(&exponent, f, f, f);
}

static struct jet
apply_function(enum operation operation, const struct jet *a)
{
    const double x = a->f;
    double f = x, f1 = 1, f2 = 0;
    switch (operation) {
    case NEGATE: f = -x, f1 = -1; break;
    case SQRT: f = sqrt(x), f1 = 0.5 / f, f2 = -f1 / (2 * x); break;
    case EXP: f = f1 = f2 = exp(x); break;
    case LOG: f = log(x), f1 = 1 / x, f2 = -f1 * f1; break;
    case SIN: f = sin(x), f1 = cos(x), f2 = -f; break;
    case COS: f = cos(x), f1 = -sin(x), f2 = -f; break;
    case TAN: f = tan(x), f1 = 1 + f * f, f2 = 2 * f * f1; break;
    case ATAN: f = atan(x), f1 = 1 / (1 + x * x), f2 = -2 * x * f1 * f1; break;
    case SINH: f = f2 = sinh(x), f1 = cosh(x); break;
    case COSH: f = f2 = cosh(x), f1 = sinh(x); break;
    case TANH: f = tanh(x), f1 = 1 - f * f, f2 = -2 * f * f1; break;
    default: break;
    }
    return function_of(a, f, f1, f2);
}

static struct jet
combine(enum operation operation, const struct jet *a, const struct jet *b)
{
    switch (operation) {
    case ADD: return sum_of(a, b, 1);
    case SUBTRACT: return sum_of(a, b, -1);
    case MULTIPLY: return product_of(a, b);
    case DIVIDE: {
        const double q = 1 / b->f;
        const struct jet inverse = function_of(b, q, -q * q, 2 * q * q * q);
        return product_of(a, &inverse);
    }
    default: return power_of(a, b);
    }
}

void
koshu_formula_add(const struct koshu_formula *formula, const double x[3],
                  const double v[3], struct koshu_field_sum *sum)
{
    struct jet stack[MAX_STACK];
    size_t n = 0;
    for (const struct step *s = formula->step; s < formula->step + formula->n;
         s++) {
        const enum operation o = s->operation;
        if (o == PUSH_NUMBER)
            stack[n++] = constant(s->number);
        else if (o <= PUSH_Z)
            stack[n++] = coordinate((int)(o - PUSH_X), x, v);
        else if (o >= NEGATE)
            stack[n - 1] = apply_function(o, &stack[n - 1]);
        else {
            n--;
            stack[n - 1] = combine(o, &stack[n - 1], &stack[n]);
        }
    }
    sum->potential += stack[0].f;
    for (int k = 0; k < 3; k++) {
        sum->a[k] -= stack[0].g[k];
        sum->jerk[k] -= stack[0].dg[k];
    }
}

/* ---- reading ------------------------------------------------------------- */

struct reader {
    struct koshu_context *context;
    const char *text, *at;
    size_t n;
    const struct koshu_external_constant *constants;
    struct koshu_formula *formula;
    size_t height, depth; /* height of the stack; number of open brackets */
};

static koshu_status
fail(const struct reader *r, const char *what)
{
    return koshu_fail(r->context, KOSHU_ERROR_BAD_INPUT,
                      "the formula '%.60s', at '%.20s': %s", r->text, r->at,
                      what);
}

static koshu_status
put(struct reader *r, enum operation operation, double number)
{
    struct koshu_formula *f = r->formula;
    if (operation <= PUSH_Z)
        r->height++;
    else if (operation < NEGATE)
        r->height--;
    if (f->n == MAX_STEPS || r->height > MAX_STACK)
        return fail(r, "it is too long; write it with fewer terms");
    f->step[f->n++] = (struct step){operation, number};
    return KOSHU_OK;
}

/* Skips a character if it is the next one. */
static bool
take(struct reader *r, char sign)
{
    while (isspace((unsigned char)*r->at)) r->at++;
    if (*r->at != sign) return false;
    r->at++;
    return true;
}

static koshu_status read_sum(struct reader *r);

static koshu_status
read_bracket(struct reader *r)
{
    if (!take(r, '(')) return fail(r, "expected ( behind a function");
    if (++r->depth > MAX_STACK) return fail(r, "too many brackets are open");
    KOSHU_TRY(read_sum(r));
    r->depth--;
    return take(r, ')') ? KOSHU_OK : fail(r, "expected )");
}

static koshu_status
read_name(struct reader *r)
{
    static const char *const coordinates[] = {"x", "y", "z"},
                             *const functions[] = {
                                     "sqrt", "exp",  "log",  "sin",  "cos",
                                     "tan",  "atan", "sinh", "cosh", "tanh"};
    const char *name = r->at;
    while (isalnum((unsigned char)*r->at) || *r->at == '_') r->at++;
    const size_t length = (size_t)(r->at - name);
#define IS(word) (strlen(word) == length && memcmp(word, name, length) == 0)
    for (size_t k = 0; k < sizeof coordinates / sizeof *coordinates; k++)
        if (IS(coordinates[k])) return put(r, (enum operation)(PUSH_X + k), 0);
    for (size_t k = 0; k < r->n; k++)
        if (IS(r->constants[k].name))
            return put(r, PUSH_NUMBER, r->constants[k].value);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (IS(functions[k])) {
            KOSHU_TRY(read_bracket(r));
            return put(r, (enum operation)(SQRT + k), 0);
        }
#undef IS
    r->at = name;
    return fail(r, "no such name: it has x, y, z, G, the constants that are "
                   "given beside it, sqrt, exp, log, sin, cos, tan, atan, "
                   "sinh, cosh and tanh");
}

static koshu_status
read_number(struct reader *r)
{
    char word[64];
    size_t n = 0;
    const char *at = r->at;
    while (n + 1 < sizeof word && (isdigit((unsigned char)*at) || *at == '.' ||
                                   ((*at == 'e' || *at == 'E') && n > 0) ||
                                   ((*at == '-' || *at == '+') && n > 0 &&
                                    (at[-1] == 'e' || at[-1] == 'E'))))
        word[n++] = *at++;
    word[n] = '\0';
    double value;
    if (!koshu_parse_real(word, &value) || !isfinite(value))
        return fail(r, "expected a number, a name or (");
    r->at = at;
    return put(r, PUSH_NUMBER, value);
}

static koshu_status
read_atom(struct reader *r)
{
    while (isspace((unsigned char)*r->at)) r->at++;
    if (*r->at == '(') return read_bracket(r);
    return isalpha((unsigned char)*r->at) ? read_name(r) : read_number(r);
}

/* A factor, optionally with a sign; powers bind closer than the sign. */
static koshu_status
read_factor(struct reader *r)
{
    if (++r->depth > MAX_STACK) return fail(r, "too many signs or powers");
    if (take(r, '-')) {
        KOSHU_TRY(read_factor(r));
        KOSHU_TRY(put(r, NEGATE, 0));
    } else {
        KOSHU_TRY(read_atom(r));
        if (take(r, '^')) {
            KOSHU_TRY(read_factor(r));
            KOSHU_TRY(put(r, POWER, 0));
        }
    }
    r->depth--;
    return KOSHU_OK;
}

static koshu_status
read_product(struct reader *r)
{
    KOSHU_TRY(read_factor(r));
    while (true) {
        const bool times = take(r, '*');
        if (!times && !take(r, '/')) return KOSHU_OK;
        KOSHU_TRY(read_factor(r));
        KOSHU_TRY(put(r, times ? MULTIPLY : DIVIDE, 0));
    }
}

static koshu_status
read_sum(struct reader *r)
{
    KOSHU_TRY(read_product(r));
    while (true) {
        const bool plus = take(r, '+');
        if (!plus && !take(r, '-')) return KOSHU_OK;
        KOSHU_TRY(read_product(r));
        KOSHU_TRY(put(r, plus ? ADD : SUBTRACT, 0));
    }
}

koshu_status
koshu_formula_create(struct koshu_context *context, const char *text, size_t n,
                     const struct koshu_external_constant *constants,
                     struct koshu_formula **formula)
{
    struct reader r = {.context = context,
                       .text = text,
                       .at = text,
                       .n = n,
                       .constants = constants,
                       .formula = calloc(1, sizeof **formula)};
    *formula = NULL;
    if (!r.formula)
        return koshu_fail_memory(context, sizeof **formula, "a formula");
    koshu_status status = read_sum(&r);
    if (status == KOSHU_OK && *r.at)
        status = fail(&r, "expected + - * / ^ or the end");
    if (status == KOSHU_OK)
        *formula = r.formula;
    else
        free(r.formula);
    return status;
}

void
koshu_formula_destroy(struct koshu_formula *formula)
{
    free(formula);
}
