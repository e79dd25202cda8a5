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
    double scale;              /* J: the energy that has been about so far */
    double earlier[TML_ACCOUNTS]; /* J: the work up to time[1] */
    double noted[TML_ACCOUNTS];   /* W: the powers at the end of the step that is being accepted */
    int stride,
        since; /* how many steps lie between two of the following times, (W4), and behind the last */
    int ends;  /* how many of the following times belong to the same smooth motion */
    double time[TML_ACCOUNT_ENDS], power[TML_ACCOUNTS][TML_ACCOUNT_ENDS]; /* newest first */
    TmlAccountWay way;
    int ration;               /* how many halvings are left, (W5) */
    int64_t method_residuals; /* residuals that the method has asked for, up to the last step */
    int64_t asked;            /* how often powers inside of a step were evaluated */
    bool cut;                 /* (W7) has kept the last step from (W3) */
    bool cut_told;            /* a note has said so */
    double inside[TML_ACCOUNTS][TML_ACCOUNT_GAUSS]; /* W: powers at Gauss points of the last step */
    double row_step[2],
        row_time; /* the ends of the step and the time of the last row inside of a step that was divided */
    double row_part[TML_ACCOUNTS]; /* J: the work from the start of that step to that time */
} TmlAccount;

struct TmlSim;

TML_NODISCARD TmlStatus tml_account_setup(struct TmlSim *sim, TmlError *err);
/* Starts the account from zero at it.now, whose accelerations must have been solved for. */
void tml_account_begin(struct TmlSim *sim);
/* Notes the powers of the last residual as those at the end of the step, before the step is accepted. */
void tml_account_note(struct TmlSim *sim);
/* Adds the work of the step from s0 to s1, which is being accepted. */
void tml_account_step(struct TmlSim *sim, const TmlState *s0, const TmlState *s1);
/* Completes the account up to the end of the last step, because the state is about to change at that time. */
void tml_account_close(struct TmlSim *sim);
/* Tells whether the work inside of the last step depends on the row at its end, which must be ready then. */
bool tml_account_reads_end(const struct TmlSim *sim);
/* Tells whether powers depend on multipliers or accelerations, and so are solved for. */
bool tml_account_solves(const struct TmlSim *sim);
/* Return the work up to the end of the last step, J, and the energy that has been about so far, J. */
void tml_account_work(const struct TmlSim *sim, double work[TML_ACCOUNTS]);
double tml_account_scale(const struct TmlSim *sim);
/* Adds the energy of an impact, J. The account goes on from behind the impact. */
void tml_account_impact(struct TmlSim *sim, double energy);
/* Is called where powers may have jumped: what was noted before belongs to another curve. */
void tml_account_restart(struct TmlSim *sim);
/* All in J. */
typedef struct TmlWorkDone {
    double work;          /* done by drives, and by forces that have no energy */
    double dissipated;    /* lost in forces that have an energy, and in contacts */
    double lost_contact;  /* the part of it that is lost in contacts along their normals */
    double lost_friction; /* the part of it that is lost in the friction of contacts */
} TmlWorkDone;

/* Returns the work up to t, a time inside of the last step from s0 to s1 or at its end. `stored` is the energy of forces at t, J. */
TmlWorkDone tml_account_at(struct TmlSim *sim, const TmlState *s0, const TmlState *s1, double t,
                           double stored);
