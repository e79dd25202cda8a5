/* adams/dataset/statements.h - the table of statements. */
#pragma once

#include "adams/dataset/syntax.h"

extern const TmlAdmSyntax tml_adm_statements[];
extern const int tml_adm_n_statements;
