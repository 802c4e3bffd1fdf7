package reach

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

const source = `package m

func Setup(n int) []int {
	s := make([]int, n)
	return s
}

func Sum(s []int) int {
	t := 0
	for _, x := range s {
		t += x
	}
	if t < 0 {
		panic("negative")
	}
	return t
}

// Unused has a comment.
func Unused() {
	println()
}
`

const test = `package m

import "testing"

func BenchmarkSum(b *testing.B) {
	s := Setup(3)
	for i := 0; i < b.N; i++ {
		Sum(s)
	}
}

func BenchmarkLoop(b *testing.B) {
	s := Setup(3)
	for b.Loop() {
		Sum(s)
	}
}
`

// Set-up that runs in every call of the benchmark function must not be taken
// for the timed loop, whichever style the loop has.
func TestTimedIsNotSetup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source, "m_test.go": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: os.Environ(), GOWORK: "off", State: t.TempDir(), Meter: gocmd.NewMeter(time.Now())})
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := g.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	bin, err := Build(t.Context(), g, pkgs[0], []string{"example.com/m"}, filepath.Join(t.TempDir(), "cover.test"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"BenchmarkSum", "BenchmarkLoop"} {
		c, err := bin.Benchmark(t.Context(), g, model.Benchmark{Pkg: "example.com/m", Name: name}, 33, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []struct {
			from, to int
			reach    Reach
		}{
			{4, 4, Untimed}, // in Setup
			{9, 9, Timed},   // in Sum
			{14, 14, Never}, // the panic
			{19, 19, NoCode},
			{21, 21, Never}, // Unused
			{4, 11, Timed},  // the furthest of several counts
		} {
			if got := c.Lines("example.com/m", "m.go", want.from, want.to); got != want.reach {
				t.Errorf("%s, lines %d to %d: %d, want %d", name, want.from, want.to, got, want.reach)
			}
		}
	}
}

func TestParseRejects(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"nonsense", "m.go:1.2,3.4 5", "m.go:a.b,c.d e f"} {
		if _, err := Parse([]byte("mode: count\n" + bad + "\n")); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("mode: count\nexample.com/m/m.go:3.24,6.2 2 1\n"))
	f.Add([]byte("C:/x.go:1.1,1.2 1 0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data)
		if err == nil {
			c.Lines("p", "m.go", 1, 10)
		}
	})
}
