/* SPDX-License-Identifier: MIT */
/* The words that a key takes, by number; NULL past the last. */
#ifndef KOSHU_PARAMETERS_CHOICES_H
#define KOSHU_PARAMETERS_CHOICES_H

/* The numbers are those of the enums of the same names. */
const char *koshu_choice_model(int k);
const char *koshu_choice_method(int k);
const char *koshu_choice_precision(int k);
const char *koshu_choice_multipole_order(int k);
const char *koshu_choice_opening_criterion(int k);
const char *koshu_choice_space_filling_curve(int k);
const char *koshu_choice_traversal(int k);
const char *koshu_choice_scheme(int k);
const char *koshu_choice_step_rule(int k);
const char *koshu_choice_format(int k);
const char *koshu_choice_transport(int k);

#endif
