/* runtime - finds the runtime that generates the JIT code of a process. */
#ifndef SYMBOL_REPORT_RUNTIME_H
#define SYMBOL_REPORT_RUNTIME_H

#include "process/known_runtime.h"
#include "symbol/profile.h"

struct runtimes {
	const struct profile *p;
	struct table of_pid;  /* pid -> row in the table of runtimes + 1 */
	struct table of_path; /* str_id of a path -> row + 1, or NO_RUNTIME */
	bool dotnet;
};

/* Examines all mappings of p.  `a` must live as long as r. */
void runtime_learn(struct runtimes *r, const struct profile *p, struct arena *a);

/*
 * Returns the runtime of a process, found by the files that the process mapped.  Returns NULL if
 * no runtime is found.
 */
const struct known_runtime *runtime_of(const struct runtimes *r, int32_t pid);

/* Returns true if any process mapped files of .NET. */
bool runtime_has_dotnet(const struct runtimes *r);

/* Returns the major version of .NET from the path of its files, or 0. */
uint64_t runtime_dotnet_major(const struct profile *p);

#endif
