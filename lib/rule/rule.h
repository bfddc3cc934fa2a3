/*
 * rule - actions on samples and frames by their names, as in offbox-rules(5).
 *
 * A rule is a regular expression of PCRE2 and an action.  Rules are used in order, and each sees
 * the name that the earlier rules have made.  The verdict depends only on the subject, so a
 * caller asks once for each distinct subject.
 *
 * The number of steps of a match is limited.  If a rule reaches the limit, it ignores this name,
 * and rule_finish reports it.
 */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "base/arena.h"
#include "base/diag.h"
#include "rule/rule_file.h"

struct rules;

/* Keeps diag. */
struct rules *rule_open(struct diag *diag);

/*
 * Adds the rules of a file in share/rules, or of any other.  Returns -1 after a report.
 */
int rule_read(struct rules *r, const char *name);

/* Adds the rules of text.  name is for messages.  Returns -1 after a report. */
int rule_add_text(struct rules *r, struct str name, struct str text);

/* Adds the text after an action, from the option with that name.  Returns -1 after a report. */
int rule_add(struct rules *r, enum rule_action action, const char *option,
             const char *rest);

/* One name, and the facts that rules ask of it. */
struct rule_subject {
	struct str name;   /* label without its mark */
	char mark;         /* letter of the kind of the frame: 'k', or 0 */
	struct str module; /* p is NULL: not known */
	bool root; /* the frame at the root: it is kept, dropped and renamed alone */
	struct str comm; /* of a root: the thread's name, with p NULL if unknown */
};

enum {
	RULE_IS_KEPT = 1,
	RULE_IS_DROPPED = 2,
	RULE_IS_KEPT_AS_LEAF = 4, /* if the sample was taken there */
	RULE_IS_DROPPED_AS_LEAF = 8,
	RULE_STARTS = 16, /* the first such frame: its callers are removed */
	RULE_STOPS = 32,  /* its callees are removed */
	/* every such frame: its callers are removed, because it interrupted them */
	RULE_PARTS = 64,
	RULE_GROUPED = 128,
};

struct rule_verdict {
	struct str name; /* empty: the frame is hidden */
	char mark;       /* of the subject, or set by a rule */
	uint8_t flags;
};

/* The name is in a, or belongs to the subject. */
struct rule_verdict rule_judge(struct rules *r, const struct rule_subject *s,
                               struct arena *a);

/* Returns the root frame for a thread named comm: comm itself unless a rule sets another. */
struct str rule_root(struct rules *r, struct str comm, struct arena *a);

/*
 * Returns true if a sample needs a matching frame to be kept.  Folded stacks have neither modules
 * nor threads, so rules about them do not apply to such a stack.
 */
bool rule_keeps(const struct rules *r, bool folded);

/* Returns true if some rules do not apply to folded stacks. */
bool rule_asks_more(const struct rules *r);

/*
 * Reports the rules that ignored names.  Returns -1 after a report if there were too many,
 * because the output is then wrong.
 */
int rule_finish(struct rules *r);

/*
 * Reports the rules of options and of the user's files that matched no subject since the last
 * call, with a name that is much alike.
 */
void rule_report_unmatched(struct rules *r);

/* Accepts NULL. */
void rule_close(struct rules *r);

#endif
