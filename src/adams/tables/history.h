/* adams/tables/history.h - time histories of test rigs in binary files: DAC and RPC III. */
#pragma once

#include <stdbool.h>

typedef struct TmlAdmHistory {
    int n;
    double from, step; /* of x */
    double *y;         /* n; NULL: nothing was read */
    bool nomem;
    char wrong[160]; /* what is wrong with the file; "": nothing */
} TmlAdmHistory;

/* Is it one, by its first bytes or its name? */
bool tml_adm_is_history(const char *path);
/* channel: from 1 on, of an RPC III file; 0: not given. false: nomem, or wrong says why. */
bool tml_adm_history_read(const char *path, int channel, TmlAdmHistory *h);
void tml_adm_history_free(TmlAdmHistory *h);
