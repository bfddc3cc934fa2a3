/*
 * perf script says on standard error why it prints no samples, and that often is all
 * that a text holds:
 *
 *	Samples for 'cpu-clock' event do not have CPU attribute set. Cannot print 'cpu' field.
 *	failed to open perf.data: No such file or directory  (try 'perf record' first)
 */
#include "reader/reader.h"

bool reader_is_perf_error(struct str line)
{
	static const char *const parts[] = {
		"attribute set. Cannot print '",
		"attribute set. Hence can't ",
		"failed to open perf.data",
		"(try 'perf record' first)",
		"incompatible file format",
		"zero-sized data",
		"not owned by current user or root",
		"data size field is 0 which is unexpected",
		"perf record' command properly terminated",
		"Invalid field requested",
		"perf: command not found",
		"WARNING: perf not found for kernel",
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (str_search(line, str_of(parts[i])) < line.n)
			return true;
	return false;
}

const char *reader_perf_advice(struct str line)
{
	if (str_search(line, STR("Cannot print 'cpu' field")) < line.n)
		return "; it was recorded without cpu: ask perf script for other fields "
		       "(-F -cpu), or take the perf.data";
	if (str_search(line, STR("Cannot print '")) < line.n)
		return "; ask perf script for fields that were recorded, or take the "
		       "perf.data";
	return "";
}
