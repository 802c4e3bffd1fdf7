package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
	"github.com/pawl-dev/pawl/internal/model"
)

// A fixture is a prepared copy of testdata/styles, with binaries that are
// built once for all tests.
type fixture struct {
	dir      string
	suite    *Suite
	mu       sync.Mutex
	binaries map[string]*Binary
}

var (
	shared     = make(map[bool]*fixture) // by whether the hooks are in
	sharedMu   sync.Mutex
	sharedRoot string
)

func TestMain(m *testing.M) {
	code := func() int {
		root, err := os.MkdirTemp("", "bench-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(root)
		sharedRoot = root
		return m.Run()
	}()
	os.Exit(code)
}

// styles returns the fixture with hooks, or the one where they could not be
// put in.
func styles(t *testing.T, hooks bool) *fixture {
	t.Helper()
	sharedMu.Lock()
	defer sharedMu.Unlock()
	if f := shared[hooks]; f != nil {
		return f
	}
	root := filepath.Join(sharedRoot, fmt.Sprint(hooks))
	dir := filepath.Join(root, "tree")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "styles"))); err != nil {
		t.Fatal(err)
	}
	// Without debug information a link takes three quarters of the time, and nothing here reads it.
	env := append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w"))
	g, err := gocmd.New(t.Context(), gocmd.Config{Dir: dir, Env: env, GOWORK: "off", State: filepath.Join(root, "state")})
	if err != nil {
		t.Fatal(err)
	}
	if !hooks {
		g.Vars["GOOS"] = "plan9"
	}
	s, err := Prepare(t.Context(), g, filepath.Join(root, "scratch"))
	if err != nil {
		t.Fatal(err)
	}
	if want := map[bool]model.Clock{true: model.ClockProcess, false: model.ClockRusage}[hooks]; s.Clock() != want {
		t.Fatalf("clock %q instead of %q: %v", s.Clock(), want, s.Warnings())
	}
	f := &fixture{dir: dir, suite: s, binaries: make(map[string]*Binary)}
	shared[hooks] = f
	return f
}

// binary builds the test binary of a package of the fixture, once.
func (f *fixture) binary(t *testing.T, pkg string) *Binary {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if b := f.binaries[pkg]; b != nil {
		return b
	}
	b, err := f.suite.Build(t.Context(), f.pkg(pkg), "base", gocmd.BuildOpts{Overlay: true})
	if err != nil {
		t.Fatal(err)
	}
	f.binaries[pkg] = b
	return b
}

func (f *fixture) pkg(name string) gocmd.Package {
	return gocmd.Package{ImportPath: "example.com/styles/" + name, Dir: filepath.Join(f.dir, name)}
}

func (b *Binary) benchmark(name string) model.Benchmark {
	return model.Benchmark{Pkg: b.Pkg, Name: name}
}

func withTimeout(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}
