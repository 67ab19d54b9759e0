/* SPDX-License-Identifier: MIT */
/*
 * Translates expressions to vectors while reading them: real numbers,
 * comparisons, and particle indices. Which conversion an operand needs is known
 * only after the next operand is read; it is then inserted around the text
 * already written.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/compiled/vectors.h"

/* Largest depth of brackets and signs, and length of an expression, whose text
 * is moved by insertions. */
enum { MAX_DEPTH = 400, MAX_LENGTH = 65536 };

/* An expression: the output text from `start` to `end`. */
struct value {
    size_t start, end;
    enum kind kind;
    bool is_sqrt, is_one; /* koshu_sqrt(...); the literal 1 */
};

static bool read_choice(struct translator *t, struct value *v);
static bool read_unary(struct translator *t, struct value *v);

/* ---- text ---------------------------------------------------------------- */

void
koshu_vectors_write(struct translator *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->text + t->length, t->capacity - t->length,
                                   format, arguments);
    va_end(arguments);
}

static void
insert(struct translator *t, size_t at, const char *text)
{
    const size_t n = strlen(text);
    memmove(t->text + at + n, t->text + at, t->length - at);
    memcpy(t->text + at, text, n);
    t->length += n;
}

static void
enclose(struct translator *t, struct value *v, const char *before,
        const char *after)
{
    insert(t, v->end, after);
    insert(t, v->start, before);
    v->end += strlen(before) + strlen(after);
}

bool
koshu_vectors_take(struct translator *t, const char *text)
{
    if (!koshu_token_is(t->at, text)) return false;
    t->at++;
    return true;
}

/* ---- conversions --------------------------------------------------------- */

static void
to_real(struct translator *t, struct value *v)
{
    static const char *const before[] = {[KIND_REAL] = "",
                                         [KIND_MASK] = "koshu_keep(",
                                         [KIND_INTEGER] = "koshu_set(",
                                         [KIND_INDEX] = "koshu_real_of("};
    static const char *const after[] = {[KIND_REAL] = "",
                                        [KIND_MASK] = ", koshu_set(1))",
                                        [KIND_INTEGER] = ")",
                                        [KIND_INDEX] = ")"};
    enclose(t, v, before[v->kind], after[v->kind]);
    v->kind = KIND_REAL;
}

static void
to_mask(struct translator *t, struct value *v)
{
    if (v->kind == KIND_MASK) return;
    to_real(t, v);
    enclose(t, v, "(", " != koshu_set(0))");
    v->kind = KIND_MASK;
}

static bool
is_whole(const struct value *v)
{
    return v->kind == KIND_INTEGER || v->kind == KIND_INDEX;
}

static void
convert(struct translator *t, struct value *v, enum kind kind)
{
    if (v->kind == kind) return;
    if (kind == KIND_REAL) to_real(t, v);
    if (kind == KIND_MASK) to_mask(t, v);
    if (kind == KIND_INDEX) enclose(t, v, "koshu_n_set(", ")");
    v->kind = kind;
}

/* ---- leaves -------------------------------------------------------------- */

/* Copies n tokens unchanged. */
static bool
take_leaf(struct translator *t, struct value *v, enum kind kind, int n)
{
    v->kind = kind;
    v->is_one = koshu_token_is_one(t->at);
    for (; n > 0; n--, t->at++)
        koshu_vectors_write(t, "%.*s", (int)t->at->length, t->at->text);
    v->end = t->length;
    return true;
}

static bool
read_literal(struct translator *t, struct value *v)
{
    const struct koshu_token *a = t->at++;
    v->is_one = koshu_token_is_one(a);
    koshu_vectors_write(t, "koshu_set(%.*s%s)", (int)koshu_literal_length(a),
                        a->text,
                        t->d->precision == KOSHU_PRECISION_SINGLE ? "f" : "");
    v->end = t->length;
    return true;
}

bool
koshu_vectors_know(const struct translator *t, const struct koshu_token *name)
{
    for (int k = 0; k < t->n_variables; k++)
        if (koshu_tokens_equal(name, t->variables[k])) return true;
    return false;
}

