/*
 * rule - actions on samples and frames by their names, as in offbox-rules(5).
 *
 * A rule is a regular expression of PCRE2 and an action.  Rules are used in order.  Each rule
 * matches the name that the earlier rules have set.  The verdict depends only on the subject, so
 * it is needed only once for each distinct subject.
 *
 * The number of steps of a match is limited.  If a rule reaches the limit, it does not apply to
 * this name, and rule_finish reports the rule.
 */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "base/arena.h"
#include "base/diag.h"
#include "rule/rule_file.h"

struct rules;

/*
 * Returns an empty list of rules, or NULL after a report.  diag must live as long as the rules.
 */
struct rules *rule_open(struct diag *diag);

/*
 * Adds the rules of a file.  `name` is a file in share/rules, or else a path.  Returns -1 after a
 * report.
 */
int rule_read(struct rules *r, const char *name);

/* Adds the rules in `text`.  `name` is used in messages.  Returns -1 after a report. */
int rule_add_text(struct rules *r, struct str name, struct str text);

/*
 * Adds the rule of a command-line option, whose argument `rest` is the text after the action.
 * Returns -1 after a report.
 */
int rule_add(struct rules *r, enum rule_action action, const char *option,
             const char *rest);

/* A name, and other data of a frame or thread that rules use. */
struct rule_subject {
	struct str name;   /* the label without its mark */
	char mark;         /* letter of the label's mark, such as 'k', or 0 */
	struct str module; /* p is NULL if unknown */
	/* true for the frame at the root, to which only keep, drop and rename apply */
	bool root;
	/* name of the thread if `root` is set.  p is NULL if it is unknown */
	struct str comm;
};

enum {
	RULE_IS_KEPT = 1,
	RULE_IS_DROPPED = 2,
	RULE_IS_KEPT_AS_LEAF = 4, /* the sample is kept if this is its leaf */
	RULE_IS_DROPPED_AS_LEAF = 8,
	RULE_STARTS = 16, /* callers of the first such frame are removed */
	RULE_STOPS = 32,  /* callees of this frame are removed */
	/*
	 * The callers of each such frame are removed, because the frame interrupted them (action
	 * "apart").
	 */
	RULE_PARTS = 64,
	RULE_GROUPED = 128,
};

struct rule_verdict {
	struct str name; /* empty if the frame is hidden */
	char mark;       /* the subject's mark, or a mark set by a rule */
	uint8_t flags;
};

/* Applies the rules to a subject.  The resulting name is in arena `a`, or is the subject's. */
struct rule_verdict rule_judge(struct rules *r, const struct rule_subject *s,
                               struct arena *a);

/*
 * Returns the root frame for a thread called comm.  This is comm, unless a rule sets another
 * name.
 */
struct str rule_root(struct rules *r, struct str comm, struct arena *a);

/*
 * Returns true if a sample is kept only if a rule matches one of its frames.  Folded stacks have
 * neither modules nor threads.  If a rule keeps samples by these, all folded stacks are kept.
 */
bool rule_keeps(const struct rules *r, bool folded);

/* Returns true if a rule needs data that folded stacks do not contain. */
bool rule_asks_more(const struct rules *r);

/*
 * Reports the rules that reached a limit.  Returns -1 after a report if this happened for too
 * many names, because the output is then wrong.
 */
int rule_finish(struct rules *r);

/*
 * Reports the user's rules, from options and files, that matched no subject since the last call.
 * Also reports a similar name.
 */
void rule_report_unmatched(struct rules *r);

/* Accepts NULL. */
void rule_close(struct rules *r);

#endif
