/* adams/statements.h - the table of statements. */
#pragma once

#include "adams/syntax.h"

extern const TmlAdmSyntax tml_adm_statements[];
extern const int tml_adm_n_statements;
