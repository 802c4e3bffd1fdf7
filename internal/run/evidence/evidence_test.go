package evidence

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/model"
	"github.com/pawl-dev/pawl/internal/report/sheet"
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
		verdict Verdict
		why     string
	}{
		{Holds, "allocs/op 1 → 0"}, {NotThere, ""},
		{Failed, `"a,b" gives "a", then "b"`}, {Failed, "undefined: strings.Cot"},
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
	if res := rep.Results[0]; !strings.Contains(res.Measured(), "cpu/op") || res.change("allocs/op") != "1 → 0" || res.Before.CPUNs <= 0 || res.CPU != rep.Env.CPU {
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
	if rep.Stopped != "budget" || rep.Count(Undecided) != 1 || !strings.Contains(rep.Results[0].Why, "the budget of 1ns is spent") {
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
	save := func(v Verdict) {
		t.Helper()
		if err := k.save(r, Result{Rule: r.Name, Verdict: v, GoVersion: env.GoVersion, CPU: env.CPU}); err != nil {
			t.Fatal(err)
		}
	}
	is := func(env model.Environment, r rule.Rule, want Verdict) {
		t.Helper()
		res, _ := Known(dir, env, r)
		if demoted := len(Demoted(dir, env, []rule.Rule{r})) == 1; res.Verdict != want || demoted != (want == NotThere) {
			t.Errorf("%q, demoted %v; want %q", res.Verdict, demoted, want)
		}
	}
	is(env, r, "")
	save(NotThere)
	is(env, r, NotThere)
	save(Undecided)
	save(Failed)
	is(env, r, NotThere)
	is(model.Environment{GoVersion: "go1.27.0", CPU: env.CPU}, r, "")
	is(model.Environment{GoVersion: env.GoVersion, CPU: "another"}, r, "")
	is(env, example("gone", split, split), "") // other evidence
	is(env, rule.Rule{Name: "gone", Missing: "not yet"}, "")
	save(Weaker)
	is(env, r, Weaker)
	is(env, rule.Rule{Name: "other"}, "")
	if got := Demoted(filepath.Join(dir, "nowhere"), env, []rule.Rule{r}); len(got) != 0 {
		t.Errorf("a directory that is not there demotes %v", got)
	}
}

// sampleReport returns one result of each kind.
func sampleReport() *Report {
	r := &Report{Started: time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC), Env: model.Environment{GoVersion: "go1.26.8", GOOS: "linux", GOARCH: "amd64", CPU: "a processor"}}
	judged := &model.Verdict{Metric: "cpu/op"}
	r.Results = []Result{
		{Rule: "first", IDs: []string{"C01", "C02"}, Metric: "allocs", Claimed: "fewer | allocations", Verdict: Holds, Ratio: 4.9, RatioLo: 4.8, RatioHi: 5, Judged: judged, Counts: counts(1, 0, 96, 0)},
		{Rule: "second", IDs: []string{"C03"}, Metric: "cpu", ClaimedRatio: 7.5, Claimed: "faster", Verdict: NotThere, Why: "cpu/op: a gain of 3 % or more is excluded", Ratio: 1, Judged: judged, Counts: noisy(counts(12.5, 12, 100, 90))},
		{Rule: "third", IDs: []string{"C04"}, Metric: "cpu", Claimed: "faster", Verdict: Failed, Why: "before and after differ:\n  x.go:1: wrong"},
	}
	r.Exempt = []Exemption{
		{Rule: "fourth", IDs: []string{"C55"}, Why: "obsolete", NoRule: true},
		{Rule: "fifth", IDs: []string{"C56"}, Why: "it waits"}, {Rule: "sixth", IDs: []string{"C57"}, Why: "it waits"},
	}
	return r
}

// Few entries without a rule are given with their reasons, many by name only.
func TestGroups(t *testing.T) {
	r := sampleReport()
	if got := groups(r.Exempt); len(got) != 2 || got[0].why != "obsolete" {
		t.Errorf("%+v", got)
	}
	for range fewMissing {
		r.Exempt = append(r.Exempt, Exemption{Rule: "x", IDs: []string{"C99"}, Why: "not yet", NoRule: true})
	}
	got := groups(r.Exempt)
	if len(got) != 2 || got[0].why != "it waits" || len(got[1].rules) != fewMissing+1 || !strings.HasPrefix(got[1].names("%s (%s)"), "C55, C99") {
		t.Errorf("%+v", got)
	}
}

func TestWriteText(t *testing.T) {
	var b bytes.Buffer
	if err := sampleReport().WriteText(&b, sheet.Options{ASCII: true}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, line := range []string{
		"The evidence of 3 rules: 1 holds, the gain of 1 is not there, 1 failed.\n", "x is before / after",
		"cpu/op 4.90x [4.80, 5.00]", "1 -> 0", "96 -> 0", "~12.50 -> ~12", "cpu 7.50x", "    ! cpu/op: a gain of 3 % or more is excluded\n",
		"    ! x.go:1: wrong\n", "  fourth (C55): obsolete\n", "  fifth (C56), sixth (C57): it waits\n",
	} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is missing in\n%s", line, got)
		}
	}
}

