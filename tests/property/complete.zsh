# complete.zsh FUNCTIONS LINE - what zsh offers where a tab is typed behind LINE, one a line.
zmodload zsh/zpty
zpty typed zsh -f -i
zpty -w typed "PS1= fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D -C"
zpty -w typed "for f in $1/_*; do autoload -Uz \${f:t}; compdef \${f:t} \${\${f:t}#_}; done"
# Matches are printed as they are added; the words that mark them do not stand in what is typed.
zpty -w typed 'compadd() {
	local -a got
	builtin compadd -O got "$@"
	print -rl -- "offe""red:"${^got}
	builtin compadd "$@"
}
show() { zle complete-word; print "do""ne" }
zle -N show; bindkey "^T" show; print "rea""dy"'
zpty -r typed line '*ready*'
zpty -n -w typed "$2"$'\C-t'
zpty -r typed line '*done*'
zpty -d typed
print -r -- "$line" | tr -d '\r' | sed -n 's/^.*offered://p' | sort -u
