#include "collect/ask.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "collect/attach.h"
#include "collect/diagnostic.h"
#include "collect/runtime.h"
#include "collect/work_file.h"

enum {
	ANSWER_MOST = 1 << 16,
	LIST_MOST = 1 << 16,
	SOCKETS = 16,
	WAKE_MS = 50,
	WAKES = 100,
	ENDS = 20
};

/* The files of .NET's perf map.  .NET 8 also writes the second file. */
static const char *const written[ASK_MAPS] = { "perf-%d.map", "perfinfo-%d.map" };

bool ask_applies(const struct ask *q)
{
	const struct target *t = q->target;
	enum runtime_kind kind = runtime_kind(t->maps);

	return kind == RUNTIME_HOTSPOT ||
	       (kind == RUNTIME_DOTNET &&
	        (q->lines || !runtime_has_perf_map(t->variables)));
}

/* Returns the pid of the process in the process's own namespace. */
static int32_t own_pid(const struct target *t)
{
	return t->own >= 0 ? t->own : t->pid;
}

static struct opener_file take(struct ask *q, struct opener_request *what,
                               struct str path, int to)
{
	struct opener_file file = { .end = OPENER_ERROR, .error = ENAMETOOLONG };
	int process = -1;

	if (path.n >= sizeof(what->path))
		return file;
	if (path.n)
		memcpy(what->path, path.p, path.n);
	if ((what->verb == OPENER_TALK || what->verb == OPENER_TRACE ||
	     what->verb == OPENER_QUIT) &&
	    (process = target_process(q->target)) < 0) {
		file.error = errno;
		return file;
	}
	file = opener_take(&q->target->opener, what, process, to);
	if (process >= 0)
		close(process);
	return file;
}

/* Sends a request.  Stores the answer in q->answer, and the bytes of a trace in the file `to`. */
static struct opener_file converse(struct ask *q, enum opener_verb verb, struct str path,
                                   struct str message, int to)
{
	struct opener_request what = { .verb = verb,
		                       .limit = verb == OPENER_TRACE ? q->limit
		                                                     : ANSWER_MOST,
		                       .pid = q->target->pid,
		                       .nmessage = (uint32_t)message.n };
	struct opener_file file;

	memcpy(what.message, message.p, message.n);
	file = take(q, &what, path, to);
	q->answer = work_file_bytes(to, ANSWER_MOST, q->run);
	return file;
}

static struct opener_file talk(struct ask *q, struct str path, struct str message)
{
	return converse(q, OPENER_TALK, path, message, q->work);
}

/* Reports why a request failed.  Adds advice if no file was copied yet.  Returns -1. */
static int fail(struct ask *q, const char *request, struct str why)
{
	const struct target *t = q->target;
	struct str advice = runtime_advice(t->pid, t->variables, t->maps, q->run);

	q->failed = true;
	if (q->n)
		advice.n = 0;
	return diag_damage(q->diag, "%d: %s: " PRSTR "%s" PRSTR, t->pid, request,
	                   STRARG(why), advice.n ? "; " : "", STRARG(advice));
}

static struct str reason(struct ask *q, const struct opener_file *file)
{
	switch (file->end) {
	case OPENER_STALLED:
		return STR("it did not answer within 5 s");
	case OPENER_DIED:
	case OPENER_SPENT:
		return STR("it could not be asked in time");
	case OPENER_FOREIGN:
		return STR("its socket belongs to another process");
	case OPENER_IRREGULAR:
		return STR("in place of its socket there is another file");
	case OPENER_GREW:
		return arena_fmt(q->run, "its answer is longer than %llu KB",
		                 (unsigned long long)file->n >> 10);
	case OPENER_NO_RIGHTS:
		return arena_fmt(q->run, "its rights cannot be taken: %s",
		                 strerror(file->error));
	default:
		if (file->error == ENOENT)
			return STR("it has no socket for that");
		return str_of(strerror(file->error));
	}
}

