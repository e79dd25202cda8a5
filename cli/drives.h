/* cli/drives.h - what drives need, as a table at the end of a run. */
#pragma once

#include "trammel/trammel.h"

typedef struct CliDrive {
    double low, high;    /* coordinate */
    double force, power; /* largest, by magnitude */
    double time;         /* s, of the largest force */
    double square, work; /* integrals of the square of the force and of the power */
    TmlDrive last;
} CliDrive;

typedef struct CliDrives {
    CliDrive *at; /* one for each joint; NULL: no row yet */
    double begin, end;
    bool failed; /* no memory */
} CliDrives;

void cli_drives_row(CliDrives *d, const TmlSim *sim);
void cli_drives_print(const CliDrives *d, const TmlSim *sim);
void cli_drives_free(CliDrives *d);
