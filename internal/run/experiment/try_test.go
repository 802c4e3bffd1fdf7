package experiment

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// A benchmark that looks at GOGC itself has a difference that no machine blurs.
const spinning = `package m

import (
	"os"
	"testing"
)

var sink int

func BenchmarkSpin(b *testing.B) {
	n := 100000
	switch os.Getenv("GOGC") {
	case "200":
		n /= 2
	case "50":
		n *= 2
	}
	for b.Loop() {
		for i := range n {
			sink += i
		}
	}
}
`

func TestRun(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and measures")
	}
	sample.One(t, 3)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.25\n", "m.go": "package m\n", "m_test.go": spinning} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := Run(t.Context(), Options{
		Tool: "test", Dir: dir, Patterns: []string{"."}, Try: []string{gogc, pgo}, Memory: 4, Budget: 10 * time.Minute, Alpha: 0.05, MinEffect: 0.02,
		Timeout: time.Minute, Seed: 1, Env: append(os.Environ(), "GOGC=100", "GOFLAGS=", "GOWORK=off"), CacheDir: t.TempDir(), Now: time.Now,
	})
	if err != nil || len(found.Subjects) != 1 || found.Subjects[0].Failed != "" {
		t.Fatalf("%+v, %v", found, err)
	}
	sub := found.Subjects[0]
	want := map[string]model.Standing{"GOGC=50": model.Regressed, "GOGC=200": model.Improved}
	for _, x := range sub.Trials {
		if w, ok := want[x.Setting]; ok && x.Standing != w {
			t.Errorf("%s: %s: %s", x.Setting, x.Standing, x.Why)
		}
	}
	if sub.Choice < 0 || sub.Trials[sub.Choice].Setting != "GOGC=200" || sub.PeakRSS <= 0 {
		t.Errorf("%+v", sub)
	}
	not := 0
	for _, w := range found.Warnings {
		if w.Seen == notTried+"pgo: there is no profile; give one of the program at work with -pgo FILE" {
			not++
		}
	}
	if not != 1 {
		t.Errorf("what is left out is named %d times: %+v", not, found.Warnings)
	}
}
