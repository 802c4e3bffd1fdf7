package hints

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

//go:embed testdata/module.txt
var module []byte

// A place is a line of the module that a comment names.
type place struct {
	file string
	line int
}

// A fixture is the module of testdata on disk.
type fixture struct {
	root   string
	g      *gocmd.Go
	places map[string]place
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	fx := &fixture{root: t.TempDir(), places: make(map[string]place)}
	for _, f := range txtar.Parse(module).Files {
		path := filepath.Join(fx.root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(f.Data), "\n") {
			if _, name, ok := strings.Cut(line, "// @"); ok {
				fx.places[name] = place{f.Name, i + 1}
			}
		}
	}
	g, err := gocmd.New(context.Background(), gocmd.Config{Dir: fx.root, Env: os.Environ(), GOWORK: "off", State: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	fx.g = g
	return fx
}

var bench = model.Benchmark{Pkg: "example.com/m", Name: "BenchmarkM"}

// cost is that of a stack, innermost frame first, each as "place symbol"; a
// symbol with ~ before it was inlined into the next.
func (fx *fixture) cost(t *testing.T, res model.Resource, share float64, stack ...string) model.Cost {
	t.Helper()
	c := model.Cost{Benchmark: bench, Resource: res, PerOp: 100 * share, Share: share}
	for _, f := range stack {
		name, symbol, _ := strings.Cut(f, " ")
		at, ok := fx.places[name]
		if !ok {
			t.Fatalf("the module has no line @%s", name)
		}
		symbol, inline := strings.CutPrefix(symbol, "~")
		c.Stack = append(c.Stack, model.Frame{Func: "example.com/m/" + symbol, File: at.file, Line: at.line, Inline: inline, Module: true})
	}
	return c
}

func (fx *fixture) find(t *testing.T, pkg string, cpu, allocs []model.Cost, cold func(string, int) (bool, bool)) []finding {
	t.Helper()
	scratch := t.TempDir()
	found, err := look(context.Background(), Config{
		Go: fx.g, Root: fx.root, Scratch: scratch, Pkgs: []string{"example.com/m/" + pkg}, Cold: cold,
		CPU:    map[model.Benchmark][]model.Cost{bench: cpu},
		Allocs: map[model.Benchmark][]model.Cost{bench: allocs},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Logf("%s", describe(f))
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("%d entries are left in the scratch directory, error %v", len(left), err)
	}
	if fx.g.Overlay() != "" {
		t.Errorf("the overlay %s is left", fx.g.Overlay())
	}
	return found
}

func describe(f finding) string {
	return fmt.Sprintf("%s %s %s %s %.1f %% (ceiling %.1f %%, CPU %.1f %%)\n  compiler: %s\n  %s\n  try: %s\n  tried: %s\n  holds: %s",
		f.Kind, f.At, f.Func, f.Resource, 100*f.Share, 100*f.Ceiling, 100*f.CPUShare, f.Message, f.Text, f.Try, f.Tried, strings.Join(f.Holds, "; "))
}

// only returns the findings of a kind in a function.
func only(found []finding, kind Kind, fn string) []finding {
	return slices.DeleteFunc(slices.Clone(found), func(f finding) bool {
		return f.Kind != kind || f.Func != "example.com/m/"+fn
	})
}

// one returns the one finding of a kind in a function.
func one(t *testing.T, found []finding, kind Kind, fn string) finding {
	t.Helper()
	f := only(found, kind, fn)
	if len(f) != 1 {
		t.Errorf("%d findings of kind %s in %s; want one", len(f), kind, fn)
		return finding{}
	}
	return f[0]
}

// wantOnly reports findings that are in none of fns.
func wantOnly(t *testing.T, found []finding, fns ...string) {
	t.Helper()
	for _, f := range found {
		if !slices.Contains(fns, strings.TrimPrefix(f.Func, "example.com/m/")) {
			t.Errorf("finding that is wrong:\n%s", describe(f))
		}
	}
}

func contains(t *testing.T, what, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s is %q; want %q in it", what, got, w)
		}
	}
}

func isNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if got < want-1e-9 || got > want+1e-9 {
		t.Errorf("%s is %v; want %v", what, got, want)
	}
}

