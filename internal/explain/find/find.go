package find

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/rulekit/callers"
	"github.com/pawl-dev/pawl/internal/words"
	"github.com/pawl-dev/pawl/rules/rule"
)

// Options say what to look at and what to show.
type Options struct {
	Dir      string   // where patterns are relative to
	Patterns []string // packages; "./..." when empty
	Flags    []string // build flags for the go command: -tags and the like
	Env      []string
	CacheDir string // the user's cache directory; "" keeps nothing

	Tier     string // "", always, profiled, special, all
	Heat     *rule.Heat
	MinShare float64
	Baseline *rule.Baseline
	Config   *rule.Config
	Since    Changed           // nil: all lines
	Demoted  map[string]string // rules whose gain was measured to be missing, with the sentence

	Watch func(done, of int) // may be nil
}

// Run looks at the packages and returns what is to be shown, ranked.
func Run(ctx context.Context, o Options) (*model.Findings, error) {
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	w, entries, cached, err := look(ctx, o)
	if err != nil {
		return nil, err
	}
	out := &model.Findings{
		Schema: 1, GoVersion: w.goVer, Root: w.dir, Work: w.work, GOROOT: w.goroot, ModCache: w.modCache,
		Module: w.module(), Args: o.Patterns, Tier: o.Tier,
		Cached: cached, Findings: []model.Finding{}, Warnings: gorelease.Warn(w.goVer),
	}
	var firstError string
	var there bool
	var cgo []string
	for i, e := range entries {
		if w.looked[i].DepOnly {
			continue
		}
		cgo = append(cgo, w.cgoFiles(w.looked[i])...)
		there = there || w.looked[i].Dir != ""
		out.Packages++
		out.Files += e.Files
		out.Lines += e.Lines
		if len(e.Errors) > 0 {
			firstError = cmp.Or(firstError, e.Errors[0])
			out.Warnings = append(out.Warnings, broken(w.looked[i], e.Errors))
		}
		if e.Unsure > 0 {
			out.Warnings = append(out.Warnings, outlined(w.looked[i], e.Unsure))
		}
	}
	switch {
	case out.Packages == 0:
		return nil, &NoPackages{Patterns: o.Patterns}
	case !there:
		return nil, &NoPackages{o.Patterns, firstError}
	case out.Files == 0 && firstError != "":
		return nil, fmt.Errorf("no package could be looked at; the first says: %s", firstError)
	}
	if len(cgo) > 0 {
		out.Warnings = append(out.Warnings, model.Warning{
			Seen:  `files that import "C" were looked at for calls of C only: ` + words.Some(cgo, 3),
			Cause: "what the rules see of these is what cgo makes of them",
			Try:   "move Go code that matters into files of the package that do not import \"C\"",
		})
	}
	newShow(o, w, entries).fill(out)
	return out, nil
}

// NoPackages is the error for patterns that match nothing.
type NoPackages struct {
	Patterns []string
	Why      string // what the go command says about the first that it does not find; "" where it says nothing
}

func (e *NoPackages) Error() string {
	if e.Why != "" {
		return e.Why
	}
	return fmt.Sprintf("no packages match %q; name directories like ./... or import paths", e.Patterns)
}

func broken(p *listed, errs []string) model.Warning {
	w := model.Warning{
		Seen:  fmt.Sprintf("%s was not looked at, or not by all rules: %s", p.ImportPath, errs[0]),
		Cause: "the package does not type-check here, or a rule failed on it",
		Try:   "go vet " + p.ImportPath,
	}
	if p.Dir == "" { // vet would not find it either
		w.Cause, w.Try = "the go command does not load it", "go list ./..."
	}
	return w
}

func outlined(p *listed, n int) model.Warning {
	return model.Warning{
		Seen:  fmt.Sprintf("%s: %s not reported, since generated code that was not read may use what they are about", p.ImportPath, words.Inflect(n, "place is", "places are")),
		Cause: "of so large a package, the functions in generated files are left out to save memory",
		Try:   "go vet -vettool=$(which pawl) -pawl.tier=all " + p.ImportPath + ", which reads all",
	}
}

// cgoFiles names the files of a package that import "C", relative to the module.
func (w *world) cgoFiles(p *listed) []string {
	var names []string
	for _, name := range p.CgoFiles {
		file := filepath.Join(p.Dir, name)
		if rel, err := filepath.Rel(w.dir, file); err == nil {
			file = filepath.ToSlash(rel)
		}
		names = append(names, file)
	}
	return names
}

func (w *world) module() string {
	for _, p := range w.looked {
		if p.Module != nil && p.Module.Main {
			return p.Module.Path
		}
	}
	return ""
}

// look returns the entries of the packages, from the cache or by running the
// rules, and how many came from the cache.
func look(ctx context.Context, o Options) (*world, []*entry, int, error) {
	w, err := list(ctx, o.Dir, o.Env, o.Flags, o.Patterns)
	if err != nil {
		return nil, nil, 0, err
	}
	if err := gorelease.Language(w.goVer, w.lines()...); err != nil {
		return nil, nil, 0, err
	}
	if err := w.keys(toolID()); err != nil {
		return nil, nil, 0, err
	}
	c := cache{}
	if o.CacheDir != "" {
		c.dir = filepath.Join(o.CacheDir, "pawl", "find")
	}
	entries := make([]*entry, len(w.looked))
	r := newRunner(w)
	var missing []*listed
	for i, p := range w.looked {
		if e, ok := c.get(p.key); ok {
			entries[i] = e
			r.know(e.Facts)
		} else if p.Dir == "" && p.Error != nil { // its path may name other packages
			entries[i] = &entry{Errors: []string{gocmd.Refusal(o.Dir, p.ImportPath, p.Error.Err)}}
		} else {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return w, entries, len(entries), nil
	}
	defer c.trim(time.Now())
	fresh, err := r.fresh(ctx, o, w.goVer, missing)
	if err != nil {
		return nil, nil, 0, err
	}
	for i, p := range w.looked {
		if entries[i] != nil {
			continue
		}
		e := fresh[p.ImportPath]
		if e == nil {
			e = &entry{Errors: []string{"the go command did not load it"}}
		}
		entries[i] = e
		if len(e.Errors) == 0 {
			_ = c.put(p.key, e) // a full disk only costs time
		}
	}
	return w, entries, len(entries) - len(missing), nil
}

// fresh runs the rules on packages and returns their entries by import path.
func (r *runner) fresh(ctx context.Context, o Options, toolchain string, missing []*listed) (map[string]*entry, error) {
	stream, err := load(ctx, o, toolchain, missing)
	if err != nil {
		return nil, err
	}
	pkgs := stream.Packages
	found, err := r.run(ctx, stream, func(done int) {
		if o.Watch != nil {
			o.Watch(done, len(pkgs))
		}
	})
	if err != nil {
		return nil, err
	}
	entries := make(map[string]*entry, len(pkgs))
	for i, p := range pkgs {
		entries[p.PkgPath] = found[i]
	}
	return entries, nil
}

// program is what the calls of all packages say together.
func program(entries []*entry) *callers.Callers {
	var all []*callers.Callers
	for _, e := range entries {
		all = append(all, &e.Calls)
	}
	return callers.Merge(all...)
}
