/* pfold_report - prints the summary of pfold on standard error. */
#ifndef CMD_PFOLD_REPORT_H
#define CMD_PFOLD_REPORT_H

#include "pfold_options.h"
#include "symbol/report/summary.h"

/* The state for an output, which is made from one input or from all inputs. */
struct pfold_run {
	struct pfold *tool;
	struct arena arena, scratch;
	struct fold fold;
	struct slices slices;
	struct measure_run measure;
	struct select_hits hits;
	struct head_sum head;
	struct output_fold written;
	struct coverage coverage; /* counts of frames in all inputs */
	struct str worst; /* text about maps and about modules with unnamed frames */
	size_t inputs;
	bool met_sample; /* an input has a sample, even if it was not folded */
	bool failed;     /* some input could not be opened */
	bool refused;    /* a report said that units of inputs differ */
};

/* Prints the summary of a run after its fold was written. */
void pfold_report_done(struct pfold_run *r);

#endif
