package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// A Wish is what is to be in a record. What is left empty stays as it is in a
// record that is there already.
type Wish struct {
	Name     string
	Bench    string   // as go test -bench
	Patterns []string // packages; none means "."
	At       string   // FILE.go:LINE or [PACKAGE.]FUNC
	From     string   // the directory that the user is in
	Why      string
	Better   []hotpath.Direction
	Guards   []hotpath.Guard
}

// A Taken is a record that was measured.
type Taken struct {
	Record   hotpath.Record  `json:"record"`
	Before   *hotpath.Record `json:"before,omitempty"` // what it replaced
	Report   *hotpath.Report `json:"report"`           // of the check before it was written
	File     string          `json:"file,omitempty"`   // absolute; "" when it was not written
	Warnings []model.Warning `json:"warnings,omitempty"`
}

// Take measures benchmarks and writes a record of them. Where a guardrail fails
// or a direction is not kept already, nothing is written, and the report says so.
func Take(ctx context.Context, set Settings, w Wish) (*Taken, error) {
	place, err := tree.Locate(ctx, set.Dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", testbed.ErrNothing, err)
	}
	dir := filepath.Join(place.Module, filepath.FromSlash(hotpath.Dir))
	t := new(Taken)
	if t.Record, t.Before, err = begin(dir, &w); err != nil {
		return nil, err
	}
	s, err := open(ctx, set)
	if err != nil {
		return nil, err
	}
	defer s.close()
	err = s.take(ctx, t, w)
	stopped := ""
	if ctx.Err() != nil {
		stopped = "interrupted"
	}
	t.Warnings = append(t.Warnings, s.run.Warnings...)
	if err := errors.Join(err, s.end(stopped)); err != nil {
		return nil, err
	}
	if t.Report.Standing() == hotpath.Broken || t.Report.Standing() == hotpath.NotRun {
		return t, nil
	}
	t.File, err = hotpath.Save(dir, t.Record)
	return t, err
}

// begin returns the record as it was, with what the user wishes.
func begin(dir string, w *Wish) (r hotpath.Record, before *hotpath.Record, err error) {
	if !hotpath.ValidName(w.Name) {
		return r, nil, testbed.Usage(fmt.Sprintf("%q does not do as the name of a record: use letters, digits, “-”, “_” and “.”", w.Name))
	}
	r, err = hotpath.LoadOne(dir, w.Name)
	switch {
	case err == nil:
		old := r
		before = &old
	case errors.Is(err, fs.ErrNotExist):
		r = hotpath.Record{Name: w.Name, File: hotpath.Dir + "/" + w.Name + hotpath.Ext}
	default:
		return r, nil, testbed.Usage(err.Error())
	}
	if before == nil && w.Bench == "" {
		return r, nil, testbed.Usage(fmt.Sprintf("there is no record %s yet: say with -bench what measures it", w.Name))
	}
	if len(w.Patterns) == 0 && w.Bench == "" {
		w.Patterns = []string{r.Pkg}
	}
	w.Bench = cmp.Or(w.Bench, r.Bench)
	if w.Why != "" {
		r.Why = w.Why
	}
	if len(w.Guards) > 0 {
		r.Guards = w.Guards
	}
	if len(w.Better) > 0 {
		r.Better = w.Better
	}
	return r, before, nil
}

func (s *session) take(ctx context.Context, t *Taken, w Wish) error {
	pkg, err := s.one(ctx, w)
	if err != nil {
		return err
	}
	r := &t.Record
	if r.Pkg != pkg.ImportPath || r.Bench != w.Bench || r.Command == "" {
		r.Pkg, r.Bench = pkg.ImportPath, w.Bench
		r.Command = command(s.run.Module, r.Pkg, r.Bench)
	}
	if err := s.place(t, w); err != nil {
		return err
	}
	found, failed, err := s.list(ctx, pkg, w.Bench)
	if err != nil {
		return err
	}
	if len(failed) > 0 {
		return &testbed.BrokenTree{Name: "the tree", What: "has a benchmark that fails", Detail: failed[0].Error(), Next: "fix it, or choose others with -bench"}
	}
	if len(found) == 0 {
		return testbed.NoResult([]string{pkg.ImportPath}, w.Bench)
	}
	r.Measured = s.measured()
	now := make(fixed)
	for _, bm := range found {
		if now[bm.Name], err = s.figures(ctx, pkg, bm, r); err != nil {
			return err
		}
	}
	if len(r.Better) == 0 {
		r.Better = standard(r.Measured)
	}
	t.Report, err = hotpath.Check(ctx, hotpath.CheckOptions{
		Records: []hotpath.Record{*r}, Dir: s.tree.Snap.ModuleDir, Env: s.tree.Go.Env(), Meter: s.bed.Meter, Measure: now, Stage: s.set.Watch.Stage,
	})
	return err
}

// one lists the packages and demands that one holds the benchmark: a record is
// about one path.
func (s *session) one(ctx context.Context, w Wish) (gocmd.Package, error) {
	patterns := w.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	found, err := s.tree.Benchmarked(ctx, patterns, w.Bench)
	if err != nil {
		return gocmd.Package{}, err
	}
	names := found.Names()
	switch len(names) {
	case 0:
		return gocmd.Package{}, testbed.NoBenchmark(found, patterns, w.Bench)
	case 1:
		return found.Packages[names[0]], nil
	}
	return gocmd.Package{}, testbed.Usage(fmt.Sprintf("-bench %q matches in %d packages (%s): name one", w.Bench, len(names), strings.Join(names[:min(3, len(names))], ", ")))
}