/* Returns true if the process may have received the request. */
static bool was_sent(const struct opener_file *file)
{
	return file->end == OPENER_TAKEN || file->end == OPENER_STALLED ||
	       file->end == OPENER_DIED || file->end == OPENER_GREW ||
	       (file->end == OPENER_ERROR && file->error == ECONNRESET);
}

/*
 * Tries each socket in the directory.  In a time namespace, the name of the socket may contain
 * another start time.
 */
static struct opener_file talk_listed(struct ask *q, enum opener_verb verb,
                                      struct str dir, struct str message, int to)
{
	struct opener_request what = { .verb = OPENER_LIST, .limit = LIST_MOST };
	struct opener_file file;
	struct str names;

	snprintf(what.prefix, sizeof(what.prefix), "dotnet-diagnostic-%d-",
	         own_pid(q->target));
	snprintf(what.suffix, sizeof(what.suffix), "-socket");
	file = take(q, &what, dir, q->work);
	names = work_file_bytes(q->work, LIST_MOST, q->run);
	file = (struct opener_file){ .end = OPENER_ERROR, .error = ENOENT };
	for (int i = 0; i < SOCKETS && names.n; i++) {
		struct str name = str_cut(&names, '\0');

		q->socket = arena_fmt(q->run, PRSTR "/" PRSTR, STRARG(dir), STRARG(name));
		file = converse(q, verb, q->socket, message, to);
		if (was_sent(&file))
			break;
	}
	return file;
}

static struct str without_slash(struct str dir)
{
	while (dir.n > 1 && dir.p[dir.n - 1] == '/')
		dir.n--;
	return dir.n && *dir.p == '/' ? dir : STR("/tmp");
}

static struct opener_file talk_dotnet(struct ask *q, enum opener_verb verb,
                                      struct str message, int to)
{
	const struct target *t = q->target;
	struct str dir = without_slash(runtime_variable(t->variables, "TMPDIR", ""));
	uint64_t began = target_began(t, q->run);
	struct opener_file file;

	if (!began)
		return (struct opener_file){ .end = OPENER_ERROR, .error = ESRCH };
	if (q->socket.n)
		return converse(q, verb, q->socket, message, to);
	q->socket = arena_fmt(q->run, PRSTR "/dotnet-diagnostic-%d-%llu-socket",
	                      STRARG(dir), own_pid(t), (unsigned long long)began);
	file = converse(q, verb, q->socket, message, to);
	if (file.end == OPENER_ERROR && file.error == ENOENT)
		file = talk_listed(q, verb, dir, message, to);
	return file;
}

enum outcome {
	DONE,
	UNKNOWN, /* the runtime's version does not support the request */
	SILENT,  /* there was no answer, but the runtime may still fulfil the request */
	FAILED,
};

/*
 * Returns the outcome of a request.  Unless the outcome is DONE, sets *why to the reason.
 */
static enum outcome judge(struct ask *q, const struct opener_file *file, struct str *why)
{
	struct diagnostic_reply reply;

	if (file->end != OPENER_TAKEN) {
		*why = reason(q, file);
		return file->end != OPENER_GREW && was_sent(file) ? SILENT : FAILED;
	}
	if (!q->answer.n) {
		*why = STR("it closed the connection without an answer");
		return SILENT;
	}
	if (!diagnostic_read(&reply, q->answer)) {
		*why = STR("its answer is not one of .NET");
		return FAILED;
	}
	if (reply.done)
		return DONE;
	if (reply.error == DIAGNOSTIC_UNKNOWN) {
		*why = STR("this version of .NET does not know it");
		return UNKNOWN;
	}
	*why = arena_fmt(q->run, "it refused with error 0x%x", reply.error);
	return FAILED;
}

static enum outcome request_map(struct ask *q, bool on, struct str *why)
{
	struct opener_file file =
	        talk_dotnet(q, OPENER_TALK, diagnostic_perf_map(on, q->run), q->work);

