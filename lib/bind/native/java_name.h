/*
 * java_name - methods of Java, spelled as in the source.  Private to bind/.
 *
 * 	Ljava/util/Arrays;copyOf([Ljava/lang/Object;I)[Ljava/lang/Object;
 * 	java.util.Arrays.copyOf(java.lang.Object[], int)
 *
 * perf's agent for the JVM writes the signature of the class, the method and its descriptor into
 * a jitdump.  Like perf, this module omits the return type.
 *
 * Source: The Java Virtual Machine Specification, 4.3, and tools/perf/util/demangle-java.c.
 */
#ifndef BIND_NATIVE_JAVA_NAME_H
#define BIND_NATIVE_JAVA_NAME_H

#include "base/arena.h"

/*
 * Returns the name as in the source, or name itself if it is not a mangled name of Java.
 * as_perf: writes arrays of classes, and constructors, as perf 6.1 does.
 */
struct str java_name(struct str name, bool as_perf, struct arena *a);

#endif