static bool
is_constant(const struct translator *t, const struct koshu_token *name)
{
    for (size_t k = 0; k < t->d->n_constants; k++)
        if (koshu_token_is(name, t->d->constants[k].name)) return true;
    return false;
}

/* Matches INPUT_I [ 2 ]. */
static bool
is_input(const struct koshu_token *t)
{
    return koshu_token_is(&t[1], "[") && t[2].kind == KOSHU_TOKEN_INTEGER &&
           koshu_token_is(&t[3], "]");
}

static bool
read_call(struct translator *t, struct value *v)
{
    const struct koshu_token *function = t->at;
    const int n = function->functions->n_arguments;
    const size_t name_end = t->length + strlen("koshu_pow");
    if (function->functions->vectors == KOSHU_VECTORS_NONE) return false;
    koshu_vectors_write(t, "koshu_%s(", function->plain);
    t->at += 2;
    for (int k = 0; k < n; k++) {
        struct value argument;
        if (!read_choice(t, &argument) ||
            !koshu_vectors_take(t, k + 1 < n ? "," : ")"))
            return false;
        /* a power with a literal integer becomes products */
        if (k == 1 && argument.kind == KIND_INTEGER &&
            strcmp(function->plain, "pow") == 0)
            insert(t, name_end, "_n");
        else
            to_real(t, &argument);
        koshu_vectors_write(t, k + 1 < n ? ", " : ")");
    }
    v->kind = function->functions->macro ? KIND_MASK : KIND_REAL;
    v->is_sqrt = strcmp(function->plain, "sqrt") == 0;
    v->end = t->length;
    return true;
}

static bool
is_real_type(const struct koshu_token *t)
{
    return koshu_token_is(t, "float") || koshu_token_is(t, "double");
}

/* Reads ( e ), or the cast ( float ) e. */
static bool
read_bracket(struct translator *t, struct value *v)
{
    t->at++;
    if (!is_real_type(t->at))
        return read_choice(t, v) && koshu_vectors_take(t, ")");
    t->at++;
    /* C would divide integers before the cast, so only reals are accepted */
    return koshu_vectors_take(t, ")") && read_unary(t, v) &&
           v->kind == KIND_REAL;
}

static bool
read_primary(struct translator *t, struct value *v)
{
    const struct koshu_token *a = t->at;
    switch (a->kind) {
    case KOSHU_TOKEN_REAL: return read_literal(t, v);
    case KOSHU_TOKEN_INTEGER: return take_leaf(t, v, KIND_INTEGER, 1);
    case KOSHU_TOKEN_INDEX: return take_leaf(t, v, KIND_INDEX, 1);
    case KOSHU_TOKEN_INPUT: return is_input(a) && take_leaf(t, v, KIND_REAL, 4);
    case KOSHU_TOKEN_FUNCTION:
        if (koshu_token_is(&a[1], "(")) return read_call(t, v);
        return false;
    case KOSHU_TOKEN_NAME:
        return (koshu_vectors_know(t, a) || is_constant(t, a)) &&
               take_leaf(t, v, KIND_REAL, 1);
    default: return koshu_token_is(a, "(") && read_bracket(t, v);
    }
}

/* ---- operators ----------------------------------------------------------- */

static bool
read_sign(struct translator *t, struct value *v)
{
    if (koshu_vectors_take(t, "+")) return read_unary(t, v);
    const bool minus = koshu_vectors_take(t, "-");
    if (!minus && !koshu_vectors_take(t, "!")) return read_primary(t, v);
    struct value a;
    if (!read_unary(t, &a)) return false;
    if (!minus)
        to_mask(t, &a);
    else if (a.kind == KIND_MASK)
        to_real(t, &a);
    enclose(t, &a, minus ? "(-" : "(~", ")");
    v->kind = a.kind;
    v->end = a.end;
    return true;
}

static bool
read_unary(struct translator *t, struct value *v)
{
    *v = (struct value){.start = t->length};
    if (t->depth == MAX_DEPTH || t->length - t->first > MAX_LENGTH)
        return false;
    t->depth++;
    const bool done = read_sign(t, v);
    t->depth--;
    return done;
}

