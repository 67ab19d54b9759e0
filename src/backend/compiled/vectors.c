/* SPDX-License-Identifier: MIT */
/*
 * Translates the statements of a kernel source to vectors: each variable holds
 * all lanes, an `if` becomes a mask, and assignments under a mask select lane
 * by lane. Sources with loops, integer variables or arrays are left to the
 * compiler's own vectoriser.
 */
#include "backend/compiled/vectors.h"

#include <stdlib.h>
#include <string.h>

#include "backend/compiled/compiled.h"

enum { NO_MASK = 0, MAX_MASKS = 1 << 20, DEEPEST_STATEMENT = 100 };

static bool statement(struct translator *t, int mask);

static bool
take(struct translator *t, const char *text)
{
    return koshu_vectors_take(t, text);
}

static void
write_token(struct translator *t, const struct koshu_token *token)
{
    koshu_vectors_write(t, "%.*s", (int)token->length, token->text);
}

/* Ends a statement, after closing its brackets. */
static bool
end(struct translator *t, const char *closing)
{
    koshu_vectors_write(t, "%s; ", closing);
    return take(t, ";");
}

/* ---- assignments --------------------------------------------------------- */

/* Translates name = e; or name += e; under a mask only where it is set. */
static bool
assignment(struct translator *t, int mask)
{
    const struct koshu_token *name = t->at++, *operator= t->at++;
    const bool compound = operator->length == 2 && operator->text[1] == '=' &&
                          strchr("+-*/", operator->text[0]);
    if (!koshu_vectors_know(t, name) ||
        (!compound && !koshu_token_is(operator, "=")))
        return false;
    write_token(t, name);
    koshu_vectors_write(t, " = ");
    if (mask != NO_MASK)
        koshu_vectors_write(t, "koshu_select(koshu_m%d, ", mask);
    if (compound)
        koshu_vectors_write(t, "%.*s %c ", (int)name->length,
                            name->text, operator->text[0]);
    if (!koshu_vectors_expression(t, KIND_REAL)) return false;
    if (mask != NO_MASK)
        koshu_vectors_write(t, ", %.*s)", (int)name->length, name->text);
    return end(t, "");
}

static bool
is_declaration(const struct koshu_token *t)
{
    return koshu_token_is(t, "const") || koshu_token_is(t, "float") ||
           koshu_token_is(t, "double");
}

static bool
declaration(struct translator *t)
{
    if (take(t, "const")) koshu_vectors_write(t, "const ");
    if (!take(t, "float") && !take(t, "double")) return false;
    koshu_vectors_write(t, "koshu_v ");
    do {
        const struct koshu_token *name = t->at++;
        if (name->kind != KOSHU_TOKEN_NAME || t->n_variables == MAX_VARIABLES)
            return false;
        write_token(t, name);
        if (take(t, "=")) {
            koshu_vectors_write(t, " = ");
            if (!koshu_vectors_expression(t, KIND_REAL)) return false;
        } else /* the lanes that a condition excludes keep their value */
            koshu_vectors_write(t, " = koshu_set(0)");
        t->variables[t->n_variables++] = name;
        if (koshu_token_is(t->at, ",")) koshu_vectors_write(t, ", ");
    } while (take(t, ","));
    return end(t, "");
}

/* ---- outputs ------------------------------------------------------------- */

/* Translates OUTPUT [ k ] += e ; of koshu_kernel_source_outputs(). */
static bool
sum(struct translator *t, int mask)
{
    for (int k = 0; k < 4; k++) write_token(t, t->at++);
    koshu_vectors_write(t, " ");
    write_token(t, t->at++);
    koshu_vectors_write(t, " ");
    if (mask != NO_MASK) koshu_vectors_write(t, "koshu_keep(koshu_m%d, ", mask);
    return koshu_vectors_expression(t, KIND_REAL) &&
           end(t, mask != NO_MASK ? ")" : "");
}

/* Translates MIN ( OUTPUT [ k ] , e ) ; or MINLOC ( OUTPUT [ k ] , OUTPUT [ l ]
 * , e ) ; */