func (s *session) place(t *Taken, w Wish) error {
	r := &t.Record
	dir := s.tree.Snap.ModuleDir
	if w.At != "" {
		// The user's directory, as it is in the copy.
		from := dir
		if rel, err := filepath.Rel(s.bed.Place.Module, w.From); err == nil && (rel == "." || filepath.IsLocal(rel)) {
			from = filepath.Join(dir, rel)
		}
		at := w.At
		if rel, err := filepath.Rel(s.bed.Place.Module, at); filepath.IsAbs(at) && err == nil && filepath.IsLocal(rel) {
			at, from = rel, dir
		}
		p, err := hotpath.Resolve(dir, from, r.Pkg, at)
		if err != nil {
			return testbed.Usage("-at: " + err.Error())
		}
		r.Place = p
		return nil
	}
	if r.Place.Pkg == "" {
		r.Place.Pkg = r.Pkg
		t.Warnings = append(t.Warnings, model.Warning{
			Seen: "the record names no function and no line", Cause: "there is no -at",
			Try: "-at FILE.go:LINE or -at FUNC; pawl find shows the lines that cost",
		})
		return nil
	}
	if f := hotpath.Find(dir, r.Place); f.Where == hotpath.Moved {
		r.Place.At = f.At
		if f.Func != "" {
			r.Place.Func = f.Func
		}
	}
	return nil
}

// measured says on what the figures are taken.
func (s *session) measured() hotpath.Measured {
	e := s.run.Env
	m := hotpath.Measured{
		Date: s.set.Now().UTC().Truncate(24 * time.Hour), Go: e.GoVersion + " " + e.GOOS + "/" + e.GOARCH,
		CPU: cpuText(e), Run: s.run.ID, Commit: s.run.Head,
	}
	if m.Commit != "" && edited(s.bed.Place) {
		m.Commit += " with edits"
	}
	return m
}

// edited reports whether the tree differs from its commit in more than records.
func edited(p *tree.Place) bool {
	for file := range p.DirtyFiles {
		rel, ok := file, true
		if p.Rel() != "." {
			rel, ok = strings.CutPrefix(file, p.Rel()+"/")
		}
		if !ok || !hotpath.Owns(rel) {
			return true
		}
	}
	return false
}

func cpuText(e model.Environment) string {
	noun := "CPUs"
	if e.CPUs == 1 {
		noun = "CPU"
	}
	return strings.TrimSpace(fmt.Sprintf("%s (%d %s)", strings.Join(strings.Fields(e.CPU), " "), e.CPUs, noun))
}

// figures measures one benchmark for the record.
func (s *session) figures(ctx context.Context, pkg gocmd.Package, bm model.Benchmark, r *hotpath.Record) (hotpath.Now, error) {
	b, err := s.binary(ctx, pkg, false)
	if err != nil {
		return hotpath.Now{}, err
	}
	t, plan, err := s.counts(ctx, b, bm)
	if err != nil {
		return hotpath.Now{}, err
	}
	if err := s.retained(ctx, b, plan, &t); err != nil {
		return hotpath.Now{}, err
	}
	if err := s.wall(ctx, pkg, plan, &t); err != nil {
		return hotpath.Now{}, err
	}
	if err := s.save(t); err != nil {
		return hotpath.Now{}, err
	}
	for i, f := range t.figures.Values {
		t.figures.Values[i] = f.Rounded()
	}
	r.Measured.Figures = append(r.Measured.Figures, t.figures)
	s.run.Plans = append(s.run.Plans, plan)
	return hotpath.Now{Benchmark: bm.Name, Counts: t.counts}, nil
}

// standard are the directions of a record that asks for none: allocs/op stays
// where it is, unless it varies by itself.
func standard(m hotpath.Measured) []hotpath.Direction {
	varies := slices.ContainsFunc(m.Figures, func(f hotpath.Figures) bool {
		v, ok := f.Of(hotpath.Allocs)
		return !ok || v.Varies
	})
	if varies {
		return nil
	}
	return []hotpath.Direction{{Metric: hotpath.Allocs, Op: hotpath.AtMost, Relative: true}}
}

// fixed are figures that were taken already, by benchmark. Times have not been
// compared with anything yet.
type fixed map[string]hotpath.Now

// Measure implements hotpath.Measurer.
func (f fixed) Measure(_ context.Context, r hotpath.Record) ([]hotpath.Now, error) {
	var out []hotpath.Now
	for _, figures := range r.Measured.Figures {
		out = append(out, f[figures.Benchmark])
	}
	return out, nil
}

// command is the line that measures with the go command alone, in the directory of
// the module.
func command(module, pkg, pattern string) string {
	directory := "."
	if rel, ok := strings.CutPrefix(pkg, module+"/"); ok {
		directory = "./" + path.Clean(rel)
	} else if pkg != module {
		directory = pkg
	}
	return "go test -run '^$' -bench " + words.Quote(pattern) + " -benchmem " + directory
}
