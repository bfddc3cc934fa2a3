#!/bin/bash
# What all four filters share: operands, -o, exit status, --help, what is said and when.
. "$TOP/tests/check.sh"
needs perl pgrep
cd "$TMPDIR" || exit 1

every='psym pfold pmerge pflame'
mkdir d
tar -xzf "$TOP/fixtures/sarif8.prof.tar.gz" -C d
"$BIN/psym" -q --no-host d >named && "$BIN/pfold" -q named >folded
: >nothing

# try COMMAND... - leaves its output in out and err, its status in got.
try()
{
	bounded 20 "$@" >"$to" 2>err
	got=$?
}
to=out

# expect NAME STATUS PATTERN COMMAND... - PATTERN is in a line of standard error.
expect()
{
	local name=$1 want=$2 pattern=$3
	shift 3
	try "$@"
	[ "$got" = "$want" ] && grep -aqE -- "$pattern" err
	report $? "$name"
	[ "$got" = "$want" ] || {
		echo "exit status $got, not $want:"
		head -n 5 err
	}
}

# silent NAME STATUS COMMAND...
silent()
{
	local name=$1 want=$2
	shift 2
	try "$@"
	[ "$got" = "$want" ] && ! [ -s err ]
	report $? "$name"
}

# The input a filter is given here.
input_of()
{
	case $1 in
	pflame)	echo folded ;;
	*)	echo d ;;
	esac
}

# --- --help, --version, usage ---
for tool in $every; do
	f=$BIN/$tool
	silent "$tool --help" 0 "$f" --help
	check "$tool --help fits a screen" awk 'length > 80 { bad = 1 } END { exit bad || NR > 24 || NR < 8 }' out
	check "$tool --help has a pipeline" grep -qE "^example: .*$tool.* > " out
	silent "$tool --help=all" 0 "$f" --help=all
	check "$tool --help=all has every option" [ "$(grep -oE -- '(^|, ) *--?[a-zA-Z-]+' out | wc -l)" -ge 20 ]
	expect "$tool --help=some" 2 '--help=some: expected all or table' "$f" --help=some
	silent "$tool --version" 0 "$f" --version
	check "$tool --version is a line" grep -qxE "$tool \(offbox\) [0-9.]+" out
	check "and says what confines it" grep -qxE 'confined by: (nothing|(Landlock [0-9]+)?(, )?(seccomp)?)' out
	to=/dev/full
	expect "$tool --help on a full disk" 2 'standard output: No space left' "$f" --help
	to=out
	expect "$tool: unknown option" 2 "unknown.* --xqz; try '$tool --help'" "$f" --xqz
	expect "$tool: unknown letter" 2 "unknown option -Z; try '$tool --help'" "$f" -Z
	expect "$tool: option without its argument" 2 'option -o needs' "$f" -o
	expect "$tool: argument without need" 2 'takes no argument' "$f" --quiet=yes
	expect "$tool: bad size" 2 'not a size' "$f" --max-spool 10x nothing
	check "$tool: usage errors write nothing" [ ! -s out ]
done

# --- terminals ---
# A bare chroot has no pseudo-terminals.
terminals=$every readers='psym pfold'
if ! script -qec true /dev/null </dev/null >out 2>&1; then
	echo "ok terminals # SKIP no pseudo-terminal here"
	terminals='' readers=''
fi
for tool in $terminals; do
	bounded 20 script -qec "'$BIN/$tool'" /dev/null </dev/null >out
	[ $? = 2 ] && grep -q "^$tool: no input: .*try '$tool --help'" out
	report $? "$tool: a terminal for input gets a hint"
