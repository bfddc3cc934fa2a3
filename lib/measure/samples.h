/*
 * samples - the measure of most profiles: a sample has its period, 1, or a field of its payload
 * as weight; a line of folded stacks or of text has its number.
 */
#ifndef MEASURE_SAMPLES_H
#define MEASURE_SAMPLES_H

struct measure;

extern const struct measure samples_measure;

#endif
