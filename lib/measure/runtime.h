/*
 * runtime - the options and messages of --event GC and similar.  If the input has runtime events,
 * the measure uses the views of measure/clr.h.
 */
#ifndef MEASURE_RUNTIME_H
#define MEASURE_RUNTIME_H

struct measure;

extern const struct measure runtime_measure;

#endif
