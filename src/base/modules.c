/* base/modules.c - the program and its libraries, as the loader of the C library lists them. */
#include "base/modules.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

typedef struct Listing {
    TmlModule *out;
    int n;
} Listing;

static int add_module(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size;
    Listing *l = user;
    if (l->n == TML_MODULES_MAX) {
        return 1;
    }
    const char *name = info->dlpi_name != NULL ? info->dlpi_name : "";
    const char *slash = strrchr(name, '/');
    TmlModule *m = &l->out[l->n];
    *m = (TmlModule){.start = UINTPTR_MAX};
    snprintf(m->name, sizeof m->name, "%s", slash != NULL ? slash + 1 : name);
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        const uintptr_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        if (p->p_type == PT_LOAD) {
            m->start = from < m->start ? from : m->start;
            m->end = to > m->end ? to : m->end;
            if ((p->p_flags & PF_X) != 0) {
                m->code = (const char *)from;
                m->code_size = p->p_filesz;
            }
        }
    }
    l->n += m->end > m->start;
    return 0;
}

int tml_modules(TmlModule out[TML_MODULES_MAX])
{
    Listing l = {out, 0};
    dl_iterate_phdr(add_module, &l);
    return l.n;
}

uint64_t tml_module_sum(const TmlModule *m)
{
    uint64_t sum = 14695981039346656037u ^ (uint64_t)(m->end - m->start);
    for (size_t k = 0; k + sizeof sum <= m->code_size; k += sizeof sum) {
        uint64_t word;
        memcpy(&word, m->code + k, sizeof word);
        sum = (sum ^ word) * 1099511628211u;
        sum ^= sum >> 32;
    }
    return sum;
}
