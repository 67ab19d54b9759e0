/* SPDX-License-Identifier: MIT */
/* Trees as C for vectors: see vector_body in struct koshu_interaction_source.
 */
#include <string.h>

#include "interaction/tree.h"

static void
write_text(FILE *out, const struct koshu_token *t)
{
    fwrite(t->text, 1, t->length, out);
}

/* ---- integers ------------------------------------------------------------ */

/* Of literals: a scalar, as C computes it. */
static void
write_integer(const struct parser *p, FILE *out, int node)
{
    const struct node *n = &p->nodes[node];
    if (n->operation == OP_LITERAL) {
        write_text(out, n->token);
        return;
    }
    fputc('(', out);
    if (n->operation == OP_NEGATE) fputc('-', out);
    write_integer(p, out, n->a);
    if (n->operation == OP_BINARY) {
        fputc(' ', out);
        write_text(out, n->token);
        fputc(' ', out);
        write_integer(p, out, n->b);
    }
    fputc(')', out);
}

static void
write_index(const struct parser *p, FILE *out, int node)
{
    const struct node *n = &p->nodes[node];
    if (n->kind == KIND_INTEGER) {
        fputs("koshu_n_set(", out);
        write_integer(p, out, node);
        fputc(')', out);
    } else if (n->operation == OP_INDEX) {
        write_text(out, n->token);
    } else if (n->operation == OP_NEGATE) {
        fputs("(-", out);
        write_index(p, out, n->a);
        fputc(')', out);
    } else {
        fputc('(', out);
        write_index(p, out, n->a);
        write_text(out, n->token);
        write_index(p, out, n->b);
        fputc(')', out);
    }
}

/* ---- calls --------------------------------------------------------------- */

static void
write_call(const struct parser *p, FILE *out, const struct node *n)
{
    const char *plain;
    koshu_is_function(n->token, &plain);
    /* a power of a literal integer is a product */
    const bool integer =
            strcmp(plain, "pow") == 0 && p->nodes[n->b].kind == KIND_INTEGER;
    fprintf(out, "koshu_%s%s(", plain, integer ? "_n" : "");
    koshu_write_real(p, out, n->a);
    if (n->b != NO_NODE) {
        fputs(", ", out);
        if (integer)
            write_integer(p, out, n->b);
        else
            koshu_write_real(p, out, n->b);
    }
    if (n->c != NO_NODE) {
        fputs(", ", out);
        koshu_write_real(p, out, n->c);
    }
    fputc(')', out);
}

static bool
is_sqrt(const struct parser *p, int node)
{
    const char *plain;
    const struct node *n = &p->nodes[node];
    return n->operation == OP_CALL && koshu_is_function(n->token, &plain) &&
           strcmp(plain, "sqrt") == 0;
}

/* a / sqrt(b) takes no more than a product. */
static void
write_over_sqrt(const struct parser *p, FILE *out, const struct node *n)
{
    fputc('(', out);
    if (!koshu_token_is_one(p->nodes[n->a].token)) {
        koshu_write_real(p, out, n->a);
        fputs(" * ", out);
    }
    fputs("koshu_rsqrt(", out);
    koshu_write_real(p, out, p->nodes[n->b].a);
    fputs("))", out);
}

/* ---- reals --------------------------------------------------------------- */

static void
write_literal(const struct parser *p, FILE *out, const struct koshu_token *t)
{
    size_t n = koshu_literal_length(t);
    fprintf(out, "koshu_set(%.*s%s)", (int)n, t->text,
            p->d->precision == KOSHU_PRECISION_SINGLE ? "f" : "");
}

static void
write_arithmetic(const struct parser *p, FILE *out, const struct node *n)
{
    if (koshu_token_is(n->token, "/") && is_sqrt(p, n->b)) {
        write_over_sqrt(p, out, n);
        return;
    }
    fputc('(', out);
    koshu_write_real(p, out, n->a);
    fprintf(out, " %.*s ", (int)n->token->length, n->token->text);
    koshu_write_real(p, out, n->b);
    fputc(')', out);
}

static void
write_choice(const struct parser *p, FILE *out, const struct node *n)
{
    fputs("koshu_select(", out);
    koshu_write_mask(p, out, n->a);
    fputs(", ", out);
    koshu_write_real(p, out, n->b);
    fputs(", ", out);
    koshu_write_real(p, out, n->c);
    fputc(')', out);
}

static void
write_real_node(const struct parser *p, FILE *out, const struct node *n)
{
    switch (n->operation) {
    case OP_LITERAL: write_literal(p, out, n->token); break;
    case OP_VARIABLE: write_text(out, n->token); break;
    case OP_INPUT:
        fprintf(out, "%.*s[%.*s]", (int)n->token->length, n->token->text,
                (int)n->token[2].length, n->token[2].text);
        break;
    case OP_NEGATE:
        fputs("(-", out);
        koshu_write_real(p, out, n->a);
        fputc(')', out);
        break;
    case OP_BINARY: write_arithmetic(p, out, n); break;
    case OP_CALL: write_call(p, out, n); break;
    case OP_CHOICE: write_choice(p, out, n); break;
    case OP_INDEX:
    case OP_NOT: break; /* of other kinds */
    }
}

void
koshu_write_real(const struct parser *p, FILE *out, int node)
{
    switch (p->nodes[node].kind) {
    case KIND_REAL: write_real_node(p, out, &p->nodes[node]); return;
    case KIND_MASK:
        fputs("koshu_keep(", out);
        koshu_write_mask(p, out, node);
        fputs(", koshu_set(1))", out);
        return;
    case KIND_INTEGER:
        fputs("koshu_set(", out);
        write_integer(p, out, node);
        fputc(')', out);
        return;
    case KIND_INDEX:
        fputs("koshu_real_of(", out);
        write_index(p, out, node);
        fputc(')', out);
        return;
    }
}

/* ---- masks --------------------------------------------------------------- */

static bool
is_index(enum kind kind)
{
    return kind == KIND_INDEX || kind == KIND_INTEGER;
}

static void
write_comparison(const struct parser *p, FILE *out, const struct node *n)
{
    const bool index =
            is_index(p->nodes[n->a].kind) && is_index(p->nodes[n->b].kind);
    fputc('(', out);
    (index ? write_index : koshu_write_real)(p, out, n->a);
    fprintf(out, " %.*s ", (int)n->token->length, n->token->text);
    (index ? write_index : koshu_write_real)(p, out, n->b);
    fputc(')', out);
}

static void
write_mask_node(const struct parser *p, FILE *out, const struct node *n)
{
    const bool both = koshu_token_is(n->token, "&&");
    if (n->operation == OP_CALL) {
        write_call(p, out, n);
    } else if (n->operation == OP_NOT) {
        fputs("(~", out);
        koshu_write_mask(p, out, n->a);
        fputc(')', out);
    } else if (both || koshu_token_is(n->token, "||")) {
        fputc('(', out);
        koshu_write_mask(p, out, n->a);
        fputs(both ? " & " : " | ", out);
        koshu_write_mask(p, out, n->b);
        fputc(')', out);
    } else {
        write_comparison(p, out, n);
    }
}

void
koshu_write_mask(const struct parser *p, FILE *out, int node)
{
    const struct node *n = &p->nodes[node];
    if (n->kind == KIND_MASK) {
        write_mask_node(p, out, n);
        return;
    }
    fputc('(', out);
    koshu_write_real(p, out, node);
    fputs(" != koshu_set(0))", out);
}
