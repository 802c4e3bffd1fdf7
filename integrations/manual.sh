#!/bin/sh
# Writes what a package holds beside the program: manual.sh PAWL DIR makes
# DIR/man, a page for man of pawl and of each verb, and DIR/completions.
set -eu
pawl=$1 dir=$2
rm -rf "$dir"
mkdir -p "$dir/man" "$dir/completions"
"$pawl" help -man >"$dir/man/pawl.1"
for verb in $("$pawl" completion -words -- ''); do
	"$pawl" help -man "$verb" >"$dir/man/pawl-$verb.1"
done
for shell in bash zsh fish; do
	"$pawl" completion "$shell" >"$dir/completions/pawl.$shell"
done
