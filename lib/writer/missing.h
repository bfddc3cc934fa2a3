/*
 * missing - writes the lines and keys of --missing: files that could name unnamed frames, PDBs and
 * sources.
 */
#ifndef WRITER_MISSING_H
#define WRITER_MISSING_H

#include "base/out.h"
#include "symbol/report/modules.h"
#include "symbol/report/sources.h"

/*
 * Writes the missing files of each module: a line with the reason, and then lines with keys for
 * other tools:
 *
 * 	# 1021 frames in /usr/lib/x86_64-linux-gnu/libc.so.6: no symbols
 * 	buildid/93ac61ec5a8eb1396f9fbd350e3169a558528a40/debuginfo
 *
 * Keys have the form of debuginfod's protocol, or of .NET's symbol server (dotnet/symstore,
 * SSQP_Key_Conventions.md):
 *
 * 	libcoreclr.so/elf-buildid-ID/libcoreclr.so
 * 	_.debug/elf-buildid-sym-ID/_.debug
 * 	system.linq.dll/8CA9F2A1e0000/system.linq.dll
 * 	system.linq.ni.r2rmap/r2rmap-v1-SIGNATURE/system.linq.ni.r2rmap
 * 	shop.pdb/ac7079a44b78bf40af9a7275b4fad775ffffffff/shop.pdb
 *
 * The key of a source file contains the hash and the path of the file.  Its URL follows the key:
 *
 * 	source/93ac61ec5a8eb1396f9fbd350e3169a558528a40/srv/app/Work.cs https://example.org/Work.cs
 *
 * PDBs and source files are listed if profile_opts.lines was set.
 */
void missing_write(struct out *o, const struct profile *p);

/* Writes the lines of module i of `all`.  Writes nothing if no file is missing. */
void missing_write_module(struct out *o, const struct module_coverage *all, size_t i);

#endif