func TestInlineBudget(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	cpu := []model.Cost{
		fx.cost(t, model.CPU, 0.20, "lookup budget.(*Code).Lookup", "run.lookup budget.Run"),
		fx.cost(t, model.CPU, 0.02, "run.lookup budget.Run"),
		fx.cost(t, model.CPU, 0.10, "mix budget.Mix", "run.mix budget.Run"),
		fx.cost(t, model.CPU, 0.10, "mix budget.Mix", "run.defer budget.Run.deferwrap1", "run.mix budget.Run"),
		fx.cost(t, model.CPU, 0.10, "small ~budget.Small", "run.small budget.Run"),
		fx.cost(t, model.CPU, 0.10, "kept budget.Kept", "run.small budget.Run"),
		fx.cost(t, model.CPU, 0.10, "loops budget.Loops", "run.loops budget.Run"),
		fx.cost(t, model.CPU, 0.10, "huge budget.Huge", "run.huge budget.Run"),
		fx.cost(t, model.CPU, 0.05, "skip budget.Skip", "run.skip budget.Run"),
		fx.cost(t, model.CPU, 0.05, "next budget.(*Reader).Next", "run.next budget.Run"),
	}
	found := fx.find(t, "budget", cpu, nil, nil)
	wantOnly(t, found, "budget.(*Code).Lookup", "budget.Mix", "budget.Skip", "budget.(*Reader).Next")

	f := one(t, found, InlineBudget, "budget.(*Code).Lookup")
	contains(t, "message", f.Message, "cannot inline (*Code).Lookup: function too complex: cost ", " exceeds budget 80")
	contains(t, "tried", f.Tried, "can inline (*Code).Lookup with cost ")
	contains(t, "try", f.Try, "move the making of the error at line", "(from i, c)")
	isNear(t, "share", f.Share, 0.20)
	isNear(t, "ceiling", f.Ceiling, 0.22)

	f = one(t, found, InlineBudget, "budget.Mix")
	contains(t, "message", f.Message, "cannot inline Mix: function too complex: cost ")
	isNear(t, "ceiling", f.Ceiling, 0.10)
	if f.Tried != "" {
		t.Errorf("tried is %q; nothing can be tried on Mix", f.Tried)
	}

	f = one(t, found, InlineBudget, "budget.Skip")
	contains(t, "try", f.Try, "put //go:noinline before skipSlow")
	contains(t, "tried", f.Tried, "can inline Skip with cost ")

	f = one(t, found, InlineBudget, "budget.(*Reader).Next")
	contains(t, "try", f.Try, "let the branch at line", "which needs r:")
	contains(t, "tried", f.Tried, "can inline (*Reader).Next with cost ")

	t.Run("warm error", func(t *testing.T) {
		// The error is not cold, so moving it out is no suggestion, and without
		// it the function is too far above.
		warm := append(slices.Clone(cpu), fx.cost(t, model.CPU, 0.01, "lookup.cold budget.(*Code).Lookup", "run.lookup budget.Run"))
		if f := only(fx.find(t, "budget", warm, nil, nil), InlineBudget, "budget.(*Code).Lookup"); len(f) > 0 {
			t.Errorf("finding although the path is not cold:\n%s", describe(f[0]))
		}
	})
	t.Run("coverage", func(t *testing.T) {
		runs := func(string, int) (cold, known bool) { return false, true }
		if f := only(fx.find(t, "budget", cpu, nil, runs), InlineBudget, "budget.(*Code).Lookup"); len(f) > 0 {
			t.Errorf("finding although coverage shows that the path runs:\n%s", describe(f[0]))
		}
	})
}

