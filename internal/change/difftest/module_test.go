package difftest

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/internal/host/gocmd"
)

// A module is a small module in a directory of the test's, that holds the
// candidate, and its change.
type module struct {
	cfg    Config
	change Change
}

// newModule writes files, with those of cand over those of base, and finds
// the packages of both.
func newModule(t testing.TB, base, cand map[string]string) module {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := module{change: Change{Before: map[string][]byte{}, After: map[string][]byte{}}}
	for name, text := range base {
		write(t, filepath.Join(dir, name), text)
	}
	for name, text := range cand {
		m.change.After[name], m.change.Before[name] = nil, nil
		if text == "" { // it goes
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, filepath.Join(dir, name), text)
			m.change.After[name] = []byte(text)
		}
		if was, ok := base[name]; ok {
			m.change.Before[name] = []byte(was)
		}
	}
	if _, ok := base["go.mod"]; !ok {
		write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.24\n")
	}
	g, err := gocmd.New(context.Background(), gocmd.Config{
		Dir: dir, Env: lighter(), GOWORK: "off", State: filepath.Join(t.TempDir(), "state"), Meter: gocmd.NewMeter(time.Now()),
	})
	if err != nil {
		t.Fatal(err)
	}
	dirs := []string{}
	for _, name := range slices.Sorted(maps.Keys(cand)) {
		if d := "./" + filepath.ToSlash(filepath.Dir(name)); cand[name] != "" && !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	pkgs, err := g.List(context.Background(), dirs...)
	if err != nil {
		t.Fatal(err)
	}
	m.cfg = Config{Go: g, Root: dir, Changed: pkgs, Tests: pkgs, Scratch: filepath.Join(t.TempDir(), "scratch"), Budget: 20 * time.Second}
	return m
}

// lighter is the environment of the tests' builds: without debug information a link takes three quarters of the time, and nothing
// here reads it. With -trimpath, the build cache knows what was compiled in another directory.
func lighter() []string {
	return append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -ldflags=-w -trimpath"))
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// plan makes the plan of a module.
func (m module) plan(t testing.TB) *Plan {
	t.Helper()
	p, err := NewPlan(context.Background(), m.cfg, m.change)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compiles builds the test binaries with the overlay: what was generated must
// compile.
func (p *Plan) compiles(t testing.TB, race bool) {
	t.Helper()
	merged := filepath.Join(p.cfg.Scratch, "overlay.json")
	if err := p.cfg.Go.MergeOverlay(merged, p.overlay); err != nil {
		t.Fatal(err)
	}
	for i, pkg := range p.cfg.Tests {
		out := filepath.Join(p.cfg.Scratch, "x"+string(rune('a'+i))+".test")
		if err := p.cfg.Go.BuildTest(context.Background(), pkg.ImportPath, out, gocmd.BuildOpts{Merged: merged, Race: race}); err != nil {
			for at, file := range p.overlay {
				if filepath.Dir(at) == pkg.Dir {
					text, _ := os.ReadFile(file)
					t.Logf("%s:\n%s", at, text)
				}
			}
			t.Fatal(err)
		}
	}
}