done
for _ in {1..25}; do cat named; done >long
for tool in $readers; do
	bounded 20 script -qec "'$BIN/$tool' long >/dev/null" /dev/null </dev/null >out
	check "$tool: progress on a terminal" grep -q $'\r'"$tool: read .* MB of .* %" out
	bounded 20 script -qec "'$BIN/$tool' -q long >/dev/null" /dev/null </dev/null >out
	check "$tool: none with -q" [ ! -s out ]
	bounded 20 script -qec "stty -onlcr; '$BIN/$tool' -q --list-events '$TOP/fixtures/lttng10.tar.xz'" \
		/dev/null </dev/null >out
	check "$tool: a terminal gets aligned columns" awk '/\t/ { exit bad = 1 }
		NR == 1 { event = index($0, "event"); view = index($0, "view"); next }
		substr($0, event - 1, 2) !~ /^ [^ ]$/ || substr($0, view - 1, 2) !~ /^ [^ ]$/ { exit bad = 1 }
		END { exit bad || NR < 50 || !view }' out
	try "$BIN/$tool" long
	! grep -q $'\r' err && grep -q 'samples' err
	report $? "$tool: no progress into a file, but the summary"
done

if [ -n "$readers" ]; then
	bounded 20 script -qec "'$BIN/pannotate' --all long >/dev/null" /dev/null </dev/null >out
	check "pannotate: progress of listings" grep -q $'\r''pannotate: [0-9]* of [0-9]* listings' out
fi

# --- words of perf, and words that are none ---
"$BIN/psym" -q --no-host d/perf.data >want
"$BIN/psym" -q --no-host -i d/perf.data >got
same "psym -i FILE" want got
"$BIN/psym" -q --no-host --symfs d d/perf.data >got
"$BIN/psym" -q --no-host -m d d/perf.data >want
same "psym --symfs DIR" want got
for tool in $every; do
	status "$tool -h" 0 sh -c '"$0" -h | grep -q "^usage: "' "$BIN/$tool"
	status "$tool -V" 0 sh -c '"$0" -V | grep -q "(offbox)"' "$BIN/$tool"
	expect "$tool: an option that is spelled wrongly" 2 'is --member meant' "$BIN/$tool" --membre x
	expect "$tool: a word like none" 2 "option --xyzzyplugh; try '$tool --help'" "$BIN/$tool" --xyzzyplugh
done
cp d/perf.data same.data
expect "psym -o X X" 2 'same.data: is both an input and the output' "$BIN/psym" -o same.data same.data
same "the input is as it was" d/perf.data same.data
expect "psym --event nonesuch" 2 'no sample was selected; the profile has cpu-clock' \
	"$BIN/psym" --no-host --event nonesuch d/perf.data
expect "psym --pid 1" 2 'the profile has .* of .* \([0-9]*\)' "$BIN/psym" --no-host --pid 1 d/perf.data
expect "psym --comms x of a text" 2 'no sample was selected' "$BIN/psym" --comms x named

