#!/bin/bash
# A pattern or name of the user that matches nothing is reported, with the name that it is like;
# one that matches, and a file of rules that is shipped, is not.
. "$TOP/tests/check.sh"
cd "$TMPDIR" || exit 1
java=$TOP/fixtures/java.prof.tar.gz

# reports NAME EXPECTED-LINE COMMAND...; empty: no such line.
reports()
{
	local name=$1 want=$2
	shift 2
	"$@" >out 2>said
	grep -E "meant|no (frame|module|thread|sample|function|managed|kernel)" said >got
	if [ -n "$want" ]; then printf '%s\n' "$want"; fi >right
	cmp -s got right || diff right got
	cmp -s got right
	report $? "$name"
}
fold=("$BIN/pfold" --no-host "$java")
reports "--hide with a typo" 'pfold: --hide:1: no frame matches JavaCals::cal; is JavaCalls::call_helper meant?' \
	"${fold[@]}" --hide JavaCals::cal
reports "--hide that matches" '' "${fold[@]}" --hide JavaCalls::call
reports "--group of a module" 'pfold: --group:8: no module matches libjvn; is libjvm meant?' \
	"${fold[@]}" --group 'module libjvn => [JVM]'
reports "--drop of a thread" "pfold: --drop:6: no thread's name matches ^jaba\$; is java meant?" \
	"${fold[@]}" --drop 'comm ^jaba$'
reports "a pattern that resembles no name" 'pfold: --stop-at:1: no frame matches zzzzqqqq' "${fold[@]}" --stop-at zzzzqqqq
printf '# mine\nhide managed ^Ledger\\.post$\nhide managed ^Legder\\.ways$\n' >mine
reports "a file of the user, with its line" 'pfold: mine:3:14: no managed frame matches ^Legder\.ways$; is Ledger.ways meant?' \
	"${fold[@]}" --rules mine
for rules in aspnet dotnet go idle java kernel node python rust syscalls; do
	reports "--rules $rules is quiet" '' "${fold[@]}" --rules $rules
done
reports "--skip-after with a typo" 'pfold: --skip-after start_threa: no function has this name; is start_thread meant?' \
	"${fold[@]}" --skip-after start_threa
reports "--skip-after that matches" '' "${fold[@]}" --skip-after start_thread
reports "--callers with a typo" 'pfold: Ledger.pots: no function has this name; is Ledger.post meant?' \
	"${fold[@]}" --callers Ledger.pots
reports "--comms, each name of the list" "pfold: --comms jav: no thread with samples has this name; is java meant?
pfold: --comms GC: no thread with samples has this name" "${fold[@]}" --comms jav,java,GC
reports "--tids" 'pfold: --tid 99: no sample is of this thread' "${fold[@]}" --tids 99,"$(
	"$BIN/psym" -q --no-host -F tid "$java" | head -n 1 | tr -d ' ')"
sym=("$BIN/psym" --no-host "$java")
reports "psym --comms" 'psym: --comms jav: no thread with samples has this name; is java meant?' "${sym[@]}" --comms jav,java
reports "psym --pid" 'psym: --pid 99: no sample is of this process' "${sym[@]}" --pid 17060,99
reports "psym --event" 'psym: --event cpu-clokc: no sample is of this event; is cpu-clock meant?' \
	"${sym[@]}" --event cpu-clokc,cpu-clock
reports "psym --cpu" 'psym: --cpu 77: no sample is of this CPU' "$BIN/psym" --no-host --member calc10.trace/perf.data --cpu 0-1,77 "$TOP/fixtures/calc10.trace.zip"
reports "a list that is met" '' "${sym[@]}" --pid 17060 --comms java --event cpu-clock
# A name that only another input has is met.
tar -xzf "$TOP/fixtures/node.prof.tar.gz" perf.data 2>/dev/null || tar -xzf "$TOP/fixtures/node.prof.tar.gz" ./perf.data
reports "a name of another input" '' "$BIN/psym" --no-host --comms java,node "$java" perf.data
reports "likewise folded" '' "$BIN/pfold" --no-host --comms java,node --hide 'Ledger|node::' "$java" perf.data

for form in "--skip main" "--skip=main" "--skip-a main"; do
	# shellcheck disable=SC2086
	status "$form is refused" 2 "${fold[@]}" $form >out 2>said
	check "$form: with the option that is meant" grep -qE \
		"^pfold: unknown option ${form%%[ =]*}; is --skip-after meant\? Try 'pfold --help'\$" said
done
status "--skip-after is taken" 0 "${fold[@]}" -q --skip-after=start_thread >out
finish