	return judge(q, &file, why);
}

static struct str find_written_path(struct ask *q, size_t i)
{
	struct str dir = without_slash(runtime_variable(q->target->variables,
	                                                "DOTNET_PerfMapJitDumpPath",
	                                                "COMPlus_PerfMapJitDumpPath"));
	struct str format = str_of(written[i]), rest = format, head = str_cut(&rest, '%');

	return arena_fmt(q->run, PRSTR "/" PRSTR "%d" PRSTR, STRARG(dir), STRARG(head),
	                 own_pid(q->target), STRARG(str_from(rest, 1)));
}

/* Returns true if the file exists.  A file that exceeds the limit also exists, but is not read. */
static bool is_there(struct ask *q, struct str path)
{
	struct opener_request what = { .verb = OPENER_PATH };
	struct opener_file file = take(q, &what, path, q->work);

	return file.end != OPENER_ERROR || file.error != ENOENT;
}

static const struct str several = STR("it is not asked, because it has several users");

static bool has_one_user(const struct rights *r)
{
	for (size_t i = 1; i < RIGHTS_IDS; i++)
		if (rights_differ(r, i))
			return false;
	return true;
}

/* Sends EnablePerfMap, which .NET supports since version 8. */
static void begin_dotnet(struct ask *q)
{
	int32_t pid = q->target->pid;
	enum outcome outcome;
	struct str why;

	for (size_t i = 0; i < ASK_MAPS; i++)
		q->before[i] = is_there(q, find_written_path(q, i));
	/*
	 * If the map exists, an environment variable may have enabled it.  If the variables
	 * are unreadable, this cannot be checked, so the map is not requested.
	 */
	if (!q->target->variables.n && q->before[0])
		return;
	outcome = request_map(q, true, &why);
	q->on = outcome == DONE || outcome == SILENT;
	q->trace = outcome == UNKNOWN;
	if (outcome == DONE)
		diag_note(q->diag, "%d: EnablePerfMap: done", pid);
	else if (outcome == UNKNOWN)
		diag_note(q->diag,
		          "%d: EnablePerfMap: " PRSTR
		          "; a trace is requested after the recording",
		          pid, STRARG(why));
	else
		fail(q, "EnablePerfMap", why);
}

void ask_before(struct ask *q)
{
	const struct target *t = q->target;
	struct str off = runtime_variable(t->variables, "DOTNET_EnableDiagnostics",
	                                  "COMPlus_EnableDiagnostics");

	if (!ask_applies(q) || runtime_kind(t->maps) != RUNTIME_DOTNET)
		return;
	if (str_eq(off, STR("0"))) {
		fail(q, "EnablePerfMap", STR("DOTNET_EnableDiagnostics=0 is set"));
		return;
	}
	if (!has_one_user(&t->rights)) {
		fail(q, "EnablePerfMap", several);
		return;
	}
	if (!runtime_has_perf_map(t->variables))
		begin_dotnet(q);
	q->trace |= q->lines && !q->failed;
}

/* Removes a file.  If this fails, reports it and returns false. */
static bool remove_file(struct ask *q, struct str path)
{
	struct opener_request what = { .verb = OPENER_REMOVE };
	struct opener_file file = take(q, &what, path, q->work);

	if (file.end == OPENER_TAKEN || file.error == ENOENT)
		return true;
	diag_damage(q->diag, "%d: " PRSTR " cannot be removed: " PRSTR, q->target->pid,
	            STRARG(path), STRARG(reason(q, &file)));
	return false;
}

