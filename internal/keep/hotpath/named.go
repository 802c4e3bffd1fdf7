package hotpath

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// namedForm is a command with a name: one word, a colon and a blank. "PATH: x"
// is no command that a shell could run.
var namedForm = regexp.MustCompile(`(?s)^([A-Za-z0-9_][A-Za-z0-9_.-]*):(?:[ \t]+|[ \t]*\n)(.*)$`)

// Guards makes guardrails of commands that somebody typed. “NAME: COMMAND”
// gives one a name; the others are guard1, guard2, ….
func Guards(typed []string, timeout time.Duration) ([]Guard, error) {
	var out []Guard
	for i, text := range typed {
		g := Guard{Name: "guard" + strconv.Itoa(i+1), Timeout: timeout}
		if m := namedForm.FindStringSubmatch(text); m != nil {
			g.Name, text = m[1], m[2]
		}
		var err error
		if g.Command, err = Text(text); err != nil {
			return nil, fmt.Errorf("%q: %w", g.Name, err)
		}
		if g.Command == "" {
			return nil, fmt.Errorf("%s has no command", g.Name)
		}
		if err := g.check(); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(o Guard) bool { return o.Name == g.Name }) {
			return nil, fmt.Errorf("two guards have the name %s", g.Name)
		}
		out = append(out, g)
	}
	return out, nil
}
