package find

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/rulekit/effects"
	"github.com/pawl-dev/pawl/internal/rulekit/index"
	"github.com/pawl-dev/pawl/internal/source"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A runner runs analyzers over packages, dependencies first. The facts of
// functions go by name, so that those of a package that came from the cache
// serve as well as those of one that was read.
type runner struct {
	world *world
	rules []catalogue.Entry
	mu    sync.Mutex
	facts map[string]effects.Fact // by rule.FuncID
}

func newRunner(w *world) *runner {
	r := &runner{world: w, facts: map[string]effects.Fact{}}
	for _, e := range catalogue.All() {
		if e.Analyzer != nil {
			r.rules = append(r.rules, e)
		}
	}
	return r
}

// know adds the facts of a package that is not read.
func (r *runner) know(facts map[string]effects.Fact) {
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.Copy(r.facts, facts)
}

// run returns the entries of the packages, in their order.
func (r *runner) run(ctx context.Context, stream *source.Stream, watch func(done int)) ([]*entry, error) {
	pkgs := stream.Packages
	out := make([]*entry, len(pkgs))
	ready := make(map[*packages.Package]chan struct{}, len(pkgs))
	for _, p := range pkgs {
		ready[p] = make(chan struct{})
	}
	var wg sync.WaitGroup
	var done int
	for i, p := range pkgs {
		wg.Go(func() {
			defer close(ready[p])
			for _, dep := range p.Imports {
				if c := ready[dep]; c != nil && dep != p {
					<-c
				}
			}
			if ctx.Err() != nil {
				return
			}
			stream.With(p, func(unread map[string]bool) { out[i] = r.one(p, unread) })
			r.mu.Lock()
			done++
			n := done
			r.mu.Unlock()
			if watch != nil {
				watch(n)
			}
		})
	}
	wg.Wait()
	return out, ctx.Err()
}

// one runs the rules on a package. Some names stand in code that was not read.
func (r *runner) one(p *packages.Package, unread map[string]bool) *entry {
	if errs := problems(p); len(errs) > 0 || p.IllTyped {
		return &entry{Errors: errs}
	}
	u := &unit{runner: r, pkg: p, results: map[*analysis.Analyzer]any{}, own: map[string]effects.Fact{}}
	e := &entry{Facts: u.own}
	for _, f := range p.Syntax {
		if file := p.Fset.File(f.FileStart); slices.Contains(p.GoFiles, file.Name()) { // else cgo wrote it
			e.Files++
			e.Lines += file.LineCount()
		}
	}
	if ix, err := u.exec(index.Analyzer); err == nil {
		ix.(*index.Index).Leave(unread)
	}
	ignores := rule.Ignores(p.Fset, p.Syntax)
	for _, ig := range ignores {
		e.Ignores = append(e.Ignores, ignore{ig, u.pos(ig.Pos)})
	}
	for _, entry := range r.rules {
		res, err := u.exec(entry.Analyzer)
		if err != nil {
			e.Errors = append(e.Errors, err.Error())
			continue
		}
		result, ok := res.(*rule.Result)
		if !ok {
			continue
		}
		e.Unsure += result.Unsure
		for _, f := range result.Findings {
			e.Found = append(e.Found, u.found(entry.Rule, f, ignores))
		}
	}
	if res, err := u.exec(callers.Analyzer); err == nil {
		e.Calls = u.outline(res.(*callers.Callers))
	}
	r.know(u.own)
	return e
}

// outline keeps of a package's calls those that other packages of the program
// can be the target of.
func (u *unit) outline(c *callers.Callers) callers.Callers {
	out := callers.Callers{Handlers: c.Handlers, Starts: c.Starts, Taken: c.Taken}
	seen := map[callers.Edge]bool{}
	for _, e := range c.Edges {
		if path := pkgOf(e.To); path != "" {
			if l := u.runner.world.all[path]; l == nil || l.DepOnly && !l.local() {
				continue
			}
		}
		if k := (callers.Edge{From: e.From, To: e.To, InLoop: e.InLoop, InLit: e.InLit}); !seen[k] {
			seen[k] = true
			out.Edges = append(out.Edges, e)
		}
	}
	return out
}

// pkgOf returns the package of a function that rule.FuncID named.
func pkgOf(id string) string {
	id = strings.TrimPrefix(strings.TrimPrefix(id, "("), "*")
	slash := strings.LastIndexByte(id, '/') + 1
	dot := strings.IndexByte(id[slash:], '.')
	if dot < 0 {
		return ""
	}
	return id[:slash+dot]
}

// A unit is one package under analysis.
type unit struct {
	runner  *runner
	pkg     *packages.Package
	results map[*analysis.Analyzer]any
	own     map[string]effects.Fact
	files   map[string][]byte
}

// exec runs an analyzer and, before it, those whose results it needs. A panic
// is an error that names the rule: one bad rule does not take the rest along.
func (u *unit) exec(a *analysis.Analyzer) (result any, err error) {
	if res, ok := u.results[a]; ok {
		return res, nil
	}
	inputs := make(map[*analysis.Analyzer]any, len(a.Requires))
	for _, need := range a.Requires {
		if inputs[need], err = u.exec(need); err != nil {
			return nil, err
		}
	}
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("rule %s failed on %s: %v; please report it with this line\n%s", a.Name, u.pkg.PkgPath, x, debug.Stack())
		}
	}()
	result, err = a.Run(u.pass(a, inputs))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.pkg.PkgPath, err)
	}
	u.results[a] = result
	return result, nil
}

func (u *unit) pass(a *analysis.Analyzer, inputs map[*analysis.Analyzer]any) *analysis.Pass {
	p := u.pkg
	return &analysis.Pass{
		Analyzer: a, Fset: p.Fset, Files: p.Syntax, OtherFiles: p.OtherFiles, IgnoredFiles: p.IgnoredFiles,
		Pkg: p.Types, TypesInfo: p.TypesInfo, TypesSizes: p.TypesSizes, TypeErrors: p.TypeErrors,
		Module: module(p), ResultOf: inputs, ReadFile: u.read,
		Report:            func(analysis.Diagnostic) {}, // findings come by the result, shown or not
		ImportObjectFact:  u.importFact,
		ExportObjectFact:  u.exportFact,
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportPackageFact: func(analysis.Fact) {},
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
	}
}

func module(p *packages.Package) *analysis.Module {
	if p.Module == nil {
		return &analysis.Module{}
	}
	return &analysis.Module{Path: p.Module.Path, Version: p.Module.Version, GoVersion: p.Module.GoVersion}
}

func (u *unit) read(name string) ([]byte, error) {
	if data, ok := u.files[name]; ok {
		return data, nil
	}
	data, err := os.ReadFile(name)
	if err == nil {
		if u.files == nil {
			u.files = map[string][]byte{}
		}
		u.files[name] = data
	}
	return data, err
}

func (u *unit) importFact(obj types.Object, fact analysis.Fact) bool {
	f, ok := obj.(*types.Func)
	to, is := fact.(*effects.Fact)
	if !ok || !is {
		return false
	}
	u.runner.mu.Lock()
	defer u.runner.mu.Unlock()
	from, ok := u.runner.facts[rule.FuncID(f)]
	if ok {
		*to = from
	}
	return ok
}

func (u *unit) exportFact(obj types.Object, fact analysis.Fact) {
	if f, ok := obj.(*types.Func); ok {
		if from, ok := fact.(*effects.Fact); ok {
			u.own[rule.FuncID(f)] = *from
		}
	}
}
