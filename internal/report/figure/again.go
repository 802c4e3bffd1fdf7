package figure

import (
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/words"
)

// Again is the command of a verb with flags, each a name and a value, in the place
// of those that it was called with.
func Again(verb string, args []string, flags ...string) string {
	out := []string{"pawl", verb}
	var names []string
	for i := 0; i+1 < len(flags); i += 2 {
		names = append(names, strings.TrimLeft(flags[i], "-"))
		out = append(out, flags[i], flags[i+1])
	}
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			out = append(out, args[i:]...)
			break
		}
		name, _, valued := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") || !slices.Contains(names, name) {
			out = append(out, args[i])
			continue
		}
		if !valued {
			i++ // its value stands by itself
		}
	}
	return Shell(out...)
}

// usual is what flags for a time are where they are not given, in the verbs that have
// them.
var usual = map[string]time.Duration{"budget": 10 * time.Minute, "per-change": 30 * time.Second}

// MoreTime is twice the time that a verb was called with, by the flag's name.
func MoreTime(args []string, flag string) string {
	given := usual[flag]
	for i, a := range args {
		name, value, valued := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if a == "--" {
			break
		}
		if !strings.HasPrefix(a, "-") || name != flag {
			continue
		}
		if !valued && i+1 < len(args) {
			value = args[i+1]
		}
		if d, err := time.ParseDuration(value); err == nil {
			given = d
		}
	}
	return words.Duration(2 * given)
}
