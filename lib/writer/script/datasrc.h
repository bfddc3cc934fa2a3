/*
 * datasrc - union perf_mem_data_src, include/uapi/linux/perf_event.h: where a load or store was
 * answered, in the words of tools/perf/util/mem-events.c, 6.1.
 *
 *	         5080021 |OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A
 *	        68100142 |OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A
 */
#ifndef WRITER_SCRIPT_DATASRC_H
#define WRITER_SCRIPT_DATASRC_H

#include "base/str.h"

enum { DATASRC_TEXT = 100 }; /* bytes, cut as perf does */

void datasrc_text(uint64_t source, char out[DATASRC_TEXT]);

#endif
