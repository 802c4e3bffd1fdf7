package difftest

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// A seeded is a module with a good change, and bugs that make it a bad one.
type seeded struct {
	name       string
	base, good string
	test       string
	bugs       map[string]string
}

// readSeeded reads testdata/bugs. A bug is a list of replacements in the good
// change: old text, "=>", new text; the next one follows after "=>=>".
func readSeeded(t *testing.T) []seeded {
	t.Helper()
	names, err := filepath.Glob("testdata/bugs/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no seeded bugs", err)
	}
	var out []seeded
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := seeded{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), bugs: make(map[string]string)}
		for _, f := range ar.Files {
			switch bug, is := strings.CutPrefix(f.Name, "bug/"); {
			case f.Name == "base.go":
				s.base = string(f.Data)
			case f.Name == "good.go":
				s.good = string(f.Data)
			case f.Name == "m_test.go":
				s.test = string(f.Data)
			case is:
				if s.bugs[bug], err = breakIt(s.good, string(f.Data)); err != nil {
					t.Fatalf("%s, %s: %v", name, bug, err)
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// breakIt puts a bug into a good change.
func breakIt(good, bug string) (string, error) {
	for part := range strings.SplitSeq(bug, "=>=>\n") {
		old, now, ok := strings.Cut(part, "=>\n")
		old = strings.TrimSuffix(old, "\n")
		if !ok || strings.Count(good, old) != 1 {
			return "", fmt.Errorf("%q is not there exactly once", old)
		}
		good = strings.Replace(good, old, strings.TrimSuffix(now, "\n"), 1)
	}
	return good, nil
}

// drive runs both versions of a seeded module.
func (s seeded) drive(t *testing.T, cand string) ([]model.Driven, []model.State) {
	t.Helper()
	m := newModule(t, map[string]string{"m.go": s.base, "m_test.go": s.test}, map[string]string{"m.go": cand})
	p := m.plan(t)
	found, states, err := p.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Notes()) > 0 {
		t.Errorf("notes: %q", p.Notes())
	}
	for _, d := range found {
		t.Logf("%s: %d inputs, %d pairs, %d calls, concurrent %v (%s), skipped %q, uncompared %q", d.Func, d.Inputs, d.Pairs, d.Calls, d.Concurrent, d.NoConcurrent, d.Skipped, d.Uncompared)
		for _, x := range d.Differences {
			t.Logf("   %+v", x)
		}
	}
	for _, st := range states {
		t.Logf("state %+v", st)
	}
	return found, states
}

// driveGood checks that nothing is found in the good change.
func (s seeded) driveGood(t *testing.T) {
	found, _ := s.drive(t, s.good)
	for _, d := range found {
		if !d.OK() || d.Skipped != "" {
			t.Errorf("%s of a good change: %q %+v", d.Func, d.Skipped, d.Differences)
		}
	}
}

// With -seeded, TestSeededBugs drives all of testdata/bugs, which takes some
// minutes; without it, those of one module, which a run draws.
var allSeeded = flag.Bool("seeded", false, "drive all seeded bugs")

// notFound are bugs that are known to go unseen, and why.
var notFound = map[string]string{}

// seen reports whether driving showed that something is wrong: a difference,
// or state that grows without end.
func seen(found []model.Driven, states []model.State) bool {
	return slices.ContainsFunc(found, func(d model.Driven) bool { return !d.OK() }) ||
		slices.ContainsFunc(states, func(s model.State) bool { return s.Grows })
}

func TestSeededBugs(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs thirty binaries")
	}
	bugs, caught := 0, 0
	for _, s := range readSeeded(t) {
		if !*allSeeded && s.name != "render" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			const good = "good"
			names := append(slices.Sorted(maps.Keys(s.bugs)), good)
			if !*allSeeded {
				names = sample.Part(names, len(names))
			}
			for _, bug := range names {
				if bug == good {
					t.Run(good, s.driveGood)
					continue
				}
				bugs++
				t.Run(bug, func(t *testing.T) {
					found, states := s.drive(t, s.bugs[bug])
					if seen(found, states) {
						caught++
					} else if notFound[bug] == "" {
						t.Error("not caught")
					}
				})
			}
		})
	}
	if bugs >= 20 && caught < 18 {
		t.Errorf("%d of %d bugs were caught", caught, bugs)
	}
}
