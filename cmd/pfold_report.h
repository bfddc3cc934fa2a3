/* pfold_report - the summary of pfold on standard error. */
#ifndef CMD_PFOLD_REPORT_H
#define CMD_PFOLD_REPORT_H

#include "pfold_options.h"
#include "symbol/report/summary.h"

/* The state for one output, which is made from one input or from all inputs. */
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
	struct str worst; /* text about modules with unnamed frames and about maps */
	size_t inputs;
	bool met_sample; /* at least one input has a sample, which may be folded */
	bool failed;     /* at least one input could not be opened */
	bool refused;    /* inputs have weights of different units, which was reported */
};

/* Prints the summary of a run after its fold was written. */
void pfold_report_done(struct pfold_run *r);

#endif
