/*
 * offcpu_measure - the options and messages of --off-cpu, and of --wall, which adds the time on the
 * CPU.  measure/offcpu.h computes the weights.
 */
#ifndef MEASURE_OFFCPU_MEASURE_H
#define MEASURE_OFFCPU_MEASURE_H

struct measure;

extern const struct measure offcpu_measure;

#endif
