package compare

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/keep/hotpath"
	"github.com/pawl-dev/pawl/internal/measure/bench"
	"github.com/pawl-dev/pawl/internal/measure/testbed"
	"github.com/pawl-dev/pawl/internal/measure/trial"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/read/reach"
)

// A build is one package's test binary on one side.
type build struct {
	pkg    gocmd.Package
	suite  *bench.Suite
	bin    *bench.Binary
	linker *bench.Linker             // nil where it cannot be linked again
	pool   *trial.LinkPool           // of the candidate with the base; nil where one cannot be linked again
	code   *reach.Code               // nil where it was not asked, or could not be read
	noCode error                     // why not
	tests  map[string]string         // names and contents of its test files
	ids    map[string]bench.Identity // of its benchmark functions
	pinned bool                      // built with the base's test files
	failed error                     // it does not build
	late   bool                      // there was no time to build it
}

// A version is all builds of one side.
type version struct {
	name   model.Arm
	tree   *testbed.Checkout
	found  *testbed.Find
	builds map[string]*build // by import path
	took   time.Duration
	// funcs are those that its benchmarks can be built from; nil where nobody asks.
	funcs map[string]place
	// records are those of the repository.
	records []hotpath.Record
}

// closePools waits for what is linked ahead, and removes the links.
func (v *version) closePools() {
	for _, b := range v.builds {
		if b.pool != nil {
			b.pool.Close()
		}
	}
}

// build builds the test binaries of the packages with benchmarks. With pins,
// the tests of the other side, these are used where they compile.
func (t *trees) build(ctx context.Context, name model.Arm, tree *testbed.Checkout, pins *version) (*version, error) {
	found, err := tree.Benchmarked(ctx, t.opt.Patterns, t.opt.Bench)
	if err != nil {
		return nil, err
	}
	if pins != nil {
		withoutTests(found, pins)
	}
	v := &version{name: name, tree: tree, found: found, builds: make(map[string]*build)}
	for _, path := range found.Names() {
		b := &build{pkg: found.Packages[path], suite: tree.Suite}
		v.builds[path] = b
		if b.tests, err = testFiles(b.pkg); err != nil {
			return nil, err
		}
	}
	for i, path := range found.Names() {
		b := v.builds[path]
		b.ids = identities(b, t.opt.Bench)
		other := pins != nil && pins.builds[path] != nil && pins.builds[path].late
		if b.late = other || i > 0 && !t.mayBuild(name); b.late {
			continue
		}
		t.stage("building the "+string(name), fmt.Sprintf("%s, %d of %d", path, i+1, len(found.Packages)))
		if err := t.buildOne(ctx, v, b, pins); err != nil {
			return v, err
		}
		if b.failed != nil && len(functions(b, t.opt.Bench)) == 0 { // what they measured is gone, too
			delete(v.builds, path)
			delete(found.Packages, path)
		}
	}
	return v, nil
}

// withoutTests adds the packages that have benchmarks on the other side and none
// here any more: those of the other side run on both.
func withoutTests(found *testbed.Find, pins *version) {
	for _, p := range found.All {
		if other := pins.builds[p.ImportPath]; other != nil && other.failed == nil && len(p.GoFiles) > 0 {
			found.Packages[p.ImportPath] = p
		}
	}
}

// buildOne builds one package: with the pinned tests first, where there are
// any and they differ.
func (t *trees) buildOne(ctx context.Context, v *version, b *build, pins *version) error {
	if pins != nil {
		other := pins.builds[b.pkg.ImportPath]
		if other != nil && other.bin != nil && !maps.Equal(other.tests, b.tests) {
			undo, err := t.pin(v, b, other)
			if err != nil {
				return err
			}
			err = t.compile(ctx, v, b)
			undo()
			own := len(functions(b, t.opt.Bench)) > 0
			if err != nil || b.failed == nil || !own {
				b.pinned = err == nil && b.failed == nil
				return err
			}
			b.failed = nil // the candidate's own tests, then
		}
	}
	return t.compile(ctx, v, b)
}

// compile builds the binary and takes what is needed of it later, while the
// tree is what it was built from. A package that does not compile is no error.
func (t *trees) compile(ctx context.Context, v *version, b *build) error {
	opts := gocmd.BuildOpts{Overlay: true}
	bin, linker, err := v.tree.Suite.BuildLinkable(ctx, b.pkg, string(v.name), opts)
	var ge *gocmd.Error
	if errors.As(err, &ge) && ctx.Err() == nil {
		b.failed = ge
		return nil
	}
	if err != nil {
		return err
	}
	b.bin, b.linker = bin, linker
	if t.opt.Screen {
		if b.code, err = t.reach.Objects(ctx, v.tree.Go, b.pkg, opts); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.noCode = err
		}
	}
	return nil
}

// pin makes the next build of b use the test files of other.
func (t *trees) pin(v *version, b, other *build) (undo func(), err error) {
	dir := filepath.Join(t.bed.Scratch, "pins", filepath.FromSlash(b.pkg.ImportPath))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("pinning the test files: %w", err)
	}
	replace := make(map[string]string)
	for name := range b.tests {
		replace[filepath.Join(b.pkg.Dir, name)] = "" // not there
	}
	for name, src := range other.tests {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
			return nil, fmt.Errorf("pinning the test files: %w", err)
		}
		replace[filepath.Join(b.pkg.Dir, name)] = file
	}
	unextend, err := v.tree.Go.ExtendOverlay(filepath.Join(dir, "overlay.json"), replace)
	if err != nil {
		return nil, err
	}
	own := b.pkg
	b.pkg.TestGoFiles, b.pkg.XTestGoFiles = other.pkg.TestGoFiles, other.pkg.XTestGoFiles
	return func() { unextend(); b.pkg = own }, nil
}

// identities says what the benchmarks of a package are while the tree is there.
// One that cannot be found out has none: the compiler has more to say about it.
func identities(b *build, pattern string) map[string]bench.Identity {
	out := make(map[string]bench.Identity)
	files := slices.Sorted(maps.Keys(b.tests))
	for _, f := range functions(b, pattern) {
		if id, err := bench.Identify(b.pkg.Dir, files, f); err == nil {
			out[f] = id
		}
	}
	return out
}

func testFiles(p gocmd.Package) (map[string]string, error) {
	out := make(map[string]string)
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, fmt.Errorf("reading the tests of %s: %w", p.ImportPath, err)
		}
		out[name] = string(src)
	}
	return out, nil
}
