/* analysis/rows/account.h - the work of forces and drives, up to any time of the run. */
#pragma once

#include "analysis/rows/between.h"

enum {
    TML_ACCOUNT_STORED,
    TML_ACCOUNT_OTHER,
    TML_ACCOUNT_PRESS, /* contacts, along their normals */
    TML_ACCOUNT_SLIP,  /* friction in contacts */
    TML_ACCOUNTS
};
enum { TML_ACCOUNT_ENDS = 6, TML_ACCOUNT_GAUSS = 3 };

/* How the work of the last step was found, and with it that of a part of the step. */
typedef enum TmlAccountWay {
    TML_ACCOUNT_BY_ENDS,   /* from powers at the ends of steps */
    TML_ACCOUNT_BY_METHOD, /* from powers at the stages */
    TML_ACCOUNT_BY_GAUSS,  /* from powers at the ends and at Gauss points */
    TML_ACCOUNT_DIVIDED    /* anything else */
} TmlAccountWay;

typedef struct TmlAccount {
    bool none;                 /* nothing does work but gravity and stresses that have an energy */
    bool solve;                /* powers depend on multipliers or accelerations */
    double work[TML_ACCOUNTS]; /* J, up to the end of the last step */
    double scale;              /* J: energy that has been about so far */
    double earlier[TML_ACCOUNTS]; /* J, up to time[1] */
    double noted[TML_ACCOUNTS];   /* W, at the end of the step that is being accepted */
    int stride, since; /* steps from one of the following to the next, (W4); steps since the last */
    int ends;          /* how many of the following belong to the same smooth motion */
    double time[TML_ACCOUNT_ENDS], power[TML_ACCOUNTS][TML_ACCOUNT_ENDS]; /* newest first */
    TmlAccountWay way;
    int ration;               /* halvings that are left, (W5) */
    int64_t method_residuals; /* that the method has asked for, up to the last step */
    int64_t asked;            /* times that powers inside of a step were evaluated */
    bool cut;                 /* (W7) has kept the last step from (W3) */
    bool cut_told;            /* that this happens */
    double inside[TML_ACCOUNTS][TML_ACCOUNT_GAUSS];
    double row_step[2],
        row_time; /* the last row inside of a step that was divided: the ends of the step, its time */
    double row_part[TML_ACCOUNTS]; /* J, from the start of the step up to that time */
} TmlAccount;

struct TmlSim;

TML_NODISCARD TmlStatus tml_account_setup(struct TmlSim *sim, TmlError *err);
/* From zero at it.now, whose accelerations are solved for. */
void tml_account_begin(struct TmlSim *sim);
/* The powers at the last residual are those of the step's end: before it is accepted. */
void tml_account_note(struct TmlSim *sim);
/* The step from s0 to s1, when it is accepted. */
void tml_account_step(struct TmlSim *sim, const TmlState *s0, const TmlState *s1);
/* Up to the end of the last step, when the state is about to change at that time. */
void tml_account_close(struct TmlSim *sim);
/* Does the work inside of the last step depend on the row at its end, which must be ready then? */
bool tml_account_reads_end(const struct TmlSim *sim);
/* Whether powers depend on multipliers or accelerations, and so are solved for. */
bool tml_account_solves(const struct TmlSim *sim);
/* J, up to the end of the last step; energy that has been about so far. */
void tml_account_work(const struct TmlSim *sim, double work[TML_ACCOUNTS]);
double tml_account_scale(const struct TmlSim *sim);
/* An impact has brought so many J; the account goes on from behind it. */
void tml_account_impact(struct TmlSim *sim, double energy);
/* Powers may have jumped: what was noted before belongs to another curve. */
void tml_account_restart(struct TmlSim *sim);
/* J: by drives and forces without an energy; lost in forces that have one and in contacts; of that
 * in contacts along their normals, and in their friction. */
typedef struct TmlWorkDone {
    double work, dissipated, lost_contact, lost_friction;
} TmlWorkDone;

/* Up to t, inside the last step from s0 to s1 or at its end, where forces have stored so much. */
TmlWorkDone tml_account_at(struct TmlSim *sim, const TmlState *s0, const TmlState *s1, double t,
                           double stored);
