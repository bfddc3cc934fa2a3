#include "writer/unnamed.h"

struct str unnamed_module(const struct module_coverage *m)
{
	return m->kind == MODULE_NOWHERE ? STR("(no mapping)") : m->module;
}

bool unnamed_has_names(const struct module_coverage *m)
{
	for (size_t i = 0; i < m->nfiles; i++)
		if (m->file[i].path.n)
			return true;
	return false;
}

enum { STUBS = 20 }; /* up to 1/20 of the frames may be in stubs, which maps omit */

bool unnamed_can_be_asked(const struct module_coverage *m)
{
	return m->kind == MODULE_JIT && m->runtime && m->runtime->asked &&
	       m->frames - m->named > m->frames / STUBS;
}

static const char *reason_of_native(const struct module_coverage *m)
{
	if (m->vdso && !m->has_image)
		return "it is code of the kernel, and no copy of it was found";
	if (m->has_symbols)
		return "its symbols do not cover these addresses";
	if (m->has_image)
		return m->refused.n ? "it is stripped, and the debug file that was found "
		                      "cannot be used"
		                    : "it is stripped, and its debug file was not found";
	return m->refused.n ? "the file that was found is not used"
	                    : "its file was not found";
}

const char *unnamed_reason(const struct module_coverage *m)
{
	switch (m->kind) {
	case MODULE_NOWHERE:
		return m->broken
		               ? "no mapping contains these return addresses: code "
		                 "without frame pointers breaks the call chains"
		               : "no recorded mapping contains these addresses: the call "
		                 "chain is broken, or the mapping was not recorded";
	case MODULE_JIT:
		if (m->damaged)
			return "no undamaged line of its map contains these addresses";
		return unnamed_has_names(m)
		               ? "no map or jitdump of the process contains these "
		                 "addresses"
		               : "the process has no usable perf map or jitdump";
	case MODULE_DOTNET:
		if (m->nfiles && m->placed)
			return "these addresses are outside its methods";
		return m->pe ? "its image cannot be used"
		             : "its image is not among the sources";
	case MODULE_KERNEL:
		return unnamed_has_names(m)
		               ? "its symbols do not cover these addresses"
		               : "kallsyms, vmlinux or module of that kernel not found";
	case MODULE_NATIVE:
		break;
	}
	return reason_of_native(m);
}

const char *unnamed_end(const struct module_coverage *m)
{
	return m->ended_for_file ? "they cannot be unwound without its file"
	                         : "its file contains no unwind information for them";
}
