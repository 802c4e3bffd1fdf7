package bench

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/lab/sample"
)

var allLinks = flag.Bool("links", false, "also link again what compiles much of the standard library: cgo, race, cover, pie, and the toolchains go1.24.0 and go1.25.0")

const linkedSource = `package m

import "os"

var stamp = "none"

//go:noinline
func Double(x int) int { return 2 * x }

//go:noinline
func Stamp() string { return stamp + os.Getenv("M_SUFFIX") }
`

const linkedTest = `package m

import (
	"os"
	"runtime"
	"testing"
)

func BenchmarkX(b *testing.B) {
	for b.Loop() {
		if Double(21) != 42 {
			b.Fatal("wrong")
		}
	}
}

func TestStamp(t *testing.T) {
	t.Log("stamp", Stamp(), "root", runtime.GOROOT(), len(os.Args))
}
`

// files writes a tree of files.
func files(t *testing.T, dir string, tree map[string]string) {
	t.Helper()
	for name, text := range tree {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// module prepares a Suite for a module of its own.
func module(t *testing.T, tree map[string]string, env ...string) (*Suite, gocmd.Package) {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "tree")
	files(t, dir, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": linkedSource, "m_test.go": linkedTest})
	files(t, dir, tree)
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: append(os.Environ(), env...), GOWORK: "off", State: filepath.Join(root, "state")})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Prepare(t.Context(), g, filepath.Join(root, "scratch"))
	if err != nil {
		t.Fatal(err)
	}
	return s, gocmd.Package{ImportPath: "example.com/m", Dir: dir}
}

// sections returns what of a binary a process sees.
func sections(t *testing.T, path string) map[string][]byte {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := make(map[string][]byte)
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOBITS || s.Type == elf.SHT_NOTE {
			continue // a note holds the build's own identifier
		}
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		out[s.Name] = data
	}
	return out
}

// order returns the names of a binary's functions by address.
func order(t *testing.T, path string) []string {
	t.Helper()
	syms, err := funcSymbols(path)
	if err != nil {
		t.Fatal(err)
	}
	syms = slices.DeleteFunc(syms, func(s elf.Symbol) bool { return s.Value == 0 })
	slices.SortStableFunc(syms, func(a, b elf.Symbol) int {
		if a.Value != b.Value {
			return int(int64(a.Value) - int64(b.Value))
		}
		return strings.Compare(a.Name, b.Name)
	})
	var names []string
	for _, s := range syms {
		names = append(names, s.Name)
	}
	return names
}

func linked(t *testing.T, l *Linker, name string, seed uint64) *Binary {
	t.Helper()
	b, err := l.Link(t.Context(), name, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ranBenchmark runs a benchmark of a binary and the test that logs what the
// linker stamped in, and returns the log.
func ranBenchmark(t *testing.T, s *Suite, b *Binary) string {
	t.Helper()
	sample, err := s.Slice(t.Context(), b, plan(b.benchmark("BenchmarkX"), 100), SliceOpts{CPU: gocmd.NoCPU})
	if err != nil {
		t.Fatal(err)
	}
	if sample.N != 100 {
		t.Errorf("%+v", sample)
	}
	e, err := s.g.Meter.Run(t.Context(), gocmd.Proc{Path: b.Path, Args: []string{"-test.v", "-test.run=Stamp"}, Dir: b.Dir, Env: s.g.Env(), CPU: gocmd.NoCPU})
	if err != nil || e.Code != 0 {
		t.Fatal(err, e.Code, string(e.Stderr))
	}
	for line := range strings.Lines(string(e.Stdout)) {
		if _, said, ok := strings.Cut(line, "stamp "); ok {
			return strings.TrimSpace(said)
		}
	}
	return ""
}

func needELF(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("looks into ELF files")
	}
}

// Whatever the flags of a build, running its link command again gives the
// same program, and with a seed the same functions in another order.
func TestLink(t *testing.T) {
	t.Parallel()
	needELF(t)
	cgo := map[string]string{
		"c.go": "package m\n\n// static int twice(int x) { return 2*x; }\nimport \"C\"\n\nfunc Twice(x int) int { return int(C.twice(C.int(x))) }\n",
	}
	vendored := map[string]string{
		"x_test.go":                     "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m\"\n)\n\nfunc BenchmarkY(b *testing.B) {\n\tfor b.Loop() {\n\t\tm.Double(1)\n\t}\n}\n",
		"go.mod":                        "module example.com/m\n\ngo 1.24\n\nrequire example.com/dep v1.0.0\n",
		"uses.go":                       "package m\n\nimport \"example.com/dep\"\n\nvar Used = dep.V\n",
		"vendor/example.com/dep/dep.go": "package dep\n\nvar V = 7\n",
		"vendor/modules.txt":            "# example.com/dep v1.0.0\n## explicit; go 1.24\nexample.com/dep\n",
	}
	for _, c := range []struct {
		name  string
		tree  map[string]string
		env   []string
		opts  gocmd.BuildOpts
		heavy bool
		want  string // in the log
	}{
		{name: "plain", want: "stamp none"},
		{name: "flags", env: []string{`GOFLAGS=-trimpath -tags=x '-ldflags=-X example.com/m.stamp=set -X=example.com/m.other=y'`}, want: "stamp set"},
		{name: "further flags", opts: gocmd.BuildOpts{Flags: []string{"-ldflags=-s -w -X 'example.com/m.stamp=a b'"}}, want: "stamp a b"},
		{name: "vendor", tree: vendored},
		{name: "cgo", tree: cgo, env: []string{"CGO_ENABLED=1"}, heavy: true},
		{name: "external", tree: cgo, env: []string{"CGO_ENABLED=1", "GOFLAGS=-ldflags=-linkmode=external"}, heavy: true},
		{name: "pie", opts: gocmd.BuildOpts{Flags: []string{"-buildmode=pie"}}, heavy: true},
		{name: "race", env: []string{"GORACE=atexit_sleep_ms=0"}, opts: gocmd.BuildOpts{Race: true}, heavy: true},
		{name: "cover", opts: gocmd.BuildOpts{CoverPkg: []string{"example.com/m"}}, heavy: true},
		{name: "no hooks", heavy: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.heavy && !*allLinks {
				t.Skip("no -links")
			}
			sample.One(t, 3)
			c.opts.Overlay = c.name != "no hooks"
			testLink(t, c.tree, c.env, c.opts, strings.TrimPrefix(c.want, "stamp "))
		})
	}
}

