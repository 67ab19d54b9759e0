/* SPDX-License-Identifier: MIT */
/*
 * The statements of a kernel source for vectors: each variable holds all lanes,
 * an `if` becomes a mask, and what is assigned under a mask is chosen lane by
 * lane. Texts with loops, integer variables, arrays are left to the compiler's
 * own vectoriser.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "interaction/tree.h"

enum { NO_MASK = 0, MAX_MASKS = 1 << 20, DEEPEST_STATEMENT = 100 };

struct translator {
    struct parser p;
    FILE *out;
    size_t line;
    int masks; /* named so far */
    int nested;
};

static bool statement(struct translator *t, int mask);

/* Statements begin on the user's lines. */
static void
go_to_line(struct translator *t)
{
    for (; t->line < t->p.at->line; t->line++) fputc('\n', t->out);
}

static bool
take(struct translator *t, const char *text)
{
    return koshu_parse_take(&t->p, text);
}

/* ---- assignments --------------------------------------------------------- */

/* name = e; under a mask: where the mask is set. operation: '+' of +=, 0 of =.
 */
static void
write_assignment(struct translator *t, const struct koshu_token *name,
                 char operation, int e, int mask)
{
    const int n = (int)name->length;
    fprintf(t->out, "%.*s = ", n, name->text);
    if (mask != NO_MASK) fprintf(t->out, "koshu_select(koshu_m%d, ", mask);
    if (operation) fprintf(t->out, "%.*s %c ", n, name->text, operation);
    koshu_write_real(&t->p, t->out, e);
    if (mask != NO_MASK) fprintf(t->out, ", %.*s)", n, name->text);
    fputs("; ", t->out);
}

static bool
is_variable(const struct translator *t, const struct koshu_token *name)
{
    for (int k = 0; k < t->p.n_variables; k++)
        if (t->p.variables[k]->length == name->length &&
            memcmp(t->p.variables[k]->text, name->text, name->length) == 0)
            return true;
    return false;
}

static bool
assignment(struct translator *t, int mask)
{
    const struct koshu_token *name = t->p.at++, *operator= t->p.at++;
    if (!is_variable(t, name)) return false;
    const bool compound = operator->length == 2 && operator->text[1] == '=' &&
                          strchr("+-*/", operator->text[0]);
    if (!compound && !koshu_token_is(operator, "=")) return false;
    const int e = koshu_parse_expression(&t->p);
    if (e == NO_NODE || !take(t, ";")) return false;
    write_assignment(t, name, compound ? operator->text[0] : 0, e, mask);
    return true;
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
    if (take(t, "const")) fputs("const ", t->out);
    if (!take(t, "float") && !take(t, "double")) return false;
    fputs("koshu_v ", t->out);
    do {
        const struct koshu_token *name = t->p.at++;
        if (name->kind != KOSHU_TOKEN_NAME || !koshu_is_free_name(name) ||
            t->p.n_variables == MAX_VARIABLES)
            return false;
        fprintf(t->out, "%.*s", (int)name->length, name->text);
        if (take(t, "=")) {
            const int e = koshu_parse_expression(&t->p);
            if (e == NO_NODE) return false;
            fputs(" = ", t->out);
            koshu_write_real(&t->p, t->out, e);
        }
        t->p.variables[t->p.n_variables++] = name;
        if (koshu_token_is(t->p.at, ",")) fputs(", ", t->out);
    } while (take(t, ","));
    fputs("; ", t->out);
    return take(t, ";");
}

/* ---- outputs ------------------------------------------------------------- */

/* OUTPUT [ k ] += e ; of koshu_kernel_source_outputs() */
static bool
sum(struct translator *t, int mask)
{
    const struct koshu_token *k = &t->p.at[2], *operator= & t->p.at[4];
    t->p.at += 5;
    const int e = koshu_parse_expression(&t->p);
    if (e == NO_NODE || !take(t, ";")) return false;
    fprintf(t->out, "OUTPUT[%.*s] %.*s ", (int)k->length, k->text,
            (int)operator->length, operator->text);
    if (mask != NO_MASK) fprintf(t->out, "koshu_keep(koshu_m%d, ", mask);
    koshu_write_real(&t->p, t->out, e);
    fputs(mask != NO_MASK ? "); " : "; ", t->out);
    return true;
}

