package equal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

// save writes lines to a file, which it makes or truncates.
func save(name string, lines []string, write func(*os.File, []string) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return write(f, lines)
}

// FuzzSave saves the words of a text as lines.
func FuzzSave(f *testing.F) {
	for _, s := range []string{"", "a", "a b", "\n", "a\nb c", strings.Repeat("long ", 3000), strings.Repeat("x", 5000), strings.Repeat("y", 4095)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		dir := t.TempDir()
		var got [2]string
		for i, write := range []func(*os.File, []string) error{before.WriteLines, after.WriteLines} {
			name := filepath.Join(dir, "f")
			if err := save(name, strings.Split(s, " "), write); err != nil {
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
		e1, e2 := save("/dev/full", lines, before.WriteLines), save("/dev/full", lines, after.WriteLines)
		if e1 == nil || e2 == nil {
			t.Errorf("%d lines: %v, then %v", len(lines), e1, e2)
		}
	}
	if e1, e2 := save("/dev/full", nil, before.WriteLines), save("/dev/full", nil, after.WriteLines); e1 != nil || e2 != nil {
		t.Errorf("no lines: %v, then %v", e1, e2)
	}
}
