/*
 * runtime - the measure for --event GC and similar options.  It uses views of runtime events, if
 * the input has these events.
 */
#ifndef MEASURE_RUNTIME_H
#define MEASURE_RUNTIME_H

struct measure;

extern const struct measure runtime_measure;

#endif
