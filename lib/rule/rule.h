/*
 * rule - compiles the patterns of rules, matches them against samples and frames, and makes the new
 * names.
 *
 * A rule consists of a regular expression (PCRE2) and an action.  Rules apply in order.  Each
 * rule is matched against the name that earlier rules have set.  A verdict is the result of all
 * rules for a frame or thread, the subject.  It depends only on the subject, so callers need
 * only one verdict for each distinct subject.
 *
 * The number of steps of a match is limited.  If a rule reaches the limit, it does not apply to
 * this name, and rule_finish reports the rule.
 */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "base/arena.h"
#include "base/diag.h"
#include "rule/rule_parse.h"

/* Calls FILE with the name of each file in share/rules, with BETWEEN between the results. */
/* clang-format off */
#define RULE_FILES(FILE, BETWEEN) \
	FILE("aspnet") BETWEEN FILE("dotnet") BETWEEN FILE("erlang") BETWEEN FILE("go") BETWEEN \
	FILE("idle") BETWEEN FILE("java") BETWEEN FILE("kernel") BETWEEN FILE("node") BETWEEN \
	FILE("php") BETWEEN FILE("python") BETWEEN FILE("roots") BETWEEN FILE("rust") BETWEEN \
	FILE("syscalls")
/* clang-format on */

/* the names of the files in share/rules, separated by blanks */
#define RULE_FILE_NAME(name) name
#define RULE_FILE_NAMES      RULE_FILES(RULE_FILE_NAME, " ")

struct rules;

/*
 * Returns an empty list of rules.  Returns NULL after it has reported an error.  diag must live
 * as long as the rules.
 */
struct rules *rule_open(struct diag *diag);

/*
 * Adds the rules in a file.  `name` is a file in share/rules, or else a path.  Returns -1 after
 * it has reported an error.
 */
int rule_read(struct rules *r, const char *name);

/*
 * Adds the rules in `text`.  `name` is used in messages.  Returns -1 after it has reported an
 * error.
 */
int rule_add_text(struct rules *r, struct str name, struct str text);

/*
 * Adds the rule of a command-line option.  `rest` is the option's argument: the text after the
 * action.  Returns -1 after it has reported an error.
 */
int rule_add(struct rules *r, enum rule_action action, const char *option,
             const char *rest);

/* The name and other properties of a frame or thread to which rules apply. */
struct rule_subject {
	struct str name;   /* the label without its mark */
	char mark;         /* letter of the label's mark, such as 'k', or 0 */
	struct str module; /* p is NULL if unknown */
	/* the frame is the root.  Only keep, drop and rename apply to it */
	bool root;
	/* if `root` is set: the thread's name.  p is NULL if it is unknown */
	struct str comm;
};

enum {
	RULE_IS_KEPT = 1,
	RULE_IS_DROPPED = 2,
	RULE_IS_KEPT_AS_LEAF = 4, /* keep the sample if this frame is its leaf */
	RULE_IS_DROPPED_AS_LEAF = 8,
	RULE_STARTS = 16, /* remove the callers of the outermost frame with this flag */
	RULE_STOPS = 32,  /* remove the callees of this frame */
	/*
	 * Remove the callers of each frame with this flag.  The frame has interrupted its callers
	 * (action "apart").
	 */
	RULE_PARTS = 64,
	RULE_GROUPED = 128,
};

struct rule_verdict {
	struct str name; /* new name, or empty if the frame is hidden */
	char mark;       /* the subject's mark, or the mark that a rule has set */
	uint8_t flags;
};

/* Applies the rules to a subject.  The new name is in arena `a`, or is the name of the subject. */
struct rule_verdict rule_judge(struct rules *r, const struct rule_subject *s,
                               struct arena *a);

/*
 * Returns the root frame for threads with the name comm.  This is comm itself, unless a rule sets
 * another name.
 */
struct str rule_root(struct rules *r, struct str comm, struct arena *a);

/*
 * Returns true if rules keep only samples that match.  folded: the samples are folded stacks,
 * which contain neither modules nor threads.  If a rule needs modules or threads to keep
 * samples, all folded stacks are kept, and the function returns false.
 */
bool rule_keeps(const struct rules *r, bool folded);

/* Returns true if a rule needs data that folded stacks lack. */
bool rule_asks_more(const struct rules *r);

/*
 * Reports the rules that reached a limit.  If rules reached a limit for more than 1,000 names,
 * reports this as an error and returns -1.
 */
int rule_finish(struct rules *r);

/*
 * Reports each rule of an option or of a user's file that matched no subject since the last
 * call.  The report suggests a name that is similar to the rule's pattern.
 */
void rule_report_unmatched(struct rules *r);

/* r may be NULL. */
void rule_close(struct rules *r);

#endif
