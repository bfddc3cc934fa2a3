/*
 * samples - the measure of most profiles.  The weight of a sample is its period, 1, or a field of
 * its payload.  A line of folded stacks or of text states its weight.
 */
#ifndef MEASURE_SAMPLES_H
#define MEASURE_SAMPLES_H

#include <stdbool.h>

struct measure;

extern const struct measure samples_measure;

/* Returns the address of state.periods: true if a sample has a weight other than 1. */
bool *samples_periods(void *state);

#endif
