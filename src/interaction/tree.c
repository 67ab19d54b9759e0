/* SPDX-License-Identifier: MIT */
/* Expressions: from tokens to trees. */
#include <stdlib.h>
#include <string.h>

#include "interaction/tree.h"

static int parse_choice(struct parser *p);
static int parse_unary(struct parser *p);

bool
koshu_parse_take(struct parser *p, const char *text)
{
    if (!koshu_token_is(p->at, text)) return false;
    p->at++;
    return true;
}

static int
new_node(struct parser *p, enum operation operation, enum kind kind,
         const struct koshu_token *token)
{
    if (p->n_nodes == MAX_NODES) return NO_NODE;
    p->nodes[p->n_nodes] =
            (struct node){operation, kind, token, NO_NODE, NO_NODE, NO_NODE};
    return p->n_nodes++;
}

static int
new_tree(struct parser *p, enum operation operation, enum kind kind,
         const struct koshu_token *token, int a, int b)
{
    int n = new_node(p, operation, kind, token);
    if (n == NO_NODE || a == NO_NODE) return NO_NODE;
    p->nodes[n].a = a;
    p->nodes[n].b = b;
    return n;
}

/* ---- leaves -------------------------------------------------------------- */

static bool
is_known(const struct parser *p, const struct koshu_token *name)
{
    for (int k = 0; k < p->n_variables; k++)
        if (p->variables[k]->length == name->length &&
            memcmp(p->variables[k]->text, name->text, name->length) == 0)
            return true;
    for (size_t k = 0; k < p->d->n_constants; k++)
        if (koshu_token_is(name, p->d->constant[k].name)) return true;
    return false;
}

/* INPUT_I [ 2 ] */
static int
parse_input(struct parser *p)
{
    const struct koshu_token *t = p->at;
    if (!koshu_token_is(&t[1], "[") || t[2].kind != KOSHU_TOKEN_INTEGER ||
        !koshu_token_is(&t[3], "]"))
        return NO_NODE;
    p->at += 4;
    return new_node(p, OP_INPUT, KIND_REAL, t);
}

/* The number of arguments that vectors have the function with; 0: they do
 * not have it. */
static int
arguments_of(const char *plain)
{
    static const char *const two[] = {"atan2", "fmax", "fmin", "pow"};
    static const char *const none[] = {"copysign", "fdim",      "fmod",
                                       "hypot",    "remainder", "signbit"};
    for (size_t k = 0; k < sizeof two / sizeof two[0]; k++)
        if (strcmp(plain, two[k]) == 0) return 2;
    for (size_t k = 0; k < sizeof none / sizeof none[0]; k++)
        if (strcmp(plain, none[k]) == 0) return 0;
    return strcmp(plain, "fma") == 0 ? 3 : 1;
}

static int
parse_call(struct parser *p, const char *plain)
{
    const int max = arguments_of(plain);
    const enum kind kind = strncmp(plain, "is", 2) == 0 ? KIND_MASK : KIND_REAL;
    int argument[3] = {NO_NODE, NO_NODE, NO_NODE};
    int n = new_node(p, OP_CALL, kind, p->at);
    p->at += 2;
    for (int k = 0; k < max; k++) {
        argument[k] = parse_choice(p);
        if (argument[k] == NO_NODE ||
            !koshu_parse_take(p, k + 1 < max ? "," : ")"))
            return NO_NODE;
    }
    if (n == NO_NODE || max == 0) return NO_NODE;
    p->nodes[n].a = argument[0];
    p->nodes[n].b = argument[1];
    p->nodes[n].c = argument[2];
    return n;
}

static int
parse_name(struct parser *p)
{
    const struct koshu_token *t = p->at;
    const char *plain;
    if (koshu_token_is(&t[1], "("))
        return koshu_is_function(t, &plain) ? parse_call(p, plain) : NO_NODE;
    if (koshu_is_input(t)) return parse_input(p);
    p->at++;
    if (koshu_is_index(t)) return new_node(p, OP_INDEX, KIND_INDEX, t);
    return is_known(p, t) ? new_node(p, OP_VARIABLE, KIND_REAL, t) : NO_NODE;
}

static bool
is_real_type(const struct koshu_token *t)
{
    return koshu_token_is(t, "float") || koshu_token_is(t, "double");
}

