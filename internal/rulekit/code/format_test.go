package code

import (
	"fmt"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for format, want := range map[string]string{
		"%v and %#v, %d%%": "%v and |%#v, |%d%|", "none": "none|", "": "", "%+v%6.2f": "%+v%6.2f", "%5%x": "%x|",
		"%[2]v": "no", "%*d": "no", "%": "no", "%5": "no", "%é": "no",
	} {
		pieces, ok := Format(format)
		var got strings.Builder
		for _, p := range pieces {
			if p.Verb == 0 {
				got.WriteString(p.Text + "|")
			} else {
				fmt.Fprintf(&got, "%%%s%c", p.Flags, p.Verb)
			}
		}
		if !ok {
			got.WriteString("no")
		}
		if got.String() != want {
			t.Errorf("%q: %s, want %s", format, got.String(), want)
		}
	}
}

// Each verb takes the operand after the one before, and what fmt prints of a format it prints of its pieces.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"%v %#v %d%%", "%*d", "%[1]v", "%", "%+ 08.3f", "%.2f%o%%", "%.%", "%s=%d%%\n", "%%%v", "no verb", "%!", "\xff%x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, format string) {
		pieces, ok := Format(format)
		if !ok {
			return
		}
		var split string
		var args []any
		for _, p := range pieces {
			if split += p.Text; p.Verb != 0 {
				args = append(args, len(args))
				split += fmt.Sprintf("%"+p.Flags+string(p.Verb), len(args)-1)
			}
		}
		if want := fmt.Sprintf(format, args...); split != want {
			t.Errorf("%q: the pieces print %q, and fmt %q", format, split, want)
		}
	})
}
