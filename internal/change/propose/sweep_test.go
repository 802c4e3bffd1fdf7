package propose

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl/internal/change/propose/prove"
	"github.com/pawl-dev/pawl/internal/model"
)

var (
	sweep      = flag.String("sweep", "", "modules with versions, or directories, with commas between them, whose every line is a target")
	sweepKinds = flag.String("sweep-kinds", "", "kinds of changes, with commas between them, to try alone; they and what is refused are printed")
	sweepRace  = flag.Bool("sweep-race", false, "run the tests under the race detector")
	sweepAt    = flag.String("sweep-at", "", "lines such as a/b.go:10-20, with commas between them: what is proposed and refused there is printed, and not tried")
)

// TestSweep proposes changes for all lines of published or local modules, as if each
// were the one that costs. Whatever is proposed must compile, and the module's own tests
// must pass with it. It asks the go command for the modules.
func TestSweep(t *testing.T) {
	if *sweep == "" {
		t.Skip("no -sweep")
	}
	for mod := range strings.SplitSeq(*sweep, ",") {
		t.Run(mod, func(t *testing.T) {
			if *sweepAt != "" {
				printAt(t, mod)
				return
			}
			s := &sweeper{T: t, dir: copied(t, mod), refused: map[string]bool{}}
			s.failing = s.failures()
			var err error
			if s.p, err = Load(t.Context(), Config{Dir: s.dir, Root: s.dir, Env: sweepEnviron(), Patterns: []string{"./..."}}); err != nil {
				t.Fatal(err)
			}
			changes := s.changes()
			kinds := map[string]int{}
			for _, c := range changes {
				kinds[c.Kind]++
			}
			t.Logf("%d changes, %v; %d packages fail without any: %v", len(changes), kinds, len(s.failing), s.failing)
			s.try(changes)
		})
	}
}

// printAt prints what is proposed and refused for lines of -sweep-at in a directory.
func printAt(t *testing.T, dir string) {
	var targets []model.Frame
	var patterns []string
	for at := range strings.SplitSeq(*sweepAt, ",") {
		name, lines, _ := strings.Cut(at, ":")
		var from, to int
		if n, _ := fmt.Sscanf(lines, "%d-%d", &from, &to); n == 1 {
			to = from
		} else if n != 2 {
			t.Fatalf("%s: want FILE:FROM-TO", at)
		}
		patterns = append(patterns, "./"+filepath.Dir(name))
		for line := from; line <= to; line++ {
			targets = append(targets, model.Frame{File: name, Line: line, Module: true})
		}
	}
	p, err := Load(t.Context(), Config{Dir: dir, Root: dir, Env: sweepEnviron(), Patterns: slices.Compact(patterns)})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, at := range targets {
		for _, r := range []model.Resource{model.Allocs, model.CPU} {
			changes, refusals := p.Changes(model.Target{Resource: r, At: at.Pos(), PerOp: 1, Share: 1, Stack: []model.Frame{at}})
			for _, c := range changes {
				if !seen[c.ID] {
					seen[c.ID] = true
					t.Logf("proposed for %s: %s\n%s", at.Pos(), c.Kind, render(t, p, []model.Change{c}, nil))
				}
			}
			for _, r := range refusals {
				if text := fmt.Sprintf("refused: %s: %s: %s", r.At, r.Kind, r.Why); !seen[text] {
					seen[text] = true
					t.Log(text)
				}
			}
		}
	}
}

func sweepEnviron() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
}