func TestBoundsCheck(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	cpu := []model.Cost{
		fx.cost(t, model.CPU, 0.10, "dot bounds.(*Table).Dot"),
		fx.cost(t, model.CPU, 0.10, "count bounds.Count"),
		fx.cost(t, model.CPU, 0.05, "blocks.0 bounds.Blocks"),
		fx.cost(t, model.CPU, 0.06, "blocks.1 bounds.Blocks"),
		fx.cost(t, model.CPU, 0.05, "blocks.2 bounds.Blocks"),
		fx.cost(t, model.CPU, 0.05, "blocks.3 bounds.Blocks"),
		fx.cost(t, model.CPU, 0.10, "update bounds.(*Table).Update"),
		fx.cost(t, model.CPU, 0.10, "proven bounds.Proven"),
		fx.cost(t, model.CPU, 0.10, "data bounds.Data"),
		fx.cost(t, model.CPU, 0.10, "once bounds.Once"),
		fx.cost(t, model.CPU, 0.10, "nested bounds.Nested"),
		fx.cost(t, model.CPU, 0.05, "walk.1 bounds.Walk"),
		fx.cost(t, model.CPU, 0.05, "walk.2 bounds.Walk"),
		fx.cost(t, model.CPU, 0.05, "walk.3 bounds.Walk"),
		fx.cost(t, model.CPU, 0.10, "le ~bounds.le", "inlined bounds.Inlined"),
	}
	found := fx.find(t, "bounds", cpu, nil, nil)
	wantOnly(t, found, "bounds.(*Table).Dot", "bounds.Count", "bounds.Blocks", "bounds.(*Table).Update", "bounds.le", "bounds.Walk")
	for fn, want := range map[string]string{
		"bounds.(*Table).Dot":    "put t.weights[:len(x)] into a variable of its own, and index that in the loop",
		"bounds.Count":           "put x[:n] into a variable of its own, and index that in the loop",
		"bounds.Blocks":          "write _ = p[3] first",
		"bounds.le":              "write _ = p[2] first",
		"bounds.(*Table).Update": "put (*[256]uint16)(t.bytes) into a variable of its own, and index that in the loop",
	} {
		f := one(t, found, BoundsCheck, fn)
		contains(t, "try of "+fn, f.Try, want)
		contains(t, "tried of "+fn, f.Tried, "no IsInBounds")
		if f.Message != "Found IsInBounds" {
			t.Errorf("message of %s is %q", fn, f.Message)
		}
	}
	walk := one(t, found, BoundsCheck, "bounds.Walk")
	contains(t, "try of Walk", walk.Try, "for len(p) >= n")
	if walk.Tried != "" {
		t.Errorf("tried of Walk is %q; that takes a rewrite, which is not tried", walk.Tried)
	}
	blocks := one(t, found, BoundsCheck, "bounds.Blocks")
	// The compiler knows of p[0] from the loop.
	isNear(t, "share of Blocks", blocks.Share, 0.16)
	if want := fx.places["blocks.1"].line; blocks.At.Line != want {
		t.Errorf("Blocks is reported at line %d; want the hottest, %d", blocks.At.Line, want)
	}
}

func TestColdEscape(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	allocs := []model.Cost{
		fx.cost(t, model.Allocs, 0.20, "hex cold.Hex"),
		fx.cost(t, model.Allocs, 0.20, "point cold.Point"),
		fx.cost(t, model.Allocs, 0.10, "both cold.Both"),
		fx.cost(t, model.Allocs, 0.10, "also cold.Also"),
		fx.cost(t, model.Allocs, 0.20, "hot cold.Hot"),
		fx.cost(t, model.Allocs, 0.10, "stays cold.Stays"),
		fx.cost(t, model.Allocs, 0.10, "hot.cold cold.Hot"),
	}
	cpu := []model.Cost{fx.cost(t, model.CPU, 0.30, "hot.cold cold.Hot"), fx.cost(t, model.CPU, 0.70, "hex cold.Hex")}
	found := fx.find(t, "cold", cpu, allocs, nil)
	wantOnly(t, found, "cold.Hex", "cold.Point")

	f := one(t, found, ColdEscape, "cold.Hex")
	if f.Message != "buf escapes to heap" {
		t.Errorf("message is %q", f.Message)
	}
	contains(t, "text", f.Text, fmt.Sprintf("cold/cold.go:%d", fx.places["hex.cold"].line))
	contains(t, "try", f.Try, fmt.Sprintf("begin the block at line %d with buf := buf", fx.places["hex.cold"].line))
	contains(t, "tried", f.Tried, "no “buf escapes to heap” at cold/cold.go")
	isNear(t, "ceiling", f.Ceiling, 0.2)
	if f.Resource != model.Allocs {
		t.Errorf("resource is %q", f.Resource)
	}

	f = one(t, found, ColdEscape, "cold.Point")
	if f.Message != "&point{...} escapes to heap" {
		t.Errorf("message is %q", f.Message)
	}
	contains(t, "tried", f.Tried, "no “&point{...} escapes to heap”")
	if f.At.Line != fx.places["point"].line {
		t.Errorf("Point is reported at line %d", f.At.Line)
	}
}

