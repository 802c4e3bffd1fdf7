package reach

import (
	"os/exec"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
)

// made returns a program of one unit: functions and variables by name, each
// with what it refers to. Those that begin with "..stmp_" have no lasting name.
func made(t *testing.T, order []string, refs map[string][]string) *Code {
	t.Helper()
	u := &unit{names: make(map[int32]string)}
	for _, name := range order {
		s := symbol{name: name, kind: kindText, abi: 1, edges: int32(len(u.edges)), flags: symFlags(name, 1, 0, 0, false, false)}
		if name != "p.BenchmarkX" {
			s.own = sum{byte(len(refs[name]))}
		}
		u.syms = append(u.syms, s)
		for _, to := range refs[name] {
			u.edges = append(u.edges, edge{to: int32(slices.Index(order, to))})
		}
	}
	u.syms = append(u.syms, symbol{edges: int32(len(u.edges))})
	c, err := link("p", nil, []compiled{{part{path: "p"}, &archive{units: []*unit{u}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Two variables of equal content that became one are a difference: a write to
// one of them is seen in the other. That they have other numbers is none.
func TestVariablesKeepApart(t *testing.T) {
	t.Parallel()
	bench, f, g := "p.BenchmarkX", "p.f", "p.g"
	all := []string{bench, f, g, "p..stmp_0", "p..stmp_1", "p..stmp_2"}
	refs := func(of, og string) map[string][]string {
		return map[string][]string{bench: {f, g}, f: {of}, g: {og}}
	}
	base := made(t, all, refs("p..stmp_0", "p..stmp_1"))
	for _, tt := range []struct {
		f, g string
		want []string
	}{
		{"p..stmp_0", "p..stmp_1", []string{}},
		{"p..stmp_2", "p..stmp_1", []string{}},
		{"p..stmp_1", "p..stmp_0", []string{}},
		{"p..stmp_0", "p..stmp_0", []string{g}},
	} {
		d := made(t, all, refs(tt.f, tt.g)).Changed(base, "BenchmarkX/sub")
		if diff := cmp.Diff(tt.want, d.Changed); diff != "" {
			t.Errorf("f with %s, g with %s: -want +got:\n%s", tt.f, tt.g, diff)
		}
	}
}

// A function without a lasting name and its jump table refer to each other.
func TestCycle(t *testing.T) {
	t.Parallel()
	bench, fn, table := "p.BenchmarkX", "p.glob..func1", "p..stmp_0"
	program := func(tail ...string) *Code {
		return made(t, []string{bench, fn, table, "p.f", "p.g"}, map[string][]string{bench: {fn}, fn: {table, "p.f"}, table: append([]string{fn}, tail...)})
	}
	base := program()
	if d := program().Changed(base, "BenchmarkX"); len(d.Changed) > 0 {
		t.Errorf("nothing changed, and got %q", d.Changed)
	}
	if d := program("p.g").Changed(base, "BenchmarkX"); !slices.Contains(d.Changed, bench) {
		t.Errorf("the table changed, and got %q, want the benchmark", d.Changed)
	}
}

func TestMissingBenchmark(t *testing.T) {
	t.Parallel()
	base := made(t, []string{"p.f"}, nil)
	d := made(t, []string{"p.BenchmarkX"}, nil).Changed(base, "BenchmarkX")
	if len(d.Changed) == 0 || len(d.Notes) != 1 {
		t.Errorf("got %+v, want a change and a note", d)
	}
}

func TestEscape(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"example.com/m": "example.com/m", "gopkg.in/yaml.v3": "gopkg.in/yaml%2ev3", "a.b": "a%2eb", "x/a%b": "x/a%25b"} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
		if got := readable(want + ".F"); got != in+".F" {
			t.Errorf("readable(%q) = %q", want, got)
		}
	}
}

// Code that is not Go is compared as a whole.
func TestForeignCode(t *testing.T) {
	t.Parallel()
	sample.One(t, 2)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs a C compiler")
	}
	files := map[string]string{
		"go.mod":    "module example.com/c\n\ngo 1.24\n",
		"c.go":      "package c\n\n// int twice(int n) { return n * 2; }\nimport \"C\"\n\nfunc Twice(n int) int { return int(C.twice(C.int(n))) }\n",
		"asm.go":    "package c\n\nfunc plain(n int) int { return n + 1 }\n\nfunc Other(n int) int { return plain(n) * 3 }\n",
		"c_test.go": "package c\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) { for range b.N { Twice(b.N) } }\n\nfunc TestOther(t *testing.T) { t.Log(Other(1)) }\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	g := open(t, dir, "CGO_ENABLED=1")
	var r Reader
	pkg := here(t, g)
	base := objects(t, &r, g, pkg, gocmd.BuildOpts{})
	for _, tt := range []struct {
		file, old, new string
		want           bool
	}{
		{"asm.go", "n + 1", "n + 2", false},
		{"c.go", "n * 2", "n * 3", true},
	} {
		write(t, dir, edit(t, files, tt.file, tt.old, tt.new))
		d := objects(t, &r, g, pkg, gocmd.BuildOpts{}).Changed(base, "BenchmarkX")
		if (len(d.Changed) > 0) != tt.want || (len(d.Notes) > 0) != tt.want {
			t.Errorf("%s with %s: %+v, want changed %v, with a note", tt.file, tt.new, d, tt.want)
		}
		write(t, dir, files)
	}
}

// An assembly function is a symbol like any other.
func TestAssembly(t *testing.T) {
	t.Parallel()
	sample.One(t, 2)
	files := map[string]string{
		"go.mod":      "module example.com/a\n\ngo 1.24\n",
		"a.go":        "package a\n\nfunc Used() int\n\nfunc spare() int\n",
		"a_amd64.s":   "#include \"textflag.h\"\n\nTEXT ·Used(SB), NOSPLIT, $0-8\n\tMOVQ $7, AX\n\tMOVQ AX, ret+0(FP)\n\tRET\n\nTEXT ·spare(SB), NOSPLIT, $0-8\n\tMOVQ $8, AX\n\tMOVQ AX, ret+0(FP)\n\tRET\n",
		"x_test.go":   "package a_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/a\"\n)\n\nfunc BenchmarkX(b *testing.B) { for range b.N { a.Used() } }\n",
		"asm_test.go": "package a\n\nimport \"testing\"\n\nfunc TestSpare(t *testing.T) { t.Log(spare()) }\n",
	}
	dir := t.TempDir()
	write(t, dir, files)
	g := open(t, dir)
	if g.Vars["GOARCH"] != "amd64" {
		t.Skip("the assembly is for amd64")
	}
	var r Reader
	pkg := here(t, g)
	base := objects(t, &r, g, pkg, gocmd.BuildOpts{})
	for _, tt := range []struct {
		old, new string
		want     []string
	}{
		{"$8, AX", "$9, AX", []string{}},
		{"$7, AX", "$6, AX", []string{"example.com/a.Used"}},
	} {
		write(t, dir, edit(t, files, "a_amd64.s", tt.old, tt.new))
		d := objects(t, &r, g, pkg, gocmd.BuildOpts{}).Changed(base, "BenchmarkX")
		if diff := cmp.Diff(tt.want, d.Changed); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.new, diff)
		}
	}
}

// What cannot be compiled is an error, that says what the compiler said.
func TestObjectsReportsErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, edit(t, program, "m.go", "weight = 7", "weight int = \"\""))
	g := open(t, dir)
	if _, err := new(Reader).Objects(t.Context(), g, here(t, g), gocmd.BuildOpts{}); err == nil {
		t.Error("no error")
	} else {
		t.Log(err)
	}
}
