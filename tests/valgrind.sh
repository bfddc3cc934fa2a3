#!/bin/bash
# Checks that filters neither read invalid memory nor leak memory, using small inputs.
set -u
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }
failed=0

# clean NAME PROGRAM ... - fails if valgrind reports an error, or if the program crashes.
clean()
{
	local name=$1 status
	shift
	valgrind -q --error-exitcode=99 --leak-check=full \
		--show-leak-kinds=definite,indirect,possible \
		--errors-for-leak-kinds=definite,indirect,possible \
		"$@" >"$TMPDIR/out" 2>"$TMPDIR/err" </dev/null
	status=$?
	if [ $status = 0 ] && ! grep -q '^==' "$TMPDIR/err" && [ -s "$TMPDIR/out" ]; then
		echo "ok valgrind $name"
	else
		echo "not ok valgrind $name (exit $status)"
		cat "$TMPDIR/err"
		failed=1
	fi
}

mkdir "$TMPDIR/in"
cd "$TMPDIR/in" || exit 1
cat >perf.txt <<'END'
app 12/13 [001] 100.000002:     250000 cycles:
	    7f0000000010 [unknown] (/tmp/perf-12.map)
	          401136 main+0x6 (/usr/bin/app)

app 12/13 [001] 100.000003:     250000 cycles:
	    7f0000000020 [unknown] (/tmp/perf-12.map)
	    7f0000000010 [unknown] (/tmp/perf-12.map)
	          401136 main+0x6 (/usr/bin/app)

END
printf '7f0000000000 18 void [app] A::B()\n7f0000000018 20 int [app] C::D(int)\n' >perf-12.map
tar -czf ../in.tar.gz .
cd ..

clean 'psym text' "$BIN/psym" --no-host -m in/perf-12.map in/perf.txt
grep -q 'A::B' out || { echo 'not ok psym named nothing'; failed=1; }
clean 'psym archive' "$BIN/psym" --no-host in.tar.gz
clean 'psym directory' "$BIN/psym" --no-host in
clean 'pmerge' "$BIN/pmerge" --no-host -m in in/perf.txt
clean 'pfold' "$BIN/pfold" --no-host -m in in/perf.txt
cp out folded
clean 'pflame' "$BIN/pflame" folded
clean 'pdiff' "$BIN/pdiff" --noise 1% --fail-if 'self(main) > +90%' folded --with folded
small=$(find "$TOP/fixtures" -name '*perf.data*' -size -512k -printf '%s %p\n' | sort -n |
	sed -n '1s/^[0-9]* //p')
if [ -n "$small" ]; then
	clean "psym $(basename "$small")" "$BIN/psym" --no-host "$small"
fi
exit $failed