/* MIN ( OUTPUT [ k ] , e ) ; or MINLOC ( OUTPUT [ k ] , OUTPUT [ l ] , e ) ; */
static bool
extreme(struct translator *t, int mask)
{
    const struct koshu_token *first = t->p.at, *k = &first[4];
    const bool smallest = first->text[1] == 'I';
    t->p.at += first->length > 3 ? 12 : 7;
    const int e = koshu_parse_expression(&t->p);
    if (e == NO_NODE || !take(t, ")") || !take(t, ";")) return false;
    fprintf(t->out, "OUTPUT[%.*s] = koshu_%s(", (int)k->length, k->text,
            smallest ? "smaller" : "larger");
    if (mask != NO_MASK) fprintf(t->out, "koshu_select(koshu_m%d, ", mask);
    koshu_write_real(&t->p, t->out, e);
    if (mask != NO_MASK)
        fprintf(t->out, ", koshu_set(%s__builtin_inff()))",
                smallest ? "" : "-");
    fprintf(t->out, ", OUTPUT[%.*s]); ", (int)k->length, k->text);
    return true;
}

/* ---- if, { } ------------------------------------------------------------- */

/* const koshu_m koshu_mN = mask & [~] other; the number N */
static int
begin_mask(struct translator *t, int mask)
{
    const int m = ++t->masks;
    fprintf(t->out, "{ const koshu_m koshu_m%d = ", m);
    if (mask != NO_MASK) fprintf(t->out, "koshu_m%d & ", mask);
    return m;
}

static bool
condition(struct translator *t, int mask)
{
    if (!take(t, "if") || !take(t, "(")) return false;
    const int e = koshu_parse_expression(&t->p);
    if (e == NO_NODE || !take(t, ")") || t->masks == MAX_MASKS) return false;
    /* the condition itself: what it is made of may be assigned to */
    const int c = begin_mask(t, NO_MASK);
    koshu_write_mask(&t->p, t->out, e);
    fputs("; ", t->out);
    const int yes = begin_mask(t, mask);
    fprintf(t->out, "koshu_m%d; ", c);
    if (is_declaration(t->p.at) || !statement(t, yes)) return false;
    fputs("} ", t->out);
    if (take(t, "else")) {
        const int no = begin_mask(t, mask);
        fprintf(t->out, "~koshu_m%d; ", c);
        if (is_declaration(t->p.at) || !statement(t, no)) return false;
        fputs("} ", t->out);
    }
    fputs("} ", t->out);
    return true;
}

static bool
block(struct translator *t, int mask)
{
    const int variables = t->p.n_variables;
    t->p.at++;
    fputs("{ ", t->out);
    while (!take(t, "}"))
        if (!statement(t, mask)) return false;
    fputs("} ", t->out);
    t->p.n_variables = variables;
    return true;
}

static bool
statement_of(struct translator *t, int mask)
{
    const struct koshu_token *a = t->p.at;
    if (a->kind == KOSHU_TOKEN_DECLARATION) {
        t->p.at++;
        return true;
    }
    if (take(t, ";")) return true;
    if (koshu_token_is(a, "{")) return block(t, mask);
    if (koshu_token_is(a, "if")) return condition(t, mask);
    if (is_declaration(a)) return declaration(t);
    if (koshu_token_is(a, "OUTPUT")) return sum(t, mask);
    if (koshu_is_reduction(a)) return extreme(t, mask);
    return a->kind == KOSHU_TOKEN_NAME && assignment(t, mask);
}

static bool
statement(struct translator *t, int mask)
{
    if (t->nested == DEEPEST_STATEMENT) return false;
    t->nested++;
    go_to_line(t);
    const bool done = statement_of(t, mask);
    t->nested--;
    return done;
}

/* ---- all of it ----------------------------------------------------------- */

static bool
translate(struct translator *t)
{
    while (t->p.at->kind != KOSHU_TOKEN_END) {
        t->p.n_nodes = 0;
        if (!statement(t, NO_MASK)) return false;
    }
    return true;
}

koshu_status
koshu_kernel_source_vectors(struct koshu_kernel_source *d)
{
    struct translator t = {.p.d = d, .p.at = d->tokens, .line = 1};
    size_t size;
    bool done = false;
    t.p.nodes = calloc(MAX_NODES, sizeof *t.p.nodes);
    t.p.variables = calloc(MAX_VARIABLES, sizeof *t.p.variables);
    t.out = open_memstream(&d->vector_body, &size);
    if (t.p.nodes && t.p.variables && t.out) done = translate(&t);
    const bool failed =
            !t.p.nodes || !t.p.variables || !t.out || ferror(t.out) != 0;
    if (t.out && fclose(t.out) != 0) done = false;
    free(t.p.nodes);
    free(t.p.variables);
    if (!done) {
        free(d->vector_body);
        d->vector_body = NULL;
    }
    return failed ? koshu_fail_memory(d->context, 0, "body") : KOSHU_OK;
}
