/* pfold_report - the summary of pfold on standard error. */
#ifndef CMD_PFOLD_REPORT_H
#define CMD_PFOLD_REPORT_H

#include "pfold_options.h"
#include "symbol/report/summary.h"

/* State for one output, of all inputs or of one. */
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

/* Prints the summary of a run after its fold was written. */
void pfold_report_done(struct pfold_run *r);

#endif