# --- standard input, several inputs ---
psym() { "$BIN/psym" -q --no-host "$@"; }
fold() { "$BIN/pfold" -q --no-host "$@"; }
psym d/perf.data >one
psym - <d/perf.data >got
same "psym -" one got
psym named - <d/perf.data >got
cat named one >want
same "psym concatenates" want got
fold named named >got
perl -pe 's/^(# .*samples=)(\d+)/$1 . $2 * 2/e; s/(\d+)$/$1 * 2/e' folded >want
timeless want >want.timeless
same "pfold sums" want.timeless <(timeless got)
fold named folded >got
same "pfold sums text and folded stacks" want.timeless <(timeless got)
grep -v ^# folded >bare
"$BIN/pflame" -q --title t bare bare >got
"$BIN/pflame" -q --title t <(grep -v ^# want) >twice
same "pflame sums" twice got
for tool in psym pfold pflame; do
	expect "$tool: standard input twice" 2 'standard input can be read only once' \
		"$BIN/$tool" - - <folded
done
expect "pmerge takes one" 2 'expected one profile, not 2' "$BIN/pmerge" d named
for tool in psym pfold; do
	expect "$tool: one of two inputs is missing" 1 'nofile: No such file' "$BIN/$tool" named nofile
	check "$tool: the other is read" [ -s out ]
	expect "$tool: one of three is empty" 1 'nothing: empty' "$BIN/$tool" named nothing d
done

# --- -q, the summary, damage ---
head -c 70000 d/perf.data >cut.data
for tool in $every; do
	silent "$tool -q is silent" 0 "$BIN/$tool" -q "$(input_of "$tool")"
done
for tool in psym pfold; do
	try "$BIN/$tool" d
	check "$tool: the last line is the summary" grep -q '^[a-z]*: [0-9]* samples' <(tail -n 1 err)
	expect "$tool -q: damage is said" 1 '^[a-z]*: cut.data:[0-9]*: ' "$BIN/$tool" -q cut.data
	check "$tool -q: and nothing else" [ "$(wc -l <err)" = 1 ]
done

# --- outputs that cannot be written ---
for tool in $every; do
	f=$BIN/$tool in=$(input_of "$tool")
	to=/dev/full
	expect "$tool: full disk" 2 "^$tool: standard output: No space left on device$" "$f" "$in"
	to=out
	check "$tool: no summary of what was not written" [ "$(tail -n 1 err)" = \
		"$tool: standard output: No space left on device" ]
	expect "$tool: -o on a full disk" 2 '/dev/full: No space left on device$' "$f" -o /dev/full "$in"
	expect "$tool: -o where there is no directory" 2 'no/dir/x: No such file' "$f" -o no/dir/x "$in"
	expect "$tool: -o of a directory" 2 'd: Is a directory$' "$f" -o d "$in"
	mkdir locked && chmod 555 locked
	as_user=()
	[ "$(id -u)" != 0 ] || as_user=(setpriv "--bounding-set=-dac_override,-dac_read_search")
	if ! "${as_user[@]}" touch locked/x 2>/dev/null; then
		expect "$tool: -o in a directory of others" 2 'locked/x: Permission denied$' \
			"${as_user[@]}" "$f" -o locked/x "$in"
	fi
	rm -rf locked
done

# --- -o FILE: whole or not at all ---
for tool in $every; do
	f=$BIN/$tool in=$(input_of "$tool")
	mkdir new
	silent "$tool -o" 0 "$f" -q -o new/file "$in"
	"$f" -q "$in" >want
	same "$tool -o has what goes to standard output" want new/file
	check "$tool -o leaves nothing else" [ "$(ls -A new)" = file ]
	check "$tool -o: permissions are as the umask says" \
		[ "$(stat -c %a new/file)" = "$(printf %o $((0666 & ~0$(umask))))" ]
	expect "$tool -o: a failure" 2 'nothing: empty' "$f" -o new/file nothing
	same "$tool -o keeps the file that was there" want new/file
	expect "$tool -o: a failure" 2 'nothing: empty' "$f" -o new/other nothing
	check "$tool -o: no file of a failure" [ "$(ls -A new)" = file ]

	# The name changes hands: who has the old file open still reads the old one.
	echo old >new/file
	exec 8<new/file
	silent "$tool -o over a file" 0 "$f" -q -o new/file "$in"
	same "$tool -o replaces it" want new/file
	check "$tool -o does not write into it" [ "$(cat <&8)" = old ]
	exec 8<&-
	check "$tool -o leaves nothing behind" [ "$(ls -A new)" = file ]
	rm -rf new
done

# Killed in the middle.
for tool in psym pfold pflame; do
	text=named
	[ $tool != pflame ] || text=folded
	for signal in KILL TERM INT; do
		mkdir new
		echo old >new/there
		mkfifo feed
		for name in there other; do
			# A shell's background job ignores INT; this undoes it.
			perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
				"$BIN/$tool" -q -o new/$name feed 2>err &
			pid=$!
			exec 9>feed
			head -c 200000 $text >&9
			check "$tool is at work" kill -0 $pid
			kill -$signal $pid
			exec 9>&-
			wait $pid 2>/dev/null
			[ $? = $((128 + $(kill -l $signal))) ]
			report $? "$tool ends by SIG$signal"
		done 2>/dev/null
		check "$tool, SIG$signal: no file appears" [ "$(ls -A new)" = there ]
		check "$tool, SIG$signal: the old one stays" [ "$(cat new/there)" = old ]
		rm -r new feed
	done
done

# A fifo that has no reader: the program waits, and a signal ends it.
mkfifo nobody
for tool in $every; do
	for signal in TERM INT HUP; do
		perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' \
			"$BIN/$tool" -q -o nobody "$(input_of "$tool")" 2>err &
		pid=$!
		for _ in $(seq 500); do
			[ -n "$(pgrep -P $pid)" ] && break
			sleep 0.02
		done
		sleep 0.1
		kill -0 $pid && kill -$signal $pid
		for _ in $(seq 500); do
			kill -0 $pid || break
			sleep 0.02
		done
		kill -KILL $pid
		wait $pid
		[ $? = $((128 + $(kill -l $signal))) ]
		report $? "$tool -o FIFO without a reader ends by SIG$signal"
	done 2>/dev/null
	cat nobody >got &
	"$BIN/$tool" -q -o nobody "$(input_of "$tool")"
	report $? "$tool -o FIFO with a reader"
	wait $!
	"$BIN/$tool" -q "$(input_of "$tool")" >want
	same "$tool -o FIFO: what it reads" want got
	check "$tool -o FIFO: the fifo stays" [ -p nobody ]
done
rm nobody

# --- -o DIR/ ---
mkdir -p in/a/b
cp named in/a/b/one.txt
cp named in/two.txt
cp folded in/three
mirror() { (cd mir && find . -type f | sort | tr '\n' ' '); }
for tool in psym pfold pflame; do
	suffix=txt third=in/two.txt files='in/a/b/one.txt in/two.txt'
	[ $tool != pfold ] || suffix=folded
	[ $tool != pflame ] || suffix=svg files='in/three folded'
	[ $tool != pflame ] || third=folded
	# shellcheck disable=SC2086
	silent "$tool -o DIR/" 0 "$BIN/$tool" -q -o mir/ $files "$PWD/$third" - <$third
	want=
	for file in $files "${PWD#/}/$third" stdin; do want+="./$file.$suffix"$'\n'; done
	check "$tool -o DIR/ mirrors the paths" [ "$(mirror)" = "$(sort <<<"${want%$'\n'}" | tr '\n' ' ')" ]
	"$BIN/$tool" -q "$third" >want
	[ $tool = pflame ] || same "$tool -o DIR/: as on its own" want "mir/$third.$suffix"
	rm -rf mir
	expect "$tool -o DIR/: a collision" 2 'two inputs would write this output' \
		"$BIN/$tool" -o mir/ $third ./$third
	check "$tool -o DIR/: found before anything is written" [ ! -e mir ]
	silent "$tool -o DIR/: nothing above DIR" 0 "$BIN/$tool" -q -o mir/ ../"${PWD##*/}"/$third
	check "$tool -o DIR/: .. is dropped" [ "$(mirror)" = "./${PWD##*/}/$third.$suffix " ]
	rm -rf mir
	expect "$tool -o DIR/ where a file is" 2 'folded/.*: Not a directory' "$BIN/$tool" -o folded/ $third
done
for tool in psym pfold; do
	expect "$tool -o DIR/: one of two is missing" 1 'nofile: No such file' \
		"$BIN/$tool" -o mir/ nofile named
	check "$tool -o DIR/: the other is there" [ "$(find mir -type f | wc -l)" = 1 ]
	rm -rf mir
done
silent "pmerge -o DIR/" 0 "$BIN/pmerge" -q -o mir/ d
check "pmerge -o DIR/ names its maps by process" [ "$(mirror)" = './perf-6762.map ' ]

# --- a reader that goes away ---
for tool in $every; do
	in=$(input_of "$tool")
	"$BIN/$tool" -q "$in" 2>err | head -n 1 >out
	[ "${PIPESTATUS[0]}" = 141 ] && ! [ -s err ] && [ -s out ]
	report $? "$tool | head ends by SIGPIPE, without a word"
	(
		trap '' PIPE
		"$BIN/$tool" -q "$in" 2>err | head -n 1 >out
		[ "${PIPESTATUS[0]}" = 141 ] && ! [ -s err ] && [ -s out ]
	)
	report $? "$tool | head, SIGPIPE ignored by the parent"
	(
		trap '' PIPE
		"$BIN/$tool" "$in" 2>err | head -n 1 >out
		[ "${PIPESTATUS[0]}" = 141 ]
	)
	check "$tool | head: no complaint, no summary" [ -z "$(grep -E 'pipe|samples' err)" ]
done
finish
