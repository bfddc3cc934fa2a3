/*
 * stat_text - writes the contents of a profile as text for people.
 *
 * 	6,497 samples in 8.01 s, from 641.520092 to 649.530760
 *
 * 	events    samples      weight  kernel  frames
 * 		    6,497      13.0 s   1.2 %    18.5  cpu-clock:pppH
 */
#ifndef WRITER_STAT_TEXT_H
#define WRITER_STAT_TEXT_H

#include "base/out.h"
#include "measure/statistics.h"

struct stat_text_look {
	const char *input; /* name that is printed first, or NULL */
	bool blocks;       /* draw bars with UTF-8 block characters, not with '#' */
};

/* Writes s.  statistics_settle must have been called.  scratch is used for text. */
void stat_text_write(struct out *o, const struct statistics *s,
                     const struct stat_text_look *look, struct arena *scratch);

#endif
