/*
 * tidy_java - writes names of Java methods in one spelling.  The JVM, its agents and perf use
 * several:
 *
 * 	boolean java.lang.Class.isPrimitive()    java.lang.Class.isPrimitive
 * 	Ljava/util/HashMap;::get                      java.util.HashMap.get
 * 	Lio/netty/X;.m(II)V                        io.netty.X.m
 * 	int a.B$$Lambda$7/0x80000000b.test(int)       a.B$$Lambda.test
 */
#ifndef LABEL_TIDY_JAVA_H
#define LABEL_TIDY_JAVA_H

#include "label/tidy.h"

/* Writes s.  If s is not the name of a Java method, returns false without output. */
bool tidy_java(struct tidy *t, struct str s);

#endif
