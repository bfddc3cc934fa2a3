/*
 * measure_part - sends the counts of a worker process, which measures a part of the input, to the
 * first process.
 */
#ifndef MEASURE_MEASURE_PART_H
#define MEASURE_MEASURE_PART_H

#include "base/parcel.h"
#include "measure/measure.h"

/* Returns true if the weight of each sample does not depend on other samples. */
bool measure_part_divides(const struct measure_run *r);

/* Call it once in each new worker. */
void measure_part_begin(struct measure_run *r);

/* Writes the counts since the last call. */
void measure_part_send(struct measure_run *r, struct out *to);
void measure_part_take(struct measure_run *r, struct cursor *from);

#endif
