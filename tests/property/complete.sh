#!/bin/bash
# The completions of bash, zsh and fish: each option of --help=table is in them, the words that an
# argument may be are those that the program takes, and the shells offer what is expected.
. "$TOP/tests/check.sh"
made=$BIN/completions
cd "$TMPDIR" || exit 1
mkdir folder
: >file.data

# in_completions TOOL - each option of its table stands in all three files, and so does each word.
in_completions()
{
	local letter name words
	while IFS=$'\x1f' read -r letter name _ words _; do
		if [ -n "$name" ]; then
			grep -qE -- "--$name( |'|=)" "$made/bash/$1" && grep -qE -- "--${name}[]{}'=[]" "$made/zsh/_$1" &&
				grep -q -- "-l $name " "$made/fish/$1.fish" || { echo "--$name"; return 1; }
		fi
		if [ -n "$letter" ]; then
			grep -q -- "[ ']-${letter}[ ']" "$made/bash/$1" && grep -qE -- "[{'*]-${letter}[],+[]" "$made/zsh/_$1" &&
				grep -q -- "-s $letter " "$made/fish/$1.fish" || { echo "-$letter"; return 1; }
		fi
		[ "$(grep -cF -- "$words" "$made/bash/$1")" -gt 0 ] || { echo "$name: $words"; return 1; }
	done < <(tr '\t' '\037' <"table.$1")
}

# The words for an argument are those that the program names where it is given another one, and it
# takes each.
words_taken()
{
	local name words word
	while IFS=$'\x1f' read -r _ name _ words _; do
		[ -n "$words" ] || continue
		"$BIN/$1" "--$name=no-such-word" file.data >out 2>refused
		[ $? = 2 ] || { echo "--$name takes no-such-word"; return 1; }
		for word in $words; do
			case $1:$name in
			pfold:rules | psym:fields | pfold:off-*) ;;
			*)	grep -qwF -- "$word" refused || { echo "--$name: $word is not in: $(cat refused)"; return 1; } ;;
			esac
			"$BIN/$1" -q "--$name=$word" "$TOP/fixtures/native.prof.tar.gz" >out 2>said </dev/null
			! grep -qE "^$1: --?$name|--help" said || { cat said; return 1; }
			taken=$((taken + 1))
		done
	done < <(tr '\t' '\037' <"table.$1")
}

taken=0
for tool in psym pfold pflame pmerge; do
	"$BIN/$tool" --help=table >"table.$tool"
	check "$tool: a table of options" awk -F '\t' 'NF != 5 || $1 $2 == "" || $5 == "" { exit bad = 1 }
		END { exit bad || NR < 15 }' "table.$tool"
	check "$tool: each option and word is in the completions" in_completions $tool
	words_taken $tool
	report $? "$tool: it takes the words of its completions"
done
check 'words were tried' [ "$taken" -ge 80 ]
for shell in bash zsh fish; do
	for tool in psym pfold pflame pmerge; do
		suffix='' prefix=''
		[ $shell != fish ] || suffix=.fish
		[ $shell != zsh ] || prefix=_
		awk -v shell=$shell -v tool=$tool -f "$TOP/share/completions/complete.awk" "table.$tool" >again
		same "$tool: the completion for $shell is made of its table" again "$made/$shell/$prefix$tool$suffix"
	done
done
palettes=$("$BIN/pflame" --colors none file.data 2>&1 | sed 's/.*expected one of //')
check 'all palettes are offered' grep -qF "words='$palettes'" "$made/bash/pflame"
check 'all rules are offered' grep -qF "words='$(cd "$TOP/share/rules" && echo *)'" "$made/bash/pfold"

# What a shell offers, sorted, in one line: offers SHELL WORD... - the last word is being typed.
offers_bash()
{
	bash --norc --noprofile -c '
		. "$1/bash/$2"
		shift
		compopt() { :; }
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_$1
		printf "%s\n" "${COMPREPLY[@]}"' bash "$made" "$@"
}

offers_fish()
{
	local line="$*"
	line=${line/ = /=} line=${line% =}
	[ "${*: -1}" != = ] || line+='='
	fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$made/fish/$1.fish" "$line" | cut -f 1 |
		sed 's/.*=//'
}

# A shell of zsh that is typed to: each match it is told of is printed with its group.
offers_zsh()
{
	local line="$*"
	line=${line/ = /=} line=${line% =}
	[ "${*: -1}" != = ] || line+='='
	zsh -f "$TOP/tests/property/complete.zsh" "$made/zsh" "$line"
}

# offered SHELL WANT WORD...
offered()
{
	local shell=$1 want=$2 got
	shift 2
	got=$("offers_$shell" "$@" 2>err | sed 's,/$,,' | sort | tr '\n' ' ')
	[ "$got" = "$want " ] || { echo "not '$want' but '$got'"; head -n 3 err; false; }
	report $? "$shell: ${*}<TAB>"
}

for shell in bash fish zsh; do
	if ! command -v $shell >/dev/null; then
		echo "ok $shell # SKIP it is not installed"
		continue
	fi
	if [ $shell = zsh ] && ! script -qec true /dev/null </dev/null >out 2>&1; then
		echo "ok zsh # SKIP no pseudo-terminal here"
		continue
	fi
	# fish 4 offers what has the letters in this order anywhere, too.
	offered $shell '--header --header-only' psym --header
	offered $shell 'csv folded json pprof speedscope tsv' pfold --to ''
	offered $shell 'pprof' pfold --to = pp
	offered $shell 'csv folded json pprof speedscope tsv' pfold --to =
	offered $shell 'json' psym --coverage =
	offered $shell '--missing' psym --mis
	offered $shell 'file.data' psym -m fil
	offered $shell 'folder' psym --cache fo
done
finish
