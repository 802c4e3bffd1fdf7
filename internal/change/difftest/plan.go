package difftest

import (
	"cmp"
	"context"
	"fmt"
	"go/build"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/sorted"
	"github.com/pawl-dev/pawl/internal/source/inject"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Change is both contents of the files that a change touches, by their names
// relative to the tree's root, with slashes. A nil content is a file that the
// side does not have.
type Change struct {
	Before, After map[string][]byte
}

// A Config says where the candidate is and what may be spent on it.
type Config struct {
	Go      *gocmd.Go // of the tree that holds the candidate
	Root    string    // the tree's root, absolute
	Changed []gocmd.Package
	// Tests are the packages whose tests and benchmarks call the changed ones,
	// the changed packages included.
	Tests []gocmd.Package
	// Judges are the benchmarks that judge the change: what they call it with is
	// recorded whatever the tests call it with, and driven first.
	Judges  []model.Benchmark
	Scratch string // a directory of its own for overlays and binaries; the caller's to remove
	// Budget is the time for running binaries, in which they are not held up by
	// others; building them is not in it. Zero is a minute. Ceiling is the wall
	// time in which that has to end, whatever else runs; zero is three times the
	// budget. SetTime changes both.
	Budget, Ceiling time.Duration
	// Callers says that exported callers of changed functions that are not exported are driven, too.
	Callers bool
	// Memory is how many bytes driving may take over what recording took, on
	// Linux; zero is 2 GiB.
	Memory int64
	Pairs  int    // per function, zero is 1000
	Seed   uint64 // of generated inputs
	NoRace bool   // the race detector is known not to build: leave the concurrent calls out
	Among  []int  // the cores that the processes may run on; none for all
	// Detail is told what is being done; it may be nil.
	Detail func(text string)
}

// A Plan is what will be driven.
type Plan struct {
	cfg      Config
	subjects []*subject
	states   []stateDecl
	overlay  map[string]string
	near     []gocmd.Package // the changed packages, and what they import
	notes    []string
	judging  bool // benchmarks say when they run
	// moreTests counts the packages that were added to those whose tests record.
	moreTests int
	bins      map[string]binaries // by import path of a test package; nil before Build
	unbuilt   []string            // test packages that do not build, and why
}

// SetTime sets Budget and Ceiling to what there is when the plan is about to be run.
func (p *Plan) SetTime(budget, ceiling time.Duration) { p.cfg.Budget, p.cfg.Ceiling = budget, ceiling }

// NewPlan compares both sides of the changed packages and writes the overlay that
// drives them. What cannot be driven is part of the answer of Run; the error
// is for what prevents any answer.
func NewPlan(ctx context.Context, cfg Config, change Change) (*Plan, error) {
	cfg.Budget = cmp.Or(cfg.Budget, time.Minute)
	cfg.Ceiling = cmp.Or(cfg.Ceiling, stretch*cfg.Budget)
	cfg.Memory = cmp.Or(cfg.Memory, 2<<30)
	cfg.Pairs = cmp.Or(cfg.Pairs, 1000)
	cfg.Tests = judgesFirst(cfg.Tests, cfg.Judges)
	p := &Plan{cfg: cfg}
	layer := &layer{gocmd.Layer{Dir: filepath.Join(cfg.Scratch, "overlay")}}
	if err := layer.putRemoved(cfg.Root, change); err != nil {
		return nil, err
	}
	units, err := p.load(ctx, change, layer)
	if err != nil {
		return nil, err
	}
	var all []*comparison
	for _, u := range units {
		c, err := p.withSequences(compare(u), layer)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	if all, err = p.reach(ctx, all, layer); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil { // what does not need them is driven all the same
		p.notes = append(p.notes, err.Error())
	}
	for _, c := range all {
		if err := p.add(c, layer); err != nil {
			return nil, err
		}
	}
	if err := layer.putLibrary(cfg.Go.Vars["GOROOT"]); err != nil {
		return nil, err
	}
	if p.judging, err = layer.putEnough(cfg.Go.Vars["GOROOT"], cfg.Go.Overlay()); err != nil {
		return nil, err
	}
	for _, t := range p.cfg.Tests {
		if err := layer.putBenchmark(t); err != nil {
			return nil, err
		}
	}
	if err := layer.putEqual(slices.Concat(p.near, p.cfg.Tests)); err != nil {
		return nil, err
	}
	p.overlay = layer.Replace
	return p, nil
}

// judgesFirst puts the packages first whose benchmarks judge: the last ones may have no time.
func judgesFirst(tests []gocmd.Package, judges []model.Benchmark) []gocmd.Package {
	tests = slices.Clone(tests)
	last := func(t gocmd.Package) int {
		if slices.ContainsFunc(judges, func(bm model.Benchmark) bool { return bm.Pkg == t.ImportPath }) {
			return 0
		}
		return 1
	}
	sorted.By(tests, func(a, b gocmd.Package) int { return cmp.Compare(last(a), last(b)) })
	return tests
}

// load type-checks both sides of the changed packages. One that does not
// check, in the base for what it imports say, is noted and left out.
func (p *Plan) load(ctx context.Context, change Change, layer *layer) ([]*unit, error) {
	type texts struct{ base, cand map[string][]byte }
	ctxt := build.Default
	ctxt.GOOS, ctxt.GOARCH = p.cfg.Go.Vars["GOOS"], p.cfg.Go.Vars["GOARCH"]
	patterns := []string{"-export", "-deps", "--"}
	var all []texts
	var imports []importSides
	for _, pkg := range p.cfg.Changed {
		base, cand, err := filesOf(pkg, p.cfg.Root, change, ctxt)
		if err != nil {
			return nil, err
		}
		all = append(all, texts{base, cand})
		im := importSides{base: importsOf(base), cand: importsOf(cand)}
		imports = append(imports, im)
		// The package as it is here imports what the candidate does.
		patterns = slices.Concat(patterns, []string{pkg.ImportPath}, im.base)
		p.noteUnbuilt(pkg, change, cand, base)
	}
	listed, err := p.list(ctx, layer, patterns)
	if err != nil {
		return nil, fmt.Errorf("compiling the imports of the changed packages: %w", err)
	}
	p.near = listed
	l := newLoader(p.cfg.Go, listed)
	for _, im := range imports {
		p.notes = append(p.notes, im.effects(listed)...)
	}
	var units []*unit
	for i, pkg := range p.cfg.Changed {
		u := &unit{pkg: pkg, by: l}
		if u.base, err = l.load(pkg, p.cfg.Root, all[i].base); err == nil {
			u.cand, err = l.load(pkg, p.cfg.Root, all[i].cand)
		}
		if err != nil {
			p.notes = append(p.notes, fmt.Sprintf("no function of %s was driven: %v", pkg.ImportPath, err))
			continue
		}
		units = append(units, u)
	}
	return units, nil
}

// list runs go list with the packages that only the base has.
func (p *Plan) list(ctx context.Context, layer *layer, args []string) ([]gocmd.Package, error) {
	if len(layer.Replace) > 0 {
		merged := filepath.Join(p.cfg.Scratch, "removed.json")
		if err := p.cfg.Go.MergeOverlay(merged, layer.Replace); err != nil {
			return nil, err
		}
		args = append([]string{"-overlay=" + merged}, args...)
	}
	return p.cfg.Go.List(ctx, args...)
}

// noteUnbuilt names changed files of a package that are not built here.
func (p *Plan) noteUnbuilt(pkg gocmd.Package, change Change, sides ...map[string][]byte) {
	rel, err := filepath.Rel(p.cfg.Root, pkg.Dir)
	if err != nil {
		return
	}
	for _, file := range slices.Sorted(maps.Keys(change.After)) {
		dir, name := filepath.Split(filepath.FromSlash(file))
		if filepath.Clean(dir) != rel || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if !slices.ContainsFunc(sides, func(s map[string][]byte) bool { return s[file] != nil }) {
			p.notes = append(p.notes, fmt.Sprintf("%s is not built on %s/%s: nothing in it was driven", file, p.cfg.Go.Vars["GOOS"], p.cfg.Go.Vars["GOARCH"]))
		}
	}
}

// add takes in one package.
func (p *Plan) add(c *comparison, layer *layer) error {
	subjects := c.subjects
	for _, s := range subjects {
		s.id = len(p.subjects)
		p.subjects = append(p.subjects, s)
	}
	p.notes = append(p.notes, c.notes...)
	in, err := c.unit.by.instrument(c, subjects)
	if err != nil {
		for _, s := range subjects {
			s.drop(err.Error())
		}
		return nil
	}
	states := c.states()
	p.states = append(p.states, states...)
	return layer.putPackage(c.unit.pkg, in, registration(c, subjects, states))
}

func (s *subject) name() string {
	path, name := s.c.unit.pkg.ImportPath, s.cand.fn.Name.Name
	if s.cand.fn.Recv == nil {
		return path + "." + name
	}
	recv := words.Receiver(s.cand.fn)
	if _, ok := s.cand.obj.Type().(*types.Signature).Recv().Type().(*types.Pointer); ok {
		return fmt.Sprintf("%s.(*%s).%s", path, recv, name)
	}
	return fmt.Sprintf("%s.%s.%s", path, recv, name)
}

// registration writes the file that tells the library of the functions.
func registration(c *comparison, subjects []*subject, states []stateDecl) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%spackage %s\n\nimport %s %q\n\nfunc init() {\n", generatedBy, c.cand.pkg.Name(), alias, importPath)
	numbers, floats, texts := constants(subjects)
	for _, s := range subjects {
		if s.skipped != "" {
			continue
		}
		sig := s.cand.obj.Type().(*types.Signature)
		names, _ := inject.Params(s.cand.file.File, s.cand.fn)
		fmt.Fprintf(&b, "\t%s.Register(%s.Func{\n\t\tID: %d, Name: %q, Params: %#v, Results: %d, Receiver: %t, Variadic: %t,\n",
			alias, alias, s.id, s.name(), names, sig.Results().Len(), sig.Recv() != nil, sig.Variadic())
		if len(c.newFields) > 0 {
			fmt.Fprintf(&b, "\t\tNewFields: %#v,\n", c.newFields)
		}
		if len(numbers)+len(floats)+len(texts) > 0 {
			fmt.Fprintf(&b, "\t\tNumbers: %#v, Floats: %#v, Texts: %#v,\n", numbers, floats, texts)
		}
		if methods := c.methodsFor(s); len(methods) > 0 {
			fmt.Fprintf(&b, "\t\tMethods: %#v,\n", methods)
		}
		if makers := c.makersFor(s); len(makers) > 0 {
			fmt.Fprintf(&b, "\t\tMakers: []interface{}{%s},\n", strings.Join(makers, ", "))
		}
		if like := s.like(); like != "" {
			fmt.Fprintf(&b, "\t\tLike: %s, Cand: %s, Base: %s,\n", like, s.adapter(candPrefix), s.adapter(basePrefix))
		}
		if beside := c.besideFor(s); len(beside) > 0 {
			fmt.Fprintf(&b, "\t\tBeside: []interface{}{%s},\n", strings.Join(beside, ", "))
		}
		if writers := s.passedOf("Write"); len(writers) > 0 {
			fmt.Fprintf(&b, "\t\tWriters: %#v,\n", writers)
		}
		if readers := s.passedOf("Read"); len(readers) > 0 {
			fmt.Fprintf(&b, "\t\tReaders: %#v,\n", readers)
		}
		if anys := s.passedOf(""); len(anys) > 0 {
			fmt.Fprintf(&b, "\t\tAnys: %#v,\n", anys)
		}
		fmt.Fprintf(&b, "\t\tStates: []%s.State{\n", alias)
		for _, st := range states {
			switch {
			case st.variable != "" && c.cand.reached(s.cand, st.variable):
				fmt.Fprintf(&b, "\t\t\t{Name: %q, Kind: %q, Var: &%s},\n", st.Name, st.Kind, st.variable)
			case st.field != "" && s.cand.fn.Recv != nil && words.Receiver(s.cand.fn) == st.owner:
				fmt.Fprintf(&b, "\t\t\t{Name: %q, Kind: %q, Field: %q},\n", st.Name, st.Kind, st.field)
			}
		}
		b.WriteString("\t\t},\n\t})\n" + s.played())
	}
	b.WriteString("}\n")
	return b.String()
}

// Judges returns the benchmarks whose own calls the driver tells from others.
func (p *Plan) Judges() []model.Benchmark {
	if !p.judging {
		return nil
	}
	return p.cfg.Judges
}

// Notes says what could not be looked at at all, beyond single functions.
func (p *Plan) Notes() []string { return p.notes }

// Functions returns the changed functions as they stand before anything has
// run: those that cannot be driven say why.
func (p *Plan) Functions() []model.Driven {
	out := make([]model.Driven, len(p.subjects))
	for i, s := range p.subjects {
		out[i] = model.Driven{Func: s.name(), At: s.cand.file.pos(s.cand.fn.Pos()), Skipped: s.skipped}
	}
	return out
}

func (p *Plan) drivable() bool {
	return slices.ContainsFunc(p.subjects, func(s *subject) bool { return s.skipped == "" })
}
