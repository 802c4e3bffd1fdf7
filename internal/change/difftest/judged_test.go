package difftest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

const judgedBase = `package m

import "io"

func Sum(r io.ReadCloser, p []byte) (n int) {
	for _, b := range p {
		n += int(b)
	}
	if r != nil {
		n++
	}
	return n
}
`

const judgedTests = `package m

import (
	"os"
	"testing"
)

func TestSum(t *testing.T) {
	for i := range 5000 {
		Sum(nil, make([]byte, i))
	}
	Sum(nil, make([]byte, 2<<20))
}

func BenchmarkSum(b *testing.B) {
	b.Run("large", func(b *testing.B) {
		data := make([]byte, 3<<20)
		for i := range data {
			data[i] = byte(i)
		}
		for b.Loop() {
			Sum(nil, data)
		}
	})
	b.Run("file", func(b *testing.B) {
		for b.Loop() {
			Sum(os.Stdin, nil)
			Sum(live, nil)
		}
	})
}

var live, _ = os.Open("m.go")
`

// What a judging benchmark calls a function with is compared whatever the tests
// call it with; where it cannot be, the count says so.
func TestJudged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	m := newModule(t, map[string]string{"m.go": judgedBase, "m_test.go": judgedTests}, map[string]string{
		"m.go": `package m

import "io"

func Sum(r io.ReadCloser, p []byte) (n int) {
	if len(p) > 2<<20 && p[1] == 1 {
		return 7
	}
	for i := range p {
		n += int(p[i])
	}
	if r != nil {
		n++
	}
	return n
}
`})
	for _, name := range []string{"BenchmarkSum/large", "BenchmarkSum/file", "BenchmarkOther"} {
		m.cfg.Judges = append(m.cfg.Judges, model.Benchmark{Pkg: "example.com/m", Name: name})
	}
	found, _ := m.run(t)
	d := found["Sum"]
	if d.OK() {
		t.Error("the benchmark's own input was not compared")
	}
	want := []model.Judged{
		{Benchmark: "BenchmarkSum/file", Calls: 2, Inputs: 1, Why: "holds an open file"},
		{Benchmark: "BenchmarkSum/large", Calls: 1, Inputs: 1},
	}
	if diff := cmp.Diff(want, d.Judged); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Where the time ends before all packages have recorded, what judges has.
func TestJudgesFirst(t *testing.T) {
	var got []string
	for _, p := range judgesFirst([]gocmd.Package{{ImportPath: "m/a"}, {ImportPath: "m/b"}, {ImportPath: "m/c"}}, []model.Benchmark{{Pkg: "m/c", Name: "BenchmarkX"}}) {
		got = append(got, p.ImportPath)
	}
	if diff := cmp.Diff([]string{"m/c", "m/a", "m/b"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
