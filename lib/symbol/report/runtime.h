/* runtime - which runtime makes the code of a process. */
#ifndef SYMBOL_REPORT_RUNTIME_H
#define SYMBOL_REPORT_RUNTIME_H

#include "base/table.h"
#include "process/known_runtime.h"
#include "symbol/profile.h"

struct runtimes {
	const struct profile *p;
	struct table of_pid;  /* pid -> row of the table + 1 */
	struct table of_path; /* name of a path -> the same, or NO_RUNTIME */
	bool dotnet;
};

/* Looks at all mappings of p.  a must live as long as r. */
void runtime_learn(struct runtimes *r, const struct profile *p, struct arena *a);

/* Returns the runtime of a process, by the files that it mapped, or NULL. */
const struct known_runtime *runtime_of(const struct runtimes *r, int32_t pid);

/* Did a process map files of .NET? */
bool runtime_has_dotnet(const struct runtimes *r);

/* Returns the version of .NET, by the path of its files, or 0. */
uint64_t runtime_dotnet_major(const struct profile *p);

#endif
