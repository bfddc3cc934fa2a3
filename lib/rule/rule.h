/*
 * rule - what is done to samples and frames by their names, as offbox-rules(5) says it.
 *
 * A rule is a regular expression of PCRE2 and an action.  Rules are applied in their
 * order, each to the name that those before it have left.  The verdict depends on the
 * subject alone, so a caller asks once for each distinct one.
 *
 * No pattern takes long: matching has a limit of steps.  A name at which a rule reaches
 * it is left alone by that rule, and rule_finish says so.
 */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "base/arena.h"
#include "base/diag.h"
#include "rule/rule_file.h"

struct rules;

/* Keeps diag. */
struct rules *rule_open(struct diag *diag);

/* Adds the rules of a file in share/rules, or of any other.  -1: reported. */
int rule_read(struct rules *r, const char *name);

/* Adds the rules of text; name is for messages.  -1: reported. */
int rule_add_text(struct rules *r, struct str name, struct str text);

/* Adds what stands behind an action, given by the option of that name.  -1: reported. */
int rule_add(struct rules *r, enum rule_action action, const char *option,
             const char *rest);

/* One name, and the facts that rules ask of it. */
struct rule_subject {
	struct str name;   /* label without its mark */
	char mark;         /* letter of what the frame is: 'k', or 0 */
	struct str module; /* p is NULL: not known */
	bool root; /* the frame at the root: it is kept, dropped and renamed alone */
	struct str comm; /* of a root: the thread's name; p is NULL: not known */
};

enum {
	RULE_IS_KEPT = 1,
	RULE_IS_DROPPED = 2,
	RULE_IS_KEPT_AS_LEAF = 4, /* if the sample was taken there */
	RULE_IS_DROPPED_AS_LEAF = 8,
	RULE_STARTS = 16, /* the first such frame: what calls it is left out */
	RULE_STOPS = 32,  /* what it calls is left out */
	RULE_PARTS = 64,  /* any such frame: what it landed on is left out */
	RULE_GROUPED = 128,
};

struct rule_verdict {
	struct str name; /* empty: the frame is hidden */
	char mark;       /* the subject's, or what a rule has made of it */
	uint8_t flags;
};

/* The name lies in a, or is the subject's. */
struct rule_verdict rule_judge(struct rules *r, const struct rule_subject *s,
                               struct arena *a);

/* Returns the root frame for a thread named comm: comm itself where no rule gives another. */
struct str rule_root(struct rules *r, struct str comm, struct arena *a);

/*
 * Is a sample kept only if a frame says so?  Of folded stacks neither modules nor threads
 * are known: rules about them do not touch such a stack.
 */
bool rule_keeps(const struct rules *r, bool folded);

/* Are there rules that do not touch folded stacks? */
bool rule_asks_more(const struct rules *r);

/* Says which rules left names alone.  -1: too many of them, reported: no output is right. */
int rule_finish(struct rules *r);

/*
 * Reports the rules of options and of the user's files that matched no subject since the last
 * call, with a name that is much alike.
 */
void rule_report_unmatched(struct rules *r);

/* Accepts NULL. */
void rule_close(struct rules *r);

#endif
