/*
 * java_name - converts names of Java methods to source form.  Private to bind/.
 *
 * 	Ljava/util/Arrays;copyOf([Ljava/lang/Object;I)[Ljava/lang/Object;
 * 	java.util.Arrays.copyOf(java.lang.Object[], int)
 *
 * perf's agent for the JVM writes the class signature, the method and its descriptor to a
 * jitdump.  This module omits the return type, as perf does.
 *
 * Source: The Java Virtual Machine Specification, 4.3, and tools/perf/util/demangle-java.c.
 */
#ifndef BIND_NATIVE_JAVA_NAME_H
#define BIND_NATIVE_JAVA_NAME_H

#include "base/arena.h"

/*
 * Returns the name in source form, or name itself if it is not a mangled Java name.  If as_perf
 * is set, writes constructors and arrays of classes as perf 6.1 does.
 */
struct str java_name(struct str name, bool as_perf, struct arena *a);

#endif
