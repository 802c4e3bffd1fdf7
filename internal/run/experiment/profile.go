package experiment

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/pawl-dev/pawl/internal/explain/likeness"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/profile"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/words"
)

// mergeAll adds up the profiles of the options into the run's scratch directory, as
// the compiler reads them. One goes the same way, so that what is no CPU profile is
// refused by its name.
func (s *session) mergeAll(ctx context.Context) error {
	if len(s.opt.Profiles) == 0 {
		return nil
	}
	var all []*pprof.Profile
	for i, file := range s.opt.Profiles {
		p, err := profile.ReadFile(ctx, file)
		if err == nil && !slices.Contains(p.Types(), "cpu") {
			err = errors.New("it is no CPU profile, which is what the compiler reads")
		}
		var whole *pprof.Profile
		if err == nil {
			whole, err = parse(file)
		}
		if err != nil {
			return testbed.Usagef("-pgo %s: %v", s.opt.Named[i], err)
		}
		all = append(all, whole)
	}
	merged, err := pprof.Merge(all)
	if err != nil {
		return testbed.Usagef("-pgo: the profiles do not add up: %v", err)
	}
	s.pgo = filepath.Join(s.bed.Scratch, "merged.pgo")
	out, err := os.OpenFile(s.pgo, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("adding up the profiles: %w", err)
	}
	if err := errors.Join(merged.Write(out), out.Close()); err != nil {
		return fmt.Errorf("adding up the profiles: %w", err)
	}
	return nil
}

// parse reads a profile with all that is in it, which package profile drops.
func parse(name string) (*pprof.Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return pprof.Parse(f)
}

func (s *session) mains(ctx context.Context, patterns []string) ([]gocmd.Package, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	pkgs, err := s.tree.Go.List(ctx, patterns...)
	if err != nil {
		return nil, err
	}
	pkgs = slices.DeleteFunc(pkgs, func(p gocmd.Package) bool { return p.Name != "main" })
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%w: no main package among %s; a profile for the compiler belongs to one", testbed.ErrNothing, strings.Join(patterns, " "))
	}
	return pkgs, nil
}

// Like compares two CPU profiles: of production, and of a benchmark.
func Like(ctx context.Context, production, bench string, seed uint64) (*model.Likeness, error) {
	var both [2]*profile.Profile
	for i, name := range []string{production, bench} {
		p, err := profile.ReadFile(ctx, name)
		if err != nil {
			return nil, testbed.Usagef("%s: %v", name, err)
		}
		if !slices.Contains(p.Types(), "cpu") {
			return nil, testbed.Usagef("%s is no CPU profile", name)
		}
		both[i] = p
	}
	l, err := likeness.Of(both[0], both[1], seed)
	return &l, err
}

// fewest is how many functions that differ most stay with the likeness of a subject.
const fewest = 10

// alike says how like production a benchmark is, by the profiles of the options. A
// profile that could not be taken is a warning: what is tried needs none.
func (s *session) alike(ctx context.Context, b *built, plan model.Plan, sub *model.TuningSubject) error {
	file := filepath.Join(s.bed.Scratch, "subject.pprof")
	defer os.Remove(file)
	_, err := b.suite.Profile(ctx, b.base.bin, plan, bench.CPUProfile, file, 0)
	var l *model.Likeness
	if err == nil {
		l, err = Like(ctx, s.pgo, file, s.opt.Seed)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		sub.Warnings = append(sub.Warnings, model.Warning{Seen: "how like production " + sub.Benchmark.String() + " is, is not known: " + err.Error()})
	case l.Samples[0] > 0 && l.Samples[1] > 0:
		l.Weights = l.Weights[:min(fewest, len(l.Weights))]
		sub.Likeness = l
	}
	return nil
}

// WithPGO proves what a profile gains on benchmarks, beside the one that is there if
// any, and keeps it as a commit on a branch of its own where something gets faster and
// nothing worse.
func WithPGO(ctx context.Context, opt Options, main string) (*model.Tuning, error) {
	opt.Try = []string{pgo}
	s := newSession(opt)
	of := mainPackage{session: s}
	s.before = func(ctx context.Context) error {
		mains, err := s.mains(ctx, strings.Fields(main))
		if err != nil {
			return err
		}
		if len(mains) > 1 {
			return testbed.Usagef("there are %d main packages, and a profile is of one program: name it with -main", len(mains))
		}
		of.Package = mains[0]
		if _, err := os.Stat(filepath.Join(of.Dir, defaultProfile)); err == nil {
			s.compiled(of.profile())
		}
		return nil
	}
	s.after = func(ctx context.Context) error { return of.keepPGO(ctx) }
	return s.run(ctx)
}

