package text

import (
	"fmt"
	"testing"
)

// What is split off is what fmt prints, and each step gets further.
func FuzzNextVerb(f *testing.F) {
	for _, s := range []string{"%s=%d%%\n", "%", "%5d", "%%%v", "no verb", "%!", "\xff%x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, format string) {
		var split string
		var args []any
		for rest := format; rest != ""; {
			text, verb, after, ok := nextVerb(rest)
			if !ok {
				return
			}
			if len(after) >= len(rest) {
				t.Fatalf("%q: no progress at %q", format, rest)
			}
			split += text
			if verb != 0 {
				args = append(args, map[byte]any{'s': "x", 'v': "x", 'q': "x", 't': true, 'd': 1, 'x': 1}[verb])
				split += fmt.Sprintf("%"+string(verb), args[len(args)-1])
			}
			rest = after
		}
		if want := fmt.Sprintf(format, args...); split != want {
			t.Errorf("%q: split into %q, but fmt prints %q", format, split, want)
		}
	})
}
