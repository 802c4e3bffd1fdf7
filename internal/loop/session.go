package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/bench"
	"github.com/pawl-dev/pawl/internal/gocmd"
	"github.com/pawl-dev/pawl/internal/guard"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/store"
	"github.com/pawl-dev/pawl/internal/tree"
	"github.com/pawl-dev/pawl/internal/trial"
)

// Options are what the user may choose.
type Options struct {
	Verb      string
	Args      []string      // the command line, for the record
	Tool      string        // pawl's version
	Dir       string        // a folder of the module
	From      string        // the folder that the user is in, for paths that are shown
	Patterns  []string      // packages; none means "."
	Bench     string        // as go test -bench; "" means all
	Budget    time.Duration // of the whole run
	PerChange time.Duration // of the duets of one change
	Alpha     float64       // error rate of a claim
	MinEffect float64       // smallest gain worth having, as a fraction
	Timeout   time.Duration // of one package's tests
	Retry     bool          // try what the journal says was refuted
	Seed      uint64
	Env       []string
	CacheDir  string // os.UserCacheDir
	Watch     Watcher
}

// A Watcher is told what is going on while it goes on.
type Watcher interface {
	Stage(name, detail string)
	Detail(text string)
	Line(text string) // a line that stays
}

// ErrNothing is wrapped by errors that say that there is nothing to work on:
// no module, no package, no benchmark.
var ErrNothing = errors.New("nothing to work on")

// A BrokenBase is a tree that does not build or whose tests fail before pawl
// has changed anything.
type BrokenBase struct {
	What   string // "does not build", "tests fail"
	Detail string
	Next   string
}

func (b *BrokenBase) Error() string {
	return fmt.Sprintf("the base %s:\n%s\n%s", b.What, b.Detail, b.Next)
}

// A Session is one run of the loop on one module.
type Session struct {
	Run *model.Run

	opt   Options
	start time.Time
	meter *gocmd.Meter
	place *tree.Place
	snap  *tree.Snapshot
	go_   *gocmd.Go
	suite *bench.Suite
	local *trial.Local
	trial *trial.Trial
	guard *guard.Guard
	store *store.Store
	rec   *store.Run
	keep  *tree.Recorder

	scratch string                   // binaries and notes; outside the tree
	release func()                   // of the work folder
	pkgs    map[string]gocmd.Package // benchmarked packages, by import path
	deps    []string                 // main-module packages they are built from

	orig, now  *version
	tried      map[string]bool
	hotLines   map[model.Pos]bool // that the profiles of now saw
	raceBroken string             // why the race detector cannot be used
	judged     []model.Plan       // the benchmarks that judge a patch
}

