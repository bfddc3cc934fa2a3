/*
 * measure_part - the counts of another process of the program, which measures a part of the input.
 */
#ifndef MEASURE_MEASURE_PART_H
#define MEASURE_MEASURE_PART_H

#include "base/parcel.h"
#include "measure/measure.h"

/* Returns true if each sample of the input is measured on its own. */
bool measure_part_divides(const struct measure_run *r);

/* Call it once in a new process. */
void measure_part_begin(struct measure_run *r);

/* Writes what was counted since the last call. */
void measure_part_send(struct measure_run *r, struct out *to);
void measure_part_take(struct measure_run *r, struct cursor *from);

#endif