func testLink(t *testing.T, tree map[string]string, env []string, opts gocmd.BuildOpts, want string) {
	s, pkg := module(t, tree, env...)
	b, l, err := s.BuildLinkable(t.Context(), pkg, "base", opts)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	said := ranBenchmark(t, s, b)
	if !strings.Contains(said, want) {
		t.Errorf("the build says %q", said)
	}
	files(t, pkg.Dir, map[string]string{"m.go": "package broken", "go.mod": "nothing"})
	again, err := l.link(t.Context(), "again", nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sections(t, b.Path), sections(t, again.Path), cmp.Comparer(bytes.Equal)); d != "" {
		t.Errorf("the same link is not the same: %.2000s", d)
	}
	one, two, same := linked(t, l, "one", 1), linked(t, l, "two", 2), linked(t, l, "same", 1)
	if one.Hash != same.Hash || one.Hash == two.Hash || one.Hash == b.Hash {
		t.Errorf("hashes: built %s, one %s, again one %s, two %s", b.Hash, one.Hash, same.Hash, two.Hash)
	}
	for _, x := range []*Binary{one, two} {
		if got := ranBenchmark(t, s, x); got != said {
			t.Errorf("a link says %q, and the build %q", got, said)
		}
	}
	if !strings.Contains(strings.Join(opts.Flags, " "), "-s ") {
		compareOrders(t, b, one, two)
	}
}

// compareOrders sees that three links have the same functions, each in its own
// order.
func compareOrders(t *testing.T, built, one, two *Binary) {
	t.Helper()
	a, b, c := order(t, built.Path), order(t, one.Path), order(t, two.Path)
	moved := 0
	for i := range min(len(b), len(c)) {
		if b[i] != c[i] {
			moved++
		}
	}
	if moved < len(b)/2 || slices.Equal(a, b) {
		t.Errorf("%d of %d functions are at another place", moved, len(b))
	}
	slices.Sort(a)
	slices.Sort(b)
	slices.Sort(c)
	if !slices.Equal(b, c) || len(a)-len(b) > len(a)/100 {
		t.Errorf("%d, %d and %d functions", len(a), len(b), len(c))
	}
}

