/*
 * datasrc - prints union perf_mem_data_src of include/uapi/linux/perf_event.h: the level of
 * memory that answered a load or store.  Uses the words of tools/perf/util/mem-events.c, 6.1.
 *
 * 		 5080021 |OP N/A|LVL N/A
 * 		68100142 |OP LOAD|LVL L1 hit
 */
#ifndef WRITER_SCRIPT_DATASRC_H
#define WRITER_SCRIPT_DATASRC_H

#include "base/str.h"

enum { DATASRC_TEXT = 100 }; /* size of the text in bytes, to which perf truncates it */

void datasrc_text(uint64_t source, char out[DATASRC_TEXT]);

#endif
