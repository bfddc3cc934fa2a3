/* offcpu_measure - the measure for --off-cpu, and for --wall, which adds the time on the CPU. */
#ifndef MEASURE_OFFCPU_MEASURE_H
#define MEASURE_OFFCPU_MEASURE_H

struct measure;

extern const struct measure offcpu_measure;

#endif
