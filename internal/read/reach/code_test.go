package reach

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// The module that the cases edit. What a benchmark of a name reaches is in the
// functions and variables of that name.
var program = map[string]string{
	"go.mod":   "module example.com/m.v1\n\ngo 1.24\n",
	"data.txt": "embedded, one\n",
	"dep/dep.go": `package dep

import "regexp"

var seen = map[string]int{"a": 1, "b": 2}

var pattern = regexp.MustCompile("[a-z]")

var ran int

func init() { ran = ran*2 + 1 }

func init() { ran = ran*2 + 2 }

//go:noinline
func Reached(n int) int { return n ^ 5 }

//go:noinline
func Unreached(s string) int { return seen[s] + 1 }
`,
	"m.go": `// Package m has a comment.
package m

import (
	_ "embed"
	"fmt"
	"strconv"

	"example.com/m.v1/dep"
)

//go:noinline
func unreached(n int) string { return "spare" + strconv.Itoa(n) }

//go:noinline
func direct(n int) int { return n*3 + 1 }

//go:noinline
func text() string { return "hello" }

var weight = 7

//go:noinline
func weighted(n int) int { return n * weight }

type shape interface{ area() int }

type square struct{ side int }

func (s *square) area() int { return s.side * s.side }

func (s *square) edge() int { return s.side * 4 }

//go:noinline
func dynamic(s shape) int { return s.area() }

//go:noinline
func shapes() shape { return &square{3} }

type counter struct {
	n    int64
	step int32
	on   bool
}

func (c *counter) add(n int) int { c.n += int64(n) * int64(c.step); return int(c.n) }

//go:noinline
func apply(f func(int) int, n int) int { return f(n) }

func value() int { c := &counter{step: 2}; return apply(c.add, 4) }

//go:noinline
func closure(k int) func(int) int { return func(n int) int { return n + k + 11 } }

type number interface{ ~int | ~float64 }

//go:noinline
func sum[T number](list []T) (t T) {
	for _, v := range list {
		t += v * 2
	}
	return t
}

//go:embed data.txt
var embedded string

var table = build()

//go:noinline
func build() []int { return []int{1, 2, 3} }

//go:noinline
func external(n int) int { return dep.Reached(n) }

type spare struct{ n int }

func (s spare) String() string { return fmt.Sprint("spare ", s.n) }

//go:noinline
func spareString() fmt.Stringer { return spare{1} }

var pointed = &spare{4}

var other = &spare{4}

//go:noinline
func alias() int { pointed.n++; return other.n }
`,
	"m_test.go": `package m

import (
	"os"
	"testing"
)

var sink any

func prepare() int { return len(os.Args) + 1 }

func TestMain(m *testing.M) {
	sink = prepare()
	os.Exit(m.Run())
}

func TestSpare(t *testing.T) { t.Log(unreached(1), spareString(), (&square{}).edge()) }

func BenchmarkDirect(b *testing.B)   { for range b.N { direct(b.N) } }
func BenchmarkText(b *testing.B)     { for range b.N { text() } }
func BenchmarkWeight(b *testing.B)   { for range b.N { weighted(b.N) } }
func BenchmarkDynamic(b *testing.B)  { for range b.N { dynamic(shapes()) } }
func BenchmarkValue(b *testing.B)    { for range b.N { value() } }
func BenchmarkClosure(b *testing.B)  { for range b.N { apply(closure(b.N), 2) } }
func BenchmarkEmbed(b *testing.B)    { for range b.N { if embedded[0] == 0 { b.Fatal() } } }
func BenchmarkAlias(b *testing.B)    { for range b.N { alias() } }
func BenchmarkGeneric(b *testing.B) {
	for b.Loop() {
		b.Run("sub", func(b *testing.B) { sum([]float64{1, 2}) })
	}
}
`,
	"x_test.go": `package m_test

import (
	"testing"

	"example.com/m.v1/dep"
)

func BenchmarkDep(b *testing.B) { for range b.N { dep.Reached(b.N) } }
`,
}