/* Copies a file that the runtime has written.  Removes the file if `before` is false. */
static void fetch(struct ask *q, struct str path, bool before)
{
	struct opener_request what = { .verb = OPENER_PATH, .limit = q->limit };
	struct ask_file *out = &q->file[q->n];

	out->path = path;
	out->fd = work_file_open();
	if (out->fd < 0) {
		diag_damage(q->diag, PRSTR ": left out: %s", STRARG(path),
		            strerror(errno));
	} else {
		out->got = take(q, &what, path, out->fd);
		if (out->got.end == OPENER_ERROR)
			close(out->fd);
		else
			q->n++;
	}
	if (before || (out->got.end == OPENER_ERROR && out->got.error == ENOENT))
		return;
	if (remove_file(q, path))
		diag_note(q->diag, "%d: " PRSTR " is removed", q->target->pid,
		          STRARG(path));
}

static bool is_trace(int fd)
{
	static const struct str magic = STR("Nettrace");
	char head[8];

	return pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	       str_eq((struct str){ head, sizeof(head) }, magic);
}

/*
 * Returns true if the map has damaged lines, which .NET writes for types with names outside ASCII
 * (image/jit/perfmap.c).  A trace has the correct names.
 */
static bool is_damaged(const struct ask *q)
{
	for (size_t i = 0; i < q->n; i++)
		if (!work_file_is_ascii(q->file[i].fd))
			return true;
	return false;
}

/*
 * Returns true if the process has ended.  Waits a moment, because a dying process closes its
 * socket before it ends.
 */
static bool has_ended(struct ask *q)
{
	for (int i = 0; i < ENDS; i++) {
		if (!target_began(q->target, q->run))
			return true;
		poll(NULL, 0, WAKE_MS);
	}
	return false;
}

/* Fetches the perf map, and disables it. */
static void end_map(struct ask *q)
{
	int32_t pid = q->target->pid;
	struct str why;
	bool off = request_map(q, false, &why) == DONE;

	if (off)
		diag_note(q->diag, "%d: DisablePerfMap: done", pid);
	else if (has_ended(q))
		diag_note(q->diag, "%d: DisablePerfMap: it has ended", pid);
	else if (!q->failed)
		diag_damage(q->diag,
		            "%d: DisablePerfMap: " PRSTR "; its perf map may still be on",
		            pid, STRARG(why));
	for (size_t i = 0; i < ASK_MAPS; i++)
		fetch(q, find_written_path(q, i), q->before[i]);
	if (!off || q->trace || !is_damaged(q))
		return;
	q->trace = true;
	diag_note(q->diag,
	          "%d: its perf map has names that are not ASCII, which .NET damages; a "
	          "trace is requested, too",
	          pid);
}

/*
 * Requests a trace, and stores it in a work file.  The process itself does not write a file.
 */
static void take_trace(struct ask *q)
{
	struct ask_file *out = &q->file[q->n];
	const char *const names[] = { "CollectTracing", "CollectTracing2" };
	enum outcome outcome = UNKNOWN;
	size_t newer = 2;
	struct str why;

	out->path = arena_fmt(q->run, "/tmp/%d.nettrace", own_pid(q->target));
	out->fd = work_file_open();
	if (out->fd < 0) {
		fail(q, names[1], str_of(strerror(errno)));
		return;
	}
	while (outcome == UNKNOWN && newer-- > 0) {
		out->got = talk_dotnet(q, OPENER_TRACE, diagnostic_trace(newer, q->run),
		                       out->fd);
		if (out->got.end == OPENER_TAKEN && is_trace(out->fd))
			outcome = DONE;
		else
			outcome = judge(q, &out->got, &why);
	}
	newer = newer < 2 ? newer : 0;
	if (outcome == DONE) {
		q->n++;
		diag_note(q->diag, "%d: %s: done, %llu KB", q->target->pid, names[newer],
		          (unsigned long long)out->got.n >> 10);
		return;
	}
	close(out->fd);
	fail(q, names[newer], why);
}

/* Returns true if no process listens at the socket, which may be left from an earlier process. */
static bool is_asleep(const struct opener_file *file)
{
	return file->end == OPENER_ERROR &&
	       (file->error == ENOENT || file->error == ECONNREFUSED);
}

