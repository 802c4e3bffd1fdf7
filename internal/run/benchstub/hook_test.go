package benchstub

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/internal/words"
)

const hookSource = `package m

type T struct{}
type G[K comparable, V any] struct{}

func None() {}
func Plain(a int, b ...string) (int, error) { return len(b), nil }
func Single(a int) int { return a }
func Func(a int) func(int) (int, error) { return nil }
func Named(a, b int) (n int, _ error) { n = a; return }
func Blank(_ int, _, c string) string { return c }
func Unnamed(int, string) {}
func Lines(
	a int,
	b string,
) (
	int,
) {
	return a
}
func (T) Value() *T { return nil }
func (t *T) Pointer(x any) map[string]int { return nil }
func (*G[K, V]) Get(k K) (v V, ok bool) { return }
func Generic[A, B any](a A, _ func(A) B) []B { return nil }
`

func parsed(t *testing.T, src string) []*function {
	t.Helper()
	file, err := source.Parse(token.NewFileSet(), "m.go", "/m/m.go", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var out []*function
	for _, d := range file.Syntax.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		f := &function{File: file, pkg: gocmd.Package{ImportPath: "example.com/m", Name: "m", Dir: "/m"}, name: fn.Name.Name, decl: fn, recv: words.Receiver(fn), ptr: words.IsPointer(fn)}
		out = append(out, f)
	}
	return out
}

// library is what the hook needs of package pawlstub.
const libraryText = `package pawlstub
type Call struct{}
func On() bool
func Enter(own, names string, args ...any) *Call
func (c *Call) Leave(panicked any, results ...any)
`

type oneImport struct{ p *types.Package }

func (o oneImport) Import(path string) (*types.Package, error) {
	if path == importPath {
		return o.p, nil
	}
	return importer.Default().Import(path)
}

func TestHooksCompile(t *testing.T) {
	fset := token.NewFileSet()
	lib, err := parser.ParseFile(fset, "pawlstub.go", libraryText, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&types.Config{IgnoreFuncBodies: true}).Check(importPath, fset, []*ast.File{lib}, nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, f := range parsed(t, hookSource) {
		text := f.hooked()
		if got, want := strings.Count(string(text), "\n"), strings.Count(hookSource, "\n"); got != want {
			t.Errorf("%s: the hook changes the number of lines", f.short())
		}
		syntax, err := parser.ParseFile(fset, "m.go", text, 0)
		if err == nil {
			_, err = (&types.Config{Importer: oneImport{p}}).Check("m", fset, []*ast.File{syntax}, nil)
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", f.short(), err, text)
		}
		_, after, _ := strings.Cut(string(text), `Enter("example.com/m", "`)
		names[f.short()], _, _ = strings.Cut(after, `"`)
	}
	want := map[string]string{
		"None": "", "Plain": "a,b", "Single": "a", "Func": "a", "Named": "a,b", "Blank": "pawlp0,pawlp1,c", "Unnamed": "pawlp0,pawlp1", "Lines": "a,b",
		"T.Value": "pawlp0", "(*T).Pointer": "t,x", "(*G).Get": "pawlp0,k", "Generic": "a,pawlp1",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names of arguments (-want +got):\n%s", diff)
	}
}

func TestAnswersTo(t *testing.T) {
	f := &function{pkg: gocmd.Package{ImportPath: "example.com/m/in/pkg", Name: "pkg", Dir: "/m/in/pkg"}, name: "Do", recv: "T", ptr: true}
	for name, want := range map[string]bool{
		"(*T).Do": true, "T.Do": true, "*T.Do": true, "pkg.(*T).Do": true, "pkg.T.Do": true, "in/pkg.T.Do": true, "./in/pkg.T.Do": true,
		"example.com/m/in/pkg.(*T).Do": true, "m/in/pkg.T.Do": true,
		"Do": false, "pkg.Do": false, "(T).Do": false, "g.T.Do": false, "./pkg.T.Do": false, "": false,
	} {
		if got := f.answersTo(name, "/m"); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestNames(t *testing.T) {
	s := &scope{own: "example.com/m", imports: map[string]string{}, used: map[string]bool{}, known: map[string]string{"gopkg.in/yaml.v3": "yaml"}, declared: map[string]bool{"BenchmarkParse": true, "time": true}, vars: map[string]bool{}}
	for path, want := range map[string]string{"gopkg.in/yaml.v3": "yaml", "example.com/x/yaml": "yaml2", "time": "time2", "math": "math"} {
		if path == "example.com/x/yaml" {
			s.pkg("gopkg.in/yaml.v3")
		}
		if got := s.pkg(path); got != want {
			t.Errorf("%s is called %s", path, got)
		}
	}
	for want, name := range map[string]string{"s": "s", "b": "bIn", "len": "lenIn", "time": "timeIn", "pawlp2": "arg2", "math": "mathIn"} {
		if got := s.variable(want); got != name {
			t.Errorf("a variable for %s is called %s", want, got)
		}
	}
	if a, b := s.variable("x"), s.variable("x"); a == b {
		t.Errorf("two variables are called %s", a)
	}
	for _, c := range []struct{ name, recv, want string }{
		{"Parse", "", "BenchmarkParseRecorded"}, {"parse", "", "Benchmark_parse"}, {"scan", "", "BenchmarkScan"}, {"Next", "decoder", "BenchmarkDecoder_Next"},
		{"öffne", "", "BenchmarkÖffne"}, {"Next", "über", "BenchmarkÜber_Next"},
	} {
		if got := s.benchmark(&function{name: c.name, recv: c.recv}); got != c.want {
			t.Errorf("the benchmark of %s.%s is %s", c.recv, c.name, got)
		}
	}
	for file, want := range map[string]string{
		"m.go": "m_bench_test.go", "m_linux.go": "m_bench_linux_test.go", "m_linux_amd64.go": "m_bench_linux_amd64_test.go", "linux.go": "linux_bench_test.go", "m_x.go": "m_x_bench_test.go",
	} {
		if got := fileNames(&function{File: &source.File{Path: "/m/" + file}})[0]; got != want {
			t.Errorf("beside %s goes %s", file, got)
		}
	}
}

// FuzzTake: what a process that dies leaves behind is no reason to fail.
func FuzzTake(f *testing.F) {
	f.Add([]byte(`{"params":[{"name":"s","expr":[{"t":"\"a\""}],"size":1,"kind":"string"}],"size":1}` + "\n" + `{"refused":"x is a chan int","size":0}` + "\n{\"par"))
	f.Add([]byte("null\n[]\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &recording{}
		r.take(data)
		for _, in := range r.inputs {
			if in.Refused != "" {
				t.Error("a refused input is taken for one")
			}
		}
	})
}
