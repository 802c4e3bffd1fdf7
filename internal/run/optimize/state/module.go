package state

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/store"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
)

// A Module is what the states of one run have in common: the copy of the
// tree, which holds one of them at a time, its go command and suite, and the
// packages that are measured.
type Module struct {
	*testbed.Checkout
	Path     string                   // module path
	Pkgs     map[string]gocmd.Package // benchmarked packages, by import path
	Deps     []string                 // packages of the main module that they are built from
	Guard    *guard.Guard
	Run      *store.Run // takes the files of profiles and samples
	Scratch  string     // for what is not kept
	CacheDir string     // os.UserCacheDir
	UserEnv  []string
	CPUGoal  time.Duration // how much CPU time one CPU profile is to hold
	TestTime time.Duration // how long the tests of the base may take; 0: no limit
	RaceTime time.Duration // how long building tests with the race detector may take, and running them; 0: no limit
	Walled   bool          // tests and benchmarks run in the sandbox: they are not trusted
	// Only are the tests that a check runs, by its name and by import path, where all take
	// too long: none of a package where no time was left for it. Nil means all.
	Only  map[string]map[string][]string
	Watch testbed.Watcher
	Warn  func(model.Warning)

	reader reach.Reader
	order  *Begun     // what PrepareOrder has begun; nil before it
	racing sync.Mutex // held while benchmarks that are profiled at once ask for the next

	noRace   atomic.Pointer[string] // see NoRace
	foreseen int                    // tests that were chosen for the race detector, before it was asked
	slowRace atomic.Bool            // the race detector was given up for the time that it takes
}

// Beside reports whether the tree may be read while tests or benchmarks run. Those that
// are not trusted, or have written where the source is, could change what is read: a
// go command would wait for ever at a named pipe in place of a file.
func (m *Module) Beside() bool { return !m.Walled && !m.Snap.Disturbed() }

// Names returns the import paths of the benchmarked packages, sorted.
func (m *Module) Names() []string { return slices.Sorted(maps.Keys(m.Pkgs)) }

// Source reads a file by the name that frames have: relative to the root of
// the tree, or absolute in the toolchain or the module cache. Frames come from a
// profile that a program wrote, so that no other file is read for them.
func (m *Module) Source(file string) ([]byte, error) {
	if !filepath.IsAbs(file) {
		return m.Snap.ReadFile(file)
	}
	for _, dir := range []string{m.Go.Vars["GOROOT"], m.Go.Vars["GOMODCACHE"]} {
		if rel, err := filepath.Rel(dir, file); err == nil && dir != "" && filepath.IsLocal(rel) {
			return os.ReadFile(file)
		}
	}
	return nil, fmt.Errorf("%s is neither in the tree nor in the toolchain or the module cache", file)
}

// Read returns a file of the tree as it is now, or nil where there is none.
func (m *Module) Read(file string) []byte {
	data, err := m.Source(file)
	if err != nil {
		return nil
	}
	return data
}

// PackagesOf lists the packages that files of the tree belong to. Directories that
// are not there, or hold no package, are left out.
func (m *Module) PackagesOf(ctx context.Context, files []string) ([]gocmd.Package, error) {
	var dirs []string
	for _, file := range files {
		dir := filepath.Join(m.Snap.Dir, filepath.FromSlash(path.Dir(file)))
		rel, err := filepath.Rel(m.Snap.ModuleDir, dir)
		if err != nil {
			return nil, err
		}
		if !m.Snap.InModules(file) {
			return nil, testbed.Usage(fmt.Sprintf("%s is outside the module %s and what this repository holds of its workspace; run pawl in the module it belongs to",
				path.Join(path.Base(path.Dir(file)), path.Base(file)), m.Path))
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(files) == 0 {
			continue
		}
		if rel = "./" + filepath.ToSlash(rel); !slices.Contains(dirs, rel) {
			dirs = append(dirs, rel)
		}
	}
	if len(dirs) == 0 {
		return nil, nil
	}
	slices.Sort(dirs)
	return m.Go.List(ctx, dirs...)
}

// Concerned returns changed packages and the benchmarked ones, each once.
func (m *Module) Concerned(changed []gocmd.Package) []gocmd.Package {
	pkgs := slices.Clone(changed)
	for _, name := range m.Names() {
		if !slices.ContainsFunc(pkgs, func(q gocmd.Package) bool { return q.ImportPath == name }) {
			pkgs = append(pkgs, m.Pkgs[name])
		}
	}
	return pkgs
}

// SaveSamples appends units to the run's benchfmt files: one file an arm.
func (m *Module) SaveSamples(bm model.Benchmark, what string, pairs [][2]model.Sample) error {
	return m.Run.SavePairs(store.SetName(bm)+"."+what, pairs, m.Env)
}

// patientTries is how often a run that is to show something is tried.
const patientTries = 3

// Patiently runs a benchmark for what it shows, and again where that fails: no
// verdict rests on it, and one that fails by chance must not end all.
func Patiently(ctx context.Context, step func() error) (err error) {
	for range patientTries {
		err = step()
		var f *bench.Failure
		late := errors.As(err, &f) && f.Late
		if err == nil || late || errors.Is(err, bench.ErrFewMarks) || ctx.Err() != nil {
			break
		}
	}
	return err
}