var benchmarks = []string{"Alias", "Closure", "Dep", "Direct", "Dynamic", "Embed", "Generic", "Text", "Value", "Weight"}

// write writes the files of a module.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func open(t testing.TB, dir string, env ...string) *gocmd.Go {
	t.Helper()
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: append(os.Environ(), env...), GOWORK: "off", State: t.TempDir(), Meter: gocmd.NewMeter(time.Now())})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// here is the package of the directory that g runs in.
func here(t testing.TB, g *gocmd.Go) gocmd.Package {
	t.Helper()
	pkgs, err := g.List(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	return pkgs[0]
}

func objects(t testing.TB, r *Reader, g *gocmd.Go, pkg gocmd.Package, o gocmd.BuildOpts) *Code {
	t.Helper()
	c, err := r.Objects(t.Context(), g, pkg, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// edits replaces, for each three of texts, the second in the first, a file, by
// the third.
func edits(t *testing.T, files map[string]string, texts ...string) map[string]string {
	t.Helper()
	for e := range slices.Chunk(texts, 3) {
		files = edit(t, files, e[0], e[1], e[2])
	}
	return files
}

func edit(t *testing.T, files map[string]string, file, old, new string) map[string]string {
	t.Helper()
	out := maps.Clone(files)
	if strings.Count(out[file], old) != 1 {
		t.Fatalf("%q is not in %s once", old, file)
	}
	out[file] = strings.Replace(out[file], old, new, 1)
	return out
}

// Each case is one state of the program, and says which benchmarks it can matter
// to. What one function reaches is TestKinds'; here are edits that matter to
// none or to all.
func TestChanged(t *testing.T) {
	t.Parallel()
	const all, none = "all", ""
	nowhere := edits(t, program,
		"m.go", "has a comment", "has another comment,\n// of two lines",
		"m_test.go", "var sink any", "\n\n\nvar sink any",
		"m.go", `{ return "spare" + strconv.Itoa(n) }`, "{\n\tn++\n\tm := map[string][]int{\"x\": {n}}\n\treturn strconv.Itoa(len(m))\n}",
		"m.go", "var weight = 7", "var weight = 7\n\nfunc added() (any, []string) { return func() int { return weight }, []string{\"a\", \"b\", \"c\"} }\n\nvar late = &spare{9}",
		"m.go", "s.side * 4", "s.side * 5", // a test reaches it
		"m.go", `"spare "`, `"other "`,
		"dep/dep.go", "seen[s] + 1", "seen[s] + 2",
	)
	tests := []struct {
		name  string
		files map[string]string
		want  string // benchmarks, in order
	}{
		{"nothing", program, none},
		{"what no benchmark reaches", nowhere, none},
		{"what one reaches", edits(t, program, "m.go", `"hello"`, `"hallo"`, "m_test.go", "direct(b.N)", "direct(b.N + 1)", "dep/dep.go", "n ^ 5", "n ^ 6"), "Dep Direct Text"},
		{"an initialiser", edits(t, program, "m.go", "{1, 2, 3}", "{1, 2, 4}"), all},
		{"a map that an initialiser fills", edits(t, program, "dep/dep.go", `"b": 2`, `"b": 3`), all},
		{"a regular expression that an initialiser compiles", edits(t, program, "dep/dep.go", "[a-z]", "[b-z]"), all},
		{"the order of initialisers", edits(t, program, "dep/dep.go", "ran = ran*2 + 1", "ran = ran*2 + 3", "dep/dep.go", "ran = ran*2 + 2", "ran = ran*2 + 1", "dep/dep.go", "ran = ran*2 + 3", "ran = ran*2 + 2"), all},
		{"TestMain", edits(t, program, "m_test.go", "len(os.Args) + 1", "len(os.Args) + 2"), all},
		{"two variables become one", edits(t, program, "m.go", "var other = &spare{4}", "var other = pointed"), all},
		{"a default of the runtime", edits(t, program, "go.mod", "go 1.24\n", "go 1.24\n\ngodebug panicnil=1\n"), all},
		{"an import that initialises something", edits(t, program, "dep/dep.go", "package dep\n", "package dep\n\nimport _ \"encoding/asn1\"\n"), all},
	}
	dir := t.TempDir()
	write(t, dir, program)
	g := open(t, dir)
	var r Reader
	pkg := here(t, g)
	base := objects(t, &r, g, pkg, gocmd.BuildOpts{})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sample.One(t, 3)
			write(t, dir, tt.files)
			c := objects(t, &r, g, pkg, gocmd.BuildOpts{})
			check(t, base, c, tt.want)
			if got := len(c.differs(base)) > 0; got != (tt.name != "nothing") {
				t.Errorf("of all that is linked, changed %v", got)
			}
			write(t, dir, program)
		})
	}
	for name, o := range map[string]gocmd.BuildOpts{
		"a compiler flag": {Flags: []string{"-gcflags=-N"}}, "a linker flag": {Flags: []string{"-ldflags", "-X=example.com/m.v1.name=x"}}, "coverage": {CoverPkg: []string{"./dep"}},
	} {
		t.Run(name, func(t *testing.T) {
			sample.One(t, 3)
			check(t, base, objects(t, &r, g, pkg, o), all)
		})
	}
}

