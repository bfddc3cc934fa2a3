/*
 * columns - selects the fields of a sample that are printed, like -F of perf script 6.1.
 *
 * 	comm,ip,sym        print these fields for every type of event
 * 	+addr,-period      add addr to the default fields, and remove period
 * 	sw:ip,sym          print these fields for software events
 *
 * The types are hw, sw, trace, raw, break and synth.  All events of a type have the same
 * columns, which depend on the first event of the type, as in perf.
 */
#ifndef WRITER_SCRIPT_COLUMNS_H
#define WRITER_SCRIPT_COLUMNS_H

#include "reader/reader.h"

enum column {
	COL_COMM,
	COL_TID,
	COL_PID,
	COL_TIME,
	COL_CPU,
	COL_EVENT,
	COL_TRACE,
	COL_IP,
	COL_SYM,
	COL_DSO,
	COL_ADDR,
	COL_SYMOFF,
	COL_SRCLINE,
	COL_PERIOD,
	COL_IREGS,
	COL_UREGS,
	COL_BRSTACK,
	COL_BRSTACKSYM,
	COL_BRSTACKOFF,
	COL_DATA_SRC,
	COL_WEIGHT,
	COL_BPF_OUTPUT,
	COL_PHYS_ADDR,
	COL_MISC,
	COL_TOD,
	COL_DATA_PAGE_SIZE,
	COL_CODE_PAGE_SIZE,
	COL_INS_LAT,
	/* perf 6.3 added RETIRE_LAT, 6.4 DSOFF, and 6.10 CGROUP */
	COL_RETIRE_LAT,
	COL_DSOFF,
	COL_CGROUP,
	COL_GUESS,   /* our field "guess", which perf does not have */
	COL_NOTHING, /* this and later columns are accepted but not printed */
	COL_CALLINDENT = COL_NOTHING,
	COL_SYNTH,
	COL_IPC,
	COL_MACHINE_PID,
	COL_VCPU,
	COLUMNS
};

/*
 * Types of events after PERF_TYPE_BREAKPOINT.  TYPE_SYNTH: events that perf makes from traces.
 * TYPE_OTHER: all other events.
 */
enum { TYPE_SYNTH = 6, TYPE_OTHER = 7, COLUMN_TYPES };

/* The columns for each type of event, as sets of 1 << enum column. */
struct columns {
	uint64_t shown[COLUMN_TYPES];
	uint64_t asked[COLUMN_TYPES];   /* columns that were requested by name */
	uint64_t dropped[COLUMN_TYPES]; /* columns that were removed by name, with '-' */
	bool chosen[COLUMN_TYPES];      /* -F selected columns for this type */
	/* do not report that the profile has no event of this type */
	bool anyway[COLUMN_TYPES];
	bool compat; /* --perf-compat: print only columns that perf has */
	bool flags;  /* print blanks in the column for flags of branches */
};

/* Sets the default columns of perf. */
void columns_init(struct columns *c);

/* Applies the argument of an -F option, which may be repeated.  Returns -1 after a report. */
int columns_choose(struct columns *c, const char *arg, struct diag *diag);

/*
 * Returns true if c has perf's default columns, with or without the field "guess".  If the input
 * is text, no other columns can be printed.
 */
bool columns_suit_text(const struct columns *c);

/*
 * Removes columns that the events of r lack.  Returns -1, after a report, if a removed column was
 * requested by name.
 */
int columns_settle(struct columns *c, const struct reader *r, bool hide_chain,
                   struct diag *diag);

/* Returns the type of event, as an index for struct columns. */
unsigned columns_type(const struct attr *a);

static inline bool columns_show(const struct columns *c, unsigned type, enum column col)
{
	return c->shown[type] >> col & 1;
}

/*
 * Returns true if the column may be printed for at least one type of event.  May be called before
 * columns_settle.
 */
static inline bool columns_may_show(const struct columns *c, enum column col)
{
	uint64_t any = 0;

	for (unsigned type = 0; type < COLUMN_TYPES; type++)
		any |= c->shown[type] | c->asked[type];
	return any >> col & 1;
}

#endif
