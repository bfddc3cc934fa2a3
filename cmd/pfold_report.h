/* pfold_report - what a run of pfold says on standard error: how much it folded and left out. */
#ifndef CMD_PFOLD_REPORT_H
#define CMD_PFOLD_REPORT_H

#include "pfold_options.h"
#include "symbol/report/summary.h"

/* The run that makes one output, of all inputs or of one. */
struct pfold_run {
	struct pfold *tool;
	struct arena arena, scratch;
	struct fold fold;
	struct slices slices;
	struct measure_run measure;
	struct select_hits hits;
	struct head_sum head;
	struct output_fold written;
	struct coverage coverage; /* frames of all inputs */
	struct str worst;         /* modules with unnamed frames, and maps bound */
	size_t inputs;
	bool met_sample; /* an input has a sample, folded or not */
	bool failed;     /* an input could not be opened */
	bool refused;    /* weights of different units, reported */
};

/* The sums of a run whose fold was written. */
void pfold_report_done(struct pfold_run *r);

#endif
