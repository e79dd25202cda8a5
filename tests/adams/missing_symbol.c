/* tests/adams/missing_symbol.c - a user-written routine that calls what nobody has. */
#include "trammel/adams_user.h"

void c_no_such_utility(double *value);
adams_c_Varsub Varsub;

void Varsub(const struct sAdamsVariable *variable, double time, int dflag, int iflag, double *value)
{
    (void)variable, (void)time, (void)dflag, (void)iflag;
    c_no_such_utility(value);
}