// A mainPackage is one that has a profile or is to get one.
type mainPackage struct {
	*session
	gocmd.Package
}

// profile is the name of its profile, from the root of the module's repository.
func (m mainPackage) profile() string {
	rel, err := filepath.Rel(m.tree.Snap.Dir, filepath.Join(m.Dir, defaultProfile))
	if err != nil {
		return defaultProfile
	}
	return filepath.ToSlash(rel)
}

func (m mainPackage) keepPGO(ctx context.Context) error {
	p, err := m.fresh(ctx, m.pgo)
	if err != nil {
		return err
	}
	if p.Brought, err = m.brought(ctx); err != nil {
		return err
	}
	p.Why = m.refused(p)
	if p.Why == "" {
		if err := m.commit(ctx, &p); err != nil {
			return err
		}
	}
	m.out.PGO = []model.PGO{p}
	return nil
}

func (m mainPackage) refused(p model.PGO) string {
	better := 0
	for _, sub := range m.out.Subjects {
		for _, t := range sub.Trials {
			switch t.Standing {
			case model.Regressed:
				return fmt.Sprintf("%s gets worse by it: %s", sub.Benchmark, t.Why)
			case model.Improved:
				better++
			}
		}
	}
	switch {
	case p.Stale != "":
		return p.Stale
	case better == 0:
		return "no benchmark is proven to be faster by it"
	}
	return ""
}

// commit keeps the merged profile as default.pgo.
func (m mainPackage) commit(ctx context.Context, p *model.PGO) error {
	data, err := os.ReadFile(m.pgo)
	if err != nil {
		return err
	}
	m.bed.Empty = false
	rec, err := tree.NewRecorder(ctx, m.tree.Snap, m.bed.Run.Dir, "pawl/"+m.out.Started.UTC().Format("20060102T150405"))
	if err != nil {
		return err
	}
	was, _ := os.ReadFile(filepath.Join(m.tree.Snap.Dir, filepath.FromSlash(p.File)))
	commit, patch, err := rec.Keep(ctx, m.message(*p), map[string][]byte{p.File: data}, tree.FileDiff(p.File, was, data))
	p.Commit, p.Branch, p.Why = commit, rec.Branch(), rec.Why()
	if err != nil || commit != "" {
		return err
	}
	if err := os.Remove(patch); err != nil { // a diff of text cannot hold a profile
		return err
	}
	if p.Copy, err = m.bed.Run.Profile(defaultProfile); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(p.Copy, data, 0o600), m.bed.Run.SaveTuning(*m.out))
}

// message is that of the commit, with the evidence.
func (m mainPackage) message(p model.PGO) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: build with a profile\n\n", p.File)
	fmt.Fprintf(&b, "%s of its %s map to the source.\n", words.Percent(p.Fresh.Share), words.Counted(p.Fresh.Samples, "sample"))
	if !p.Fresh.Taken.IsZero() {
		fmt.Fprintf(&b, "It was taken on %s.\n", p.Fresh.Taken.Format(time.DateOnly))
	}
	b.WriteString("\n")
	for _, sub := range m.out.Subjects {
		for _, t := range sub.Trials {
			fmt.Fprintf(&b, "%s.%s: %s\n", sub.Benchmark.Pkg, sub.Benchmark.Name, t.Why)
		}
	}
	return b.String()
}

// brought lists the calls that the compiler inlines or makes direct by the profile
// alone, in it and in the other packages of its module.
func (m mainPackage) brought(ctx context.Context) ([]string, error) {
	var notes [2]map[string]bool
	for i, profile := range []string{"off", m.pgo} {
		m.opt.Watch.Stage("asking the compiler", "-pgo="+filepath.Base(profile))
		e, err := m.tree.Go.Run(ctx, gocmd.Build, "build", "-o", os.DevNull, "-gcflags="+m.out.Module+"/...=-m", "-pgo="+profile, m.ImportPath)
		if err != nil {
			return nil, err
		}
		notes[i] = make(map[string]bool)
		for line := range strings.Lines(string(e.Stderr)) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "./")
			if strings.Contains(line, ": inlining call to ") || strings.Contains(line, "PGO devirtualiz") {
				notes[i][line] = true
			}
		}
	}
	var out []string
	for line := range notes[1] {
		if !notes[0][line] {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out, nil
}
