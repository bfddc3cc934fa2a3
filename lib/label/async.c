#include "label/async.h"

enum async_part async_part_of(struct str label)
{
	static const char *const resumes[] = {
		"[async resume]",
		"System.Threading.ExecutionContext::Run",
		"System.Runtime.CompilerServices.AsyncMethodBuilderCore::",
	};

	if (STR_ANY(label, str_starts, resumes))
		return ASYNC_RESUMES;
	return str_ends(label, STR("(async)")) || str_ends(label, STR(", async)"))
	               ? ASYNC_METHOD
	               : ASYNC_NONE;
}
