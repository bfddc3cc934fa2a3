#include "events.h"

#include <unistd.h>

#include "writer/event_list.h"

/*
 * Counts the events of an input.  If the input is unreadable, or if it is damaged and has no
 * samples, reports this and returns false.
 */
static bool count_events(struct cmd *c, const char *input, struct event_list *list)
{
	static const struct event_names every = { .all = true };
	struct profile_opts opts = cmd_profile_opts(c, input);
	struct profile *p;
	struct event ev;
	unsigned long damaged = c->diag.damaged;
	uint64_t n = 0;
	int got;

	opts.events = &every;
	p = profile_open(&opts);
	if (!p)
		return false;
	while ((got = reader_next(profile_reader(p), &ev)) != 0)
		if (got > 0 && ev.kind == EV_SAMPLE) {
			reader_frames(profile_reader(p), &ev);
			event_list_add(list, &ev);
			n++;
		}
	profile_close(p);
	if (!n && c->diag.damaged == damaged)
		diag_note(&c->diag, "%s: no samples", cmd_input_name(input));
	else if (!n)
		diag_fatal(&c->diag, "%s: no samples", cmd_input_name(input));
	return n || c->diag.damaged == damaged;
}

bool events_list(struct cmd *c)
{
	struct event_list list;
	bool usable = false;
	struct out o;

	event_list_init(&list, &c->run);
	for (size_t i = 0; i < c->ninputs; i++) {
		bool counted = count_events(c, c->inputs[i], &list);

		usable |= counted;
		c->skipped |= !counted;
	}
	if (cmd_open_output(c, &o, c->inputs[0], "tsv") < 0)
		return false;
	if (usable)
		event_list_write(&list, &o, !c->output && isatty(STDOUT_FILENO));
	else
		cmd_discard_output(c, &o);
	return usable && cmd_close_output(c, &o) == 0;
}
