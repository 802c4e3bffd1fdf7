package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/run/overview"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/rules/catalogue"
)

const completionManual = `
Completion prints a script for your shell that completes verbs, flags, the names
of benchmarks after -bench, runs after log, and rules after rules. What it knows
nothing of is a file's name. Tried with bash 5.2, zsh 5.9 and fish 3.6.

	pawl completion bash >/etc/bash_completion.d/pawl
	pawl completion zsh  >"${fpath[1]}/_pawl"
	pawl completion fish >~/.config/fish/completions/pawl.fish

-words is for these scripts: it prints the words that may stand in the place of
the last operand, one a line.`

// shells are the scripts by shell. Each asks pawl for the words.
var shells = map[string]string{
	"bash": `_pawl() {
	local IFS=$'\n'
	COMPREPLY=($(pawl completion -words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _pawl pawl
`,
	"zsh": `#compdef pawl
_pawl() {
	local -a found
	found=("${(@f)$(pawl completion -words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	if [[ -n $found[1] ]]; then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _pawl ]]; then _pawl "$@"; else compdef _pawl pawl; fi
`,
	"fish": `complete -c pawl -a '(pawl completion -words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

func runCompletion(ctx context.Context, e *env, v *verb, args []string) (int, error) {
	fs := v.flags()
	words := fs.Bool("words", false, "print the words that may stand in the place of the last operand")
	args, err := v.parse(e, fs, args)
	if err != nil {
		return 0, err
	}
	if *words && len(args) > 0 {
		for _, w := range candidates(ctx, e, args) {
			if strings.HasPrefix(w, args[len(args)-1]) {
				fmt.Fprintln(e.plain(), w)
			}
		}
		return exitOK, nil
	}
	if len(args) != 1 || shells[args[0]] == "" {
		return 0, usageError("completion takes one of bash, zsh, fish")
	}
	fmt.Fprint(e.stdout, shells[args[0]])
	return exitOK, nil
}

// candidates returns what may stand last on a command line of pawl's, whatever
// of it is there already.
func candidates(ctx context.Context, e *env, line []string) []string {
	last := len(line) - 1
	v := verbOf(line[0])
	switch {
	case last == 0 || last == 1 && line[0] == "help":
		return verbNames()
	case v == nil:
		return nil
	case strings.HasPrefix(line[last], "-"):
		return v.flagNames(ctx, e)
	case strings.TrimLeft(line[last-1], "-") == "bench":
		return benchmarks(ctx, e)
	case v.name == "log":
		return runNames(ctx, e)
	case v.name == "rules":
		return ruleNames()
	case v.name == "completion":
		return []string{"bash", "fish", "zsh"}
	}
	return nil
}

func verbNames() []string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// flagNames returns a verb's flags, which its manual lists.
func (v *verb) flagNames(ctx context.Context, e *env) []string {
	var text bytes.Buffer
	sub := *e
	sub.stdout = &text
	if v.manual(ctx, &sub, true) != nil {
		return nil
	}
	_, list, _ := strings.Cut(text.String(), "\nFlags:\n")
	var names []string
	for line := range strings.Lines(list) {
		if flag, ok := strings.CutPrefix(line, "  -"); ok {
			names = append(names, "-"+strings.Fields(flag)[0])
		}
	}
	return names
}

func benchmarks(ctx context.Context, e *env) []string {
	m, err := overview.Look(ctx, e.dir, e.getenv)
	if err != nil {
		return nil
	}
	var names []string
	for _, p := range m.Packages {
		names = append(names, p.Benchmarks...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func runNames(ctx context.Context, e *env) []string {
	place, err := tree.Locate(ctx, e.dir)
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(place.Module, ".pawl", "runs"))
	if err != nil {
		return nil
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func ruleNames() []string {
	var names []string
	for _, entry := range catalogue.All() {
		names = append(names, entry.Rule.Name)
	}
	return names
}
