package profile

import (
	"testing"

	"github.com/pawl-dev/pawl/internal/words"
)

func TestPackageOf(t *testing.T) {
	for symbol, want := range map[string][2]string{
		"github.com/a/b/c.(*T).M":                     {"github.com/a/b/c", "github.com/a/b"},
		"main.main.func1":                             {"main", "main"},
		"net/http.(*conn).serve":                      {"net/http", ""},
		"runtime.mallocgc":                            {"runtime", ""},
		"gopkg.in/yaml%2ev3.(*parser).parse":          {"gopkg.in/yaml.v3", "gopkg.in/yaml.v3"},
		"example.com/x/y.F[go.shape.string]":          {"example.com/x/y", "example.com/x"},
		"example.com/x/y.Map[github.com/a/b.T,int].G": {"example.com/x/y", "example.com/x"},
		"wire/codec.Encode":                           {"wire/codec", "wire"},
		"aeshashbody":                                 {"", ""},
	} {
		pkg := words.SymbolPackage(symbol)
		if got := [2]string{pkg, moduleOf(pkg)}; got != want {
			t.Errorf("%s: package and module %q, want %q", symbol, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	p := newBuilder("samples", "cpu").
		add([]int64{1, 60}, "runtime.mallocgc /go/src/runtime/malloc.go:1", "fmt.Sprintf /go/src/fmt/print.go:2", "a.com/m/p.F /m/p/f.go:10", "a.com/m.Main /m/main.go:5").
		add([]int64{1, 40}, "b.org/dep.G /dep/g.go:3", "a.com/m/p.H /m/p/f.go:20", "a.com/m.Main /m/main.go:5").
		read(t)
	costs, err := p.Lines()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, c := range costs {
		if c.Resource == "cpu" {
			got[c.Pkg+" "+c.File] += c.Share
		}
	}
	if got["a.com/m/p f.go"] != 1 || got["b.org/dep g.go"] != 0.4 || got["a.com/m main.go"] != 0 || len(costs) != 3 {
		t.Errorf("costs %+v", costs)
	}
}

// A difference has no shares: what one line gained would hide what another lost.
func TestLinesOfADifference(t *testing.T) {
	p := newBuilder("samples", "cpu").
		add([]int64{1, 60}, "a.com/m/p.F /m/p/f.go:10").
		add([]int64{-1, -40}, "a.com/m/p.H /m/p/f.go:20").
		read(t)
	if _, err := p.Lines(); err != errNegative {
		t.Errorf("error %v; want %v", err, errNegative)
	}
}
