/*
 * samples - the measure for most profiles.  The weight of a sample is its period, 1, or a field
 * of its payload.  Lines of folded stacks and of text contain their weight.
 */
#ifndef MEASURE_SAMPLES_H
#define MEASURE_SAMPLES_H

#include <stdbool.h>

struct measure;

extern const struct measure samples_measure;

/*
 * Returns the address of state.periods, a flag that is true if any weight differs from 1.
 */
bool *samples_periods(void *state);

#endif
