/*
 * tracefield - reads fields of a tracepoint from the text that perf prints.
 *
 * 	kmem:kmalloc           call_site=foo+0x1 ptr=0x1 bytes_req=8 bytes_alloc=8
 * 	syscalls:sys_enter_*   fd: 0x00000003, buf: 0x7f00, count: 0x00000340
 * 	ext4:ext4_da_*         dev 8,1 ino 263 pos 0 len 4096
 * 	syscalls:sys_exit_*    0x340
 * 	block:block_*          8,0 WS () 1234 + 8 [0]
 *
 * In the last two examples perf prints no names, so the event determines them: "ret" is 0x340,
 * and "nr_sector" is 8.
 */
#ifndef READER_PERFTEXT_TRACEFIELD_H
#define READER_PERFTEXT_TRACEFIELD_H

#include "base/arena.h"
#include "reader/event.h"

/*
 * Reads a field by its name.  `text` is the text that perf printed for `event`.  Returns false if
 * the field is missing.  If the value is not a number, sets out->text.  64-bit numbers are
 * signed.
 */
bool tracefield_value(struct str event, struct str text, struct str field,
                      struct trace_value *out);

/* Returns the names of the numeric fields, separated by ", ", in arena `a`. */
struct str tracefield_list(struct str event, struct str text, struct arena *a);

#endif
