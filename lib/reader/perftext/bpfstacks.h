/*
 * bpfstacks - reads the output of stack tools of BCC and bpftrace.
 *
 * 	  7f773651f267     [unknown]      stackcount -v
 * 	    dotnet [4711]
 * 	    12
 *
 * 	    #0  0x00007f773651f267 (libx.so+0x20267)      offcputime -v (libbpf-tools)
 * 	    -      dotnet (4711)
 * 	        1500
 *
 * 	@[
 * 	    0x7f773651f267                    bpftrace: ustack(perf) and ustack(raw):
 * 	            7f773651f267 0x7f773651f267 ([unknown])
 * 	7f773651f267
 * 	, dotnet, 4711]: 3
 *
 * A stack ends with its count.  If a blank line ends a stack, its count is 1.  Layout:
 * tools/{stackcount,profile,offcputime}.py of BCC, libbpf-tools/offcputime.c, src/bpftrace.cpp
 * (get_stack).
 */
#ifndef READER_PERFTEXT_BPFSTACKS_H
#define READER_PERFTEXT_BPFSTACKS_H

#include "reader/format.h"

extern const struct format bpfstacks_format;

#endif