/*
 * Makes HotSpot open its socket.  HotSpot does this on SIGQUIT if a certain file exists.  Without
 * the file, HotSpot prints its stacks.  If the process has no handler for SIGQUIT, the signal is
 * not sent, because it would end the process.
 */
static struct opener_file wake(struct ask *q, struct str socket, struct str message)
{
	struct opener_request what = { .verb = OPENER_MAKE };
	struct str path = arena_fmt(q->run, "/tmp/.attach_pid%d", own_pid(q->target));
	struct opener_file made = take(q, &what, path, q->work), file = made;

	if (made.end != OPENER_TAKEN && made.error != EEXIST)
		return file;
	what = (struct opener_request){ .verb = OPENER_QUIT };
	file = take(q, &what, (struct str){ 0 }, q->work);
	if (file.end == OPENER_TAKEN)
		for (int i = 0; i < WAKES; i++) {
			poll(NULL, 0, WAKE_MS);
			file = talk(q, socket, message);
			if (!is_asleep(&file))
				break;
		}
	if (made.end == OPENER_TAKEN)
		remove_file(q, path);
	if (is_asleep(&file))
		file.end = OPENER_STALLED;
	return file;
}

static bool refuses_attach(struct ask *q)
{
	static const struct str option = STR("+DisableAttachMechanism");
	struct str given = target_arguments(q->target, q->work, q->run),
	           variables = q->target->variables;

	return str_has(given, option) || str_has(variables, option);
}

/* Returns true if the map was written.  Otherwise sets *why to the reason. */
static bool request_hotspot(struct ask *q, struct str *why)
{
	struct str socket = arena_fmt(q->run, "/tmp/.java_pid%d", own_pid(q->target)),
	           message = attach_perf_map();
	struct opener_file file = talk(q, socket, message);
	struct attach_reply reply;

	if (is_asleep(&file)) {
		if (refuses_attach(q)) {
			*why = STR("-XX:+DisableAttachMechanism is set");
			return false;
		}
		if (!target_catches(q->target, SIGQUIT, q->run)) {
			*why = STR("it has no socket, and SIGQUIT would end it");
			return false;
		}
		file = wake(q, socket, message);
	}
	if (file.end != OPENER_TAKEN)
		*why = reason(q, &file);
	else if (!attach_read(&reply, q->answer))
		*why = STR("its answer is not one of HotSpot");
	else if (reply.unknown)
		*why = STR("this version of Java does not know it");
	else if (!reply.done)
		*why = arena_fmt(q->run, "it refused: " PRSTR, STRARG(reply.text));
	else
		return true;
	return false;
}

/* Returns true if an agent in the JVM may be writing the map, which a request would truncate. */
static bool has_agent(const struct target *t)
{
	return str_has(t->maps, STR("/libperfmap"));
}

static void ask_hotspot(struct ask *q)
{
	struct str path = arena_fmt(q->run, "/tmp/perf-%d.map", own_pid(q->target)), why;
	bool before;

	if (has_agent(q->target) || !target_began(q->target, q->run))
		return;
	if (!has_one_user(&q->target->rights)) {
		fail(q, "Compiler.perfmap", several);
		return;
	}
	before = is_there(q, path);
	if (request_hotspot(q, &why))
		diag_note(q->diag, "%d: Compiler.perfmap: done", q->target->pid);
	else
		fail(q, "Compiler.perfmap", why);
	if (!q->failed || !before)
		fetch(q, path, before);
}

void ask_after(struct ask *q)
{
	if (runtime_kind(q->target->maps) == RUNTIME_HOTSPOT)
		ask_hotspot(q);
	if (q->on)
		end_map(q);
	if (q->trace)
		take_trace(q);
	q->on = q->trace = false;
}

void ask_close(struct ask *q)
{
	for (size_t i = 0; i < q->n; i++)
		close(q->file[i].fd);
	q->n = 0;
}