// On a narrow terminal there are no bytes.
func TestNarrow(t *testing.T) {
	var b bytes.Buffer
	if err := sampleReport().WriteText(&b, sheet.Options{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, "96 → 0") || !strings.Contains(got, "1 → 0 ") {
		t.Errorf("got\n%s", got)
	}
	if _, table, _ := strings.Cut(b.String(), "\n\n"); utf8.RuneCountInString(strings.SplitN(table, "\n", 2)[0]) > 80 {
		t.Errorf("the head is wider than 80 columns:\n%s", table)
	}
}

// sampleRules are the rules of sampleReport, and one that it does not know.
func sampleRules() []rule.Rule {
	measured := func(name, metric, claimed string, ids ...string) rule.Rule {
		return rule.Rule{Name: name, IDs: ids, Seeds: []string{"000"}, Evidence: &rule.Evidence{Metric: metric, Claimed: claimed}}
	}
	exempt := func(name, id string) rule.Rule {
		return rule.Rule{Name: name, IDs: []string{id}, Evidence: &rule.Evidence{Exempt: "it waits"}}
	}
	ended := measured("ended", "cpu", "faster once", "C05")
	ended.Until = "go1.26"
	transformation := measured("pool", "allocs", "none", "C04")
	transformation.Seeds = nil
	return []rule.Rule{
		measured("first", "allocs", "fewer | allocations", "C01", "C02"), measured("second", "cpu", "faster", "C03"), measured("third", "cpu", "faster", "C04"),
		ended, transformation, exempt("fifth", "C56"), exempt("sixth", "C57"), {Name: "fourth", IDs: []string{"C55"}, Missing: "obsolete"},
	}
}

func markdown(t *testing.T, runs ...*Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := NewPage(sampleRules(), runs...).WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func holds(t *testing.T, page string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(page, line) {
			t.Errorf("%q is missing in\n%s", line, page)
		}
	}
}

func TestWriteMarkdown(t *testing.T) {
	holds(t, markdown(t, sampleReport()),
		"# Evidence\n", "    pawl evidence -markdown", "Measured 2026-11-21 with go1.26.8 linux/amd64 on a processor",
		"| [first](rules.md#first) | C01 C02 | allocs: fewer \\| allocations | cpu/op 4.90x [4.80, 5.00] | 1 → 0, 96 → 0 | holds |\n",
		"| **not there** |\n", "- second, demoted on go1.26.8: cpu/op", "- third on go1.26.8: before and after differ.\n",
		"| [pool](transformations.md#pool) | C04 | allocs: none | | | not measured |\n",
		"| it waits | [fifth](rules.md#fifth) (C56), [sixth](rules.md#sixth) (C57) |\n", "| obsolete | [fourth](rules.md#fourth) (C55) |\n",
	)
}

// Releases stand side by side in their order. What was measured again with one
// of them takes the place of what was there, and what was not measured says so.
func TestReleasesSideBySide(t *testing.T) {
	old, newer, again := sampleReport(), sampleReport(), sampleReport()
	newer.Env.GoVersion = "go1.27.4"
	newer.Results = []Result{{Rule: "first", Verdict: NotThere, Why: "a gain is excluded"}}
	again.Results = []Result{{Rule: "second", Verdict: Holds}, {Rule: "ended", Verdict: Holds}}
	page := markdown(t, newer, old, again)
	holds(t, page,
		"| rule | ids | claimed | go1.26.8 | allocs/op, B/op | verdict | go1.27.4 | allocs/op, B/op | verdict |\n|---|---|---|---|---|---|---|---|---|\n",
		"| cpu/op 4.90x [4.80, 5.00] | 1 → 0, 96 → 0 | holds |  |  | **not there** |\n",
		"| [second](rules.md#second) | C03 | cpu: faster |  |  | holds | | | not measured |\n",
		"- first, demoted on go1.27.4: a gain is excluded.\n", "- third on go1.26.8: ",
		"- ended is silent on go1.27.4: it holds to go1.26, and this is go1.27.4.\n",
	)
	if n := strings.Count(page, "\nMeasured 2026-11-21 with go1.2"); n != 2 || !strings.Contains(page, ", in 0s at a load of 0.0, then 0s at a load of 0.0. The evidence of 4 rules: 3 hold, 1 failed.") {
		t.Errorf("%d releases are named, want 2, and one of two runs:\n%s", n, page)
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
