/* system/redundancy/name_list.h - names in a message: 'a', 'b' and others. */
#pragma once

#include <stddef.h>
#include <stdio.h>

enum { TML_NAMES_LISTED = 6 };

typedef struct TmlNameList {
    char *text;
    size_t size, at;
    int n;
} TmlNameList;

static inline TmlNameList tml_name_list_begin(char *text, size_t size)
{
    text[0] = '\0';
    return (TmlNameList){.text = text, .size = size};
}

static inline void tml_name_list_add(TmlNameList *x, const char *name)
{
    if (++x->n > TML_NAMES_LISTED + 1) {
        return;
    }
    const int written =
        x->n > TML_NAMES_LISTED
            ? snprintf(x->text + x->at, x->size - x->at, " and others")
            : snprintf(x->text + x->at, x->size - x->at, "%s'%s'", x->n > 1 ? ", " : "", name);
    x->at += written > 0 && (size_t)written < x->size - x->at ? (size_t)written : 0;
}