func TestDynamicCall(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	cpu := []model.Cost{
		fx.cost(t, model.CPU, 0.20, "add dynamic.(*Sum).Add", "all dynamic.All"),
		fx.cost(t, model.CPU, 0.04, "all dynamic.All"),
		fx.cost(t, model.CPU, 0.10, "twice dynamic.twice", "each dynamic.Each"),
		fx.cost(t, model.CPU, 0.10, "add dynamic.(*Sum).Add", "known dynamic.Known"),
		fx.cost(t, model.CPU, 0.10, "add dynamic.(*Sum).Add", "direct dynamic.Direct"),
		fx.cost(t, model.CPU, 0.10, "local.f dynamic.Local.func1", "local dynamic.Local"),
	}
	found := fx.find(t, "dynamic", cpu, nil, nil)
	wantOnly(t, found, "dynamic.All", "dynamic.Each")

	f := one(t, found, DynamicCall, "dynamic.All")
	contains(t, "text", f.Text, "the interface method h.Add", "20.0 % of the CPU time", "(*Sum).Add", "100 %")
	contains(t, "message", f.Message, "can inline (*Sum).Add with cost ")
	contains(t, "try", f.Try, "hold the concrete type *Sum", "default.pgo")
	isNear(t, "share", f.Share, 0.20)
	isNear(t, "ceiling", f.Ceiling, 0.24)

	f = one(t, found, DynamicCall, "dynamic.Each")
	contains(t, "text", f.Text, "the func value f", "dynamic.twice")

	t.Run("escape", func(t *testing.T) {
		allocs := []model.Cost{fx.cost(t, model.Allocs, 1, "box.buf dynamic.(*Box).Write")}
		write := []model.Cost{fx.cost(t, model.CPU, 0.50, "null.write dynamic.(*null).Write", "box.write dynamic.(*Box).Write")}
		found := slices.DeleteFunc(fx.find(t, "dynamic", write, allocs, nil), func(f finding) bool { return f.Resource == model.CPU })
		f := one(t, found, DynamicCall, "dynamic.(*Box).Write")
		contains(t, "text", f.Text, "the interface method b.w.Write", "the profile shows dynamic.(*null).Write")
		if f.Message != "buf escapes to heap" || f.At.Line != fx.places["box.buf"].line {
			t.Errorf("message is %q at %s", f.Message, f.At)
		}
	})
	t.Run("escape in two callers", func(t *testing.T) {
		allocs := []model.Cost{
			fx.cost(t, model.Allocs, 0.5, "box.buf ~dynamic.(*Box).Write", "box.once dynamic.Once"),
			fx.cost(t, model.Allocs, 0.3, "box.buf ~dynamic.(*Box).Write", "box.again dynamic.Again"),
			fx.cost(t, model.Allocs, 0.1, "box.buf dynamic.(*Box).Write"),
		}
		f := one(t, fx.find(t, "dynamic", nil, allocs, nil), DynamicCall, "dynamic.(*Box).Write")
		isNear(t, "share", f.Share, 1)
		if len(f.Notes) != 3 {
			t.Errorf("notes %+v; want one of each way", f.Notes)
		}
	})
	t.Run("loop in the callee", func(t *testing.T) {
		long := []model.Cost{fx.cost(t, model.CPU, 0.50, "long.add dynamic.(*Long).Add", "all dynamic.All")}
		wantOnly(t, fx.find(t, "dynamic", long, nil, nil))
	})
	t.Run("no notes", func(t *testing.T) {
		// Where the package was not compiled with notes, nothing is known.
		wantOnly(t, fx.find(t, "plain", cpu, nil, nil))
	})
}

func TestColdLines(t *testing.T) {
	t.Parallel()
	fx := newFixture(t)
	// Nothing is hot: nothing is said.
	wantOnly(t, fx.find(t, "budget", []model.Cost{fx.cost(t, model.CPU, 0.02, "mix budget.Mix", "run.mix budget.Run")}, nil, nil))
	wantOnly(t, fx.find(t, "budget", nil, nil, nil))
}
