package evidence

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/pawl-dev/pawl/internal/lab/sample"
	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/claims"
	"github.com/pawl-dev/pawl/rules/rule"
)

const code = `package evidence

import "strings"

func Head(s string) string { HEAD }
`

const benchTest = `package evidence

import "testing"

func BenchmarkHead(b *testing.B) {
	for b.Loop() {
		Head("one,two,three,four,five,six,seven,eight")
	}
}
`

const equalTest = `package equal

import (
	"testing"

	after "evidence/after"
	before "evidence/before"
)

func TestHead(t *testing.T) {
	for _, s := range []string{"", "a", "a,b"} {
		if x, y := before.Head(s), after.Head(s); x != y {
			t.Errorf("%q gives %q, then %q", s, x, y)
		}
	}
}
`

const (
	split = `return strings.Split(s, ",")[0]`
	cut   = `head, _, _ := strings.Cut(s, ","); return head`
	rest  = `_, rest, _ := strings.Cut(s, ","); return rest`
	typo  = `return strings.Cot(s)`
)

// example returns a rule whose evidence has these bodies.
func example(name, before, after string) rule.Rule {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	return rule.Rule{Name: name, Title: "an example", IDs: []string{"C75"}, Evidence: &rule.Evidence{
		Files: fstest.MapFS{
			"testdata/evidence/before.go":     file(strings.Replace(code, "HEAD", before, 1)),
			"testdata/evidence/after.go":      file(strings.Replace(code, "HEAD", after, 1)),
			"testdata/evidence/bench_test.go": file(benchTest),
			"testdata/evidence/equal_test.go": file(equalTest),
		},
		Bench: "BenchmarkHead", Metric: "allocs", Claimed: "one allocation less",
	}}
}

// options returns Options whose scratch directory and cache are the test's own.
func options(t *testing.T) Options {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Cleanup(func() {
		if left, _ := os.ReadDir(tmp); len(left) > 0 {
			t.Errorf("%s is left in the temporary directory", left[0].Name())
		}
	})
	// No module here, no network, and flags and a workspace that are not ours.
	env := append(os.Environ(), "GOPROXY=http://127.0.0.1:1", "GOFLAGS=-mod=vendor", "GOWORK="+filepath.Join(tmp, "go.work"))
	return Options{
		Tool: "test", Dir: t.TempDir(), Env: env, CacheDir: filepath.Join(t.TempDir(), "cache"), Budget: time.Minute, Alpha: 0.05, Seed: 1, Now: time.Now,
	}
}

func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures")
	}
	sample.One(t, 5)
	opt := options(t)
	unequal, broken := example("unequal", split, rest), example("broken", split, typo)
	gone := example("gone", cut, cut)
	exempt, missing := example("exempt", "", ""), rule.Rule{Name: "absent", IDs: []string{"C55"}, Missing: "obsolete"}
	exempt.Evidence = &rule.Evidence{Exempt: "it waits"}
	newer := example("newer", split, cut)
	newer.Go = "go1.999"
	helped := example("helped", split, cut)
	rules := []rule.Rule{helped, gone, unequal, broken, exempt, missing, newer}
	rep, err := Run(t.Context(), rules, opt)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		verdict model.EvidenceVerdict
		why     string
	}{
		{model.EvidenceHolds, "allocs/op 1 → 0"}, {model.EvidenceNotThere, ""},
		{model.EvidenceFailed, `"a,b" gives "a", then "b"`}, {model.EvidenceFailed, "undefined: strings.Cot"},
	}
	if len(rep.Results) != len(want) {
		t.Fatalf("%d results, want %d", len(rep.Results), len(want))
	}
	for i, w := range want {
		if res := rep.Results[i]; res.Verdict != w.verdict || !strings.Contains(res.Why, w.why) {
			t.Errorf("%s: %s: %s; want %s: %s", res.Rule, res.Verdict, res.Why, w.verdict, w.why)
		}
	}
	if len(rep.Exempt) != 3 || rep.Exempt[0].Why != "it waits" || !strings.Contains(rep.Exempt[2].Why, "from go1.999") {
		t.Errorf("exempt: %+v", rep.Exempt)
	}
	if res := rep.Results[0]; !strings.Contains(claims.Measured(&res), "cpu/op") || res.Counts[0].After != 0 || res.Before.CPUNs <= 0 || res.CPU != rep.Env.CPU {
		t.Errorf("%+v", res)
	}
	demoted := Demoted(opt.CacheDir, rep.Env, rules)
	if !strings.Contains(demoted["gone"], "its gain is not there: ") || len(demoted) != 1 {
		t.Errorf("demoted: %v", demoted)
	}
	private(t, opt.CacheDir)
}

// private checks that all below dir is the owner's alone.
func private(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "pawl"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == filepath.Join(dir, "pawl") {
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// What is not reached is undecided by name, and the code is not 0 for it.
func TestStopped(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	opt := options(t)
	opt.Budget = time.Nanosecond
	rep, err := Run(t.Context(), []rule.Rule{example("late", split, cut)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if rep.Stopped != "budget" || rep.Count(model.EvidenceUndecided) != 1 || !strings.Contains(rep.Results[0].Why, "the budget of 1ns is spent") {
		t.Errorf("%+v", rep)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, []rule.Rule{example("late", split, cut)}, opt); err == nil {
		t.Error("an interrupted start is no error")
	}
}

func TestKnown(t *testing.T) {
	dir := t.TempDir()
	k, err := openKnown(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := example("gone", split, cut)
	env := model.Environment{GoVersion: "go1.26.8", CPU: "some processor"}
	save := func(v model.EvidenceVerdict) {
		t.Helper()
		if err := k.save(r, model.EvidenceResult{Rule: r.Name, Verdict: v, GoVersion: env.GoVersion, CPU: env.CPU}); err != nil {
			t.Fatal(err)
		}
	}
	is := func(env model.Environment, r rule.Rule, want model.EvidenceVerdict) {
		t.Helper()
		res, _ := Known(dir, env, r)
		if demoted := len(Demoted(dir, env, []rule.Rule{r})) == 1; res.Verdict != want || demoted != (want == model.EvidenceNotThere) {
			t.Errorf("%q, demoted %v; want %q", res.Verdict, demoted, want)
		}
	}
	is(env, r, "")
	save(model.EvidenceNotThere)
	is(env, r, model.EvidenceNotThere)
	save(model.EvidenceUndecided)
	save(model.EvidenceFailed)
	is(env, r, model.EvidenceNotThere)
	is(model.Environment{GoVersion: "go1.27.0", CPU: env.CPU}, r, "")
	is(model.Environment{GoVersion: env.GoVersion, CPU: "another"}, r, "")
	is(env, example("gone", split, split), "") // other evidence
	is(env, rule.Rule{Name: "gone", Missing: "not yet"}, "")
	save(model.EvidenceWeaker)
	is(env, r, model.EvidenceWeaker)
	is(env, rule.Rule{Name: "other"}, "")
	if got := Demoted(filepath.Join(dir, "nowhere"), env, []rule.Rule{r}); len(got) != 0 {
		t.Errorf("a directory that is not there demotes %v", got)
	}
}

// What is no run, or one of a schema that is not known, is refused by name.
func TestReadReport(t *testing.T) {
	for text, want := range map[string]string{
		`{"schema":1,"env":{"go_version":"go1.27.4"}}`: "",
		`{"schema":9,"env":{"go_version":"go1.27.4"}}`: "schema 9",
		`{"schema":1}`: `Go version ""`, `[]`: "is not what pawl evidence -json writes",
	} {
		name := filepath.Join(t.TempDir(), "run.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadReport(name)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