// Whatever the linker keeps of a test binary must be reached from its entry
// points, by the rules here too. PAWL_REACH names a package's directory to be held
// against its binary as well.
func TestReachesWhatIsLinked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, program)
	if reachesLinked(t, open(t, dir)) < 3000 {
		t.Error("too few symbols were found again for this to mean much")
	}
	if dir := os.Getenv("PAWL_REACH"); dir != "" {
		reachesLinked(t, open(t, dir))
	}
}

func reachesLinked(t *testing.T, g *gocmd.Go) (checked int) {
	pkg := here(t, g)
	c := objects(t, new(Reader), g, pkg, gocmd.BuildOpts{})
	f := c.linked()
	out := filepath.Join(t.TempDir(), "m.test")
	if err := g.BuildTest(t.Context(), ".", out, gocmd.BuildOpts{}); err != nil {
		t.Fatal(err)
	}
	e, err := g.Run(t.Context(), gocmd.Build, "tool", "nm", "-type", out)
	if err != nil {
		t.Fatal(err)
	}
	reached := make(map[string]bool) // by name, of what is known by its content too
	for n := range int32(len(c.canon)) {
		name := c.symbol(n).name
		reached[name] = reached[name] || f.reached.has(c.canon[n])
	}
	for line := range strings.Lines(string(e.Stdout)) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[1] == "U" {
			continue
		}
		name := strings.Join(fields[2:], " ")
		if numbered(name) || strings.HasPrefix(name, "_cgo_") { // of C, or of an equal copy in another package
			continue
		}
		yes, here := reached[name]
		if here {
			checked++
		}
		if here && !yes && !forTracebacks(t, c, name) {
			t.Errorf("%s is linked, and not reached", name)
		}
	}
	return checked
}

// forTracebacks says whether a function is linked for its name: where a
// deferred call is inlined, a table about the code refers to what was called.
func forTracebacks(t *testing.T, c *Code, name string) bool {
	for _, p := range c.parts {
		data, err := os.ReadFile(p.file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte(name+".wrapinfo")) {
			return true
		}
	}
	return false
}

func check(t *testing.T, base, c *Code, want string) {
	t.Helper()
	var wanted []string
	wanted = append(wanted, strings.Fields(want)...)
	if want == "all" {
		wanted = benchmarks
	}
	var got []string
	for _, b := range benchmarks {
		d := c.Changed(base, "Benchmark"+b)
		if d.Reached < 1 {
			t.Errorf("Benchmark%s reaches %d functions", b, d.Reached)
		}
		if len(d.Changed) > 0 {
			got = append(got, b)
			t.Logf("Benchmark%s: %d functions, changed %q %q", b, d.Reached, d.Changed, d.Notes)
		}
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
