package equal

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestSame(t *testing.T) {
	dir := t.TempDir()
	names := []string{dir, filepath.Join(dir, "none")}
	for i, content := range []string{"", "a", "b", "a", "long", "a longer one"} {
		name := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	for _, a := range names {
		for _, b := range names {
			s1, err1 := before.Same(a, b)
			if s2, err2 := after.Same(a, b); s1 != s2 || (err1 == nil) != (err2 == nil) {
				t.Errorf("%s %s: %v %v, then %v %v", a, b, s1, err1, s2, err2)
			}
		}
	}
}
