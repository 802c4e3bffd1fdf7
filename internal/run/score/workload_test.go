package score

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// A benchmark that the fix changes judges both sides as the fix has it, where it
// can.
func TestTakeWorkload(t *testing.T) {
	if testing.Short() {
		t.Skip("builds")
	}
	const inLoop = "for i := 0; i < b.N; i++ {\n\t\ts = New([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})\n"
	changed := strings.Replace(setsTest, "for i := 0; i < b.N; i++ {\n", inLoop, 1)
	tests := map[string]struct {
		bench, note string
		replaced    bool
	}{
		"of the fix":       {changed, "which judges both sides", true},
		"of the parent":    {strings.Replace(changed, "New(", "NewSized(12, ", 2), "does not compile on the parent; the parent's judges", false},
		"with other names": {"package sets\n\nimport \"testing\"\n\nfunc key(i int) int { return 2 * i }\n" + strings.Replace(changed[strings.Index(changed, "func"):], "s.Has(i)", "s.Has(key(i))", 1), "which judges both sides", true},
		"the same":         {strings.Replace(setsTest, "\t", "\t\t", 1), "", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			sample.One(t, 3)
			mirrors := t.TempDir()
			from, to := history(t, filepath.Join(mirrors, "o+sets", "repo"),
				map[string]string{"go.mod": "module example.com/sets\n\ngo 1.24\n", "sets.go": sets, "sets_test.go": setsTest},
				map[string]string{"sets.go": sets + "\nfunc NewSized(int, []int) *Set { return nil }\n", "sets_test.go": tt.bench})
			s := &session{opt: Options{Mirrors: mirrors, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, out: &model.Score{}}
			row := Row{ID: "sets", Repo: "example.com/o/sets", Parent: from, Fix: to, Package: ".", BenchPackage: ".", named: naming{names: []string{"BenchmarkHas"}}, Bench: "^BenchmarkHas$"}
			c, err := s.prepare(t.Context(), row, t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if notes := strings.Join(c.notes, "\n"); !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
				t.Errorf("notes: %s", notes)
			}
			_, err = os.Stat(filepath.Join(c.dir, workloadFile))
			own, readErr := os.ReadFile(filepath.Join(c.dir, "sets_test.go"))
			if readErr != nil {
				t.Fatal(readErr)
			}
			if (err == nil) != tt.replaced || strings.Contains(string(own), "func parentsBenchmarkHas(") != tt.replaced {
				t.Errorf("replaced: %v; the parent's file:\n%s", err == nil, own)
			}
		})
	}
}
