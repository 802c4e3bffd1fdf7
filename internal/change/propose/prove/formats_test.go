package prove

import (
	"strings"
	"testing"
)

func FuzzPlainVerbs(f *testing.F) {
	for _, s := range []string{"%v %#v %d%%", "%*d", "%[1]v", "%", "%+ 08.3f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, format string) {
		verbs, ok := PlainVerbs(format)
		if ok && len(verbs) > strings.Count(format, "%") {
			t.Errorf("%q has verbs %q", format, verbs)
		}
	})
}

func TestPlainVerbs(t *testing.T) {
	for format, want := range map[string]string{
		"%v and %#v, %d%%": "v#d", "none": "", "%+v%6.2f": "vf", "%[2]v": "!", "%*d": "!", "%": "!",
	} {
		got, ok := PlainVerbs(format)
		if !ok {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: verbs %q, want %q", format, got, want)
		}
	}
}