// Both sides of a comparison are built at one path, one after the other, and
// linked at the same time when the tree is gone.
func TestLinkBothSides(t *testing.T) {
	t.Parallel()
	sample.One(t, 3)
	needELF(t)
	s, pkg := module(t, nil)
	base, bl, err := s.BuildLinkable(t.Context(), pkg, "base", gocmd.BuildOpts{Overlay: true})
	if err != nil {
		t.Fatal(err)
	}
	files(t, pkg.Dir, map[string]string{"m.go": strings.Replace(linkedSource, "2 * x", "x + x + 0*len(stamp)", 1), "m_test.go": strings.Replace(linkedTest, "b.Loop()", "b.Loop() && Stamp() != \"\"", 1)})
	cand, cl, err := s.BuildLinkable(t.Context(), pkg, "candidate", gocmd.BuildOpts{Overlay: true})
	if err != nil {
		t.Fatal(err)
	}
	if base.Hash == cand.Hash {
		t.Fatal("the candidate is the base")
	}
	if err := os.RemoveAll(pkg.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(pkg.Dir, 0o777); err != nil { // where its processes run
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range uint64(3) {
		for name, l := range map[string]*Linker{"base": bl, "candidate": cl} {
			wg.Go(func() {
				b, err := l.Link(t.Context(), name+"-"+strconv.FormatUint(i, 10), 1<<63+i, nil)
				if err != nil {
					t.Error(err)
					return
				}
				ranBenchmark(t, s, b)
			})
		}
		wg.Wait()
	}
	if err := os.RemoveAll(pkg.Dir); err != nil {
		t.Fatal(err)
	}
	if _, err := bl.Link(t.Context(), "gone", 4, nil); err != nil {
		t.Errorf("with the tree deleted: %v", err)
	}
	if err := errors.Join(bl.Close(), cl.Close()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(filepath.Join(s.dir, "links")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// Each function that is measured starts a cache line, in the build and in fresh
// links; in the default link they do not, with the user's other flags in place.
func TestAlign(t *testing.T) {
	t.Parallel()
	sample.One(t, 3)
	needELF(t)
	for _, c := range []struct {
		flags        string // of the linker, the user's
		opts         gocmd.BuildOpts
		built, stays bool
	}{
		{built: true},
		{flags: "-X example.com/m.stamp=set", built: true},
		{flags: "-funcalign=64", built: true, stays: true},
		{flags: "all=-w", stays: true},
		{opts: gocmd.BuildOpts{CoverPkg: []string{"example.com/m"}}, stays: true},
	} {
		s, pkg := module(t, nil, "GOFLAGS="+gocmd.JoinFlags([]string{"-ldflags=" + c.flags}))
		if !s.alignable() {
			t.Skip("functions of this system are not aligned")
		}
		b, l, err := s.BuildLinkable(t.Context(), pkg, "base", c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := startLines(t, b); got != c.built {
			t.Errorf("%+v: the build starts lines: %v", c, got)
		}
		if got := startLines(t, linked(t, l, "fresh", 1)); got != c.built {
			t.Errorf("%+v: a fresh link starts lines: %v", c, got)
		}
		plain, err := l.Default(t.Context())
		if err != nil || (plain == nil) != c.stays || plain != nil && startLines(t, plain) {
			t.Errorf("%+v: the default link is %+v, %v", c, plain, err)
		}
		if again, _ := l.Default(t.Context()); again != plain {
			t.Errorf("%+v: the default link was made twice", c)
		}
		_ = l.Close()
	}
}

// startLines reports whether all functions of a binary start a cache line.
func startLines(t *testing.T, b *Binary) bool {
	t.Helper()
	f, err := elf.Open(b.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	return !slices.ContainsFunc(syms, func(s elf.Symbol) bool {
		return elf.ST_TYPE(s.Info) == elf.STT_FUNC && strings.HasPrefix(s.Name, "runtime.") && s.Name != "runtime.etext" && s.Value%64 != 0
	})
}

// What is kept is what the linker reads, no more, whether it was compiled just
// now or comes from the cache.
func TestLinkKeepsLittle(t *testing.T) {
	t.Parallel()
	sample.One(t, 3)
	cold := map[string]string{"time.go": "package m\n\nconst when = " + strconv.Quote(time.Now().String()+t.TempDir()) + "\n\nfunc When() string { return when }\n"}
	s, pkg := module(t, cold)
	for _, name := range []string{"cold", "warm"} {
		_, l, err := s.BuildLinkable(t.Context(), pkg, name, gocmd.BuildOpts{})
		if err != nil {
			t.Fatal(err)
		}
		linked(t, l, "linked", 5)
		var left []string
		_ = filepath.WalkDir(l.dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				left = append(left, filepath.Base(path))
			}
			return err
		})
		slices.Sort(left)
		for _, f := range left {
			if f != "_pkg_.a" && f != "importcfg.link" {
				t.Errorf("%s: %s is kept", name, f)
			}
		}
	}
}

func TestLinkErrors(t *testing.T) {
	t.Parallel()
	s, pkg := module(t, nil)
	b, l, err := s.BuildLinkable(t.Context(), pkg, "base", gocmd.BuildOpts{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(what, want string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	_, err = l.Link(t.Context(), "base", 1, nil)
	check("the build's own name", "cannot have the name", err)
	_, err = l.Link(t.Context(), "../x", 1, nil)
	check("a path as name", "does not do", err)
	_, err = l.link(t.Context(), "bad", nil, "-nosuchflag")
	check("an unknown flag", "-nosuchflag", err)
	_, err = l.link(t.Context(), "bad", nil, "-B=0xzz")
	check("a failing link", "again: exit status", err)

	ctx, cancel := context.WithCancel(t.Context())
	timer := time.AfterFunc(20*time.Millisecond, cancel)
	defer timer.Stop()
	for i := uint64(0); err != nil && ctx.Err() == nil; i++ {
		_, err = l.Link(ctx, "cancelled", i, nil)
	}
	_, err = l.Link(ctx, "cancelled", 1, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	_, err = l.Link(t.Context(), "closed", 1, nil)
	check("closed", "again", err)
	for _, name := range []string{"bad", "cancelled", "closed"} {
		if f, _ := s.file(b.Pkg, name); isThere(f) {
			t.Errorf("%s is left", f)
		}
	}
	_, _, err = s.BuildLinkable(t.Context(), gocmd.Package{ImportPath: "example.com/m/no", Dir: pkg.Dir}, "x", gocmd.BuildOpts{})
	check("no such package", "example.com/m/no", err)
	files(t, pkg.Dir, map[string]string{"m.go": "package m\n\nvar x int = false\n"})
	_, _, err = s.BuildLinkable(t.Context(), pkg, "x", gocmd.BuildOpts{})
	check("a broken package", "cannot use false", err)
	var failed *gocmd.Error
	if !errors.As(err, &failed) || strings.Contains(failed.Output, "WORK=") {
		t.Errorf("a broken package: %v", err)
	}
	if left, _ := os.ReadDir(filepath.Join(s.dir, "links")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// A build whose link command is not understood still gives its binary.
func TestLinkCommand(t *testing.T) {
	t.Parallel()
	const link = `{"Mode":"link","Cmd":["/t/link -o /w/m.test -importcfg /w/cfg -X=a=b \"-extld=gcc -x\" /w/_pkg_.a"]}`
	got, err := linkCommand([]byte("[" + `{"Mode":"build","Cmd":["compile -o x"]},` + link + "]"))
	want := []string{"/t/link", "-o", "/w/m.test", "-importcfg", "/w/cfg", "-X=a=b", "-extld=gcc -x", "/w/_pkg_.a"}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	for graph, want := range map[string]string{
		"":                                      "action graph",
		"[]":                                    "0 link commands",
		"[" + link + "," + link + "]":           "2 link commands",
		`[{"Mode":"link","Cmd":["ld -o x y"]}]`: "0 link commands",
		`[{"Mode":"link","Cmd":["ld \"-o"]}]`:   "quote",
	} {
		if _, err := linkCommand([]byte(graph)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", graph, err, want)
		}
	}
}

func TestLayoutSeed(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{0, 1, 1<<31 - 3, 1<<31 - 2, 1<<31 - 1, 1 << 63, 1<<64 - 1} {
		if got := layoutSeed(seed); got < 1 || got > 1<<31-2 {
			t.Errorf("%d becomes %d", seed, got)
		}
	}
}

// Arguments come out of a command line as they went in.
func FuzzSplitCommand(f *testing.F) {
	f.Add("link -o x", "a b", "")
	f.Add(`"x" y`, `q"`, "é\x00")
	f.Add(`"`, "-X=a=(b)", "\xff")
	f.Fuzz(func(t *testing.T, any, a, b string) {
		_, _ = splitCommand(any)
		written := strconv.Quote(a) + " plain " + strconv.Quote(b)
		got, err := splitCommand(written)
		if err != nil || !slices.Equal(got, []string{a, "plain", b}) {
			t.Errorf("%s came back as %q, %v", written, got, err)
		}
	})
}

func TestLinkToolchains(t *testing.T) {
	t.Parallel()
	if !*allLinks {
		t.Skip("no -links")
	}
	for _, v := range []string{"go1.24.0", "go1.25.0"} {
		t.Run(v, func(t *testing.T) {
			testLink(t, nil, []string{"GOTOOLCHAIN=" + v}, gocmd.BuildOpts{Overlay: true}, "none")
		})
	}
}
