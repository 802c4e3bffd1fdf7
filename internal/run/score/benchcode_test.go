package score

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExtract(t *testing.T) {
	fix := []source{{"p/new_test.go", []byte(`package p

import (
	"os"
	"strings"
	"testing"

	yaml "example.com/yaml/v3"
)

// A fake is what the benchmark reads from.
type fake struct{ n int }

func (f *fake) next() int { return helper(f.n) }

func helper(n int) int { return shared + n }

const limit = 3

var input = strings.Repeat("x", limit)

func TestNewThing(t *testing.T) { newThing(os.Args) }

// BenchmarkParse measures Parse.
func BenchmarkParse(b *testing.B) {
	f := &fake{}
	for b.Loop() {
		Parse(input, f.next())
	}
}

func unused() { yaml.Do() }
`)}}
	have := []source{{"p/p.go", []byte("package p\n\nfunc Parse(s string, n int) {}\n")}, {"p/old_test.go", []byte("package p\n\nconst shared = 1\n")}}
	got, err := extract(fix, []string{"BenchmarkParse"}, have)
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

import (
	"strings"
	"testing"
)

// A fake is what the benchmark reads from.
type fake struct{ n int }

func (f *fake) next() int { return helper(f.n) }

func helper(n int) int { return shared + n }

const limit = 3

var input = strings.Repeat("x", limit)

// BenchmarkParse measures Parse.
func BenchmarkParse(b *testing.B) {
	f := &fake{}
	for b.Loop() {
		Parse(input, f.next())
	}
}
`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if _, err := extract(fix, []string{"BenchmarkGone"}, have); err == nil || !strings.Contains(err.Error(), "BenchmarkGone") {
		t.Errorf("a benchmark that is not there: %v", err)
	}
}

func TestPrune(t *testing.T) {
	src := `package p

import (
	"os"
	"testing"
)

// TestNew is of what the parent does not have.
func TestNew(t *testing.T) {
	newThing()
}

func TestOld(t *testing.T) {}
`
	out, gone, err := prune([]byte(src), []int{10, 4})
	if err != nil {
		t.Fatal(err)
	}
	want := "package p\n\nimport (\n\t\"testing\"\n)\n\nfunc TestOld(t *testing.T) {}\n"
	if d := cmp.Diff(want, string(out)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{`import "os"`, "TestNew"}, gone); d != "" {
		t.Errorf("gone: %s", d)
	}
	if out, _, err := prune([]byte("package p\n\nfunc TestNew() { x() }\n"), []int{3}); err != nil || out != nil {
		t.Errorf("a file without anything left: %q, %v", out, err)
	}
	if out, gone, _ := prune([]byte("package"), []int{1}); out != nil || len(gone) != 1 {
		t.Errorf("a file that does not parse: %q, %v", out, gone)
	}
}

func TestComplaints(t *testing.T) {
	got := complaints("# example.com/m [example.com/m.test]\n./x_test.go:12:3: undefined: y\nsub/z_test.go:4: too bad\nvet: ./v_test.go:1:1: no\nnote: module requires Go 1.99\n")
	want := []complaint{{"x_test.go", 12, "undefined: y"}, {"sub/z_test.go", 4, "too bad"}, {"v_test.go", 1, "no"}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(complaint{})); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// A benchmark is another one when its code differs, not when its layout does.
func TestFunction(t *testing.T) {
	a := []source{{"a_test.go", []byte("package p\n\n// BenchmarkA is old.\nfunc BenchmarkA(b *testing.B) { f(1)\n}\n")}}
	b := []source{{"b_test.go", []byte("package p\n\nfunc BenchmarkA(b *testing.B) {\n\tf(1)\n}\n")}}
	c := []source{{"c_test.go", []byte("package p\n\nfunc BenchmarkA(b *testing.B) {\n\tf(2)\n}\n")}}
	if x, y := function(a, "BenchmarkA"), function(b, "BenchmarkA"); x == "" || strings.Join(strings.Fields(x), " ") != strings.Join(strings.Fields(y), " ") {
		t.Errorf("%q and %q", x, y)
	}
	if function(a, "BenchmarkA") == function(c, "BenchmarkA") || function(a, "BenchmarkB") != "" {
		t.Error("functions are not told apart")
	}
}
