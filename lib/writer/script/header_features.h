/*
 * header_features - prints the header of `perf script --header`, except the line "captured on", which
 * is the time of the file on disk.
 *
 * 	# ========
 * 	# header version : 1
 * 	# hostname : build7
 * 	# sibling sockets : 0-1
 * 	# node0 meminfo  : total = 6777044 kB, free = 3799892 kB
 * 	# missing features: TRACING_DATA BRANCH_STACK GROUP_DESC
 * 	# ========
 * 	#
 */
#ifndef WRITER_SCRIPT_HEADER_FEATURES_H
#define WRITER_SCRIPT_HEADER_FEATURES_H

#include "base/out.h"
#include "reader/capture.h"

/*
 * Prints the header.  If `full` is set, also prints the hardware, as -I does.  If `perf` is 7,
 * uses the format of perf 7, otherwise the format of perf 6.1.
 */
void header_features_write(const struct capture *rec, bool full, unsigned perf,
                           struct out *o);

#endif
