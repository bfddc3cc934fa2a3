/*
 * samples - the measure of most profiles: a sample weighs its period, 1, or a field of its
 * payload; a line of folded stacks or of text weighs its number.
 */
#ifndef MEASURE_SAMPLES_H
#define MEASURE_SAMPLES_H

struct measure;

extern const struct measure samples_measure;

#endif
