package state

import (
	"context"
	"maps"
	"os"
	"sync"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/read/reach"
)

// Binaries are what has been built of one version.
type binaries struct {
	m    *Module
	name string                   // "base", "c1", …
	bins map[string]*bench.Binary // by import path, with the clock
	// linkers link the measured binaries anew; they are in the scratch directory.
	linkers map[string]*bench.Linker
	code    map[string]*reach.Program // what they are linked from, where it could be read
	others  map[string]*bench.Binary  // of packages that are tested and not measured; made when asked for
	race    map[string]*bench.Binary  // with the race detector; likewise
	stock   map[string]*bench.Binary  // with the testing package as installed; likewise

	building sync.Mutex // held while one of others, race or stock is built, and while bins, linkers and code change
}

func newBinaries(m *Module, name string) *binaries {
	return &binaries{
		m: m, name: name, bins: make(map[string]*bench.Binary), linkers: make(map[string]*bench.Linker), code: make(map[string]*reach.Program),
		others: make(map[string]*bench.Binary), race: make(map[string]*bench.Binary), stock: make(map[string]*bench.Binary),
	}
}

// Linked reports whether the benchmarks are built.
func (v *binaries) Linked() bool { return len(v.bins) == len(v.m.Names()) }

// linksAtOnce is how many test binaries are made at once: the linker and the go commands
// around it use little more than one core.
const linksAtOnce = 2

// Link is Build for a state that is there already, of the tree that holds it.
func (v *binaries) Link(ctx context.Context, before *State) error {
	within, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	free := make(chan struct{}, linksAtOnce)
	var wait sync.WaitGroup
	for _, pkg := range v.m.Names() {
		free <- struct{}{}
		if within.Err() != nil {
			break
		}
		wait.Go(func() {
			defer func() { <-free }()
			if err := v.link(within, v.m.Pkgs[pkg], before); err != nil {
				cancel(err) // the first one counts
			}
		})
	}
	wait.Wait()
	return context.Cause(within)
}

// link builds a test binary that can be linked again later, when the tree has
// moved on.
func (v *binaries) link(ctx context.Context, p gocmd.Package, before *State) error {
	o := gocmd.BuildOpts{Overlay: true}
	b, linker, err := v.m.Suite.BuildLinkable(ctx, p, v.name, o)
	if err != nil {
		return err
	}
	var code *reach.Program // nil where it cannot be read
	if before != nil && before.bins[p.ImportPath] != nil && before.bins[p.ImportPath].Hash == b.Hash {
		code = before.code[p.ImportPath]
	} else if code, err = v.m.reader.Program(ctx, v.m.Go, p, o); err != nil {
		code = nil
	}
	v.building.Lock()
	defer v.building.Unlock()
	v.bins[p.ImportPath], v.linkers[p.ImportPath] = b, linker
	if code != nil {
		v.code[p.ImportPath] = code
	}
	return ctx.Err()
}

// Binary returns the binary that is measured of a benchmarked package.
func (v *binaries) Binary(pkg string) *bench.Binary { return v.bins[pkg] }

// Links links a package anew together with the same package of base; ok is
// false where one of them cannot be.
func (v *binaries) Links(base *State, pkg string) (pair *trial.LinkPair, ok bool) {
	before, after := base.linkers[pkg], v.linkers[pkg]
	return trial.NewLinkPair(before, after), before != nil && after != nil
}

// tests returns the test binary of a package: the one that is measured where
// there is one. The tree must hold v, unless it has been asked for before.
func (v *binaries) tests(ctx context.Context, p gocmd.Package) (*bench.Binary, error) {
	if b := v.bins[p.ImportPath]; b != nil {
		return b, nil
	}
	return v.cached(ctx, v.others, v.name, p, gocmd.BuildOpts{Overlay: true})
}

// raced is tests with the race detector.
func (v *binaries) raced(ctx context.Context, p gocmd.Package) (*bench.Binary, error) {
	return v.cached(ctx, v.race, v.name+"-race", p, gocmd.BuildOpts{Overlay: true, Race: true})
}

func (v *binaries) hasRaced(p gocmd.Package) bool {
	v.building.Lock()
	defer v.building.Unlock()
	return v.race[p.ImportPath] != nil
}

// Stock returns the test binary of a package with the testing package as
// installed. The tree must hold v, unless it has been asked for before.
func (v *binaries) Stock(ctx context.Context, pkg string) (*bench.Binary, error) {
	return v.cached(ctx, v.stock, v.name+"-stock", v.m.Pkgs[pkg], gocmd.BuildOpts{})
}

// BuildAhead begins to build, beside what is measured, the binaries that are asked for
// next: those with the race detector, as long as they may take on the base, and those
// with the testing package as installed. What fails is built again by who asks for it.
func (v *binaries) BuildAhead(ctx context.Context) *Begun {
	return v.m.BeginAside(ctx, func(ctx context.Context) error {
		for _, name := range v.m.Names() {
			err := v.m.inRaceTime(ctx, func(ctx context.Context) error {
				_, err := v.raced(ctx, v.m.Pkgs[name])
				return err
			}, nil)
			if err != nil || v.m.slowRace.Load() {
				break
			}
		}
		for _, name := range v.m.Names() {
			if _, err := v.Stock(ctx, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// HasStock returns what Stock has built of a package, or nil.
func (v *binaries) HasStock(pkg string) *bench.Binary { return v.stock[pkg] }

func (v *binaries) cached(ctx context.Context, bins map[string]*bench.Binary, name string, p gocmd.Package, o gocmd.BuildOpts) (*bench.Binary, error) {
	v.building.Lock()
	defer v.building.Unlock()
	if b := bins[p.ImportPath]; b != nil {
		return b, nil
	}
	b, err := v.m.Suite.Build(ctx, p, name, o)
	if err == nil {
		bins[p.ImportPath] = b
	}
	return b, err
}

// Same reports whether no binary is another program than in before.
func (v *binaries) Same(before *State) bool { return v.Likeness().Same(before.Likeness()) }

// SameProgram reports whether the test binary of a package is known to be the
// same program in both versions. Files differ by a line number; their objects
// say whether anything that runs does.
func (v *binaries) SameProgram(base *State, pkg string) bool {
	now, before := v.code[pkg], base.code[pkg]
	return v.bins[pkg].Hash == base.bins[pkg].Hash || now != nil && before != nil && now.Same(before)
}

// A Likeness is what two versions are told apart by after one of them has been
// dropped: what their binaries hold.
type Likeness struct {
	hash map[string]string
	code map[string]*reach.Program
}

// Likeness returns that of what is built.
func (v *binaries) Likeness() Likeness {
	l := Likeness{hash: make(map[string]string), code: maps.Clone(v.code)}
	for pkg, b := range v.bins {
		l.hash[pkg] = b.Hash
	}
	return l
}

// Same reports whether all binaries are known to be the same programs.
func (l Likeness) Same(other Likeness) bool {
	for pkg, hash := range l.hash {
		now, before := l.code[pkg], other.code[pkg]
		if hash != other.hash[pkg] && (now == nil || before == nil || !now.Same(before)) {
			return false
		}
	}
	return true
}

// remove removes all but what is measured of some packages.
func (v *binaries) remove(but map[string]bool) {
	for _, l := range v.linkers {
		_ = l.Close()
	}
	for i, bins := range []map[string]*bench.Binary{v.bins, v.others, v.race, v.stock} {
		for pkg, b := range bins {
			if i > 0 || !but[pkg] {
				_ = os.Remove(b.Path)
			}
		}
	}
	v.code = nil
}
