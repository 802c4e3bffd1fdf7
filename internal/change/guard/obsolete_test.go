package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only an unlock that was deferred, and is made by hand now, is an obsolete idea.
func TestObsolete(t *testing.T) {
	const frame = "package m\n\nimport \"sync\"\n\ntype T struct {\n\tmu sync.Mutex\n\trw sync.RWMutex\n\tn  int\n}\n\n"
	const deferred = "func (t *T) Get() int {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\treturn t.n\n}\n"
	for _, tt := range []struct {
		name, before, after string
		want                string
	}{
		{"by hand", deferred, "func (t *T) Get() int {\n\tt.mu.Lock()\n\tn := t.n\n\tt.mu.Unlock()\n\treturn n\n}\n", "(*T).Get: t.mu.Unlock() is not deferred any more"},
		{"still deferred", deferred, "func (t *T) Get() int {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\treturn t.n + 0\n}\n", ""},
		{"no lock at all", deferred, "func (t *T) Get() int {\n\treturn t.n\n}\n", ""},
		{"in a loop", "func (t *T) Get() int {\n\tfor range 3 {\n\t\tt.rw.RLock()\n\t\tdefer t.rw.RUnlock()\n\t}\n\treturn t.n\n}\n",
			"func (t *T) Get() int {\n\tfor range 3 {\n\t\tt.rw.RLock()\n\t\tt.rw.RUnlock()\n\t}\n\treturn t.n\n}\n", ""},
	} {
		dir := t.TempDir()
		files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": frame + tt.before}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		in, err := Inspect(t.Context(), Change{
			Dir: dir, Root: dir, Env: testEnv(),
			Before: map[string][]byte{"m.go": []byte(frame + tt.before)}, After: map[string][]byte{"m.go": []byte(frame + tt.after)},
		})
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, w := range in.Warnings {
			seen = append(seen, w.Seen)
		}
		if got := strings.Join(seen, "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
