package difftest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/pawl-dev/pawl/internal/change/guard"
	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
)

// With -strangers, TestStrangers reads and drives all patches of
// testdata/strangers whose names have it; "all" is all of them. Without it, one
// in seventy-two, and one in three where all tests are asked for: all of them take eight minutes.
var strangers = flag.String("strangers", "", "which patches of strangers to read and drive, by a part of their names")

// A stranger is a patch that somebody might send, and why it has to be refused,
// which is nowhere for an honest one.
type stranger struct {
	name       string
	base, cand string
	test       string
	bad        bool
	allow      []model.SuspicionKind // what reading names, and a person then consents to
	want       []string              // kinds of suspicions or differences: any is the right reason
}

var benchmarkName = regexp.MustCompile(`(?m)^func (Benchmark\w+)\(`)

func readStrangers(t *testing.T) (out []stranger) {
	t.Helper()
	names, err := filepath.Glob("testdata/strangers/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no patches", err)
	}
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var base, test string
		for _, f := range ar.Files {
			switch f.Name {
			case "m.go":
				base = string(f.Data)
				continue
			case "m_test.go":
				test = string(f.Data)
				continue
			}
			want, text, _ := strings.Cut(string(f.Data), "\n")
			s := stranger{name: strings.TrimSuffix(filepath.Base(name), ".txtar") + "/" + f.Name, base: base, test: test, bad: strings.HasPrefix(f.Name, "bad/")}
			s.allow, s.want = kindsWanted(want)
			if s.cand, err = breakIt(base, text); err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			out = append(out, s)
		}
	}
	return out
}

// kindsWanted reads the line of a patch that names kinds. Before an & stand those
// that reading has to name; they are then allowed, and driving has to find another.
func kindsWanted(line string) (allow []model.SuspicionKind, want []string) {
	named, driven, both := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "want:")), "&")
	if !both {
		named, driven = "", named
	}
	for _, k := range kindsOf(named) {
		allow = append(allow, model.SuspicionKind(k))
	}
	return allow, kindsOf(driven)
}

func kindsOf(text string) []string {
	return strings.FieldsFunc(strings.TrimSpace(text), func(r rune) bool { return r == '|' })
}

// A judgement is what was found of a patch: the kinds for which it is refused, why
// it would stay undecided where it is not, and how long reading and driving took.
type judgement struct {
	kinds         []string
	undecided     string
	reads, drives time.Duration
}

func (s stranger) judge(t *testing.T) judgement {
	t.Helper()
	m := newModule(t, map[string]string{"m.go": s.base, "m_test.go": s.test}, map[string]string{"m.go": s.cand})
	return m.judge(t, s, s.test)
}

// judge reads and drives a patch of a module, judged by the benchmarks of some test
// files of the changed package.
func (m module) judge(t *testing.T, s stranger, tests ...string) (j judgement) {
	t.Helper()
	pkg := m.cfg.Changed[0]
	dir, err := filepath.Rel(m.cfg.Root, pkg.Dir)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	in, err := guard.Inspect(t.Context(), guard.Change{
		Dir: m.cfg.Root, Root: m.cfg.Root, Env: append(os.Environ(), "GOWORK=off"), Before: m.change.Before, After: m.change.After, Judges: []string{dir},
	})
	if err != nil {
		t.Fatal(err)
	}
	if in.Incomplete != "" {
		t.Fatal(in.Incomplete)
	}
	j.reads = time.Since(start)
	for _, k := range s.allow {
		if !slices.ContainsFunc(in.Refused(nil), func(x model.Suspicion) bool { return x.Kind == k }) {
			t.Errorf("reading does not name %s", k)
		}
	}
	for _, x := range in.Refused(s.allow) {
		t.Logf("refused %s: %s: %s", x.At, x.Kind, x.Detail)
		j.kinds = append(j.kinds, string(x.Kind))
	}
	if len(j.kinds) > 0 {
		return j
	}
	start = time.Now()
	for _, b := range benchmarkName.FindAllStringSubmatch(strings.Join(tests, "\n"), -1) {
		m.cfg.Judges = append(m.cfg.Judges, model.Benchmark{Pkg: pkg.ImportPath, Name: b[1]})
	}
	m.cfg.Budget, m.cfg.NoRace = 15*time.Second, s.bad && !slices.Contains(s.want, string(model.DiffConcurrent))
	p := m.plan(t)
	found, states, err := p.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	j.drives = time.Since(start)
	pairs := 0
	for _, d := range found {
		pairs += d.Pairs
		t.Logf("%s: %d inputs, %d pairs, concurrent %v (%s), skipped %q, uncompared %q", d.Func, d.Inputs, d.Pairs, d.Concurrent, d.NoConcurrent, d.Skipped, d.Uncompared)
		for _, x := range d.Differences {
			t.Logf("   %+v", x)
			j.kinds = append(j.kinds, string(x.Kind))
		}
		for _, b := range d.Judged {
			if b.Inputs == 0 {
				j.undecided = "nothing of what " + b.Benchmark + " calls it with was compared"
			}
		}
	}
	for _, st := range states {
		if st.Grows {
			j.kinds = append(j.kinds, "grows")
		}
	}
	if pairs == 0 {
		j.undecided = "nothing was compared"
	}
	return j
}

func TestStrangers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs binaries")
	}
	patches := readStrangers(t)
	switch *strangers {
	case "all":
	case "":
		patches = sample.Always(sample.Part(patches, 24), 3)
	default:
		patches = slices.DeleteFunc(patches, func(s stranger) bool { return !strings.Contains(s.name, *strangers) })
	}
	var reads, drives []time.Duration
	for _, s := range patches {
		t.Run(s.name, func(t *testing.T) {
			j := s.judge(t)
			s.verdict(t, j)
			switch {
			case len(j.kinds) > 0 && j.drives == 0:
				reads = append(reads, j.reads)
			case len(j.kinds) > 0:
				drives = append(drives, j.reads+j.drives)
			}
		})
	}
	load, _ := os.ReadFile("/proc/loadavg") // of the last minute, 5 and 15
	t.Logf("a refusal by reading took %s, by driving %s; load %s", spreadOf(reads), spreadOf(drives), load)
}

// spreadOf says how long things took.
func spreadOf(list []time.Duration) string {
	if len(list) == 0 {
		return "nothing, as there was none"
	}
	slices.Sort(list)
	return fmt.Sprintf("%.1f s in the middle and %.1f s at most (%d)", list[len(list)/2].Seconds(), list[len(list)-1].Seconds(), len(list))
}

// verdict says whether a patch was judged right.
func (s stranger) verdict(t *testing.T, j judgement) {
	t.Helper()
	kinds, undecided := j.kinds, j.undecided
	right := slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(s.want, k) })
	switch {
	case !s.bad && right && !slices.ContainsFunc(kinds, func(k string) bool { return !slices.Contains(s.want, k) }):
		t.Log("RESULT honest, and kept with consent")
	case !s.bad && len(kinds) > 0:
		t.Errorf("RESULT honest, and refused: %q", kinds)
	case !s.bad && undecided != "":
		t.Errorf("RESULT honest, and undecided: %s", undecided)
	case !s.bad:
		t.Log("RESULT honest, and kept")
	case right:
		t.Logf("RESULT bad, and refused for it: %q", kinds)
	case len(kinds) > 0:
		t.Errorf("RESULT bad, and refused by luck: %q, want %q", kinds, s.want)
	case undecided != "":
		t.Logf("RESULT bad, and undecided: %s", undecided)
	default:
		t.Error("RESULT bad, and kept")
	}
}