/* ( e ), or the cast ( float ) e. */
static int
parse_bracket(struct parser *p)
{
    p->at++;
    if (is_real_type(p->at)) {
        p->at++;
        if (!koshu_parse_take(p, ")")) return NO_NODE;
        const int n = parse_unary(p);
        /* an integer becomes real before it is divided */
        return n == NO_NODE || p->nodes[n].kind == KIND_REAL ? n : NO_NODE;
    }
    const int n = parse_choice(p);
    return koshu_parse_take(p, ")") ? n : NO_NODE;
}

static int
parse_primary(struct parser *p)
{
    const struct koshu_token *t = p->at;
    switch (t->kind) {
    case KOSHU_TOKEN_REAL:
        p->at++;
        return new_node(p, OP_LITERAL, KIND_REAL, t);
    case KOSHU_TOKEN_INTEGER:
        p->at++;
        return new_node(p, OP_LITERAL, KIND_INTEGER, t);
    case KOSHU_TOKEN_NAME: return parse_name(p);
    default: return koshu_token_is(t, "(") ? parse_bracket(p) : NO_NODE;
    }
}

/* ---- operators ----------------------------------------------------------- */

static int
parse_unary(struct parser *p)
{
    const struct koshu_token *t = p->at;
    if (p->depth == DEEPEST_TREE) return NO_NODE;
    p->depth++;
    int n;
    if (koshu_parse_take(p, "+")) {
        n = parse_unary(p);
    } else if (koshu_parse_take(p, "-")) {
        const int a = parse_unary(p);
        const enum kind kind = a == NO_NODE ? KIND_REAL : p->nodes[a].kind;
        n = new_tree(p, OP_NEGATE, kind == KIND_MASK ? KIND_REAL : kind, t, a,
                     NO_NODE);
    } else if (koshu_parse_take(p, "!")) {
        n = new_tree(p, OP_NOT, KIND_MASK, t, parse_unary(p), NO_NODE);
    } else {
        n = parse_primary(p);
    }
    p->depth--;
    return n;
}

/* How tightly an operator binds; 0: it is none of these. */
static int
binding(const struct koshu_token *t)
{
    static const char *const levels[][5] = {
            {"||"},     {"&&"},    {"==", "!="}, {"<", ">", "<=", ">="},
            {"+", "-"}, {"*", "/"}};
    for (int l = 0; l < 6; l++)
        for (int k = 0; levels[l][k]; k++)
            if (koshu_token_is(t, levels[l][k])) return l + 1;
    return 0;
}

enum { FIRST_COMPARISON = 3, FIRST_ARITHMETIC = 5 };

/* The kind of a op b; false: vectors cannot do that. */
static bool
join_kinds(const struct koshu_token *t, enum kind a, enum kind b,
           enum kind *kind)
{
    const bool integers = a != KIND_REAL && b != KIND_REAL && a != KIND_MASK &&
                          b != KIND_MASK;
    if (binding(t) < FIRST_ARITHMETIC) {
        *kind = KIND_MASK;
        return true;
    }
    *kind = !integers                            ? KIND_REAL
            : a == KIND_INDEX || b == KIND_INDEX ? KIND_INDEX
                                                 : KIND_INTEGER;
    return *kind != KIND_INDEX || !koshu_token_is(t, "/");
}

static int
parse_binary(struct parser *p, int least)
{
    int a = parse_unary(p);
    for (int level;
         a != NO_NODE && (level = binding(p->at)) >= least && level > 0;) {
        const struct koshu_token *t = p->at++;
        const int b = parse_binary(p, level + 1);
        enum kind kind;
        if (b == NO_NODE ||
            !join_kinds(t, p->nodes[a].kind, p->nodes[b].kind, &kind))
            return NO_NODE;
        a = new_tree(p, OP_BINARY, kind, t, a, b);
    }
    return a;
}

static int
parse_choice(struct parser *p)
{
    const int a = parse_binary(p, 1);
    const struct koshu_token *t = p->at;
    if (a == NO_NODE || !koshu_parse_take(p, "?")) return a;
    const int b = parse_choice(p);
    if (b == NO_NODE || !koshu_parse_take(p, ":")) return NO_NODE;
    const int c = parse_choice(p);
    const int n = new_tree(p, OP_CHOICE, KIND_REAL, t, a, b);
    if (n == NO_NODE || c == NO_NODE) return NO_NODE;
    p->nodes[n].c = c;
    const enum kind kb = p->nodes[b].kind, kc = p->nodes[c].kind;
    /* c ? 1 : 2 is an integer, which may be divided later */
    return kb == KIND_REAL || kc == KIND_REAL ? n : NO_NODE;
}

int
koshu_parse_expression(struct parser *p)
{
    return parse_choice(p);
}