enum { NO_LEVEL, LEVEL_OR, LEVEL_AND, LEVEL_EQUAL, LEVEL_ORDER, LEVEL_SUM };

/* The precedence of an operator. */
static int
level_of(const struct koshu_token *t)
{
    static const char *const levels[][5] = {
            {"||"},     {"&&"},    {"==", "!="}, {"<", ">", "<=", ">="},
            {"+", "-"}, {"*", "/"}};
    for (int l = 0; l < 6; l++)
        for (int k = 0; levels[l][k]; k++)
            if (koshu_token_is(t, levels[l][k])) return l + 1;
    return NO_LEVEL;
}

/* a / sqrt(b) becomes a product. */
static void
divide_by_root(struct translator *t, struct value *a, struct value *b)
{
    insert(t, b->start + strlen("koshu_"), "r");
    b->end++;
    if (a->is_one) {
        memmove(t->text + a->start, t->text + b->start, b->end - b->start);
        t->length = a->start + b->end - b->start;
    } else {
        t->text[a->end + 1] = '*';
        to_real(t, a);
    }
}

/* The common kind of an operator's operands; false: not possible with
 * vectors. */
static bool
operands_of(const struct koshu_token *operator, const struct value * a,
            const struct value *b, enum kind *kind)
{
    const int level = level_of(operator);
    const bool whole = is_whole(a) && is_whole(b);
    const bool literals = a->kind == KIND_INTEGER && b->kind == KIND_INTEGER;
    *kind = level < LEVEL_EQUAL              ? KIND_MASK
            : !whole                         ? KIND_REAL
            : literals && level >= LEVEL_SUM ? KIND_INTEGER
                                             : KIND_INDEX;
    return *kind != KIND_INDEX || !koshu_token_is(operator, "/");
}

static bool read_binary(struct translator *t, struct value *a, int least);

/* Reads a operator b, starting at the operator. */
static bool
read_operation(struct translator *t, struct value *a, int level)
{
    const struct koshu_token *operator= t->at++;
    struct value b;
    enum kind kind;
    /* for masks: & and | */
    koshu_vectors_write(
            t, " %.*s ",
            level < LEVEL_EQUAL ? 1 : (int)operator->length, operator->text);
    if (!read_binary(t, &b, level + 1) || !operands_of(operator, a, &b, &kind))
        return false;
    convert(t, &b, kind);
    if (koshu_token_is(operator, "/") && b.is_sqrt)
        divide_by_root(t, a, &b);
    else
        convert(t, a, kind);
    *a = (struct value){.start = a->start,
                        .end = t->length,
                        .kind = level < LEVEL_SUM ? KIND_MASK : kind};
    enclose(t, a, "(", ")");
    return true;
}

static bool
read_binary(struct translator *t, struct value *a, int least)
{
    if (!read_unary(t, a)) return false;
    for (int level; (level = level_of(t->at)) >= least;)
        if (!read_operation(t, a, level)) return false;
    return true;
}

/* Reads a, or a ? b : c. */
static bool
read_choice(struct translator *t, struct value *v)
{
    struct value b, c;
    if (!read_binary(t, v, LEVEL_OR)) return false;
    if (!koshu_vectors_take(t, "?")) return true;
    to_mask(t, v);
    insert(t, v->start, "koshu_select(");
    koshu_vectors_write(t, ", ");
    if (t->depth == MAX_DEPTH) return false;
    t->depth++;
    if (!read_choice(t, &b) || !koshu_vectors_take(t, ":")) return false;
    koshu_vectors_write(t, ", ");
    if (!read_choice(t, &c)) return false;
    t->depth--;
    /* c ? 1 : 2 is an integer, and might be divided later */
    if (b.kind != KIND_REAL && c.kind != KIND_REAL) return false;
    to_real(t, &c);
    to_real(t, &b);
    koshu_vectors_write(t, ")");
    *v = (struct value){v->start, t->length, KIND_REAL, false, false};
    return true;
}

bool
koshu_vectors_expression(struct translator *t, enum kind kind)
{
    struct value v;
    t->first = t->length;
    if (!read_choice(t, &v)) return false;
    convert(t, &v, kind);
    return true;
}
