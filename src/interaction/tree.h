/* SPDX-License-Identifier: MIT */
/*
 * Expressions of a kernel source as trees, as far as vectors can do them: real
 * numbers, comparisons, numbers of particles. What they cannot do is no error:
 * the parser says so, and the text is compiled as it stands.
 */
#ifndef KOSHU_INTERACTION_TREE_H
#define KOSHU_INTERACTION_TREE_H

#include <stdio.h>

#include "interaction/interaction.h"

enum kind {
    KIND_REAL,
    KIND_MASK,    /* of a comparison */
    KIND_INTEGER, /* made of literals alone */
    KIND_INDEX    /* INDEX_I, INDEX_J, and sums of them */
};

enum operation {
    OP_LITERAL,
    OP_VARIABLE, /* a variable or a constant */
    OP_INPUT,    /* INPUT_I[k], INPUT_J[k] */
    OP_INDEX,
    OP_NEGATE,
    OP_NOT,
    OP_BINARY,
    OP_CALL,  /* a, b, c: arguments, as many as there are */
    OP_CHOICE /* a ? b : c */
};

enum {
    NO_NODE = -1,
    MAX_NODES = 8192,
    MAX_VARIABLES = 512,
    DEEPEST_TREE = 200
};

struct node {
    enum operation operation;
    enum kind kind;
    const struct koshu_token *token; /* the literal, name or operator; of
                                        an input the index */
    int a, b, c;
};

struct parser {
    const struct koshu_kernel_source *d;
    const struct koshu_token *at;
    int n_nodes, depth;
    struct node *nodes; /* MAX_NODES */
    int n_variables;
    const struct koshu_token **variables; /* MAX_VARIABLES: declared so far */
};

/* The tree of the expression at p->at, without commas at its top; NO_NODE:
 * vectors cannot do it. */
int koshu_parse_expression(struct parser *p);

/* Takes the token, if it is this one. */
bool koshu_parse_take(struct parser *p, const char *text);

/* The expression as C for vectors: a real, or a mask. */
void koshu_write_real(const struct parser *p, FILE *out, int node);
void koshu_write_mask(const struct parser *p, FILE *out, int node);

#endif
