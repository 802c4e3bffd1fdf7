package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
)

// A fact is one thing about a run, with its name.
type fact struct{ Label, Text string }

// facts says what a run ran on and how it was started.
func facts(r *model.Run) []fact {
	var out []fact
	add := func(label, text string) {
		if text != "" {
			out = append(out, fact{label, text})
		}
	}
	add("command", command(r))
	add("module", r.Module)
	head := r.Head
	if r.Dirty {
		head = strings.TrimSpace(head + " with uncommitted edits")
	}
	add("on top of", head)
	if !r.Started.IsZero() {
		add("started", r.Started.Format(stamp+" MST"))
	}
	add("go", strings.TrimSpace(r.Env.GoVersion+" "+r.Env.GOOS+"/"+r.Env.GOARCH))
	add("machine", machine(r.Env))
	add("settings", settings(r.Env.Settings))
	if s := sees(r); s != "" {
		add("sees", "differences of "+s)
	}
	add("pawl", r.Tool)
	return out
}

// command is how the run was started, quoted for a POSIX shell.
func command(r *model.Run) string { return shell(append([]string{"pawl", r.Verb}, r.Args...)...) }

// shell joins words into a command, quoted for a POSIX shell.
func shell(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if w == "" || strings.ContainsFunc(w, needsQuotes) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}

// settings lists variables, sorted.
func settings(vars map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(vars)) {
		out = append(out, k+"="+vars[k])
	}
	return strings.Join(out, " ")
}

func needsQuotes(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./=,:+@%", r)
}

func machine(e model.Environment) string {
	var parts []string
	if e.CPU != "" {
		parts = append(parts, e.CPU)
	}
	if e.CPUs > 0 {
		parts = append(parts, number(e.CPUs, "CPU"))
	}
	if e.Load > 0 {
		parts = append(parts, "load "+strconv.FormatFloat(e.Load, 'f', 1, 64)+" at the start")
	}
	return strings.Join(parts, ", ")
}

// solo is the confirmation under stock conditions, in words.
func solo(s *model.Solo) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("wall %s, cpu %s (GOMAXPROCS %d, %s)", change(s.WallChange), change(s.CPUChange), s.Procs, number(s.Runs, "pair"))
}
