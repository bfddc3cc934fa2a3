/*
 * bpfline - one line of a stack that BCC or bpftrace printed; private to reader/.
 */
#ifndef READER_PERFTEXT_BPFLINE_H
#define READER_PERFTEXT_BPFLINE_H

#include "reader/perftext/text.h"

/* It can be a line of a stack: it is indented, or an address alone. */
bool bpf_is_frame(struct str line);

/*
 * As reader_parse_frame.  A line may have no address, which is 0 then; out->prefix is
 * what stands in front of the name.
 */
bool bpf_parse_frame(struct str line, struct frame_text *out);

void bpf_push_frame(struct text *t, struct event *ev, struct str line);

#endif
