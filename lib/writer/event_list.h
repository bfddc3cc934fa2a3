/*
 * event_list - writes a table of the events of a profile, with their numbers and times.
 *
 * Each event has a line.  Tabs separate its fields, and lines are sorted by samples:
 *
 * 	count   stacks  first   last    event   view
 *
 * stacks is the number of samples with frames.  first and last are the times of the first and
 * last sample, in seconds of the profile's clock.  For an event of a runtime, view is the view
 * (measure/clr.h) that folds this event.  "-" is an unknown value.
 */
#ifndef WRITER_EVENT_LIST_H
#define WRITER_EVENT_LIST_H

#include "base/intern.h"
#include "base/out.h"
#include "reader/event.h"

struct event_list_row;

struct event_list {
	struct arena *run;
	struct interner names;
	struct event_list_row *row; /* sorted by name */
	size_t cap;
};

void event_list_init(struct event_list *list, struct arena *run);

/* Counts a sample. */
void event_list_add(struct event_list *list, const struct event *ev);

/* Writes the table.  Columns are separated by tabs, or aligned for a terminal. */
void event_list_write(struct event_list *list, struct out *out, bool aligned);

#endif