static bool
extreme(struct translator *t, int mask)
{
    const struct koshu_token *first = t->at, *k = &first[4];
    const bool smallest = first->text[1] == 'I';
    t->at += first->length > 3 ? 12 : 7;
    koshu_vectors_write(t, "OUTPUT[%.*s] = koshu_%s(", (int)k->length, k->text,
                        smallest ? "smaller" : "larger");
    if (mask != NO_MASK)
        koshu_vectors_write(t, "koshu_select(koshu_m%d, ", mask);
    if (!koshu_vectors_expression(t, KIND_REAL) || !take(t, ")")) return false;
    if (mask != NO_MASK)
        koshu_vectors_write(t, ", koshu_set(%s__builtin_inff()))",
                            smallest ? "" : "-");
    koshu_vectors_write(t, ", OUTPUT[%.*s]", (int)k->length, k->text);
    return end(t, ")");
}

/* ---- if, { } ------------------------------------------------------------- */

/* Translates a statement for lanes where the mask is set and the condition,
 * preceded by `inverse`, is true. */
static bool
branch(struct translator *t, int mask, const char *inverse, int condition)
{
    const int m = ++t->masks;
    koshu_vectors_write(t, "{ const koshu_m koshu_m%d = ", m);
    if (mask != NO_MASK) koshu_vectors_write(t, "koshu_m%d & ", mask);
    koshu_vectors_write(t, "%skoshu_m%d; ", inverse, condition);
    if (is_declaration(t->at) || !statement(t, m)) return false;
    koshu_vectors_write(t, "} ");
    return true;
}

/* The condition is kept in a variable, because the statement may assign to its
 * operands. */
static bool
condition(struct translator *t, int mask)
{
    const int c = ++t->masks;
    if (!take(t, "if") || !take(t, "(")) return false;
    koshu_vectors_write(t, "{ const koshu_m koshu_m%d = ", c);
    if (!koshu_vectors_expression(t, KIND_MASK) || !take(t, ")") ||
        t->masks > MAX_MASKS)
        return false;
    koshu_vectors_write(t, "; ");
    if (!branch(t, mask, "", c)) return false;
    if (take(t, "else") && !branch(t, mask, "~", c)) return false;
    koshu_vectors_write(t, "} ");
    return true;
}

static bool
block(struct translator *t, int mask)
{
    const int variables = t->n_variables;
    t->at++;
    koshu_vectors_write(t, "{ ");
    while (!take(t, "}"))
        if (!statement(t, mask)) return false;
    koshu_vectors_write(t, "} ");
    t->n_variables = variables;
    return true;
}

static bool
statement_of(struct translator *t, int mask)
{
    const struct koshu_token *a = t->at;
    switch (a->kind) {
    case KOSHU_TOKEN_DECLARATION: t->at++; return true;
    case KOSHU_TOKEN_OUTPUT: return sum(t, mask);
    case KOSHU_TOKEN_REDUCTION: return extreme(t, mask);
    case KOSHU_TOKEN_NAME: return assignment(t, mask);
    default: break;
    }
    if (take(t, ";")) return true;
    if (koshu_token_is(a, "{")) return block(t, mask);
    if (koshu_token_is(a, "if")) return condition(t, mask);
    return is_declaration(a) && declaration(t);
}

/* Each statement begins on its line in the user's text. */
static bool
statement(struct translator *t, int mask)
{
    if (t->nested == DEEPEST_STATEMENT) return false;
    t->nested++;
    for (; t->line < t->at->line; t->line++) koshu_vectors_write(t, "\n");
    const bool done = statement_of(t, mask);
    t->nested--;
    return done;
}

koshu_status
koshu_compiled_vectors(const struct koshu_kernel_source *d, char **body)
{
    /* longest translation of one operator or statement token, with its masks; a
     * name is written up to three times */
    const size_t max_of_token = 256;
    struct translator t = {.d = d, .at = d->tokens, .line = 1};
    *body = NULL;
    t.capacity = max_of_token * d->n_tokens + 4 * strlen(d->text);
    t.text = calloc(t.capacity, 1);
    if (!t.text) return koshu_fail_memory(d->context, t.capacity, "body");
    bool done = true;
    while (done && t.at->kind != KOSHU_TOKEN_END) done = statement(&t, NO_MASK);
    if (done)
        *body = t.text;
    else
        free(t.text);
    return KOSHU_OK;
}
