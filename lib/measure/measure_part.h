/* measure_part - sends the counts of a worker, which measures a part of the input. */
#ifndef MEASURE_MEASURE_PART_H
#define MEASURE_MEASURE_PART_H

#include "base/parcel.h"
#include "measure/measure.h"

/* Returns true if the weight of a sample never depends on other samples. */
bool measure_part_divides(const struct measure_run *r);

/* Prepares a worker.  Call it once after fork. */
void measure_part_begin(struct measure_run *r);

/* Writes what was counted since the last call. */
void measure_part_send(struct measure_run *r, struct out *to);
void measure_part_take(struct measure_run *r, struct cursor *from);

#endif
