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

	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/reach"
)

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
func (s *session) functions(ctx context.Context, v *version) (map[string]place, error) {
	if s.opt.gate() || len(v.builds) > coverPackages {
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

// coverage builds what tells which changed functions a benchmark executes,
// while the tree holds the candidate. nil means that nobody asks.
func (s *session) coverage(ctx context.Context, cand *version, base map[string]place) (*coverage, error) {
	now, err := s.functions(ctx, cand)
	if err != nil {
		return nil, err
	}
	c := &coverage{go_: cand.tree.Go, bins: make(map[string]reach.Binary)}
	pkgs := make(map[string]bool)
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if old, ok := base[key]; !ok || old.source != now[key].source {
			c.changed = append(c.changed, now[key])
			pkgs[now[key].pkg] = true
		}
	}
	var todo []*build
	for _, path := range cand.found.Names() {
		if b := cand.builds[path]; b.bin != nil {
			todo = append(todo, b)
		}
	}
	if len(c.changed) == 0 || base == nil {
		return nil, nil
	}
	for i, b := range todo {
		s.stage("building with coverage", b.pkg.ImportPath)
		out := filepath.Join(s.stand.Scratch, fmt.Sprintf("cover%d.test", i))
		bin, err := reach.Build(ctx, cand.tree.Go, b.pkg, slices.Sorted(maps.Keys(pkgs)), out)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			s.warn(model.Warning{Seen: "whether the benchmarks of " + b.pkg.ImportPath + " run the changed lines is not known", Cause: firstLine(err.Error())})
			continue
		}
		c.bins[b.pkg.ImportPath] = bin
	}
	return c, nil
}

// of says what a benchmark does not run of what changed, as a warning; none
// when it runs a changed function in its timed loop.
func (c *coverage) of(ctx context.Context, bm model.Benchmark, n int64) ([]model.Warning, error) {
	bin, ok := c.bins[bm.Pkg]
	if !ok {
		return nil, nil
	}
	cov, err := bin.Benchmark(ctx, c.go_, bm, min(coverIterations, max(3, n)))
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return []model.Warning{{Seen: "whether it runs the changed lines is not known", Cause: firstLine(err.Error())}}, nil
	}
	far := reach.NoCode
	var names []string
	for _, p := range c.changed {
		r := cov.Lines(p.pkg, p.file, p.from, p.to)
		if r > far {
			far = r
		}
		if r == reach.Timed {
			names = append(names, p.name)
		}
	}
	if len(names) > 0 {
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
	var names []string
	for _, p := range ps[:min(3, len(ps))] {
		names = append(names, p.name)
	}
	if more := len(ps) - len(names); more > 0 {
		names[len(names)-1] += fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}