// copied returns a copy of a module of the proxy, or of a directory.
func copied(t *testing.T, mod string) string {
	t.Helper()
	from := mod
	if !filepath.IsAbs(mod) {
		from = published(t, mod)
	}
	dir := filepath.Join(t.TempDir(), "m")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("chmod", "-R", "u+w", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// published returns where the go command keeps a module of the proxy.
func published(t *testing.T, mod string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", mod)
	cmd.Dir, cmd.Env = t.TempDir(), sweepEnviron()
	out, err := cmd.Output()
	var at struct{ Dir string }
	if err != nil || json.Unmarshal(out, &at) != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return at.Dir
}

// A sweeper tries changes of one module.
type sweeper struct {
	*testing.T
	dir     string
	p       *Program
	failing []string        // packages whose tests fail as they are
	refused map[string]bool // what was printed
}

// failures returns the packages that do not build or whose tests fail.
func (s *sweeper) failures() []string {
	args := []string{"test", "-vet=off", "-short", "-timeout=5m", "./..."}
	if *sweepRace {
		args = slices.Insert(args, 1, "-race")
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = s.dir, sweepEnviron()
	out, _ := cmd.CombinedOutput()
	var failing []string
	for line := range bytes.Lines(out) {
		if f := strings.Fields(string(line)); len(f) > 1 && f[0] == "FAIL" {
			failing = append(failing, f[1])
		}
	}
	return failing
}

// changes returns what is proposed for any line, each once.
func (s *sweeper) changes() []model.Change {
	var all []model.Change
	seen := map[string]bool{}
	for _, name := range s.files() {
		for line := range bytes.Count(s.p.engine.Files[name].Src, []byte("\n")) {
			at := model.Frame{File: name, Line: line + 1, Module: true}
			for _, r := range []model.Resource{model.Allocs, model.CPU} {
				for _, c := range s.found(model.Target{Resource: r, At: at.Pos(), PerOp: 1, Share: 1, Stack: []model.Frame{at}}) {
					if seen[c.ID] {
						continue
					}
					seen[c.ID] = true
					all = append(all, c)
					if *sweepKinds != "" {
						s.Logf("%s:%d\n%s", name, line+1, render(s.T, s.p, []model.Change{c}, nil))
					}
				}
			}
		}
	}
	return all
}

// found returns what is proposed for a target, by the kinds that are asked for.
func (s *sweeper) found(t model.Target) (all []model.Change) {
	if *sweepKinds == "" {
		all, refusals := s.p.Changes(t)
		s.faults(refusals)
		return all
	}
	for _, tr := range All() {
		if slices.Contains(strings.Split(*sweepKinds, ","), tr.Name) && tr.Saves.Has(t.Resource) {
			changes, refusals := tr.Changes(s.p.engine, t)
			s.faults(refusals)
			all = append(all, changes...)
		}
	}
	return all
}

// faults fails for refusals that are pawl's own fault. Others are printed, where kinds are asked for.
func (s *sweeper) faults(refusals []Refusal) {
	for _, r := range refusals {
		text := fmt.Sprintf("%s: %s: %s", r.At, r.Kind, r.Why)
		switch {
		case strings.HasPrefix(r.Why, prove.Fault):
			s.Error(text)
		case *sweepKinds != "" && !s.refused[text]:
			s.refused[text] = true
			s.Log("refused: " + text)
		}
	}
}

func (s *sweeper) files() []string {
	var names []string
	for name, f := range s.p.engine.Files {
		if prove.Editable(f) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// compatible reports whether a change can be made beside others: not where it is an
// alternative to one of them.
func (s *sweeper) compatible(c model.Change, edits []model.Edit) bool {
	return !slices.ContainsFunc(c.Edits, func(e model.Edit) bool { return overlaps(e, edits) }) &&
		s.p.TypeCheck(slices.Concat(edits, c.Edits)) == nil
}

// try makes changes together, and the halves of them apart where tests fail.
func (s *sweeper) try(changes []model.Change) {
	var now, later []model.Change
	var edits []model.Edit
	for _, c := range changes {
		if len(now) > 0 && !s.compatible(c, edits) {
			later = append(later, c)
			continue
		}
		now, edits = append(now, c), append(edits, c.Edits...)
	}
	if len(now) == 0 {
		return
	}
	apply(s.T, s.p, now)
	failing := slices.DeleteFunc(s.failures(), func(name string) bool { return slices.Contains(s.failing, name) })
	for _, name := range prove.FileNames(edits) {
		f := s.p.engine.Files[name]
		if err := os.WriteFile(f.Path, f.Src, 0o666); err != nil {
			s.Fatal(err)
		}
	}
	switch {
	case len(failing) > 0 && len(now) == 1:
		s.Errorf("%v fail with\n%s", failing, render(s.T, s.p, now, nil))
	case len(failing) > 0:
		s.try(now[:len(now)/2])
		s.try(now[len(now)/2:])
	}
	s.try(later)
}
