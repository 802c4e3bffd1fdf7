package compare

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
	"github.com/pawl-dev/pawl/internal/words"
)

// coverFactor is how many times as long as building the candidate there has to be
// left for building it with coverage.
const coverFactor = 3

// coverPackages is the number of changed test binaries up to which coverage is
// asked: each takes another build. A gate over a whole repository goes without.
const coverPackages = 4

// coverIterations is with how many iterations a benchmark is run to see what
// its timed loop executes.
const coverIterations = 33

// A place is a function in a file.
type place struct {
	pkg, file string // import path and base name
	name      string // with its receiver: "(*T).Write"
	from, to  int    // lines
	source    string // without comments
}

// A coverage knows which changed functions a benchmark executes.
type coverage struct {
	go_     *gocmd.Go
	bins    map[string]reach.Binary // by package of the benchmarks
	changed []place
}

// functions reads all functions that the benchmarks of a version can be built
// from: those of the main module. A gate does not ask for coverage.
func (t *trees) functions(ctx context.Context, v *version) (map[string]place, error) {
	if t.opt.gate() || len(v.builds) > coverPackages {
		return nil, nil
	}
	pkgs, err := v.tree.Go.List(ctx, append([]string{"-deps"}, v.found.Names()...)...)
	if err != nil {
		return nil, err
	}
	out := make(map[string]place)
	for _, p := range pkgs {
		if p.Module == nil || !p.Module.Main {
			continue
		}
		for _, f := range p.GoFiles {
			if err := addFunctions(out, p, f); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func addFunctions(out map[string]place, p gocmd.Package, file string) error {
	fset := token.NewFileSet()
	src, err := os.ReadFile(filepath.Join(p.Dir, file))
	if err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil // the compiler has said so, in better words
	}
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		var b strings.Builder
		fd.Doc = nil
		if err := printer.Fprint(&b, token.NewFileSet(), fd); err != nil {
			continue
		}
		at := place{
			pkg: p.ImportPath, file: file, name: funcName(fd), source: b.String(),
			from: fset.Position(fd.Body.Lbrace).Line, to: fset.Position(fd.Body.Rbrace).Line,
		}
		out[at.pkg+"\x00"+at.name] = at
	}
	return nil
}

func funcName(fd *ast.FuncDecl) string {
	if fd.Recv == nil || len(fd.Recv.List) == 0 {
		return fd.Name.Name
	}
	var b strings.Builder
	_ = printer.Fprint(&b, token.NewFileSet(), fd.Recv.List[0].Type)
	return "(" + b.String() + ")." + fd.Name.Name
}

// coverage warns of benchmarks that were judged and run none of the functions
// that changed. That takes another build, of the candidate, and is done where
// there is time for it.
func (t *trees) coverage(ctx context.Context, base, cand *version) error {
	if base.funcs == nil || until(ctx) < coverFactor*cand.took {
		return nil
	}
	judged := slices.ContainsFunc(t.cmp.Benchmarks, func(c model.Compared) bool { return c.Verdict != nil })
	if !judged {
		return nil
	}
	t.stage("which changed functions the benchmarks run", "")
	snap, err := t.bed.Tree(ctx, t.commit(t.cmp.Candidate))
	if err == nil {
		err = t.patch(ctx, snap, t.cmp.Candidate)
	}
	if err != nil {
		return err
	}
	now, err := t.functions(ctx, cand)
	if err != nil {
		return err
	}
	c := &coverage{go_: cand.tree.Go, bins: make(map[string]reach.Binary)}
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if old, ok := base.funcs[key]; !ok || old.source != now[key].source {
			c.changed = append(c.changed, now[key])
		}
	}
	if len(c.changed) == 0 {
		return nil
	}
	for i := range t.cmp.Benchmarks {
		row := &t.cmp.Benchmarks[i]
		if row.Verdict == nil {
			continue
		}
		if err := t.covers(ctx, c, cand.builds[row.Benchmark.Pkg]); err != nil {
			return err
		}
		w, err := c.of(ctx, row.Benchmark, row.Plan.N)
		if err != nil {
			return err
		}
		row.Warnings = append(row.Warnings, w...)
	}
	return nil
}

func (t *trees) covers(ctx context.Context, c *coverage, b *build) error {
	if _, known := c.bins[b.pkg.ImportPath]; known {
		return nil
	}
	c.bins[b.pkg.ImportPath] = reach.Binary{}
	if len(b.tests) == 0 {
		t.warn(model.Warning{Seen: "whether the benchmarks of " + b.pkg.ImportPath + " run the changed lines is not known", Cause: "the candidate has none of their files any more"})
		return nil
	}
	var pkgs []string
	for _, p := range c.changed {
		if !slices.Contains(pkgs, p.pkg) {
			pkgs = append(pkgs, p.pkg)
		}
	}
	out := filepath.Join(t.bed.Scratch, fmt.Sprintf("cover%d.test", len(c.bins)))
	bin, err := reach.Build(ctx, c.go_, b.pkg, pkgs, out)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		t.warn(model.Warning{Seen: "whether the benchmarks of " + b.pkg.ImportPath + " run the changed lines is not known", Cause: words.FirstLine(err.Error())})
	default:
		c.bins[b.pkg.ImportPath] = bin
	}
	return nil
}

// of says what a benchmark does not run of what changed, as a warning; none
// when it runs a changed function in its timed loop.
func (c *coverage) of(ctx context.Context, bm model.Benchmark, n int64) ([]model.Warning, error) {
	bin, ok := c.bins[bm.Pkg]
	if !ok {
		return nil, nil
	}
	furthest := func(cov *reach.Coverage) reach.Reach {
		far := reach.NoCode
		for _, p := range c.changed {
			far = max(far, cov.Lines(p.pkg, p.file, p.from, p.to))
		}
		return far
	}
	cov, err := bin.Benchmark(ctx, c.go_, bm, min(coverIterations, max(3, n)), func(cov *reach.Coverage) bool { return furthest(cov) == reach.Timed })
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return []model.Warning{{Seen: "whether it runs the changed lines is not known", Cause: words.FirstLine(err.Error())}}, nil
	}
	far := furthest(cov)
	if far == reach.Timed {
		return nil, nil
	}
	w := model.Warning{
		Seen:  fmt.Sprintf("it runs none of the functions that changed (%s) in its timed loop", some(c.changed)),
		Cause: "a difference then comes from types, constants or data that changed, from inlining, or from the layout",
		Try:   "a benchmark that calls what changed",
	}
	if far == reach.Untimed {
		w.Seen += "; they run in its set-up"
	}
	return []model.Warning{w}, nil
}

// some names the first three, and counts the others.
func some(ps []place) string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = p.name
	}
	return words.Some(names, 3)
}
