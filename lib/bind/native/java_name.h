/*
 * javaname - methods of Java as they are written in the source; private to symbol/.
 *
 *	Ljava/util/Arrays;copyOf([Ljava/lang/Object;I)[Ljava/lang/Object;
 *	java.util.Arrays.copyOf(java.lang.Object[], int)
 *
 * The signature of a class, a method and its descriptor, which is how perf's agent for
 * the JVM writes a method into a jitdump.  Like perf, this leaves out what it returns.
 *
 * Source: The Java Virtual Machine Specification, 4.3; tools/perf/util/demangle-java.c.
 */
#ifndef BIND_NATIVE_JAVA_NAME_H
#define BIND_NATIVE_JAVA_NAME_H

#include "base/arena.h"

/*
 * name itself when it is no such name.  as_perf: of arrays of classes and of
 * constructors, what perf 6.1 makes of them.
 */
struct str java_name(struct str name, bool as_perf, struct arena *a);

#endif
