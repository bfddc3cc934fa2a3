/*
 * describe - the block that `perf script --header` prints in front, all but its line
 * "captured on", the time of the file on its disk:
 *
 *	# ========
 *	# header version : 1
 *	# hostname : build7
 *	# sibling sockets : 0-1
 *	# node0 meminfo  : total = 6777044 kB, free = 3799892 kB
 *	# missing features: TRACING_DATA BRANCH_STACK GROUP_DESC
 *	# ========
 *	#
 */
#ifndef WRITER_SCRIPT_DESCRIBE_H
#define WRITER_SCRIPT_DESCRIBE_H

#include "base/out.h"
#include "reader/capture.h"

/*
 * full: with -I, how the recording machine is built as well.  perf: 7 as perf 7 prints it, else as
 * perf 6.1.
 */
void describe_capture(const struct capture *rec, bool full, unsigned perf, struct out *o);

#endif
