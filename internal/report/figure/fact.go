package figure

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Fact is one thing about a run, with its name.
type Fact struct{ Label, Text string }

// Shell joins the words of a command, quoted for a POSIX shell.
func Shell(command ...string) string {
	out := make([]string, len(command))
	for i, w := range command {
		if w == "" || strings.ContainsFunc(w, needsQuotes) {
			w = words.Quote(w)
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}

// Settings lists variables, sorted.
func Settings(vars map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(vars)) {
		out = append(out, k+"="+vars[k])
	}
	return strings.Join(out, " ")
}

func needsQuotes(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_./=,:+@%", r)
}

// Machine describes the hardware, and how busy it was.
func Machine(e model.Environment) string {
	var parts []string
	if e.CPU != "" {
		parts = append(parts, e.CPU)
	}
	if e.CPUs > 0 {
		parts = append(parts, words.Plural(e.CPUs, "CPU"))
	}
	if e.Load > 0 {
		parts = append(parts, "load "+strconv.FormatFloat(e.Load, 'f', 1, 64)+" at the start")
	}
	return strings.Join(parts, ", ")
}

// A Step is something to go to or to do, with its name.
type Step struct {
	Label, Text string
	Command     bool
}
