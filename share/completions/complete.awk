# complete.awk - writes the completion of a program for a shell, using the output of --help=table.
#
#	awk -v shell=bash -v tool=psym -f complete.awk TABLE
#
# A line of the table is an option: its letter, name, argument, the words that the argument may
# be, and a text, with tabs between them.  An argument in brackets, "[=json]", may be absent.
BEGIN { FS = "\t" }

{
	n++
	letter[n] = $1
	name[n] = $2
	optional[n] = sub(/^\[=/, "", $3) && sub(/\]$/, "", $3)
	arg[n] = $3
	words[n] = $4 == "" && optional[n] && $3 ~ /^[a-z]+$/ ? $3 : $4
	text[n] = $5
	files[n] = $3 ~ /^(FILE|SOURCE)$/
	folders[n] = $3 == "DIR"
	list[n] = $3 == "LIST"
}

END {
	if (shell == "bash")
		bash()
	else if (shell == "zsh")
		zsh()
	else
		fish()
}

# "-q" and "--quiet" with sep between them.
function spelled(i, sep) {
	return (letter[i] == "" ? "" : "-" letter[i]) \
		(letter[i] == "" || name[i] == "" ? "" : sep) (name[i] == "" ? "" : "--" name[i])
}

function quoted(s) {
	gsub(/'/, "'\\''", s)
	return "'" s "'"
}

# --- bash ---

function bash(    i, all) {
	print "# bash completion of " tool "(1)"
	print "_" tool "()"
	print "{"
	print "\tlocal cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} equals="
	print "\tlocal words= list= files="
	print "\t# Bash parts --name=word into three words."
	print "\tif [ \"$cur\" = = ]; then"
	print "\t\tcur= equals='='"
	print "\telif [ \"$option\" = = ]; then"
	print "\t\toption=${COMP_WORDS[COMP_CWORD - 2]} equals='='"
	print "\tfi"
	print "\tcase $option$equals in"
	for (i = 1; i <= n; i++) {
		all = all (i > 1 ? " " : "") spelled(i, " ")
		if (arg[i] != "")
			bash_argument(i)
	}
	print "\t-*=) ;;"
	print "\t*)"
	print "\t\t[[ $cur == -* ]] && mapfile -t COMPREPLY < <(compgen -W '" all "' -- \"$cur\")"
	print "\t\treturn ;;"
	print "\tesac"
	print "\tcompopt +o default +o bashdefault"
	print "\t[ -z \"$list\" ] || list=${cur%\"${cur##*,}\"} cur=${cur##*,}"
	print "\tmapfile -t COMPREPLY < <(compgen -P \"$list\" -W \"$words\" -- \"$cur\""
	print "\t\t[ -z \"$files\" ] || compgen -A \"$files\" -- \"$cur\")"
	print "\t[ -z \"$files\" ] || compopt -o filenames"
	print "}"
	print "complete -o bashdefault -o default -F _" tool " " tool
}

function bash_argument(i,    cases, set) {
	cases = "--" name[i] "="
	if (!optional[i])
		cases = spelled(i, " | ") (name[i] == "" ? "" : " | " cases)
	if (words[i] != "")
		set = set " words='" words[i] "'"
	if (list[i] && words[i] != "")
		set = set " list=1"
	if (files[i] || folders[i])
		set = set " files=" (files[i] ? "file" : "directory")
	print "\t" cases ")" set " ;;"
}

# --- zsh ---

function zsh(    i) {
	print "#compdef " tool
	printf "_arguments -s -S"
	for (i = 1; i <= n; i++)
		zsh_option(i)
	print " \\\n\t'*:FILE:_files'"
}

function zsh_option(i,    spec, what) {
	what = text[i]
	gsub(/\[|\]|:/, "\\\\&", what)
	spec = "[" what "]" (arg[i] == "" ? "" : zsh_argument(i))
	printf " \\\n\t"
	# A letter takes no argument that may be absent.
	if (letter[i] != "" && optional[i]) {
		printf "%s \\\n\t", quoted("-" letter[i] "[" what "]")
		printf "%s", quoted("--" name[i] "=-" spec)
	} else if (letter[i] != "" && name[i] != "") {
		printf "%s{-%s%s,--%s%s}%s", arg[i] == "" ? quoted("(-" letter[i] " --" name[i] ")") : \
			quoted("*"), letter[i], arg[i] == "" ? "" : "+", name[i], arg[i] == "" ? "" : "=", \
			quoted(spec)
	} else if (letter[i] != "") {
		printf "%s", quoted("*-" letter[i] (arg[i] == "" ? "" : "+") spec)
	} else {
		printf "%s", quoted((arg[i] == "" || optional[i] ? "" : "*") "--" name[i] \
			(arg[i] == "" ? "" : optional[i] ? "=-" : "=") spec)
	}
}

function zsh_argument(i,    what, of) {
	what = arg[i]
	gsub(/\[|\]|:/, "\\\\&", what)
	of = words[i]
	gsub(/:/, "\\:", of)
	if (of != "" && files[i])
		of = "{_alternative \"names:name:(" of ")\" \"files:file:_files\"}"
	else if (of != "" && list[i])
		of = "_values -s , " what " " of
	else if (of != "")
		of = "(" of ")"
	else
		of = files[i] ? "_files" : folders[i] ? "_files -/" : " "
	return (optional[i] ? "::" : ":") what ":" of
}

# --- fish ---

function fish(    i) {
	print "# fish completion of " tool "(1)"
	for (i = 1; i <= n; i++)
		printf "complete -c %s%s%s%s -d %s\n", tool, letter[i] == "" ? "" : " -s " letter[i], \
			name[i] == "" ? "" : " -l " name[i], fish_argument(i), quoted(text[i])
}

function fish_argument(i) {
	if (arg[i] == "")
		return ""
	if (words[i] != "" && list[i])
		return (optional[i] ? " -f" : " -x") " -a \"(__fish_append , " words[i] ")\""
	if (words[i] != "")
		return (optional[i] ? " -f" : files[i] ? " -r -F" : " -x") " -a '" words[i] "'"
	if (optional[i])
		return ""
	return files[i] ? " -r -F" : folders[i] ? " -x -a '(__fish_complete_directories)'" : " -x"
}
