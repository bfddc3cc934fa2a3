/*
 * runtime - the measure of --event GC and similar options.  It uses a view of a runtime's
 * events, if the input has such events.
 */
#ifndef MEASURE_RUNTIME_H
#define MEASURE_RUNTIME_H

struct measure;

extern const struct measure runtime_measure;

#endif