// Open copies the user's tree and finds out what there is to measure.
func Open(ctx context.Context, opt Options) (*Session, error) {
	s := &Session{opt: opt, start: time.Now(), tried: make(map[string]bool)}
	s.meter = gocmd.NewMeter(s.start)
	s.Run = &model.Run{
		Schema: model.SchemaVersion, Tool: opt.Tool, Verb: opt.Verb, Args: opt.Args, Started: s.start,
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Session) open(ctx context.Context) error {
	s.stage("copying the tree", "")
	var err error
	if s.place, err = tree.Locate(ctx, s.opt.Dir); err != nil {
		return fmt.Errorf("%w: %w", ErrNothing, err)
	}
	if err := s.openStore(ctx); err != nil {
		return err
	}
	work, release, err := tree.WorkDir(s.place, s.opt.CacheDir)
	if err != nil {
		return err
	}
	s.release = release
	s.scratch = filepath.Join(work, "scratch")
	if err := os.RemoveAll(s.scratch); err != nil {
		return fmt.Errorf("clearing the scratch folder: %w", err)
	}
	if err := os.MkdirAll(s.scratch, 0o777); err != nil {
		return fmt.Errorf("making the scratch folder: %w", err)
	}
	gowork, err := userGOWORK(ctx, s.place.Module, s.opt.Env)
	if err != nil {
		return err
	}
	s.snap, err = tree.Take(ctx, s.place, work, tree.Options{GOWORK: gowork})
	if err != nil {
		return err
	}
	s.Run.Warnings = append(s.Run.Warnings, s.snap.Warnings...)
	s.Run.Head, s.Run.Dirty = s.place.Head, s.place.Dirty

	s.stage("asking the go command", "")
	s.go_, err = gocmd.New(ctx, gocmd.Config{
		Dir: s.snap.ModuleDir, Env: s.opt.Env, GOWORK: s.snap.GOWORK,
		State: s.scratch, Meter: s.meter,
	})
	if err != nil {
		return err
	}
	s.Run.Env = bench.Environment(ctx, s.go_)
	s.guard = guard.New(s.go_, s.opt.Timeout)
	if err := s.findPackages(ctx); err != nil {
		return err
	}
	s.stage("preparing the clock", "")
	if s.suite, err = bench.Prepare(ctx, s.go_, filepath.Join(s.scratch, "overlay")); err != nil {
		return err
	}
	s.Run.Warnings = append(s.Run.Warnings, s.suite.Warnings()...)
	s.local = trial.NewLocal(s.suite)
	s.trial = trial.New(s.local, s.opt.Seed)
	return s.rec.Save(*s.Run)
}

// openStore opens the journal and the folder of this run.
func (s *Session) openStore(ctx context.Context) error {
	dir, why, err := tree.StateDir(s.place, s.opt.CacheDir)
	if err != nil {
		return err
	}
	if why != "" {
		s.warn(model.Warning{Seen: "results are kept in " + dir, Cause: why})
	}
	if s.store, err = store.Open(dir); err != nil {
		return err
	}
	if s.rec, err = s.store.NewRun(s.opt.Verb, s.start); err != nil {
		return err
	}
	s.Run.ID, s.Run.Dir = s.rec.ID, s.rec.Dir
	return s.journal(ctx, store.Event{Kind: store.Start, Verb: s.opt.Verb, Args: s.opt.Args, Head: s.place.Head})
}

// journal appends an event of this run.
func (s *Session) journal(ctx context.Context, e store.Event) error {
	e.Run = s.Run.ID
	e.GoVersion = s.Run.Env.GoVersion
	return s.store.Append(ctx, e)
}

// userGOWORK asks which workspace the user's own tree is in.
func userGOWORK(ctx context.Context, dir string, env []string) (string, error) {
	return gocmd.Query(ctx, dir, env, "GOWORK")
}

var benchmarkFunc = regexp.MustCompile(`(?m)^func (Benchmark\w*)\(`)

// findPackages lists the packages that hold a benchmark whose name can match.
func (s *Session) findPackages(ctx context.Context) error {
	patterns := s.opt.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	pkgs, err := s.go_.List(ctx, patterns...)
	if err != nil {
		return err
	}
	top, err := topPattern(s.opt.Bench)
	if err != nil {
		return err
	}
	s.pkgs = make(map[string]gocmd.Package)
	for _, p := range pkgs {
		if p.Error != nil && len(p.GoFiles)+len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			return fmt.Errorf("%w: %s", ErrNothing, strings.TrimSpace(p.Error.Err))
		}
		if p.Module == nil || p.Standard || !hasBenchmark(p, top) {
			continue
		}
		s.Run.Module = p.Module.Path
		s.pkgs[p.ImportPath] = p
	}
	if len(s.pkgs) == 0 {
		return noBenchmark(s.opt.Bench, patterns, pkgs)
	}
	return s.findDeps(ctx)
}

// topPattern is the part of a -bench pattern that selects functions, before
// the first slash outside brackets.
func topPattern(pattern string) (*regexp.Regexp, error) {
	top := pattern
	depth := 0
	for i, r := range pattern {
		switch r {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case '/':
			if depth == 0 {
				top = pattern[:i]
			}
		}
		if top != pattern {
			break
		}
	}
	re, err := regexp.Compile(top)
	if err != nil {
		return nil, &UsageError{fmt.Sprintf("-bench %q is not a regular expression: %v", pattern, err)}
	}
	return re, nil
}

// A UsageError is a mistake in how pawl was called.
type UsageError struct{ msg string }

