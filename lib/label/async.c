#include "label/async.h"

enum async_part async_part_of(struct str label)
{
	static const char *const resumes[] = {
		"[async resume]",
		"System.Threading.ExecutionContext::Run",
		"System.Runtime.CompilerServices.AsyncMethodBuilderCore::",
	};

	for (size_t i = 0; i < sizeof(resumes) / sizeof(*resumes); i++)
		if (str_starts(label, str_of(resumes[i])))
			return ASYNC_RESUMES;
	return str_ends(label, STR("(async)")) || str_ends(label, STR(", async)"))
	               ? ASYNC_METHOD
	               : ASYNC_NONE;
}
