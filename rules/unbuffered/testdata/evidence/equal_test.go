package equal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// FuzzSave saves the words of a text as lines.
func FuzzSave(f *testing.F) {
	for _, s := range []string{"", "a", "a b", "\n", "a\nb c", strings.Repeat("long ", 3000), strings.Repeat("x", 5000), strings.Repeat("y", 4095)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		dir := t.TempDir()
		var got [2]string
		for i, save := range []func(string, []string) error{before.Save, after.Save} {
			name := filepath.Join(dir, "f")
			if err := save(name, strings.Split(s, " ")); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got[i] = string(data)
		}
		if got[0] != got[1] {
			t.Errorf("%q, then %q", got[0], got[1])
		}
	})
}

// TestFull writes to a device that is always full: both must say so.
func TestFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	for _, lines := range [][]string{{"a"}, make([]string, 10000)} {
		e1, e2 := before.Save("/dev/full", lines), after.Save("/dev/full", lines)
		if e1 == nil || e2 == nil {
			t.Errorf("%d lines: %v, then %v", len(lines), e1, e2)
		}
	}
	if e1, e2 := before.Save("/dev/full", nil), after.Save("/dev/full", nil); e1 != nil || e2 != nil {
		t.Errorf("no lines: %v, then %v", e1, e2)
	}
}