func (u *UsageError) Error() string { return u.msg }

// Usage returns a UsageError that says msg.
func Usage(msg string) error { return &UsageError{msg} }

func hasBenchmark(p gocmd.Package, top *regexp.Regexp) bool {
	for _, f := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		src, err := os.ReadFile(filepath.Join(p.Dir, f))
		if err != nil {
			continue
		}
		for _, m := range benchmarkFunc.FindAllSubmatch(src, -1) {
			if top.Match(m[1]) {
				return true
			}
		}
	}
	return false
}

func noBenchmark(pattern string, patterns []string, pkgs []gocmd.Package) error {
	var all []string
	any := regexp.MustCompile("")
	for _, p := range pkgs {
		if hasBenchmark(p, any) {
			all = append(all, p.ImportPath)
		}
	}
	where := strings.Join(patterns, " ")
	switch {
	case len(pkgs) == 0:
		return fmt.Errorf("%w: %s matches no package", ErrNothing, where)
	case len(all) == 0:
		return fmt.Errorf("%w: no benchmark in %s; write one for the code that matters (func BenchmarkX(b *testing.B)), or name other packages, such as ./... instead", ErrNothing, where)
	default:
		return fmt.Errorf("%w: no benchmark matches -bench %q in %s; there are others in %s (go test -list Benchmark shows them)",
			ErrNothing, pattern, where, strings.Join(all[:min(len(all), 5)], ", "))
	}
}

// findDeps lists the packages of the main module that the benchmarks are
// built from.
func (s *Session) findDeps(ctx context.Context) error {
	pkgs, err := s.go_.List(ctx, append([]string{"-deps", "-test"}, s.pkgNames()...)...)
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	for _, p := range pkgs {
		name, _, _ := strings.Cut(p.ImportPath, " ")
		if p.Error != nil {
			return &BrokenBase{What: "does not build", Detail: p.Error.Pos + ": " + p.Error.Err, Next: s.leftHint("mend it, or name other packages")}
		}
		if p.Module == nil || !p.Module.Main || p.ForTest != "" || strings.HasSuffix(name, ".test") || seen[name] {
			continue
		}
		seen[name] = true
		s.deps = append(s.deps, name)
	}
	return nil
}

// leftHint adds to an advice which files were not copied, because one of them
// may be what is missing.
func (s *Session) leftHint(advice string) string {
	if s.snap == nil || len(s.snap.Left) == 0 {
		return advice
	}
	names := make([]string, 0, 3)
	for _, l := range s.snap.Left[:min(3, len(s.snap.Left))] {
		names = append(names, l.Path)
	}
	return fmt.Sprintf("%s; %d ignored files were not copied (%s), in case one of them is needed", advice, len(s.snap.Left), strings.Join(names, ", "))
}

func (s *Session) pkgNames() []string {
	names := make([]string, 0, len(s.pkgs))
	for name := range s.pkgs {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (s *Session) stage(name, detail string) {
	if s.opt.Watch != nil {
		s.opt.Watch.Stage(name, detail)
	}
}

func (s *Session) detail(text string) {
	if s.opt.Watch != nil {
		s.opt.Watch.Detail(text)
	}
}

func (s *Session) warn(w model.Warning) { s.Run.Warnings = append(s.Run.Warnings, w) }

// left returns how much of the budget is left.
func (s *Session) left() time.Duration { return s.opt.Budget - time.Since(s.start) }

// Close removes what the session keeps outside the module's state folder. The
// copy of the tree stays, so that the next run builds from a warm cache.
func (s *Session) Close() {
	if s.local != nil {
		s.local.Close()
	}
	if s.scratch != "" {
		_ = os.RemoveAll(s.scratch)
	}
	if s.release != nil {
		s.release()
		s.release = nil
	}
}

// OpenStore returns the journal and the runs of the module that dir is in.
func OpenStore(ctx context.Context, dir, cacheDir string) (*store.Store, error) {
	place, err := tree.Locate(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNothing, err)
	}
	state, _, err := tree.StateDir(place, cacheDir)
	if err != nil {
		return nil, err
	}
	return store.Open(state)
}
