package results

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/model"
)

const realModule = "module example.com/x\n\ngo 1.24\n"

// What go test prints of this is compared; SIZE and FAIL differ between sides.
const realTest = `package x

import (
	"fmt"
	"testing"
)

var (
	sink  []byte
	other *int
)

func BenchmarkFirst(b *testing.B) {
	FAIL
	for range b.N {
		other = new(int)
	}
}

func BenchmarkAlloc(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		sink = make([]byte, SIZE)
		MORE
	}
}

func BenchmarkLate(b *testing.B) {
	for range b.N {
		other = new(int)
	}
	if b.N > 1 {
		LATE
	}
}

func BenchmarkPrint(b *testing.B) {
	PRINT
	for range b.N {
		other = new(int)
	}
}

func BenchmarkSub(b *testing.B) {
	b.Run("kind=a", func(b *testing.B) {
		b.ReportMetric(3, "widgets/op")
		b.Log("a note")
	})
}

func BenchmarkZPanic(b *testing.B) {
	for range b.N {
		other = new(int)
	}
	if b.N > 1 {
		PANIC
	}
	_ = fmt.Sprint()
}
`

// goTest runs the benchmarks of a module and returns what it prints.
func goTest(t *testing.T, change *strings.Replacer) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": realModule, "x_test.go": change.Replace(realTest)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-bench=.", "-benchtime=2000x", "-count=5", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	out, _ := cmd.CombinedOutput() // it fails where a benchmark does
	return string(out)
}

func TestRealFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test")
	}
	base := goTest(t, strings.NewReplacer("SIZE", "64", "FAIL", "", "MORE", "", "LATE", "", "PRINT", "", "PANIC", ""))
	cand := goTest(t, strings.NewReplacer("SIZE", "128", "FAIL", `b.Fatal("no data")`, "MORE", "other = new(int)",
		"LATE", `b.Error("late")`, "PRINT", `fmt.Println("hello")`, "PANIC", `panic("boom")`))
	c := compare(t, base, cand)
	got := make(map[string]model.Compared)
	for _, b := range c.Benchmarks {
		if b.Benchmark.Pkg != "example.com/x" {
			t.Errorf("%+v", b.Benchmark)
		}
		got[b.Benchmark.Name] = b
	}
	for name, want := range map[string]struct {
		standing model.Standing
		why      string
	}{
		"BenchmarkFirst":      {model.Failed, "no data”"},
		"BenchmarkAlloc":      {model.Regressed, "allocs/op 1 → 2; B/op 64 → 136; wall time"},
		"BenchmarkLate":       {model.Failed, "late”"},
		"BenchmarkPrint":      {model.OneSided, "only in old.txt: in new.txt its lines are torn by what it prints"},
		"BenchmarkSub/kind=a": {model.Open, "unpaired: no claim"},
		"BenchmarkZPanic":     {model.Failed, "boom"},
	} {
		b, ok := got[name]
		if !ok || b.Standing != want.standing || !strings.Contains(b.Why, want.why) {
			t.Errorf("%s: %s (%s), want %s (%s)", name, b.Standing, b.Why, want.standing, want.why)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d benchmarks: %+v", len(got), got)
	}
	if t.Failed() {
		t.Logf("base:\n%s\ncandidate:\n%s\n%s", base, cand, seen(c))
	}
}
