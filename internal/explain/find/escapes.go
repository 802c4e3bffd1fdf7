package find

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/host/gorelease"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/escape"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/rules/catalogue"
	"github.com/pawl-dev/pawl/rules/rule"
)

// A Base is the commit that Escapes compares with.
type Base struct {
	Place  *tree.Place
	Commit string
	Name   string // "merge base with main"
}

// BaseOf finds the commit where the branch of dir's module parted from ref; from
// what it merges into where ref is "".
func BaseOf(ctx context.Context, o Options, ref string) (*Base, error) {
	place, err := tree.Locate(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	if ref == "" {
		if ref, err = tree.DefaultBase(ctx, place, func(key string) string { return gocmd.Getenv(o.Env, key) }); err != nil {
			return nil, err
		}
	}
	commit, err := tree.MergeBase(ctx, place, ref, "HEAD")
	if err != nil {
		return nil, err
	}
	return &Base{Place: place, Commit: commit, Name: "merge base with " + ref}, nil
}

// Escapes compiles the packages and those of the base, and returns what the
// compiler reports of the first only: values on the heap, bounds checks, and calls
// that it no longer inlines.
func Escapes(ctx context.Context, o Options, base *Base) (*model.Findings, error) {
	if len(o.Patterns) == 0 {
		o.Patterns = []string{"./..."}
	}
	w, err := list(ctx, o.Dir, o.Env, o.Flags, o.Patterns)
	if err != nil {
		return nil, err
	}
	pkgs := w.named()
	if len(pkgs) == 0 {
		return nil, &NoPackages{Patterns: o.Patterns}
	}
	temp, err := gocmd.NewScratch("", "find")
	if err != nil {
		return nil, fmt.Errorf("making room for the compiler's notes: %w", err)
	}
	defer temp.Remove()
	after, err := notesOf(ctx, o, filepath.Join(temp.Dir, "now"), w, pkgs)
	if err != nil {
		return nil, fmt.Errorf("the packages do not build: %w", err)
	}
	before, old, warnings, err := base.notes(ctx, o, temp.Dir, w.work, pkgs)
	if err != nil {
		return nil, fmt.Errorf("the %s does not build: %w", base.Name, err)
	}
	out := &model.Findings{
		Schema: 1, GoVersion: w.goVer, Root: w.dir, Work: w.work, Module: w.module(), Args: o.Patterns, Tier: o.Tier,
		Packages: len(pkgs), Findings: []model.Finding{}, Warnings: append(gorelease.Warn(w.goVer), warnings...),
	}
	if old != w.goVer {
		out.Warnings = append(out.Warnings, model.Warning{
			Seen:  fmt.Sprintf("the %s is compiled by %s, and this tree by %s", base.Name, old, w.goVer),
			Cause: "go.mod names another toolchain, and what it says may differ by itself",
			Try:   "set GOTOOLCHAIN to one release for both",
		})
	}
	s := newShow(o, w, nil)
	byDir := make(map[string]*listed)
	for _, p := range pkgs {
		byDir[p.Dir] = p
		out.Files += len(p.GoFiles) + len(p.CgoFiles)
	}
	said := marks{root: w.dir}
	for _, a := range escape.Added(before, after) {
		m := said.of(a.At.File)
		if m.generated {
			continue
		}
		if p := byDir[filepath.Join(w.dir, filepath.FromSlash(path.Dir(a.At.File)))]; p != nil {
			f := found{Finding: addition(a, p.ImportPath, base.Name), PkgMain: p.Name == "main"}
			if m.silences(a.At.Line) {
				f.Ignore = 1
			}
			f.Hash = rule.LineHash(func(string) ([]byte, error) { return []byte(a.Line), nil }, token.Position{})
			if shown, ok := s.decide(f, &out.Hidden); ok {
				out.Findings = append(out.Findings, shown)
			}
		}
	}
	Rank(out.Findings)
	return out, nil
}

// named returns the packages that the patterns match and that have Go files.
func (w *world) named() []*listed {
	return slices.DeleteFunc(slices.Clone(w.looked), func(p *listed) bool { return p.DepOnly || p.Dir == "" })
}

// notesOf compiles packages of a world.
func notesOf(ctx context.Context, o Options, scratch string, w *world, pkgs []*listed) (*escape.Notes, error) {
	env := slices.Clone(o.Env)
	if len(o.Flags) > 0 {
		env = append(env, "GOFLAGS="+strings.TrimSpace(gocmd.Getenv(env, "GOFLAGS")+" "+gocmd.JoinFlags(o.Flags)))
	}
	g, err := gocmd.New(ctx, gocmd.Config{Dir: w.dir, Env: env, GOWORK: cmp.Or(w.work, "off"), State: filepath.Join(scratch, "go"), Meter: gocmd.NewMeter(time.Now())})
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, p := range pkgs {
		paths = append(paths, p.ImportPath)
	}
	return escape.Take(ctx, g, escape.Config{Dir: filepath.Join(scratch, "notes"), Root: w.dir, Patterns: paths, Pkgs: paths, Alone: true})
}

// notes compiles those of the packages that the base has, in a copy of it, and
// says with which Go.
func (b *Base) notes(ctx context.Context, o Options, scratch, work string, pkgs []*listed) (*escape.Notes, string, []model.Warning, error) {
	snap, err := tree.TakeRef(ctx, b.Place, filepath.Join(scratch, "base"), b.Commit, tree.Options{GOWORK: work})
	if err != nil {
		return nil, "", nil, err
	}
	o.Env = append(slices.Clone(o.Env), "GOWORK="+snap.GOWORK, "PWD="+snap.ModuleDir)
	var paths []string
	for _, p := range pkgs {
		paths = append(paths, p.ImportPath)
	}
	w, err := list(ctx, snap.ModuleDir, o.Env, o.Flags, paths)
	if err != nil {
		return nil, "", nil, err
	}
	had := w.named()
	if len(had) == 0 {
		return new(escape.Notes), w.goVer, snap.Warnings, nil
	}
	notes, err := notesOf(ctx, o, filepath.Join(scratch, "then"), w, had)
	return notes, w.goVer, snap.Warnings, err
}

// addition is the finding for what the compiler did not say of the base.
func addition(a escape.Addition, pkg, base string) model.Finding {
	all := catalogue.All()
	r := all[slices.IndexFunc(all, func(e catalogue.Entry) bool { return e.Rule.Name == catalogue.Escapes })].Rule
	text := a.Text
	if a.Inside != a.At {
		text += fmt.Sprintf(" (inlined, from %s)", a.Inside)
	}
	return model.Finding{
		Rule: r.Name, IDs: r.IDs, Title: r.Title, Tier: string(r.Tier), Class: string(rule.N), Pkg: pkg,
		Func: strings.NewReplacer("(*", "", ")", "").Replace(a.Func), At: a.At, End: a.At, First: a.First, Last: a.Last,
		Message: text + "; " + had(a, base),
	}
}

// had says what the base had of an addition.
func had(a escape.Addition, base string) string {
	in := cmp.Or(a.Func, "the package's variables")
	switch {
	case a.Kind == escape.LostInline && a.Has > 1:
		return fmt.Sprintf("the %s inlines %d such calls in %s", base, a.Has, in)
	case a.Kind == escape.LostInline:
		return fmt.Sprintf("the %s inlines it in %s", base, in)
	case a.Had > 0:
		return fmt.Sprintf("%s has %d of these, and %d in the %s", in, a.Has, a.Had, base)
	}
	return fmt.Sprintf("%s has none of these in the %s", in, base)
}
