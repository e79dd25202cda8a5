/* tests/analysis/mechanisms.h - models that the tests of all integrators share, as text. */
#pragma once

extern const char pendulum[];
extern const char ball_pendulum[];
extern const char top[];
extern const char four_bar[];
extern const char double_pendulum[];
